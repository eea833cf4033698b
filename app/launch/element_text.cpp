#include "app/launch/element_text.h"

#include <algorithm>
#include <array>

#include "sim/base/words.h"

namespace lanescope {
namespace {

constexpr std::array kTypes{ElementType::Float, ElementType::Double, ElementType::Int};

/// The end of the string or the character that starts at `at`; `at` if there is none.
std::size_t literalEnd(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote != '"' && quote != '\'') return at;
  for (std::size_t end = at + 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '\\') {
      ++end;
    } else if (text[end] == quote) {
      return end + 1;
    }
  }
  return at + 1;
}

/// The end of the comment that starts at `at`; `at` if there is none.
std::size_t commentEnd(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const bool isLine = rest.starts_with("//");
  if (!isLine && !rest.starts_with("/*")) return at;
  const std::size_t end = isLine ? text.find('\n', at) : text.find("*/", at + 2);
  if (end == std::string_view::npos) return text.size();
  return isLine ? end : end + 2;
}

struct TextPart {
  std::string_view text;
  bool isCode = false;  ///< no comment and no literal: a word, or one other character
};

std::vector<TextPart> splitTextParts(std::string_view text) {
  std::vector<TextPart> parts;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::max(commentEnd(text, at), literalEnd(text, at));
    const bool isCode = end == at;
    if (isCode) {
      end = at + 1;
      while (isOfName(text[at]) && end < text.size() && isOfName(text[end])) ++end;
    }
    parts.push_back({text.substr(at, end - at), isCode});
    at = end;
  }
  return parts;
}

/// A word of an edited text that prevents a change of its elements, because the change would lose or miss it;
/// empty if there is none.
std::string wordInTheWay(std::string_view text, ElementType from, ElementType to) {
  const std::string_view vectorElement = elementTypeName(from);
  for (const TextPart& part : splitTextParts(text)) {
    if (!part.isCode) continue;
    if (to != ElementType::Int && part.text == elementTypeName(to)) return std::string(part.text);
    const bool isVector = part.text.size() == vectorElement.size() + 1 &&
                          part.text.starts_with(vectorElement) && part.text.back() >= '1' &&
                          part.text.back() <= '4';
    if (isVector) return std::string(part.text);
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
  for (const TextPart& part : splitTextParts(text))
    changed += part.isCode && part.text == elementTypeName(from) ? elementTypeName(to) : part.text;
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
