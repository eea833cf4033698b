#pragma once

#include "app/views/view.h"

namespace lanescope {

/// The ladder of the block's shared memory. The wheel zooms at the pointer, a drag moves, a double
/// click shows all again.
class ArrayView final : public View {
 public:
  std::string_view name() const override { return "array"; }
  Place place() const override { return Place::Array; }
  bool fillsPanel() const override { return true; }
  void draw(const ViewContext& context, ImVec2 size) override;

  /// Columns in view: the first, and how many; 0: all.
  std::uint32_t first() const { return static_cast<std::uint32_t>(first_); }
  std::uint32_t count() const { return count_; }

 private:
  void zoom(std::uint32_t columns, float share, float wheel);

  double first_ = 0;
  std::uint32_t count_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace lanescope
