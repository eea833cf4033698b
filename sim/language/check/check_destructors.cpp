// How objects end: destructors at the end of a scope, before break, continue and return, and on delete.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {
namespace {

/// Elements of an array of objects whose destructors are called one by one.
constexpr std::uint64_t kMaxDestroyed = 1024;

bool isEmpty(const syntax::Statement& node) {
  const auto kind = node.kind;
  return kind == syntax::Statement::Kind::Empty ||
         (kind == syntax::Statement::Kind::Block &&
          std::ranges::all_of(node.body, [](const auto& child) { return isEmpty(*child); }));
}

/// True if no lane continues behind the statement.
bool isLeft(const typed::Statement& node) {
  using Kind = typed::Statement::Kind;
  if (node.kind == Kind::Block) return !node.body.empty() && isLeft(*node.body.back());
  return node.kind == Kind::Return || node.kind == Kind::Break || node.kind == Kind::Continue ||
         node.kind == Kind::Goto;
}

}  // namespace

/// The class's own destructor if it does something, else null. A kernel ignores a destructor of the host.
const syntax::Function* Checker::findDestructor(const Type* type) const {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return nullptr;
  const auto& methods = info->node->methods;
  const auto found = std::ranges::find(methods, Role::Destructor, &syntax::Function::role);
  if (found == methods.end() || found->isDefaulted || found->isDeleted) return nullptr;
  if (found->body == nullptr) return found->isVirtual && found->diagnostics.empty() ? nullptr : &*found;
  return found->diagnostics.empty() && isEmpty(*found->body) ? nullptr : &*found;
}

/// True if the end of an object of the type runs code, its own or that of its parts.
bool Checker::needsDestruction(const Type* type) const {
  while (type->isArray()) type = type->element;
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || info->node->isUnion) return false;
  if (findDestructor(type) != nullptr) return true;
  return std::ranges::any_of(
      type->fields, [&](const Field& field) { return !field.isReference && needsDestruction(field.type); });
}

bool Checker::hasVirtualDestructor(const Type* type) const {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || !isPolymorphic(type)) return false;
  const bool isOwn = std::ranges::any_of(info->node->methods, [](const syntax::Function& method) {
    return method.role == Role::Destructor && method.isVirtual;
  });
  return isOwn || std::ranges::any_of(type->fields, [&](const Field& field) {
           return field.isBase && hasVirtualDestructor(field.type);
         });
}

/// Ends the object at the address: its destructor, then those of its fields and bases, the last first.
void Checker::destroyParts(const Type* type, const typed::Expression& address, SourceSpan span,
                           Values& into) {
  if (!needsDestruction(type)) return;
  if (type->isArray()) {
    if (type->count > kMaxDestroyed) {
      fail(span,
           fmt::format("an array of more than {} objects with destructors is not simulated", kMaxDestroyed),
           "allocate them with new");
    }
    for (std::uint32_t i = static_cast<std::uint32_t>(type->count); i-- > 0;) {
      const ExpressionPtr element = moved(makeCopy(address), i * type->element->size, type->element, false);
      destroyParts(type->element, *element, span, into);
    }
    return;
  }
  if (const syntax::Function* const destructor = findDestructor(type)) {
    if (isPolymorphic(type)) into.push_back(marked(type, address, span));
    syntax::Expression node;
    node.span = node.operatorSpan = span;
    Candidate own;
    own.callee = {destructor, type, 0};
    own.function = destructor;
    own.bound = findClass(type)->scope;
    bindClassParameters(*destructor, findClass(type)->arguments, own.bound);
    into.push_back(make(Kind::Call, scalar(Type::Kind::Void), span));
    const std::size_t call = into.size() - 1;
    into[call]->index = instantiate(own, node);
    into[call]->operands.push_back(moved(makeCopy(address), 0, type, false));
  }
  for (auto field = type->fields.rbegin(); field != type->fields.rend(); ++field) {
    if (field->isReference || !needsDestruction(field->type)) continue;
    const ExpressionPtr part = moved(makeCopy(address), field->offset, field->type, false);
    destroyParts(field->type, *part, span, into);
  }
}

/// The same as one expression without a value.
Checker::ExpressionPtr Checker::destroyed(const Type* type, const typed::Expression& address,
                                          SourceSpan span) {
  const Type* const nothing = scalar(Type::Kind::Void);
  Values parts;
  destroyParts(type, address, span, parts);
  ExpressionPtr result;
  for (ExpressionPtr& part : parts) {
    result = result == nullptr ? std::move(part)
                               : make(Kind::Sequence, nothing, span, std::move(result), std::move(part));
  }
  return result;
}

