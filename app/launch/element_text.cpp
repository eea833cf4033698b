#include "app/launch/element_text.h"

#include <algorithm>
#include <array>

#include "sim/language/text/code_parts.h"

namespace lanescope {
namespace {

constexpr std::array kTypes{ElementType::Float, ElementType::Double, ElementType::Int};

/// A word of an edited text that prevents a change of its elements, because the change would lose or miss it;
/// empty if there is none.
std::string wordInTheWay(std::string_view text, ElementType from, ElementType to) {
  const std::string_view vectorElement = elementTypeName(from);
  for (const CodePart& part : splitCode(text)) {
    if (part.kind != CodePart::Kind::Word) continue;
    const std::string_view word = part.of(text);
    if (to != ElementType::Int && word == elementTypeName(to)) return std::string(word);
    const bool isVector = word.size() == vectorElement.size() + 1 && word.starts_with(vectorElement) &&
                          word.back() >= '1' && word.back() <= '4';
    if (isVector) return std::string(word);
  }
  return {};
}

}  // namespace

std::vector<ElementType> findElementTypes(const Strategy& strategy) {
  std::vector<ElementType> types;
  for (const ElementType type : kTypes) {
    if (type == ElementType::Float || strategy.takes(type)) types.push_back(type);
  }
  return types;
}

std::optional<ElementType> findElementType(std::string_view name) {
  const auto* found = std::ranges::find(kTypes, name, elementTypeName);
  if (found == kTypes.end()) return std::nullopt;
  return *found;
}

std::string withElements(std::string_view text, ElementType from, ElementType to) {
  std::string changed;
  for (const CodePart& part : splitCode(text)) {
    const bool isElement = part.kind == CodePart::Kind::Word && part.of(text) == elementTypeName(from);
    changed += isElement ? elementTypeName(to) : part.of(text);
  }
  return changed;
}

ElementType findElement(const Strategy& strategy, std::span<const KernelSignature> kernels) {
  const auto out = std::ranges::find(strategy.parameters, Parameter::Out);
  const auto index = static_cast<std::size_t>(out - strategy.parameters.begin());
  const std::string name = strategy.kernel.substr(0, strategy.kernel.find('<'));
  const auto kernel = std::ranges::find(kernels, name, &KernelSignature::name);
  if (kernel == kernels.end() || kernel->parameters.size() <= index) return ElementType::Float;
  const std::string& element = kernel->parameters[index].element;
  return element == "f64" ? ElementType::Double : element == "i32" ? ElementType::Int : ElementType::Float;
}

Result<std::string> changeElements(const Strategy& strategy, std::string_view text, ElementType from,
                                   ElementType to) {
  const std::vector<ElementType> types = findElementTypes(strategy);
  const std::string name(elementTypeName(to));
  if (std::ranges::find(types, to) == types.end()) {
    std::string others;
    for (const ElementType type : types)
      others += (others.empty() ? "" : ", ") + std::string(elementTypeName(type));
    return Error{"'" + std::string(strategy.id) + "' is not for elements of type " + name + ".",
                 "It takes " + others + "."};
  }
  const std::string own = withElements(strategy.source, ElementType::Float, to);
  if (text == withElements(strategy.source, ElementType::Float, from)) return own;
  if (from == ElementType::Int && to != from) {
    return Error{"The text is edited, so it is unknown which of its ints are elements.",
                 "Write " + name + " where it is meant, or reset the text first."};
  }
  if (const std::string word = from == to ? "" : wordInTheWay(text, from, to); !word.empty()) {
    return Error{"The edited text has the word " + word + ": changed from " +
                     std::string(elementTypeName(from)) + " to " + name +
                     ", it could not be distinguished from its elements.",
                 "Write " + name + " where it is meant, or reset the text first."};
  }
  return withElements(text, from, to);
}

}  // namespace lanescope
