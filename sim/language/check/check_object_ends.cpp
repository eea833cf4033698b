#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// How objects end: destructors at the end of a scope, before break, continue and return, and on delete.
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
    ExpressionPtr call = make(Kind::Call, voidType(), span, moved(makeCopy(address), 0, type, false));
    call->index = instantiate(memberCandidate({destructor, type}), *callOf({}, span));
    into.push_back(std::move(call));
  }
  for (auto field = type->fields.rbegin(); field != type->fields.rend(); ++field) {
    if (field->isReference || !needsDestruction(field->type)) continue;
    const ExpressionPtr part = moved(makeCopy(address), field->offset, field->type, false);
    destroyParts(field->type, *part, span, into);
  }
}

/// The same as one expression without a value.
ExpressionPtr Checker::destroyed(const Type* type, const typed::Expression& address, SourceSpan span) {
  spend(1, span);
  Values parts;
  destroyParts(type, address, span, parts);
  ExpressionPtr result;
  for (ExpressionPtr& part : parts) result = sequence(span, std::move(result), std::move(part));
  return result;
}

/// For an object whose class is known only by its number. `held` is a variable with its address.
ExpressionPtr Checker::destroyedByClass(const Type* type, std::uint32_t held, SourceSpan span) {
  std::uint32_t known = 0;
  ExpressionPtr set = hold("(class)", classIn(held, type->field(kClassField)->offset, span), span, known);
  ExpressionPtr chosen = makeTrap(typed::AssertKind::NoCallee, span);
  bool isAny = false;
  for (const ClassPart& one : listClasses(type)) {
    const ExpressionPtr whole = moved(wholeVariable(held, span), -std::int64_t{one.offset}, one.type, false);
    ExpressionPtr ended = destroyed(one.type, *whole, span);
    isAny = isAny || ended != nullptr;
    if (ended == nullptr) ended = make(Kind::Constant, voidType(), span);
    chosen = ifClass(wholeVariable(known, span), one, std::move(ended), std::move(chosen));
  }
  if (!isAny) return nullptr;
  return sequence(span, std::move(set), std::move(chosen));
}

/// For the object behind a pointer. Null if its end does nothing.
ExpressionPtr Checker::destroyedBehind(ExpressionPtr pointer, bool isVirtual, SourceSpan span) {
  const Type* const type = pointer->type->element;
  std::uint32_t held = 0;
  ExpressionPtr set = hold("(object)", std::move(pointer), span, held);
  ExpressionPtr ended = isVirtual && hasVirtualDestructor(type)
                            ? destroyedByClass(type, held, span)
                            : destroyed(type, *wholeVariable(held, span), span);
  return ended == nullptr ? nullptr : sequence(span, std::move(set), std::move(ended));
}

/// `p->~T();`. It does nothing unless T is a class.
ExpressionPtr Checker::destructorCall(const syntax::Expression& node) {
  Operand object = operand(*node.operands[0]);
  if (node.arrow) object = pointedTo(std::move(object), node);
  if (!object.glvalue) fail(node.span, "a destructor needs an object that has a place", "name the object");
  const bool isVirtual = !object.glvalue->isVariable;
  ExpressionPtr ended = destroyedBehind(makeAddress(std::move(*object.glvalue)), isVirtual, node.span);
  return ended != nullptr ? std::move(ended) : make(Kind::Constant, voidType(), node.span);
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
  std::vector<std::uint32_t> ended(alive_.begin() + static_cast<std::ptrdiff_t>(first), alive_.end());
  if (except) std::erase(ended, *except);
  destroyAll(ended, span, into);
}

/// The ends of these objects, the last first.
void Checker::destroyAll(const std::vector<std::uint32_t>& objects, SourceSpan span, typed::Statement& into) {
  for (std::size_t i = objects.size(); i-- > 0;) {
    const ExpressionPtr address = variableAddress(objects[i], span);
    if (ExpressionPtr ended = destroyed(address->type->element, *address, span))
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
StatementPtr Checker::inScope(const syntax::Statement& node) {
  pushScope();
  const std::size_t alive = alive_.size();
  StatementPtr result = statement(node);
  if (result == nullptr) result = makeStatement(StatementKind::Block, node.span);
  if (alive_.size() > alive) {
    StatementPtr block = makeStatement(StatementKind::Block, node.span);
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
StatementPtr Checker::endedAtOnce(ExpressionPtr value, SourceSpan span) {
  return scoped(StatementKind::Block, span, span, [&](typed::Statement& into) {
    std::uint32_t variable = 0;
    into.body.push_back(expressionStatement(hold("(temporary)", std::move(value), span, variable), span));
    alive_.push_back(variable);
  });
}

}  // namespace lanescope::checker
