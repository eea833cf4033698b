#include "app/scene/ladder/ladder_columns.h"

#include "app/session/base/element_noun.h"

namespace lanescope {

std::vector<std::uint32_t> elementsOf(const Trace& trace, std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> elements(count, 0);
  const TracedArray* array = nullptr;
  std::uint32_t next = 0;
  for (std::uint32_t index = 0; index < count; ++index) {
    const std::uint32_t cell = first + index;
    if (array == nullptr || cell < array->firstCell || cell >= array->firstCell + array->cellCount)
      array = arrayOfCell(trace, cell);
    const bool isSecond = index > 0 && array != nullptr && firstCellOf(*array, cell) != cell;
    elements[index] = isSecond ? next - 1 : next++;
  }
  return elements;
}

}  // namespace lanescope
