#include "app/panels/program_pane.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include "app/panels/base/widgets.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kListShare = 0.4F;     ///< of the pane's height, at most
constexpr float kLeastArguments = 60;  ///< units, of the field

std::string extentText(Dim3 extent) {
  if (extent.z > 1) return fmt::format("({}, {}, {})", extent.x, extent.y, extent.z);
  return extent.y > 1 ? fmt::format("({}, {})", extent.x, extent.y) : std::to_string(extent.x);
}

std::string launchText(const ProgramLaunch& launch) {
  std::string text = fmt::format("{}  {}<<<{}, {}>>>", launch.number, launch.kernel, extentText(launch.grid),
                                 extentText(launch.block));
  if (launch.line > 0) text += fmt::format("  line {}", launch.line);
  return text;
}

/// A launch's outcome, after a mark if it is the one that is shown, and its color.
std::pair<std::string, ColorRole> makeResult(const ProgramLaunch& launch, const ProgramRun& program,
                                             bool isTraced) {
  const std::string shown = isTraced ? "shown · " : "";
  if (program.capturing() == launch.number) return {"getting its data…", ColorRole::TextDim};
  if (!launch.isOver)
    return {program.isRunning() && program.capturing() == 0 ? "running…" : "not finished",
            ColorRole::Warning};
  if (!launch.fault.empty()) return {shown + "fault", ColorRole::Bad};
  if (launch.hazards > 0) return {shown + counted(launch.hazards, "hazard"), ColorRole::Bad};
  return {shown + fmt::format("{:.2f} s", launch.seconds), ColorRole::TextDim};
}

std::string stateText(const ProgramRun& program) {
  const ProgramOutcome& outcome = *program.outcome();
  if (program.capturing() > 0) {
    return fmt::format("Running it again, up to launch {}.", program.capturing());
  }
  if (outcome.isOver) return outcome.end;
  return outcome.launchCount == 0
             ? fmt::format("Compiling and starting, {:.1f} s.", outcome.seconds)
             : fmt::format("Running for {:.1f} s, launch {}.", outcome.seconds, outcome.launchCount);
}

}  // namespace

std::vector<Command> ProgramPane::commands(ViewState& state) {
  Session& session = state.session;
  return {Command(
      "run program", {"Ctrl+R"}, {"run the file as a whole program; cancel it", HelpGroup::Text},
      "Run program",
      "Compile and run the file's main(): its kernels are simulated, and each launch can be traced "
      "with the data that it had",
      {.blocked =
           [&session] {
             return session.hasProgram() ? "" : "This text has no main(): open a file that is a program.";
           }},
      [this, &state] {
        if (state.session.program().isRunning())
          state.session.cancelProgram();
        else
          start(state);
      })};
}

void ProgramPane::start(ViewState& state) {
  isOpen_ = true;
  state.session.runProgram(arguments_);
}

bool ProgramPane::isOpen(const ViewContext& context) const {
  const Session& session = context.session();
  const auto& outcome = session.program().outcome();
  return isOpen_ && outcome && session.hasProgram() &&
         session.editor().current()->path == outcome->asked.path;
}

