#pragma once

#include <cstdint>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"

namespace lanescope {

/// The threads of a block of two dimensions in rows and columns, and what they do in the current phase, as a
/// row of threads of the ladder shows it.
class ThreadBlock {
 public:
  ThreadBlock(const Moment& moment, const SceneContext& context);

  std::uint32_t rows() const { return (threads_ + columns_ - 1) / columns_; }
  std::uint32_t columns() const { return columns_; }
  /// Draws the cells, each `wide` and `high`.
  /// Hits: Thread.
  void paint(SceneBuilder& out, float left, float top, float wide, float high) const;

 private:
  const Moment& moment_;
  const SceneContext& context_;
  std::uint32_t threads_;
  std::uint32_t columns_;
};

}  // namespace lanescope
