#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/checker_state.h"

namespace lanescope::checker {
namespace {

bool isSizeOfPack(const syntax::Expression& node) {
  return node.kind == SyntaxKind::SizeOf && node.text == "sizeof...";
}

/// The elements of the packs in a pattern. None if it has none of these packs.
template <class Pattern>
std::optional<std::size_t> sizeOf(const Pattern& pattern, const PackSizes& packs) {
  std::optional<std::size_t> size;
  forEachName(pattern, [&](const std::string& name) {
    if (const auto pack = packs.find(name); pack != packs.end()) size = pack->second;
  });
  return size;
}

/// Copies what a name, or an operator's name, was found to be.
void copyBinding(const syntax::Expression& from, syntax::Expression& to) {
  to.binding = from.binding;
  to.isQualified = from.isQualified;
  to.isInner = from.isInner;
  to.isTemplateId = from.isTemplateId;
  to.isDependent = from.isDependent;
  to.place = from.place;
  to.homes = from.homes;
}

}  // namespace

std::string elementName(std::string_view pack, std::size_t element) {
  return fmt::format("{}#{}", pack, element);
}

std::string PackCopier::named(const std::string& name) const {
  return element_ && packs_.contains(name) ? elementName(name, *element_) : name;
}

syntax::ExpressionPtr PackCopier::copy(const syntax::Expression& node) {
  ++copied_;
  const bool isOwn =
      node.kind == SyntaxKind::Expansion || node.kind == SyntaxKind::Fold || isSizeOfPack(node);
  const std::optional<std::size_t> element = element_;
  if (isOwn) element_.reset();  // it expands its own packs
  auto result = std::make_unique<syntax::Expression>();
  result->kind = node.kind;
  const bool isName = (node.kind == SyntaxKind::Name || node.kind == SyntaxKind::Call) && !node.type;
  result->text = isName ? named(node.text) : node.text;
  result->span = node.span;
  result->operatorSpan = node.operatorSpan;
  for (const syntax::ExpressionPtr& operand : node.operands) result->operands.push_back(copy(*operand));
  result->templateArguments = copy(node.templateArguments);
  if (node.type) result->type = copy(*node.type);
  result->closure = node.closure;
  result->arrow = node.arrow;
  result->expands = node.expands;
  result->height = node.height;
  copyBinding(node, *result);
  element_ = element;
  return result;
}

syntax::TypeName PackCopier::copy(const syntax::TypeName& name) {
  ++copied_;
  syntax::TypeName result = name;
  result.base = named(name.base);
  if (name.arguments != nullptr)
    result.arguments = std::make_shared<TemplateArguments>(copy(*name.arguments));
  if (name.of != nullptr) result.of = copy(*name.of);
  if (name.extents != nullptr) {
    result.extents = std::make_shared<std::vector<syntax::ExpressionPtr>>();
    for (const syntax::ExpressionPtr& extent : *name.extents) result.extents->push_back(copy(*extent));
  }
  if (name.signature != nullptr) {
    result.signature = std::make_shared<std::vector<syntax::TypeName>>();
    for (const syntax::TypeName& part : *name.signature) result.signature->push_back(copy(part));
  }
  return result;
}

syntax::TemplateArgument PackCopier::copy(const syntax::TemplateArgument& argument) {
  syntax::TemplateArgument result;
  if (argument.type) result.type = copy(*argument.type);
  if (argument.value != nullptr) result.value = copy(*argument.value);
  result.isExpansion = argument.isExpansion;
  return result;
}

TemplateArguments PackCopier::copy(const TemplateArguments& arguments) {
  TemplateArguments result;
  const std::optional<std::size_t> element = element_;
  for (const syntax::TemplateArgument& argument : arguments) {
    const auto count = argument.isExpansion && expandsArguments_ ? sizeOf(argument, packs_) : std::nullopt;
    if (argument.isExpansion) element_.reset();
    for (std::size_t i = 0; i < count.value_or(1); ++i) {
      if (count) element_ = i;
      result.push_back(copy(argument));
      if (count) result.back().isExpansion = false;
    }
    element_ = element;
  }
  return result;
}

syntax::TemplateParameter PackCopier::copy(const syntax::TemplateParameter& parameter) {
  syntax::TemplateParameter result;
  result.name = named(parameter.name);
  result.isType = parameter.isType;
  result.isTemplate = parameter.isTemplate;
  result.valueType = copy(parameter.valueType);
  if (parameter.defaultType) result.defaultType = copy(*parameter.defaultType);
  if (parameter.defaultValue != nullptr) result.defaultValue = copy(*parameter.defaultValue);
  return result;
}

syntax::Parameter PackCopier::copy(const syntax::Parameter& parameter) {
  syntax::Parameter result;
  result.type = copy(parameter.type);
  result.name = parameter.name.empty() || !element_ ? parameter.name : elementName(parameter.name, *element_);
  result.span = parameter.span;
  if (parameter.initial != nullptr) result.initial = copy(*parameter.initial);
  return result;
}

void forEachName(const syntax::Expression& pattern, const std::function<void(const std::string&)>& see) {
  if (pattern.kind == SyntaxKind::Expansion || pattern.kind == SyntaxKind::Fold || isSizeOfPack(pattern))
    return;
  if (pattern.kind == SyntaxKind::Name || pattern.kind == SyntaxKind::Call) see(pattern.text);
  if (pattern.type) forEachName(*pattern.type, see);
  for (const syntax::ExpressionPtr& operand : pattern.operands) forEachName(*operand, see);
  for (const syntax::TemplateArgument& argument : pattern.templateArguments) {
    if (!argument.isExpansion) forEachName(argument, see);
  }
}

void forEachName(const syntax::TypeName& pattern, const std::function<void(const std::string&)>& see) {
  see(pattern.base);
  if (pattern.arguments != nullptr) {
    for (const syntax::TemplateArgument& argument : *pattern.arguments) {
      if (!argument.isExpansion) forEachName(argument, see);
    }
  }
  if (pattern.of != nullptr) forEachName(*pattern.of, see);
}

void forEachName(const syntax::TemplateArgument& pattern,
                 const std::function<void(const std::string&)>& see) {
  if (pattern.type) forEachName(*pattern.type, see);
  if (pattern.value != nullptr) forEachName(*pattern.value, see);
}

// Parameter packs: a template with packs becomes one whose packs have a fixed number of elements, each its
// own parameter. The pattern of each `...` is copied for each element before it is checked.

namespace {

constexpr std::size_t kMaxExpansions = 400'000;  ///< nodes of syntax copied by expansions of one kernel

bool names(const auto& pattern, std::string_view name) {
  bool isNamed = false;
  forEachName(pattern, [&](const std::string& one) { isNamed = isNamed || one == name; });
  return isNamed;
}

}  // namespace

// --- patterns of `...` ---

/// The number of elements of the packs in the pattern, which must be the same for all. `packs` gets the
/// packs.
template <class Pattern>
std::size_t Checker::packCount(const Pattern& pattern, SourceSpan span, PackSizes& packs) {
  std::optional<std::size_t> count;
  forEachName(pattern, [&](const std::string& name) {
    const Symbol* const symbol = find(name);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::Pack) return;
    if (count && *count != symbol->index) {
      fail(span, fmt::format("the packs before '...' have {} and {} elements", *count, symbol->index),
           "expand packs of one length together");
    }
    count = symbol->index;
    packs[name] = *count;
  });
  if (!count) fail(span, "nothing before '...' is a parameter pack", "write it behind the name of one");
  return *count;
}

