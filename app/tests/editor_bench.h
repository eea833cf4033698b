#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "app/panels/base/code_input.h"
#include "app/tests/test_window.h"

namespace lanescope {

/// A window whose source is edited.
struct EditorBench : TestWindow {
  EditorBench() = default;
  EditorBench(std::string_view strategy, std::uint64_t n) : TestWindow(strategy, n) { EXPECT_TRUE(settle()); }
  TextBuffer& buffer() { return session.editor().current()->buffer; }
  void type(std::string_view text) {
    for (const char c : text) window.type(Chord::writing(static_cast<unsigned char>(c)));
  }
  /// Removes the last __syncthreads() of the text.
  void removeBarrier() {
    const std::string barrier = "__syncthreads();";
    const auto at = static_cast<std::uint32_t>(buffer().text().rfind(barrier));
    buffer().select({at, static_cast<std::uint32_t>(at + barrier.size())});
    buffer().insert("");
  }
};

}  // namespace lanescope
