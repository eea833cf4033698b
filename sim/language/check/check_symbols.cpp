#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/check/name_finder.h"

// Variables at file scope: __device__, __constant__, and const arrays. Each is a buffer of the launch. The
// kernel gets its address as an extra parameter.
namespace lanescope::checker {

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
  return node != nullptr && (node->kind == SyntaxKind::String ||
                             std::ranges::any_of(node->operands, [](const syntax::ExpressionPtr& part) {
                               return hasText(part.get());
                             }));
}

}  // namespace

/// Declares the variables that the kernel names before its body, so that they come in the file's order.
/// Variables that only a class reaches follow at their first use.
void Checker::declareSymbols(const syntax::Function& kernel) {
  std::vector<std::pair<const syntax::FileItem*, std::string_view>> reached;
  NameFinder names;
  names.look(kernel);
  for (std::size_t i = 0; i < names.found.size(); ++i) {
    for (const syntax::Function* const function : unit_.index.named(names.found[i]->text)) {
      if (!function->isKernel) names.look(*function);
    }
  }
  for (const std::string_view name : names.names) {
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
/// call. Each instance of a template has its own. False for a constant number, which has no memory here.
bool Checker::declareStatic(const syntax::Statement& node, const syntax::Declarator& declarator) {
  if (declarator.isReference || !declarator.bindings.empty())
    fail(declarator.span, "a static reference in a function is not simulated", "write a pointer");
  const Type* const type = node.type.base == "auto" && declarator.initial != nullptr
                               ? makeValue(operand(*declarator.initial))->type
                               : arrayType(node, declarator, kMaxSymbolBytes);
  const bool isNumber = !type->isArray() && !type->isStruct() && !type->isPointer();
  if (isNumber && (node.isConstexpr || isConstVariable(node, declarator, nullptr))) return false;
  auto& [instance, variable] = statics_[{&declarator, functionName_}];
  if (instance.empty()) {
    const std::string function = functionName_.empty() ? kernel_.name : functionName_;
    variable = addSymbol(node, declarator, type,
                         fmt::format("{}::{}@{}", function, declarator.name, declarator.span.begin));
    instance = inProgress_.back();
  }
  if (instance != inProgress_.back())
    fail(declarator.span,
         fmt::format("static variables of two functions with the name {} are not simulated", functionName_),
         "give the types or lambdas among their template arguments names of their own");
  declare(declarator.name, declarator.span, variable);
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
  if (declarator.initial != nullptr) fillBytes(*type, *declarator.initial, 0, symbol);
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
  attempt([&] {
    const ExpressionPtr value = constructed(one, {}, span);
    const auto bytes = evaluate(span, [&](ConstantEvaluator of) { return of.toBytes(*value); });
    for (std::size_t i = 0; bytes && i < type.size / one->size; ++i)
      fillEvaluated(*one, *bytes, span, i * one->size, into);
  });
}

/// Writes the constant values of an initializer in their memory layout.
void Checker::fillBytes(const Type& type, const syntax::Expression& given, std::size_t at,
                        typed::GlobalSymbol& into) {
  const syntax::Expression& node = expandedPacks(*spelled(type, &given));
  const bool isList = node.kind == SyntaxKind::List;
  const bool isObject = type.isStruct() && hasConstructors(&type);
  if (type.isArray() || (type.isStruct() && isList && !isObject)) {
    if (!isList) fail(node.span, "an array at file scope begins with values in braces", "write {…}");
    std::size_t next = 0;
    fillParts(type, node, next, at, into);
    refuseRest(type, node, next);
  } else if (!isList || !node.operands.empty() || isObject) {
    fillValue(*fold(initialValue(node, &type, node.span)), at, into);
  }
}

void Checker::fillValue(const typed::Expression& value, std::size_t at, typed::GlobalSymbol& into) {
  if (!isGiven(value)) {
    if (const auto bytes = evaluate(value.span, [&](ConstantEvaluator of) { return of.toBytes(value); }))
      return fillEvaluated(*value.type, *bytes, value.span, at, into);
  }
  if (value.kind != Kind::Make) return fillScalar(*value.type, value, at, into);
  const std::vector<Leaf> leaves = findLeaves(*value.type);
  std::size_t next = 0;
  for (const ExpressionPtr& part : value.operands) {
    if (next < leaves.size()) fillValue(*part, at + leaves[next].offset, into);
    next += findLeaves(*part->type).size();
  }
}

/// The parts of an array or a struct from a list's values, starting at `next`.
void Checker::fillParts(const Type& type, const syntax::Expression& list, std::size_t& next, std::size_t at,
                        typed::GlobalSymbol& into) {
  eachPart(type, &list, next, static_cast<std::uint32_t>(at), true, [&](const Part& part) {
    if (part.isElided) {
      fillParts(*part.type, list, next, part.offset, into);
    } else if (part.isBits()) {
      fillBits(*part.field, *part.given, part.offset, into);
    } else {
      fillBytes(*part.type, *part.given, part.offset, into);
    }
  });
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
  NameFinder used;
  used.look(initial);
  return hasText(initial) || std::ranges::any_of(used.names, [&](std::string_view name) {
           const auto item = unit_.index.items.find(name);
           return !unit_.index.named(name).empty() ||
                  (item != unit_.index.items.end() && item->second->constant != nullptr);
         });
}

}  // namespace lanescope::checker
