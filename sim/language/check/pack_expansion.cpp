#include "sim/language/check/pack_expansion.h"

#include <fmt/format.h>

#include <memory>

namespace lanescope::checker {
namespace {

bool isSizeOfPack(const syntax::Expression& node) {
  return node.kind == SyntaxKind::SizeOf && node.text == "sizeof...";
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
  element_ = element;
  return result;
}

syntax::TypeName PackCopier::copy(const syntax::TypeName& name) {
  ++copied_;
  syntax::TypeName result = name;
  result.base = named(name.base);
  if (name.arguments != nullptr)
    result.arguments = std::make_shared<std::vector<syntax::TemplateArgument>>(copy(*name.arguments));
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

std::vector<syntax::TemplateArgument> PackCopier::copy(
    const std::vector<syntax::TemplateArgument>& arguments) {
  std::vector<syntax::TemplateArgument> result;
  const std::optional<std::size_t> element = element_;
  for (const syntax::TemplateArgument& argument : arguments) {
    std::optional<std::size_t> count;
    if (argument.isExpansion && expandsArguments_) {
      forEachName(argument, [&](const std::string& name) {
        if (const auto pack = packs_.find(name); pack != packs_.end()) count = pack->second;
      });
    }
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

}  // namespace lanescope::checker
