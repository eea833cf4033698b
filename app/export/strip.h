#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>

#include "app/pictures/base/scene.h"
#include "app/pictures/base/text_measure.h"
#include "sim/base/diagnostic.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The step at which a phase's banks are shown, as Cursor::steps: the first access with the most wavefronts
/// beyond its ideal, else the first shared access, shuffle or global access, else the end.
std::uint32_t tellingStep(const Trace& trace, const Phase& phase);

/// Called before each phase of a page with the number drawn so far.
using PhaseWatcher = std::function<void(std::size_t done)>;

/// The whole walk on one page, one row per phase: its label and counters, the array at the end of the phase,
/// and the banks at its telling step. `width` in logical pixels, at least kLeastSide, is that of a column: a
/// page that would be higher than `mostHeight` is folded into as many columns as it needs, read from left to
/// right, each from its top. The height follows. Lay it on the window's background. `title` is at the head.
/// Before each phase `watch` gets the number drawn, and `stop` is checked. Errors: more than
/// kMostStripPhases; it was stopped.
Result<Scene> stripScene(const std::shared_ptr<const Trace>& trace, const std::string& title, float width,
                         const TextMeasure& measure, const std::stop_token& stop = {},
                         float mostHeight = std::numeric_limits<float>::infinity(),
                         const PhaseWatcher& watch = {});

/// The most phases that one page may have.
inline constexpr std::size_t kMostStripPhases = 256;

/// The width at which its text has its own size.
inline constexpr float kStripWidth = 1600;

}  // namespace lanescope
