#include "app/session/document/own_text.h"

#include <algorithm>

#include "app/session/document/text_buffer.h"
#include "app/session/launch/element_text.h"

namespace lanescope {

bool isOwnText(const Strategy& strategy, std::string_view text) {
  const std::string own = plainText(strategy.source);
  return text == own || std::ranges::any_of(elementTypesOf(strategy), [&](ElementType type) {
           return text == withElements(own, ElementType::Float, type);
         });
}

std::string changeNote(const Strategy& strategy, std::string_view text, bool hasForm) {
  std::string note;
  if (!isOwnText(strategy, text)) {
    note = "edited";
  } else if (text != plainText(strategy.source)) {
    note = elementTypeName(elementOf(strategy, text));
  }
  if (hasForm) note += note.empty() ? "launch changed" : ", launch changed";
  return note;
}

}  // namespace lanescope