/// For an object whose class is known only by its number. `held` is a variable with its address.
Checker::ExpressionPtr Checker::destroyedByClass(const Type* type, std::uint32_t held, SourceSpan span) {
  const Type* const nothing = scalar(Type::Kind::Void);
  const Type* const number = scalar(Type::Kind::U64);
  const auto use = [&] { return wholeVariable(held, span); };
  const std::uint32_t known = addVariable("(class)", number, span, false);
  ExpressionPtr found =
      make(Kind::Load, number, span, moved(use(), type->field(kClassField)->offset, number, true));
  ExpressionPtr chosen = make(Kind::Assert, nothing, span, constant(scalar(Type::Kind::Bool), 0, span));
  chosen->index = static_cast<std::uint32_t>(typed::AssertKind::NoCallee);
  bool isAny = false;
  for (const auto& [one, part] : listClasses(type)) {
    const ExpressionPtr whole = moved(use(), -std::int64_t{part}, one, false);
    ExpressionPtr ended = destroyed(one, *whole, span);
    isAny = isAny || ended != nullptr;
    if (ended == nullptr) ended = make(Kind::Constant, nothing, span);
    ExpressionPtr test = make(Kind::Binary, scalar(Type::Kind::Bool), span, wholeVariable(known, span),
                              constant(number, classNumber(*one, part), span));
    test->op = typed::BinaryOp::Equal;
    chosen = make(Kind::Conditional, nothing, span, std::move(test), std::move(ended), std::move(chosen));
  }
  if (!isAny) return nullptr;
  return make(Kind::Sequence, nothing, span, setVariable(known, 0, number, std::move(found), span),
              std::move(chosen));
}

/// For the object behind a pointer. Null if its end does nothing.
Checker::ExpressionPtr Checker::destroyedBehind(ExpressionPtr pointer, bool isVirtual, SourceSpan span) {
  const Type* const type = pointer->type;
  const std::uint32_t held = addVariable("(object)", type, span, false);
  const ExpressionPtr use = wholeVariable(held, span);
  ExpressionPtr ended = isVirtual && hasVirtualDestructor(type->element)
                            ? destroyedByClass(type->element, held, span)
                            : destroyed(type->element, *use, span);
  if (ended == nullptr) return nullptr;
  return make(Kind::Sequence, scalar(Type::Kind::Void), span,
              setVariable(held, 0, type, std::move(pointer), span), std::move(ended));
}

/// `p->~T();`. It does nothing unless T is a class.
Checker::ExpressionPtr Checker::destructorCall(const syntax::Expression& node) {
  Operand object = operand(*node.operands[0]);
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (!object.glvalue) fail(node.span, "a destructor needs an object that has a place", "name the object");
  const bool isVirtual = !object.glvalue->isVariable;
  ExpressionPtr ended = destroyedBehind(makeAddress(std::move(*object.glvalue)), isVirtual, node.span);
  return ended != nullptr ? std::move(ended) : make(Kind::Constant, scalar(Type::Kind::Void), node.span);
}

// --- scopes ---

/// Notes a variable that was just declared if its end does something.
void Checker::noteAlive(const std::string& name) {
  if (name.empty()) return;
  const auto found = scope().find(name);
  if (found == scope().end()) return;
  const Symbol& symbol = found->second;
  if (symbol.kind == Symbol::Kind::Variable && !symbol.isReference && needsDestruction(symbol.type))
    alive_.push_back(symbol.index);
}

/// The ends of the objects from the given one on, the last first.
void Checker::destroyFrom(std::size_t first, SourceSpan span, typed::Statement& into,
                          std::optional<std::uint32_t> except) {
  for (std::size_t i = alive_.size(); i-- > first;) {
    const std::uint32_t variable = alive_[i];
    if (except == variable) continue;
    const Type* const type = kernel_.variables[variable].type;
    kernel_.variables[variable].isAddressed = true;
    ExpressionPtr address = make(Kind::LocalAddress, kernel_.types->pointerTo(type, false, false), span);
    address->index = variable;
    if (ExpressionPtr ended = destroyed(type, *address, span))
      into.body.push_back(expressionStatement(std::move(ended), span));
  }
}

/// For the end of their scope.
void Checker::endObjects(std::size_t first, SourceSpan span, typed::Statement& into) {
  if (alive_.size() <= first) return;
  if (into.body.empty() || !isLeft(*into.body.back())) destroyFrom(first, span, into);
  alive_.resize(first);
}

/// A statement in its own scope: a branch or a loop's body.
typed::StatementPtr Checker::inScope(const syntax::Statement& node) {
  pushScope();
  const std::size_t alive = alive_.size();
  typed::StatementPtr result = statement(node);
  if (result == nullptr) result = makeStatement(typed::Statement::Kind::Block, node.span);
  if (alive_.size() > alive) {
    typed::StatementPtr block = makeStatement(typed::Statement::Kind::Block, node.span);
    block->body.push_back(std::move(result));
    endObjects(alive, node.span, *block);
    result = std::move(block);
  }
  popScope();
  return result;
}

/// True for an unnamed object that an expression statement makes: `Timer("sum");`, `make();`.
bool Checker::isTemporaryObject(const typed::Expression& value) const {
  if (!needsDestruction(value.type)) return false;
  if (value.kind == Kind::Call) return true;
  return value.kind == Kind::Sequence && value.operands[1]->kind == Kind::Variable &&
         kernel_.variables[value.operands[1]->index].name == "(temporary)";
}

/// Such an object ends with its statement.
typed::StatementPtr Checker::endedAtOnce(ExpressionPtr value, SourceSpan span) {
  typed::StatementPtr block = makeStatement(typed::Statement::Kind::Block, span);
  block->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  const Type* const type = value->type;
  const std::uint32_t variable = addVariable("(temporary)", type, span, false);
  block->body.push_back(expressionStatement(setVariable(variable, 0, type, std::move(value), span), span));
  const std::size_t alive = alive_.size();
  alive_.push_back(variable);
  endObjects(alive, span, *block);
  block->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  return block;
}

}  // namespace lanescope::checker
