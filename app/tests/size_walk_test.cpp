// Every layout and dialog in windows of any size, a pixel included, and letters of any size: nothing ends,
// hangs or draws at a place that is none.
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/base/whole.h"
#include "app/panels/guide_view.h"
#include "app/tests/gpu_lab.h"
#include "app/tests/test_window.h"
#include "app/window/panels.h"

namespace lanescope {
namespace {

constexpr std::array<std::pair<int, int>, 22> kSizes{
    {{1, 1},      {2, 720},    {720, 2},    {30, 30},   {64, 64},   {100, 400}, {160, 120}, {200, 720},
     {320, 180},  {320, 320},  {640, 100},  {640, 200}, {640, 320}, {1280, 50}, {1280, 90}, {1300, 120},
     {1300, 180}, {1300, 200}, {1280, 320}, {4096, 64}, {64, 4096}, {1024, 640}}};

/// A way for the window to be.
struct Shape {
  std::string name;
  std::function<void(ViewState& state)> show;
};

std::vector<Shape> makeShapes() {
  std::vector<Shape> shapes;
  for (const Arrangement& arrangement : arrangements()) {
    shapes.push_back({std::string(arrangement.id),
                      [&arrangement](ViewState& state) { state.settings.layout = arrangement.id; }});
    shapes.push_back({std::string(arrangement.id) + ", presented", [&arrangement](ViewState& state) {
                        state.settings.layout = arrangement.id;
                        state.presenting = state.laser = true;
                      }});
  }
  for (const OfferedMode& mode : kOfferedModes)
    shapes.push_back({mode.title, [mode](ViewState& state) { state.mode = mode.mode; }});
  for (const char* panel : {"lesson", "array", "warps", "banks", "source", "counters", "gpu"}) {
    for (const bool presents : {false, true}) {
      shapes.push_back(
          {std::string(panel) + (presents ? " alone" : " large"), [panel, presents](ViewState& s) {
             s.maximised = panel;
             s.presenting = presents;
             s.settings.gpuIsOpen = true;
           }});
    }
  }
  for (const GpuPage page :
       {GpuPage::Bandwidth, GpuPage::Time, GpuPage::OverN, GpuPage::Why, GpuPage::Text}) {
    shapes.push_back({kGpuPageNames[static_cast<std::size_t>(page)], [page](ViewState& state) {
                        state.settings.gpuIsOpen = true;
                        state.gpuPanel.page = page;
                      }});
  }
  for (const Dialog dialog : {Dialog::Open, Dialog::Save, Dialog::Export, Dialog::Glossary, Dialog::Colors})
    shapes.push_back({"dialog " + std::to_string(static_cast<int>(dialog)),
                      [dialog](ViewState& state) { state.dialog = dialog; }});
  shapes.push_back({"help", [](ViewState& state) { state.helpOpen = true; }});
  shapes.push_back({"first lesson", [](ViewState& state) { openGuide(state, 0); }});
  shapes.push_back({"error", [](ViewState& state) {
                      state.session.reportError({"There is no file 'reduce.cu'.", "Look at the folder.", {}});
                    }});
  shapes.push_back({"notice", [](ViewState& state) { state.notify("There is no more room on that side."); }});
  return shapes;
}

/// As a window opens.
void resetShape(ViewState& state) {
  state.mode = Mode::Explore;
  state.presenting = state.laser = state.helpOpen = state.typing = false;
  state.dialog = Dialog::None;
  state.maximised.reset();
  state.settings.layout = arrangements().front().id;
  state.settings.gpuIsOpen = false;
  state.gpuPanel.page = GpuPage::Bandwidth;
  state.guide.close();
  state.session.dismissError();
  state.notify("");
}

/// The vertices of the last frame that are nowhere.
std::size_t countLost() {
  std::size_t lost = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
      if (!std::isfinite(vertex.pos.x) || !std::isfinite(vertex.pos.y)) ++lost;
  }
  return lost;
}

/// Its sizes, then others of every order of magnitude.
std::vector<ImVec2> makeSizes(std::mt19937& random) {
  std::vector<ImVec2> sizes;
  for (const auto& [width, height] : kSizes)
    sizes.emplace_back(static_cast<float>(width), static_cast<float>(height));
  constexpr int kMore = 24;
  std::uniform_real_distribution<float> exponent(0, 11);
  for (int i = 0; i < kMore; ++i)
    sizes.emplace_back(std::floor(std::exp2(exponent(random))), std::floor(std::exp2(exponent(random))));
  return sizes;
}

struct Walk {
  const char* strategy = "";
  std::uint64_t n = 64;
  float text = 1;
};

class Sizes : public ::testing::TestWithParam<Walk> {};

TEST_P(Sizes, AreAllDrawn) {
  const auto [strategy, n, text] = GetParam();
  Lab lab(recordingOnly(), "baseline");
  ASSERT_TRUE(lab.TestWindow::show(strategy, n));
  std::mt19937 random(static_cast<unsigned>(text * 100));
  const auto upTo = [&](float most) { return std::uniform_real_distribution<float>(-1, most)(random); };
  ViewState& state = lab.window.state();
  std::size_t drawn = 0;
  for (const ImVec2 size : makeSizes(random)) {
    state.settings.scale = static_cast<double>(text);
    for (const bool presents : {false, true}) {
      state.presenting = presents;
      Headless headless(size, lab.window.unit(size));
      for (const Shape& shape : makeShapes()) {
        resetShape(state);
        shape.show(state);
        if (state.presenting != presents) continue;
        const auto last = static_cast<float>(lab.session.player().replay()->trace().steps.size());
        lab.session.player().seek(toWhole<std::uint32_t>(upTo(last)));
        for (int frame = 0; frame < 3; ++frame) {
          ImGui::GetIO().MouseWheel = frame == 2 ? upTo(3) : 0;
          headless.frame(lab.window, {upTo(size.x), upTo(size.y)}, frame == 2);
          ASSERT_EQ(countLost(), 0U) << shape.name << " in " << size.x << "x" << size.y;
        }
        headless.frame(lab.window);
        drawn += static_cast<std::size_t>(ImGui::GetDrawData()->TotalVtxCount);
      }
    }
  }
  EXPECT_GT(drawn, 1000000U) << "the windows are not empty";
}

INSTANTIATE_TEST_SUITE_P(Text, Sizes,
                         ::testing::Values(Walk{"both-sides", 64, 0.8F}, Walk{"dynamic-shared", 1024, 1},
                                           Walk{"transpose-padded", 256, 1.25F},
                                           Walk{"last-block-done", 128, 1.5F}, Walk{"baseline", 8, 2}));

}  // namespace
}  // namespace lanescope
