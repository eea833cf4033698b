#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/workbench/document.h"
#include "app/launch/launch_form.h"
#include "app/workbench/selection.h"
#include "app/analysis/local_code.h"
#include "app/panels/base/row_list.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// Below the source: the current line's machine code, which this machine's CUDA Toolkit makes of the text as
/// it is, and what the line's accesses became. Without a toolkit the recorded machine code of a text that was
/// profiled, or how to get one.
class CodePane {
 public:
  bool isOpen() const { return isOpen_; }
  void toggle() { isOpen_ = !isOpen_; }
  /// Draws in that size and scrolls if it is too small.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void ask(const ViewContext& context);
  void drawOutcome(const ViewContext& context, const CodeOutcome& outcome, std::uint32_t line);
  void drawRecorded(const ViewContext& context, const Error& why, std::uint32_t line);
  void drawInstructions(const ViewContext& context, const MachineCode& code, std::uint32_t line);

  bool isOpen_ = false;
  /// The last request.
  struct Asked {
    const Document* document = nullptr;
    std::uint64_t revision = 0;
    Selection selection;
    std::optional<LaunchForm> form;
    std::string architecture;
    bool operator==(const Asked&) const = default;
  };
  Asked asked_;
  RowList instructions_;
  std::string problem_;  ///< why there was no request, one sentence; can be empty
};

}  // namespace lanescope
