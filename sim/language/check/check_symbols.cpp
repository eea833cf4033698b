#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

namespace lanescope::checker {
namespace {

class NameFinder {
 public:
  explicit NameFinder(const syntax::Unit& unit) : unit_(unit) {}

  std::set<std::string_view> from(const syntax::Function& kernel) {
    look(kernel);
    while (!found_.empty()) {
      const std::string_view name = found_.back();
      found_.pop_back();
      for (const syntax::Function* const function : unit_.index.named(name)) {
        if (!function->isKernel) look(*function);
      }
    }
    return std::move(names_);
  }

  std::set<std::string_view> withoutCalls() {
    isOfCalls_ = false;
    for (const syntax::Function& function : unit_.functions) look(function);
    for (const syntax::MemberDefinition& member : unit_.members) look(member.function);
    for (const syntax::FileItem& item : unit_.items) {
      look(item.constant.get());
      if (item.structure) look(*item.structure);
    }
    return std::move(names_);
  }

  std::vector<const syntax::Expression*> instances() {
    withoutCalls();
    return std::move(instances_);
  }

  std::set<std::string_view> in(const syntax::Expression* expression) {
    look(expression);
    return std::move(names_);
  }

 private:
  void look(const syntax::Function& function) {
    look(function.body.get());
    for (const syntax::Parameter& parameter : function.parameters) look(parameter.initial.get());
    for (const syntax::MemberInitial& member : function.initials) look(member.value.get());
  }

  void look(const syntax::Expression* expression) {
    if (expression == nullptr) return;
    const bool isName = expression->kind == syntax::Expression::Kind::Name;
    if (isName && !expression->templateArguments.empty()) instances_.push_back(expression);
    const bool isMeant = isOfCalls_ || isName;
    if (isMeant && names_.insert(expression->text).second) found_.push_back(expression->text);
    for (const syntax::ExpressionPtr& operand : expression->operands) look(operand.get());
    for (const syntax::TemplateArgument& argument : expression->templateArguments) look(argument.value.get());
    if (expression->closure == nullptr) return;
    for (const syntax::Capture& capture : expression->closure->captures) look(capture.initial.get());
    look(expression->closure->structure);
  }

  void look(const syntax::Structure& structure) {
    for (const syntax::StatementPtr& field : structure.fields) look(field.get());
    for (const syntax::StatementPtr& constant : structure.constants) look(constant.get());
    for (const syntax::Function& method : structure.methods) look(method);
    look(structure.types.get());
  }

  /// Nesting of classes within functions and classes.
  void look(const std::vector<syntax::FileItem>* types) {
    if (types == nullptr) return;
    for (const syntax::FileItem& item : *types) {
      if (item.structure) look(*item.structure);
    }
  }

  void look(const syntax::Statement* statement) {
    syntax::forEachExpression(statement, [this](const syntax::Expression* expression) { look(expression); });
    lookAtTypes(statement);
  }

  void lookAtTypes(const syntax::Statement* statement) {
    if (statement == nullptr) return;
    look(statement->types.get());
    for (const syntax::StatementPtr& part : statement->body) lookAtTypes(part.get());
  }