void ProgramPane::drawHead(const ViewContext& context, float width) {
  const ProgramRun& program = context.session().program();
  const float left = ImGui::GetCursorStartPos().x;
  const bool isRunning = program.isRunning();
  if (pill(context, isRunning ? "Cancel" : "Run again", false, pillWidth(context, "Run again"),
           ImGui::GetFrameHeight())) {
    if (isRunning)
      context.session().cancelProgram();
    else
      start(context.state);
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  label(context, "arguments", ColorRole::TextDim);
  ImGui::SameLine();
  const float close = pillWidth(context, "Close");
  const float rest = left + width - ImGui::GetCursorPosX() - close - ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetNextItemWidth(std::max(rest, kLeastArguments * context.unit));
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const bool isEntered = ImGui::InputText("##arguments", &arguments_, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopFont();
  hint(context, "What main() gets, as in a shell: 1024 --verbose; Enter runs the program");
  if (isEntered && !isRunning) start(context.state);
  ImGui::SameLine();
  if (pill(context, "Close", false, close, ImGui::GetFrameHeight())) isOpen_ = false;
  const ProgramOutcome& outcome = *program.outcome();
  wrappedText(context, stateText(program),
              outcome.isOver && outcome.hasFailed ? ColorRole::Bad : ColorRole::Text);
}

void ProgramPane::drawLaunch(const ViewContext& context, const ProgramLaunch& launch) {
  const ProgramRun& program = context.session().program();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, list_.pitch());
  ImGui::PushID(static_cast<int>(launch.number));
  if (ImGui::InvisibleButton("launch", size) && !program.isRunning())
    context.session().traceLaunch(launch.number);
  ImGui::PopID();
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  const bool isTraced = context.session().tracedLaunch() == launch.number;
  if (isTraced || ImGui::IsItemHovered() || program.capturing() == launch.number)
    drawList.AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), context.color(ColorRole::Cell),
                           4 * context.unit);
  const std::string more = launch.fault.empty() ? "" : "\n" + launch.fault;
  hint(context, (program.isRunning() ? "The program is running." + more
                                     : "Click to trace this launch with its own data" + more)
                    .c_str());
  const auto [result, color] = makeResult(launch, program, isTraced);
  const float width = ImGui::CalcTextSize(result.c_str()).x;
  const float y = at.y + (size.y - ImGui::GetTextLineHeight()) / 2;
  const float gap = 8 * context.unit;
  drawList.AddText(ImVec2(at.x + gap, y), context.color(ColorRole::Text),
                   cutToFit(launchText(launch), size.x - width - 4 * gap).c_str());
  drawList.AddText(ImVec2(at.x + size.x - width - 2 * gap, y), context.color(color), result.c_str());
}

void ProgramPane::drawLaunches(const ViewContext& context, const ProgramOutcome& outcome, float height) {
  const float pitch = ImGui::GetTextLineHeight() + 6 * context.unit;
  const auto rows = static_cast<std::size_t>(std::max(2.0F, height * kListShare / pitch));
  list_.begin("launches", 0, std::min(outcome.launches.size(), rows), pitch);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(outcome.launches.size()), list_.pitch());
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawLaunch(context, outcome.launches[static_cast<std::size_t>(i)]);
  }
  list_.end();
  if (outcome.launchCount > outcome.launches.size()) {
    label(context, "and " + counted(outcome.launchCount - outcome.launches.size(), "more launch"),
          ColorRole::TextDim, FontRole::Small);
  }
}

/// It stays at its end while there is more, unless it was scrolled away from there. Its height is a number of
/// whole lines.
void ProgramPane::drawOutput(const ViewContext& context, const ProgramOutcome& outcome, ImVec2 size) {
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const float pad = 4 * context.unit;
  const float line = ImGui::GetTextLineHeight();
  size.y = std::floor((size.y - 2 * pad) / line) * line + 2 * pad;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(6 * context.unit, pad));
  ImGui::BeginChild("program output", size, true, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  const bool follows = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1;
  if (outcome.output.empty()) {
    const char* none = outcome.hasFailed ? "" : "It printed nothing.";
    label(context, outcome.isOver ? none : "Nothing printed yet.", ColorRole::TextDim);
  } else {
    // The margin shows nothing of the line above the first whole one.
    const ImVec2 at = ImGui::GetWindowPos();
    ImGui::PushClipRect(ImVec2(at.x, at.y + pad), ImVec2(at.x + size.x, at.y + size.y - pad), true);
    ImGui::PushStyleColor(ImGuiCol_Text, context.color(ColorRole::Text));
    ImGui::TextUnformatted(outcome.output.data(), outcome.output.data() + outcome.output.size());
    ImGui::PopStyleColor();
    ImGui::PopClipRect();
  }
  if (follows && shownOutput_ != outcome.output.size()) ImGui::SetScrollHereY(1);
  shownOutput_ = outcome.output.size();
  ImGui::EndChild();
  ImGui::PopFont();
}

void ProgramPane::draw(const ViewContext& context, ImVec2 size) {
  const ProgramOutcome& outcome = *context.session().program().outcome();
  ImGui::BeginChild("program", size, false, ImGuiWindowFlags_NoScrollbar);
  drawHead(context, size.x);
  if (!outcome.launches.empty()) drawLaunches(context, outcome, size.y);
  const float rest = size.y - ImGui::GetCursorPosY();
  drawOutput(context, outcome, ImVec2(size.x, std::max(rest, 3 * ImGui::GetTextLineHeight())));
  ImGui::EndChild();
}

}  // namespace lanescope