void Checker::countCopied(std::size_t nodes, SourceSpan span) {
  expanded_ += nodes;
  if (expanded_ > kMaxExpansions)
    fail(span, "this kernel's parameter packs are too large to be simulated", "use fewer elements");
}

/// The values of a call or a list with its expansions written out. The expression itself if it has none.
const syntax::Expression& Checker::expandedPacks(const syntax::Expression& node) {
  if (!node.expands) return node;
  const PackSizes none;
  PackCopier plain(none);
  auto result = std::make_unique<syntax::Expression>();
  result->kind = node.kind;
  result->text = node.text;
  result->span = node.span;
  result->operatorSpan = node.operatorSpan;
  result->type = node.type;
  result->arrow = node.arrow;
  copyBinding(node, *result);
  result->templateArguments = expandedArguments(node.templateArguments, node.span);
  for (const syntax::ExpressionPtr& operand : node.operands) {
    if (operand->kind != SyntaxKind::Expansion) {
      result->operands.push_back(plain.copy(*operand));
      continue;
    }
    for (syntax::ExpressionPtr& element : listElements(*operand->operands[0], operand->span))
      result->operands.push_back(std::move(element));
  }
  countCopied(plain.copied(), node.span);
  made_.push_back(std::move(result));
  return *made_.back();
}

