#include "app/launch/text_facts.h"

#include <algorithm>

#include "app/launch/element_text.h"

namespace lanescope {

TextFacts collectFacts(const Strategy& strategy, std::string_view text,
                       std::span<const KernelSignature> kernels) {
  const bool isOwn = std::ranges::any_of(findElementTypes(strategy), [&](ElementType type) {
    return text == withElements(strategy.source, ElementType::Float, type);
  });
  return {findElement(strategy, kernels), isOwn};
}

std::string changeNote(const TextFacts& facts, bool hasForm) {
  std::string note;
  if (!facts.isOwn) {
    note = "edited";
  } else if (facts.element != ElementType::Float) {
    note = elementTypeName(facts.element);
  }
  if (hasForm) note += note.empty() ? "launch changed" : ", launch changed";
  return note;
}

}  // namespace lanescope
