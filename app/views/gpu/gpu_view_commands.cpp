// The GPU panel's commands: its keys and what they do.
#include <functional>
#include <string>
#include <vector>

#include "app/session/gpu/gpu_session.h"
#include "app/views/gpu/gpu_place.h"
#include "app/views/gpu/gpu_view.h"
#include "app/views/gpu/titles.h"

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
      {.id = "GPU panel",
       .keys = {"G"},
       .help = panel,
       .blocked = blocked,
       .run = [&state] { toggleGpu(state); }},
      {.id = "large GPU panel",
       .keys = {"Shift+G"},
       .help = panel,
       .label = "##larger",
       .tip = "Larger, over the other panels",
       .blocked = blocked,
       .run =
           [&state] {
             if (gpuIsMaximised(state)) return state.maximised.reset();
             state.maximised = Place::Gpu;
           }},
      {.keys = {"F7"}, .help = pages, .blocked = blocked, .run = [this, &state] { turnPage(state, 1); }},
      {.keys = {"Shift+F7"},
       .help = pages,
       .blocked = blocked,
       .run = [this, &state] { turnPage(state, -1); }},
      // A run that is under way is cancelled by the panel's own button, which has the same key.
      {.id = "run the text on the GPU",
       .keys = {"F8"},
       .help = runs,
       .label = "Run on GPU",
       .tip = "Compile the current text for the GPU, run it, and compare",
       .applies = [isText, &gpu] { return isText() && !gpu.text().busy(); },
       .blocked = textBlocked,
       .run = asks(runTextOnGpu)},
      {.id = "count the text on the GPU",
       .keys = {"Shift+F8"},
       .help = runs,
       .label = "Counters",
       .tip = "Read the launch's hardware counters with Nsight Compute",
       .applies = isText,
       .blocked = textBlocked,
       .run = asks(countTextOnGpu)},
      {.id = "profile the text on the GPU",
       .keys = {"Shift+F8"},
       .help = runs,
       .label = "Profile",
       .tip = "Profile the current text, line by line, with Nsight Compute on the connected GPU",
       .applies = [isWhy, &gpu] { return isWhy() && !gpu.text().busy(); },
       .blocked = textBlocked,
       .run = asks(profileTextOnGpu)},
      {.id = "run on the GPU",
       .keys = {"F8"},
       .help = runs,
       .tip = "Time what is chosen",
       .blocked =
           [&state, &gpu] {
             std::string why = notInSight(state);
             if (!why.empty() || isRunning(state) || gpu.isWithoutGpu()) return why;
             return withTitles(gpu.runBlocker());
           },
       .run = [this, &state] { return runOrCancel(state); }},
      {.id = "live or recorded",
       .keys = {"Shift+F8"},
       .help = runs,
       .tip = "Replay the recording that ships with Lanescope",
       .blocked = blocked,
       .run = [this, &state] { return showOther(state); }},
      {.id = "GPU menu",
       .keys = {"F9"},
       .help = menu,
       .tip = "What is timed, whose numbers are shown, comparing, files",
       .blocked = blocked,
       .run = opens(List::Menu)},
      {.id = "cold or warm",
       .keys = {"Shift+F9"},
       .help = menu,
       .blocked = blocked,
       .run =
           [this, &state] {
             enlargeGpu(state);
             CacheState& cache = choice_.setting.cache;
             cache = cache == CacheState::Cold ? CacheState::Warm : CacheState::Cold;
           }},
      {.keys = {"F10"}, .help = lists, .blocked = blocked, .run = opens(List::Sizes)},
      {.keys = {"Shift+F10"}, .help = lists, .blocked = blocked, .run = opens(List::Blocks)},
      {.keys = {"F12"}, .help = lists, .blocked = blocked, .run = opens(List::Grids)},
  };
}

}  // namespace lanescope