/// A copy of the pattern for each element of its packs.
std::vector<syntax::ExpressionPtr> Checker::listElements(const syntax::Expression& pattern, SourceSpan span) {
  PackSizes packs;
  const std::size_t count = packCount(pattern, span, packs);
  PackCopier copier(packs);
  std::vector<syntax::ExpressionPtr> elements;
  for (std::size_t i = 0; i < count; ++i) elements.push_back(copier.of(i).copy(pattern));
  countCopied(copier.copied(), span);
  return elements;
}

TemplateArguments Checker::expandedArguments(const TemplateArguments& arguments, SourceSpan span) {
  TemplateArguments result;
  for (const syntax::TemplateArgument& argument : arguments) {
    PackSizes packs;
    const std::size_t count = argument.isExpansion ? packCount(argument, span, packs) : 1;
    PackCopier copier(packs);
    for (std::size_t i = 0; i < count; ++i) {
      if (argument.isExpansion) copier.of(i);
      result.push_back(copier.copy(argument));
      result.back().isExpansion = false;
    }
    countCopied(copier.copied(), span);
  }
  return result;
}

/// `(a + ...)`: the operator between the elements of the packs in `a` (C++17 [expr.prim.fold]).
ExpressionPtr Checker::foldPacks(const syntax::Expression& node) {
  const auto isPattern = [&](const syntax::Expression& side) {
    bool isOne = false;
    forEachName(side, [&](const std::string& name) {
      const Symbol* const symbol = find(name);
      isOne = isOne || (symbol != nullptr && symbol->kind == Symbol::Kind::Pack);
    });
    return isOne;
  };
  const bool hasInitial = node.operands.size() == 2;
  const bool isFromRight = hasInitial ? isPattern(*node.operands[0]) : node.arrow;
  const syntax::Expression& pattern = *node.operands[hasInitial && !isFromRight ? 1 : 0];
  std::vector<syntax::ExpressionPtr> values = listElements(pattern, node.span);
  if (hasInitial) {
    const PackSizes none;
    syntax::ExpressionPtr initial = PackCopier(none).copy(*node.operands[isFromRight ? 1 : 0]);
    values.insert(isFromRight ? values.end() : values.begin(), std::move(initial));
  }
  if (values.empty()) return emptyFold(node);
  if (isFromRight) std::ranges::reverse(values);
  syntax::ExpressionPtr result = std::move(values.front());
  for (std::size_t i = 1; i < values.size(); ++i) {
    syntax::ExpressionPtr both = syntax::makeExpression(SyntaxKind::Binary, node.span, node.text);
    both->operatorSpan = node.operatorSpan;
    copyBinding(node, *both);
    both->operands.push_back(std::move(isFromRight ? values[i] : result));
    both->operands.push_back(std::move(isFromRight ? result : values[i]));
    result = std::move(both);
  }
  made_.push_back(std::move(result));
  return expression(*made_.back());
}

ExpressionPtr Checker::emptyFold(const syntax::Expression& node) {
  if (node.text == "&&" || node.text == "||")
    return constant(boolType(), node.text == "&&" ? 1 : 0, node.span);
  if (node.text != ",")
    fail(node.span, fmt::format("a fold over '{}' of an empty pack has no value", node.text),
         "write (pack op ... op value)");
  return make(Kind::Convert, voidType(), node.span, constant(scalar(Type::Kind::I32), 0, node.span));
}

