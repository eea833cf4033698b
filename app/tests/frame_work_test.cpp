// What a frame costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/tests/test_window.h"
#include "app/workbench/tests/settle.h"

namespace lanescope {
namespace {

/// The most steps that a frame may read, of a trace however long.
constexpr std::uint64_t kMostSteps = 4000;

class FrameWork : public ::testing::Test {
 protected:
  /// Draws the frames; none may work.
  void expectIdle(const char* what, int frames = 3, ImVec2 mouse = ImVec2(-1, -1)) {
    for (int frame = 0; frame < frames; ++frame) {
      work.reset();
      headless.frame(bench.window, mouse);
      EXPECT_EQ(work.parses, 0) << what;
      EXPECT_EQ(work.compilations, 0) << what;
      EXPECT_EQ(work.tokenizations, 0) << what;
      EXPECT_LT(work.stepsRead, kMostSteps)
          << what << ", of " << bench.session.player().replay()->trace().steps.size();
    }
  }

  void expectIdleWalk() {
    headless.settle(bench.window);
    Session& session = bench.session;
    session.player().toStart();
    expectIdle("at the start");
    for (const Grain grain : {Grain::Instruction, Grain::Wavefront, Grain::Phase}) {
      session.player().setGrain(grain);
      for (int i = 0; i < 4; ++i) {
        session.player().forward();
        expectIdle("a move");
      }
      session.player().back();
      expectIdle("a move back");
    }
    session.player().seek(static_cast<std::uint32_t>(session.player().replay()->trace().steps.size() / 2));
    headless.frame(bench.window);  // lists of the steps passed are brought up to it
    expectIdle("after a leap");
    for (float x = 100; x < headless.size().x; x += 170) {
      for (float y = 60; y < headless.size().y; y += 110) expectIdle("a hover", 2, ImVec2(x, y));
    }
  }

  TestWindow bench;
  WorkCount& work = *bench.work;
  Headless headless{kProjector};
};

TEST_F(FrameWork, MovesAndHoversParseTokenizeAndCompileNothing) {
  work.reset();
  ASSERT_TRUE(bench.show("no-divergence", 64));
  ASSERT_TRUE(bench.settle());
  EXPECT_EQ(work.parses, 1) << "the run's";
  EXPECT_EQ(work.compilations, 1);
  EXPECT_GT(work.tokenizations, 0);
  EXPECT_GE(work.stepsRead, bench.session.player().replay()->trace().steps.size()) << "the plan's";
  expectIdleWalk();
}

/// How often a frame paints over a pixel, on the whole; what is clipped counts too.
double layers(ImVec2 size) {
  double area = 0;
  const ImDrawData& frame = *ImGui::GetDrawData();
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    const ImDrawList& list = *frame.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const auto corner = [&](unsigned index) {
        const auto at = list.IdxBuffer[static_cast<int>(command.IdxOffset + index)] + command.VtxOffset;
        return list.VtxBuffer[static_cast<int>(at)].pos;
      };
      for (unsigned index = 0; index + 2 < command.ElemCount; index += 3) {
        const ImVec2 a = corner(index), b = corner(index + 1), c = corner(index + 2);
        area += std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
      }
    }
  }
  return area / (size.x * size.y);
}

// In software each layer of a full window takes milliseconds.
TEST(FrameWorkOfASize, PanelsArePaintedOnce) {
  for (const char* id : {"baseline", "shuffle", "warp-block-grid", "transpose-padded"}) {
    TestWindow bench(id, 64);
    bench.session.player().forward();
    for (const ImVec2 size : {kProjector, kDesk}) {
      Headless headless(size, bench.window, bench.window.unit(size));
      EXPECT_GT(layers(size), 0.8) << id;
      EXPECT_LT(layers(size), 1.6) << id;
    }
  }
}

TEST(FrameWorkOfASize, EveryPanelHasItsGround) {
  TestWindow bench("baseline", 64);
  Headless headless(kDesk, bench.window.unit(kDesk));
  const ImU32 ground = imguiColor(*bench.window.state().theme, ColorRole::Panel);
  // Its left edge is painted in that color, whichever list it is in.
  const auto hasGround = [&](const char* name) {
    const Area panel = areaOfWindow(name);
    const auto isOnEdge = [&](const ImDrawVert& vertex) {
      const ImVec2 at = vertex.pos;
      return vertex.col == ground && std::abs(at.x - panel.x) < 1.5F && at.y > panel.y - 1 &&
             at.y < panel.y + panel.h + 1;
    };
    const ImDrawData& frame = *ImGui::GetDrawData();
    for (int i = 0; i < frame.CmdListsCount; ++i) {
      if (std::ranges::any_of(frame.CmdLists[i]->VtxBuffer, isOnEdge)) return panel.h > 0;
    }
    return false;
  };
  headless.settle(bench.window);
  for (const char* name : {"/source_", "/lesson_", "/array_", "/transport_"})
    EXPECT_TRUE(hasGround(name)) << name;
  bench.window.press("F2");
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  for (const char* name : {"/left_", "/right_", "/differences_"}) EXPECT_TRUE(hasGround(name)) << name;
}

TEST_F(FrameWork, NoFrameWalksALongTrace) {
  ASSERT_TRUE(bench.show("one-thread", 16384));
  ASSERT_TRUE(bench.settle());
  ASSERT_GT(bench.session.player().replay()->trace().steps.size(), 10 * kMostSteps);
  expectIdleWalk();
}

TEST(FrameWorkOfASize, AnotherSizeWalksNothing) {
  TestWindow bench("one-thread", 16384);
  ASSERT_TRUE(bench.settle());
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    bench.work->reset();
    headless.frame(bench.window);
    EXPECT_LT(bench.work->stepsRead, kMostSteps) << size.x;
  }
}

TEST_F(FrameWork, TheFirstFrameInAPhaseDoesNotWalkIt) {
  ASSERT_TRUE(bench.show("one-thread", 16384));
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  for (std::uint32_t phase = 0; phase < bench.session.player().replay()->trace().phases.size(); ++phase) {
    bench.session.player().seek(bench.session.player().replay()->trace().phases[phase].firstStep);
    expectIdle("a leap into a phase", 1);
  }
}

TEST_F(FrameWork, AnEditedTextAndItsFormCostNoMore) {
  ASSERT_TRUE(bench.show("shuffle", 64));
  ASSERT_TRUE(bench.settle());
  TextBuffer& text = bench.session.editor().current()->buffer;
  text.select({0, 0});
  text.insert("// edited\n");
  headless.frame(bench.window);  // colours the text
  ASSERT_TRUE(bench.settle());
  bench.session.run();
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  expectIdle("edited and run");
  ASSERT_TRUE(bench.window.press("W"));
  expectIdle("the form");
  ASSERT_TRUE(bench.window.press("W"));
  for (const char* mode : {"F4", "F4", "F2", "F2"}) {
    bench.window.press(mode);
    headless.frame(bench.window);
    ASSERT_TRUE(bench.settle());
    ASSERT_TRUE(testing::waitUntil(bench.session, [&] { return !bench.session.comparison().simulating(); }));
    headless.settle(bench.window);
    expectIdle(mode);
  }
}

}  // namespace
}  // namespace lanescope
