// The GPU panel's commands: their keys and actions.
#include <functional>
#include <string>
#include <vector>

#include "app/gpu/gpu_session.h"
#include "app/panels/gpu_place.h"
#include "app/panels/gpu_view.h"
#include "app/panels/titles.h"

namespace lanescope {
namespace {

/// Why the panel's keys do nothing.
std::string notInSight(const ViewState& state) {
  const bool hasPlace = state.mode == Mode::Explore || state.mode == Mode::Predict;
  if (hasPlace) return "";
  return "The GPU panel is not in sight: " + keyText(state, "escape") + " goes back to it.";
}

}  // namespace

std::vector<Command> GpuView::commands(ViewState& state) {
  GpuSession& gpu = state.gpu;
  constexpr HelpGroup kGroup = HelpGroup::Gpu;
  const HelpLine panel{"the GPU panel: its charts, or one line; Shift: large", kGroup};
  const HelpLine pages{"the GPU panel's next page, Shift: the previous one", kGroup};
  const HelpLine runs{"time on the GPU, or cancel; Shift: replay, counters, profile", kGroup};
  const HelpLine menu{"what is timed, whose times, files; Shift: cold or warm", kGroup};
  const HelpLine lists{"GPU: choose N, Shift: threads per block; blocks per grid", kGroup};
  const std::function<std::string()> blocked = [&state] { return notInSight(state); };
  const auto asks = [&state](void (*ask)(ViewState&)) {
    return [&state, ask] {
      enlargeGpu(state);
      ask(state);
    };
  };
  const auto opens = [this, &state](List list) { return [this, &state, list] { open(state, list); }; };
  const auto isText = [&state] { return state.gpuPanel.page == GpuPage::Text; };
  const auto isWhy = [&state] { return state.gpuPanel.page == GpuPage::Why; };
  const auto textBlocked = [&state, &gpu] {
    const std::string why = notInSight(state);
    return why.empty() ? gpu.textBlocker() : why;
  };
  return {
      Command("GPU panel", {"G"}, panel, "", "", {.blocked = blocked}, [&state] { toggleGpu(state); }),
      Command("large GPU panel", {"Shift+G"}, panel, "##larger", "Larger, over the other panels",
              {.blocked = blocked},
              [&state] {
                if (gpuIsMaximised(state)) return state.maximised.reset();
                state.maximised = Place::Gpu;
              }),
      Command("", {"F7"}, pages, "", "", {.blocked = blocked}, [this, &state] { turnPage(state, 1); }),
      Command("", {"Shift+F7"}, pages, "", "", {.blocked = blocked}, [this, &state] { turnPage(state, -1); }),
      // A run in progress is cancelled by the panel's own button, which has the same key.
      Command("run the text on the GPU", {"F8"}, runs, "Run on GPU",
              "Compile the current text for the GPU, run it, and compare",
              {.applies = [isText, &gpu] { return isText() && !gpu.text().busy(); }, .blocked = textBlocked},
              asks(runTextOnGpu)),
      Command("count the text on the GPU", {"Shift+F8"}, runs, "Counters",
              "Read the launch's hardware counters with Nsight Compute",
              {.applies = isText, .blocked = textBlocked}, asks(countTextOnGpu)),
      Command("profile the text on the GPU", {"Shift+F8"}, runs, "Profile",
              "Profile the current text, line by line, with Nsight Compute on the connected GPU",
              {.applies = [isWhy, &gpu] { return isWhy() && !gpu.text().busy(); }, .blocked = textBlocked},
              asks(profileTextOnGpu)),
      Command("run on the GPU", {"F8"}, runs, "", "Time what is chosen",
              {.blocked =
                   [&state, &gpu] {
                     std::string why = notInSight(state);
                     if (!why.empty() || isRunning(state) || gpu.isWithoutGpu()) return why;
                     return withTitles(gpu.runBlocker());
                   }},
              [this, &state] { return runOrCancel(state); }),
      Command("live or recorded", {"Shift+F8"}, runs, "", "Replay the recording that ships with Lanescope",
              {.blocked = blocked}, [this, &state] { return showOther(state); }),
      Command("GPU menu", {"F9"}, menu, "", "What is timed, whose numbers are shown, comparing, files",
              {.blocked = blocked}, opens(List::Menu)),
      Command("cold or warm", {"Shift+F9"}, menu, "", "", {.blocked = blocked},
              [this, &state] {
                enlargeGpu(state);
                CacheState& cache = choice_.setting.cache;
                cache = cache == CacheState::Cold ? CacheState::Warm : CacheState::Cold;
              }),
      Command("", {"F10"}, lists, "", "", {.blocked = blocked}, opens(List::Sizes)),
      Command("", {"Shift+F10"}, lists, "", "", {.blocked = blocked}, opens(List::Blocks)),
      Command("", {"F12"}, lists, "", "", {.blocked = blocked}, opens(List::Grids)),
  };
}

}  // namespace lanescope