ExpressionPtr Checker::sizeOfPack(const syntax::Expression& node) {
  const Symbol* const symbol = find(node.operands[0]->text);
  if (symbol == nullptr || symbol->kind != Symbol::Kind::Pack) {
    fail(node.span, fmt::format("'{}' is not a parameter pack", node.operands[0]->text),
         "sizeof... takes the name of one");
  }
  return constant(sizeType(), symbol->index, node.span);
}

void Checker::failPack(std::string_view name, SourceSpan span) {
  fail(span, fmt::format("'{}' is a parameter pack, which has no value or type of its own", name),
       fmt::format("expand it: {}...", name));
}

// --- templates with packs ---

/// The number of elements that the arguments give to the pack of a function template. None if there are too
/// few arguments.
std::optional<std::size_t> Checker::packSize(const syntax::Function& function,
                                             const syntax::TemplateParameter& pack,
                                             const TemplateArguments& given,
                                             std::span<const Type* const> arguments) const {
  const auto before = static_cast<std::size_t>(&pack - function.templateParameters.data());
  const std::size_t written = given.size() > before ? given.size() - before : 0;
  if (function.isKernel) return written;
  for (const syntax::Parameter& parameter : function.parameters) {
    if (!parameter.isPack || !names(parameter.type, pack.name)) continue;
    if (arguments.size() + 1 < function.parameters.size()) return std::nullopt;
    return arguments.size() + 1 - function.parameters.size();
  }
  for (std::size_t i = 0; i < std::min(arguments.size(), function.parameters.size()); ++i) {
    const syntax::TypeName& type = function.parameters[i].type;
    const Type* argument = arguments[i];
    for (std::uint32_t p = 0; argument != nullptr && argument->isPointer() && p < type.pointers; ++p)
      argument = argument->element;
    const ClassInfo* const info = argument != nullptr ? findClass(argument) : nullptr;
    if (info == nullptr || type.arguments == nullptr || type.arguments->empty()) continue;
    const syntax::TemplateArgument& last = type.arguments->back();
    if (last.isExpansion && names(last, pack.name) && info->arguments.size() + 1 >= type.arguments->size())
      return info->arguments.size() + 1 - type.arguments->size();
  }
  return written;
}

void Checker::setPackSize(const syntax::TemplateParameter& pack, std::size_t size, SourceSpan span,
                          PackSizes& sizes) {
  constexpr std::size_t kMaxPack = 256;
  if (size > kMaxPack)
    fail(span, fmt::format("a parameter pack of more than {} elements is not simulated", kMaxPack),
         "pass an array");
  sizes[pack.name] = size;
}

/// The function as if written for the number of elements that the arguments give its packs, and with the
/// elements of its class's packs that are known around it. The function itself if it has no packs. Null if
/// there are too few arguments for it.
const syntax::Function* Checker::withPacks(const syntax::Function& function, const TemplateArguments& given,
                                           std::span<const Type* const> arguments, const Scope& around,
                                           SourceSpan span) {
  PackSizes sizes;
  for (const syntax::TemplateParameter& parameter : function.templateParameters) {
    if (!parameter.isPack) continue;
    const auto size = packSize(function, parameter, given, arguments);
    if (!size) return nullptr;
    setPackSize(parameter, *size, span, sizes);
  }
  for (const syntax::Parameter& parameter : function.parameters) {
    if (!parameter.isPack) continue;
    forEachName(parameter.type, [&](const std::string& name) {
      const auto known = around.find(name);
      if (known != around.end() && known->second.kind == Symbol::Kind::Pack)
        sizes.emplace(name, known->second.index);
    });
  }
  if (sizes.empty()) return &function;
  std::vector<std::size_t> key;
  for (const auto& [name, size] : sizes) key.push_back(size);
  std::unique_ptr<syntax::Function>& known = packFunctions_[{&function, key}];
  if (known == nullptr) known = std::make_unique<syntax::Function>(expandedHead(function, sizes));
  return known.get();
}

