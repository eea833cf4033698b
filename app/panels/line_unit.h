#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "app/analysis/cost.h"
#include "app/panels/base/view.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {

/// What each line of that text has of its machine instructions or of its time: from a profile, else
/// instructions from this machine's toolkit. Empty if that is unknown, and for Equal.
LineAmounts findAmounts(ViewState& state, std::string_view text, StepWidth width);
/// Why there are none: one sentence.
std::string whyEqual(StepWidth width);

/// The unit of the timeline's widths and of the source's margin, and what each line of a text has of it:
/// looked up once for each choice, text, profile and machine code.
class LineUnit {
 public:
  /// `owner` and `version` change with the text. True if something has changed.
  bool syncTo(ViewState& state, std::string_view text, const void* owner, std::uint64_t version);
  /// Equal if nothing else is chosen or known, or while the run is to be predicted.
  StepWidth width() const { return amounts_.empty() ? StepWidth::Equal : width_; }
  const LineAmounts& amounts() const { return amounts_; }
  double all() const { return all_; }
  double most() const { return most_; }  ///< that one line has

 private:
  StepWidth width_ = StepWidth::Equal;
  LineAmounts amounts_;
  double all_ = 0;
  double most_ = 0;
  std::tuple<const void*, std::uint64_t, StepWidth, std::uint64_t, const void*> of_{};
};

}  // namespace lanescope