  const syntax::Unit& unit_;
  std::set<std::string_view> names_;
  std::vector<const syntax::Expression*> instances_;
  std::vector<std::string_view> found_;  ///< whose functions are still to be searched
  bool isOfCalls_ = true;                ///< the names of called functions count, too
};

}  // namespace

std::set<std::string_view> reachedNames(const syntax::Unit& unit, const syntax::Function& kernel) {
  return NameFinder(unit).from(kernel);
}

std::set<std::string_view> namesWithoutCalls(const syntax::Unit& unit) {
  return NameFinder(unit).withoutCalls();
}

std::vector<const syntax::Expression*> instancesWithoutCalls(const syntax::Unit& unit) {
  return NameFinder(unit).instances();
}

bool containsAnyName(const std::set<std::string_view>& names, const syntax::Expression* expression) {
  const syntax::Unit none;
  const std::set<std::string_view> found = NameFinder(none).in(expression);
  return std::ranges::any_of(found, [&](std::string_view name) { return names.contains(name); });
}

// Variables at file scope: __device__, __constant__, and const arrays. Each is a buffer of the launch. The
// kernel gets its address as an extra parameter.

namespace {

/// Constant memory has 64 KiB (CUDA Programming Guide, "Technical Specifications").
constexpr std::uint64_t kMaxConstantBytes = 64 * 1024;

/// Forgets the addresses in bytes that are overwritten.
void forgetAddresses(std::size_t at, std::size_t bytes, typed::GlobalSymbol& of) {
  std::erase_if(of.addresses, [&](const typed::SymbolAddress& address) {
    return address.at >= at && address.at < at + bytes;
  });
}

bool hasText(const syntax::Expression* node) {
  return node != nullptr && (node->kind == syntax::Expression::Kind::String ||
                             std::ranges::any_of(node->operands, [](const syntax::ExpressionPtr& part) {
                               return hasText(part.get());
                             }));
}

}  // namespace

/// Declares the variables that the kernel names before its body, so that they come in the file's order.
/// Variables that only a class reaches follow at their first use.
void Checker::declareSymbols(const syntax::Function& kernel) {
  std::vector<std::pair<const syntax::FileItem*, std::string_view>> reached;
  for (const std::string_view name : reachedNames(unit_, kernel)) {
    const auto found = unit_.index.items.find(name);
    if (found == unit_.index.items.end()) continue;
    const syntax::FileItem& item = *found->second;
    if (item.constant == nullptr || item.isTemplate || !item.diagnostics.empty()) continue;
    const auto declarator = std::ranges::find(item.constant->declarators, name, &syntax::Declarator::name);
    const bool isSymbol = item.constant->isDevice || item.constant->isConstant ||
                          (declarator != item.constant->declarators.end() && !declarator->extents.empty());
    if (isSymbol && !item.constant->isShared) reached.emplace_back(&item, name);
  }
  std::ranges::sort(reached);
  for (const auto& [item, name] : reached) find(name);
}

void Checker::declareSymbol(const syntax::Statement& node, const syntax::Declarator& declarator,
                            const Type* type) {
  const Symbol symbol = addSymbol(node, declarator, type, declarator.name);
  declare(declarator.name, declarator.span, symbol);
}

/// `static int calls = 0;` in a function: one variable for all threads, which keeps its value from call to
/// call. Each instance of a template has its own. False for a constant, which any call may make anew.
bool Checker::declareStatic(const syntax::Statement& node, const syntax::Declarator& declarator) {
  if (declarator.isReference || (node.type.isConst && node.type.pointers + declarator.pointers == 0))
    return false;
  auto [known, isNew] = statics_.try_emplace({&declarator, functionName_});
  if (isNew) {
    const Type* type = node.type.base == "auto" && declarator.initial != nullptr
                           ? makeValue(operand(*declarator.initial))->type
                           : arrayType(node, declarator, kMaxSymbolBytes);
    const std::string function = functionName_.empty() ? kernel_.name : functionName_;
    known->second = addSymbol(node, declarator, type,
                              fmt::format("{}::{}@{}", function, declarator.name, declarator.span.begin));
  }
  declare(declarator.name, declarator.span, known->second);
  return true;
}

Symbol Checker::addSymbol(const syntax::Statement& node, const syntax::Declarator& declarator,
                          const Type* type, std::string name) {
  if (type->kind == Type::Kind::Void) fail(declarator.span, "a variable cannot be void", "give it a type");
  if (node.isConstant && type->size > kMaxConstantBytes)
    fail(declarator.span, "more than the 64 KiB of constant memory", "use a smaller array");
  const bool isConst = node.isConstant || node.isConstexpr || node.type.isConst;
  const Type* element = type;
  while (element->isArray()) element = element->element;
  const bool isOfTarget = !node.isConstant && !node.isConstexpr && element->isPointer();  // const char* text
  typed::GlobalSymbol symbol;
  symbol.name = std::move(name);
  symbol.isOfFunction = node.isStatic;
  symbol.isConstant = node.isConstant;
  symbol.isOfHost = isConst && !node.isConstant && !node.isDevice;
  symbol.type = type;
  symbolBytes_ += type->size;
  if (symbolBytes_ > kMaxSymbolBytes)
    fail(declarator.span, "the variables at file scope that this kernel needs have more than 1 GiB",
         "use smaller arrays, or pass them to the kernel");
  if (declarator.initial != nullptr || needsConstruction(type)) {
    initialBytes_ += type->size;
    if (initialBytes_ > kMaxInitialBytes)
      fail(declarator.span, "the initial values at file scope that this kernel needs have more than 64 MiB",
           "use smaller arrays, or copy the values there with cudaMemcpyToSymbol");
    symbol.bytes.resize(type->size);
  }
  if (needsConstruction(type)) fillStandard(*type, declarator.span, symbol);
  if (declarator.initial != nullptr) fillBytes(*type, declarator.initial.get(), 0, symbol);
  const Type* pointer = kernel_.types->pointerTo(type, isConst && !isOfTarget, isVolatile(node, declarator));
  symbol.variable = addVariable(declarator.name, pointer, declarator.span, true);
  kernel_.symbols.push_back(std::move(symbol));
  return {Symbol::Kind::Variable, kernel_.symbols.back().variable, pointer, 0, true, false};
}

/// The variable at file scope, or the string literal, that a pointer leads to. None for another value.
std::optional<typed::SymbolAddress> Checker::symbolAddress(const typed::Expression& value) const {
  typed::SymbolAddress address;
  const typed::Expression* root = &value;
  while (root->kind == Kind::PointerAdd || root->kind == Kind::Convert) {
    if (root->kind == Kind::PointerAdd) {
      const typed::Expression& steps = *root->operands[1];
      if (steps.kind != Kind::Constant) return std::nullopt;
      address.offset += constantValue(*steps.type, steps.bits) * root->scale;
    }
    root = root->operands[0].get();
  }
  if (root->kind != Kind::Variable || !value.type->isPointer()) return std::nullopt;
  const auto found = std::ranges::find(kernel_.symbols, root->index, &typed::GlobalSymbol::variable);
  if (found == kernel_.symbols.end()) return std::nullopt;
  address.symbol = static_cast<std::uint32_t>(found - kernel_.symbols.begin());
  return address;
}

void Checker::fillScalar(const Type& type, const typed::Expression& value, std::size_t at,
                         typed::GlobalSymbol& into) {
  forgetAddresses(at, type.size, into);
  if (value.kind == Kind::Constant) {
    std::memcpy(into.bytes.data() + at, &value.bits, type.size);
  } else if (auto address = symbolAddress(value)) {
    address->at = static_cast<std::uint32_t>(at);
    into.addresses.push_back(*address);
  } else {
    fail(value.span,
         fmt::format("a {} begins with constants",
                     into.isOfFunction ? "static variable" : "variable at file scope"),
         "write numbers, texts, or addresses of variables at file scope");
  }
}

/// True if fillScalar() writes the value unchanged.
bool Checker::isGiven(const typed::Expression& value) const {
  if (value.kind == Kind::Make)
    return std::ranges::all_of(value.operands, [&](const ExpressionPtr& part) { return isGiven(*part); });
  return value.kind == Kind::Constant || symbolAddress(value).has_value();
}

/// Writes the values that constexpr functions and constructors made.
void Checker::fillEvaluated(const Type& type, const std::vector<std::byte>& bytes, SourceSpan span,
                            std::size_t at, typed::GlobalSymbol& into) {
  std::ranges::copy(bytes, into.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  forgetAddresses(at, type.size, into);
  for (const Leaf& leaf : findLeaves(type)) {
    std::uint64_t pointer = 0;
    if (!leaf.type->isPointer()) continue;
    std::memcpy(&pointer, bytes.data() + leaf.offset, sizeof pointer);
    if (pointer == 0) continue;
    std::memset(into.bytes.data() + at + leaf.offset, 0, sizeof pointer);
    auto address = ConstantEvaluator::makeAddress(pointer);
    if (!address)
      fail(span, "a variable at file scope begins with constants", "let no pointer lead to a local");
    address->at = static_cast<std::uint32_t>(at + leaf.offset);
    into.addresses.push_back(*address);
  }
}

/// Objects without a given value begin as their class says, if that is a constant: CUDA lets no other
/// constructor run here.
void Checker::fillStandard(const Type& type, SourceSpan span, typed::GlobalSymbol& into) {
  const Type* one = &type;
  while (one->isArray()) one = one->element;
  const std::size_t before = diagnostics_.size();
  try {
    const ExpressionPtr value = constructed(one, {}, span);
    const auto bytes = evaluate(span, [&](ConstantEvaluator of) { return of.toBytes(*value); });
    for (std::size_t i = 0; bytes && i < type.size / one->size; ++i)
      fillEvaluated(*one, *bytes, span, i * one->size, into);
  } catch (const CheckFault&) {
    diagnostics_.resize(before);
  }
}

/// Writes the constant values of an initializer in their memory layout.
void Checker::fillBytes(const Type& type, const syntax::Expression* node, std::size_t at,
                        typed::GlobalSymbol& into) {
  if (node == nullptr) return;
  node = spelled(type, node);
  const bool isList = node->kind == syntax::Expression::Kind::List;
  const bool isObject = type.isStruct() && hasConstructors(&type);
  if (!type.isArray() && !(type.isStruct() && isList && !isObject)) {
    const bool isSingle = isList && node->operands.size() == 1 && !isObject;
    if (isList && node->operands.empty() && !isObject) return;
    const ExpressionPtr value = fold(initialValue(isSingle ? *node->operands[0] : *node, &type, node->span));
    if (!isGiven(*value)) {
      if (const auto bytes = evaluate(node->span, [&](ConstantEvaluator of) { return of.toBytes(*value); }))
        return fillEvaluated(type, *bytes, node->span, at, into);
    }
    const std::vector<Leaf> leaves = findLeaves(type);
    if (value->kind != Kind::Make) return fillScalar(type, *value, at, into);
    for (std::size_t i = 0; i < value->operands.size() && i < leaves.size(); ++i)
      fillScalar(*leaves[i].type, *value->operands[i], at + leaves[i].offset, into);
    return;
  }
  if (!isList) fail(node->span, "an array at file scope begins with values in braces", "write {…}");
  std::size_t next = 0;
  fillParts(type, *node, next, at, into);
  refuseRest(type, *node, next);
}

/// The parts of an array or a struct from a list's values, starting at `next`. Inner braces can be missing.
void Checker::fillParts(const Type& type, const syntax::Expression& list, std::size_t& next, std::size_t at,
                        typed::GlobalSymbol& into) {
  const std::uint64_t parts = type.isArray() ? type.count : type.isUnion ? 1 : type.fields.size();
  for (std::size_t i = 0; i < parts && next < list.operands.size(); ++i) {
    const Type& part = type.isArray() ? *type.element : *type.fields[i].type;
    const std::size_t begin = at + (type.isArray() ? i * part.size : type.fields[i].offset);
    const syntax::Expression* const given = givenFor(type, i, list, next);
    if (given == nullptr) continue;
    const bool isWhole = given->kind == syntax::Expression::Kind::List ||
                         given->kind == syntax::Expression::Kind::Construct ||
                         given->kind == syntax::Expression::Kind::Call || isText(part, *given) ||
                         (part.isStruct() && (hasConstructors(&part) || isNamedObject(*given, &part)));
    if (!type.isArray() && type.fields[i].bits.storage != nullptr) {
      fillBits(type.fields[i], *given, begin, into);
      ++next;
    } else if (!isWhole && (part.isArray() || part.isStruct())) {
      fillParts(part, list, next, begin, into);
    } else {
      fillBytes(part, given, begin, into);
      ++next;
    }
  }
}

void Checker::fillBits(const Field& field, const syntax::Expression& given, std::size_t at,
                       typed::GlobalSymbol& into) {
  std::uint64_t held = 0;
  std::memcpy(&held, into.bytes.data() + at, field.bits.storage->size);
  const ExpressionPtr value = fold(withBits(constant(field.bits.storage, held, given.span), field.bits,
                                            fold(initialValue(given, field.type, given.span))));
  fillScalar(*field.bits.storage, *value, at, into);
}

/// True if the value may hold the address of a function, of a variable at file scope or of a string literal.
bool Checker::pointsAnywhere(const syntax::Expression* initial) const {
  std::set<std::string_view> names;
  for (const syntax::Function& function : unit_.functions) names.insert(function.name);
  for (const syntax::FileItem& item : unit_.items) {
    if (item.constant == nullptr) continue;
    for (const syntax::Declarator& declarator : item.constant->declarators) names.insert(declarator.name);
  }
  return hasText(initial) || containsAnyName(names, initial);
}

}  // namespace lanescope::checker