syntax::Function Checker::expandedHead(const syntax::Function& function, const PackSizes& sizes) {
  syntax::Function head;
  head.of = &function;
  head.role = function.role;
  head.name = function.name;
  head.span = function.span;
  head.isKernel = function.isKernel;
  head.isConstexpr = function.isConstexpr;
  head.isConst = function.isConst;
  head.isForLvalues = function.isForLvalues;
  head.isForRvalues = function.isForRvalues;
  head.hasEllipsis = function.hasEllipsis;
  head.isExplicit = function.isExplicit;
  head.isDefaulted = function.isDefaulted;
  head.isDeleted = function.isDeleted;
  head.isPrivate = function.isPrivate;
  head.returnsReference = function.returnsReference;
  head.diagnostics = function.diagnostics;
  head.templateParameters = expandedParameters(function.templateParameters, sizes);
  PackCopier plain(sizes, true);
  for (const syntax::TemplateParameter& parameter : function.classParameters)
    head.classParameters.push_back(plain.copy(parameter));
  PackSizes all = sizes;  // in the result's type the function's own packs, too
  for (const syntax::Parameter& parameter : function.parameters) {
    if (!parameter.isPack) {
      head.parameters.push_back(plain.copy(parameter));
      continue;
    }
    const std::size_t count = sizeOf(parameter.type, sizes).value_or(0);
    PackCopier copier(sizes, true);
    for (std::size_t i = 0; i < count; ++i) head.parameters.push_back(copier.of(i).copy(parameter));
    countCopied(copier.copied(), function.span);
    all[parameter.name] = count;
  }
  head.returnType = PackCopier(all, true).copy(function.returnType);
  return head;
}

TemplateParameters Checker::expandedParameters(const TemplateParameters& parameters, const PackSizes& sizes) {
  TemplateParameters result;
  for (const syntax::TemplateParameter& parameter : parameters) {
    const auto pack = parameter.isPack ? sizes.find(parameter.name) : sizes.end();
    PackCopier copier(sizes, true);
    if (pack == sizes.end()) result.push_back(copier.copy(parameter));
    for (std::size_t i = 0; pack != sizes.end() && i < pack->second; ++i)
      result.push_back(copier.of(i).copy(parameter));
    countCopied(copier.copied(), {});
  }
  return result;
}

/// The parameters of a class template for this number of arguments. `sizes` gets the sizes of its packs.
TemplateParameters Checker::expandedFor(const TemplateParameters& parameters, std::size_t given,
                                        SourceSpan span, PackSizes& sizes) {
  const auto pack = std::ranges::find(parameters, true, &syntax::TemplateParameter::isPack);
  if (pack != parameters.end()) {
    const std::size_t others = parameters.size() - 1;
    setPackSize(*pack, given > others ? given - others : 0, span, sizes);
  }
  return expandedParameters(parameters, sizes);
}

void bindPacks(const PackSizes& sizes, Scope& bound) {
  for (const auto& [name, size] : sizes) {
    Symbol symbol{.kind = Symbol::Kind::Pack, .index = static_cast<std::uint32_t>(size)};
    bound.insert_or_assign(name, symbol);
  }
}

/// Declares the packs of a function: of its template, or else of its parameters.
void bindHeadPacks(const syntax::Function& head, bool ofTemplate, Scope& bound) {
  if (head.of == nullptr) return;
  PackSizes sizes;
  const auto count = [&](std::string_view name, const auto& elements) {
    const std::string prefix = std::string(name) + "#";
    sizes[std::string(name)] = static_cast<std::size_t>(
        std::ranges::count_if(elements, [&](const auto& one) { return one.name.starts_with(prefix); }));
  };
  if (ofTemplate) {
    for (const syntax::TemplateParameter& parameter : head.of->templateParameters)
      if (parameter.isPack) count(parameter.name, head.templateParameters);
  } else {
    for (const syntax::Parameter& parameter : head.of->parameters)
      if (parameter.isPack && !parameter.name.empty()) count(parameter.name, head.parameters);
  }
  bindPacks(sizes, bound);
}

}  // namespace lanescope::checker
