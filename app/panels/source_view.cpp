#include "app/panels/source_view.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <utility>

#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_pages.h"
#include "app/pictures/base/moment.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// The thread with its variables shown: the one under the pointer, else the pinned one, else the first that
/// is active in the current step.
std::uint32_t threadOfVariables(const ViewContext& context);

/// Indices into Trace::variables of those that a reader of the source would name at that step: no
/// pointers, no hidden ones, only those that have a value in that thread.
std::vector<std::uint32_t> variablesWithValues(const Replay& replay, std::uint32_t thread);

/// The height that drawVariables() needs in a given width.
float variablesHeight(const ViewContext& context, float width);
/// Every variable of a thread as a button with its value, and the value's origin. A click on one shows its
/// value in every lane of the warps' picture; another click ends that.
void drawVariables(const ViewContext& context, ImVec2 size);

namespace {

constexpr float kChipPadding = 5;
constexpr float kChipGap = 6;
constexpr std::size_t kTerms = 4;

/// One item in the pane: words, or a variable's button. Positions are from the pane's corner.
struct Chip {
  std::string text;
  FontRole font = FontRole::Body;
  ColorRole color = ColorRole::Text;
  std::int32_t variable = -1;  ///< a button
  ImVec2 at{0, 0};
  float width = 0;
};

std::vector<Chip> makeChips(const ViewContext& context) {
  const Replay& replay = *context.replay();
  const Trace& trace = replay.trace();
  const std::uint32_t thread = threadOfVariables(context);
  const bool pinned = context.marks().thread == std::int64_t{thread};
  std::vector<Chip> chips;
  chips.push_back({"thread " + std::to_string(thread) + (pinned ? ", kept" : ""), FontRole::Bold});
  const std::size_t base = std::size_t{thread} * trace.variables.size();
  for (const std::uint32_t index : variablesWithValues(replay, thread)) {
    const VariableValue& value = replay.state().variables[base + index];
    const TracedVariable& variable = trace.variables[index];
    Chip chip{variable.label + "=" + formatValue(variable.type, value.bits), FontRole::Mono};
    chip.variable = static_cast<std::int32_t>(index);
    chips.push_back(std::move(chip));
    if (trace.provenance.terms(value.from) > 0)
      chips.push_back({trace.provenance.text(value.from, kTerms), FontRole::Body, ColorRole::TextDim});
  }
  const std::int32_t watched = context.marks().variable;
  if (watched >= 0 && std::ranges::find(chips, watched, &Chip::variable) == chips.end()) {
    // The chip that is shown in the lanes stays, so that it can be switched off.
    Chip chip{trace.variables[static_cast<std::size_t>(watched)].label + ": no value", FontRole::Mono};
    chip.variable = watched;
    chips.push_back(std::move(chip));
  }
  if (chips.size() == 1) chips.push_back({"no variable has a value yet", FontRole::Body, ColorRole::TextDim});
  return chips;
}

float rowHeight() { return ImGui::GetTextLineHeight() * 1.45F; }

/// Gives the chips their places, row by row; returns the height.
float place(const ViewContext& context, std::vector<Chip>& chips, float width) {
  float x = 0;
  float y = 0;
  for (Chip& chip : chips) {
    ImGui::PushFont(context.fonts.of(chip.font));
    // A sum's parts can be longer than a row.
    chip.text = cutToFit(chip.text, width - 2 * kChipPadding * context.unit);
    chip.width = ImGui::CalcTextSize(chip.text.c_str()).x;
    ImGui::PopFont();
    if (chip.variable >= 0) chip.width += 2 * kChipPadding * context.unit;
    if (x > 0 && x + chip.width > width) {
      x = 0;
      y += rowHeight();
    }
    chip.at = ImVec2(x, y);
    x += chip.width + kChipGap * context.unit;
  }
  return y + rowHeight();
}

void drawChip(const ViewContext& context, const Chip& chip) {
  const bool chosen = context.marks().variable == chip.variable;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = rowHeight() * 0.86F;
  ImGui::PushID(chip.variable);
  const bool clicked = ImGui::InvisibleButton("chip", ImVec2(std::max(chip.width, 1.0F), height));
  const bool hovered = ImGui::IsItemHovered();
  hint(context, chosen ? "Click: back to thread numbers in the lanes" : "Click: its value in every lane");
  ImGui::PopID();
  if (clicked) context.marks().variable = chosen ? -1 : chip.variable;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + chip.width, corner.y + height),
                     context.color(chosen    ? ColorRole::Accent
                                   : hovered ? ColorRole::CellBorder
                                             : ColorRole::Cell),
                     3 * context.unit);
  ImGui::PushFont(context.fonts.of(chip.font));
  list.AddText(
      ImVec2(corner.x + kChipPadding * context.unit, corner.y + (height - ImGui::GetTextLineHeight()) / 2),
      context.color(chosen ? ColorRole::TextOnAccent : ColorRole::Text), chip.text.c_str());
  ImGui::PopFont();
}

}  // namespace

std::uint32_t threadOfVariables(const ViewContext& context) {
  const Replay& replay = *context.replay();
  const Trace& trace = replay.trace();
  std::int64_t thread = context.marks().shownThread();
  const std::optional<Step> step = replay.currentStep();
  if (thread < 0 && step && step->active != 0) {
    const TraceFault* const fault = makeMoment(replay, context.session().plan()).fault();
    const LaneMask lanes = fault != nullptr && fault->lanes != 0 ? fault->lanes : step->active;
    thread = std::int64_t{step->warp} * trace.launch.machine.warpSize + std::countr_zero(lanes);
  }
  return thread < 0 || thread >= std::int64_t{trace.threads} ? 0 : static_cast<std::uint32_t>(thread);
}

std::vector<std::uint32_t> variablesWithValues(const Replay& replay, std::uint32_t thread) {
  const Trace& trace = replay.trace();
  std::vector<std::uint32_t> indices;
  const std::size_t base = std::size_t{thread} * trace.variables.size();
  const std::uint32_t warp = thread / trace.launch.machine.warpSize;
  for (const std::uint32_t index : variablesInSight(trace, thread, replay.state().lastStep[warp])) {
    const TracedVariable& variable = trace.variables[index];
    const bool isResult = variable.name.ends_with("()");  // the result of a function call
    if (replay.state().variables[base + index].set && variable.type != ValueType::Pointer && !isResult)
      indices.push_back(index);
  }
  return indices;
}

float variablesHeight(const ViewContext& context, float width) {
  std::vector<Chip> chips = makeChips(context);
  return place(context, chips, width);
}

void drawVariables(const ViewContext& context, ImVec2 size) {
  ImGui::BeginChild("variables", size);
  std::vector<Chip> chips = makeChips(context);
  float height = place(context, chips, size.x);
  if (height > size.y) height = place(context, chips, size.x - ImGui::GetStyle().ScrollbarSize);
  const ImVec2 origin = ImGui::GetCursorPos();
  for (const Chip& chip : chips) {
    ImGui::SetCursorPos(ImVec2(origin.x + chip.at.x, origin.y + chip.at.y));
    if (chip.variable >= 0)
      drawChip(context, chip);
    else
      label(context, chip.text, chip.color, chip.font);
  }
  ImGui::SetCursorPos(origin);
  ImGui::Dummy(ImVec2(1, height));
  ImGui::EndChild();
}

namespace {

constexpr float kMostThreadShare = 0.4F;  ///< of the panel, for a thread's variables
constexpr float kShortReport = 3.5F;      ///< rows, of a report that leaves the GPU panel its charts
constexpr float kMostReportShare = 0.42F;
constexpr float kFaultShare = 0.16F;  ///< of the panel, for faults beside a form
constexpr float kMostFormShare = 0.55F;
constexpr float kProgram = 0.5F;        ///< of the panel, for a program's run
constexpr float kLeastProgram = 0.28F;  ///< beside a report
constexpr float kCodeShare = 0.34F;     ///< of the panel, for a line's machine code
constexpr float kOpenButton = 440;      ///< units, of the panel's width

/// True if the pictures show something other than the current text and launch.
bool isStale(const ViewContext& context) {
  const Session& session = context.session();
  const Document& document = *session.editor().current();
  if (context.replay() == nullptr) return true;
  const RunOutcome& shown = *session.shownRun();
  return session.editor().makeDocument(session.shown()) != &document || !document.has(shown.text()) ||
         document.form != shown.asked.form;
}

}  // namespace

std::vector<Command> SourceView::commands(ViewState& state) {
  Session& session = state.session;
  constexpr HelpGroup kGroup = HelpGroup::Text;
  const HelpLine runs{"run the current text; Enter: a changed launch", kGroup};
  const HelpLine writes{"write in the source, Esc ends that; back to its own text", kGroup};
  const std::function<std::string()> blocked = [&state] {
    if (state.showsSource()) return std::string();
    return "The source is not in sight: " + keyText(state, "escape") + " goes back to it.";
  };
  const auto hasText = [&session] { return session.editor().current() != nullptr; };
  std::vector<Command> rows{
      {.id = "run",
       .keys = {"Ctrl+Enter"},
       .help = runs,
       .label = "Run",
       .tip = "Simulate the current text and launch",
       .whileTyping = true,
       .run = [&session] { session.run(); }},
      {.keys = {"Enter"},
       .help = runs,
       .applies = [&state] { return state.mode != Mode::Table && state.session.editor().formIsChanged(); },
       .run = [&session] { session.run(); }},
      {.keys = {"I"},
       .help = writes,
       .applies = hasText,
       .blocked = blocked,
       .run = [&state] { state.typing = true; }},
      {.id = "reset",
       .keys = {"X"},
       .help = writes,
       .label = "Reset",
       .tip = "Back to the text as it came, which Ctrl+Z undoes",
       .applies = hasText,
       .blocked =
           [&session, blocked] {
             const bool isEdited =
                 session.editor().current() != nullptr && session.editor().current()->isEdited();
             const std::string why = blocked();
             return !why.empty() || isEdited ? why : "This is the text as it came.";
           },
       .run = [&session] { session.resetText(); }},
      {.id = "launch",
       .keys = {"W"},
       .help = {"the launch: kernel, grid, block and data", kGroup},
       .label = "Launch",
       .tip = "Kernel, grid, block, shared memory and data",
       .applies = hasText,
       .blocked = blocked,
       .run = [this] { form_.toggle(); }},
      {.id = "machine code",
       .keys = {"Ctrl+B"},
       .help = {"the machine code of the current line, and how its accesses changed", kGroup},
       .tip = "The instructions of the line under the pointer, or of the current line",
       .applies = hasText,
       .blocked = blocked,
       .whileTyping = true,
       .run = [this] { code_.toggle(); }},
      {.id = "luck",
       .keys = {"U"},
       .help = {"is it luck? Runs it in other orders", kGroup},
       .label = "Is it luck?",
       .tip = "Run it in other orders that CUDA allows: does the result depend on them?",
       .run = [&state]() -> Refusal {
         if (state.hidesFuture()) return "While you predict, the verdict is hidden.";
         state.session.editor().tryLuck();
         return std::nullopt;
       }},
  };
  for (Command& row : program_.commands(state)) {
    row.run = [this, run = std::move(row.run)] {
      if (form_.isOpen()) form_.toggle();  // one of them at a time
      return run();
    };
    rows.push_back(std::move(row));
  }
  return rows;
}

bool SourceView::type(ViewState& state, const Chord& pressed) {
  if (!state.typing) return false;
  listing_.type(state.session, pressed);
  return true;
}

bool SourceView::close(ViewState& state) {
  if (!state.showsSource()) return false;
  if (form_.isOpen())
    form_.toggle();
  else if (code_.isOpen())
    code_.toggle();
  else if (std::exchange(hasReport_, false))
    report_.dismiss();
  else
    return false;
  return true;
}

void SourceView::drawHeading(const ViewContext& context, float width) {
  const Document* document = context.session().editor().current();
  std::string detail = document == nullptr ? "" : document->name();
  if (document != nullptr && document->strategy != nullptr) {
    const std::string note = changeNote(context.session().editor().facts(), document->form.has_value());
    if (!note.empty()) detail += " · " + note;
  } else if (document != nullptr && document->isEdited()) {
    detail += " · edited";
  }
  heading(context, "KERNEL", detail);
  if (document == nullptr || isStale(context) || context.state.hidesFuture()) return;
  listing_.drawTitles(context, width);
}

void SourceView::drawTools(const ViewContext& context, float width) {
  const float height = ImGui::GetTextLineHeight() + 6 * context.unit;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(6 * context.unit, 2 * context.unit));
  const auto tool = [&](const char* id, bool isLit = false) {
    const float room = pillWidth(context, context.state.commands->of(id).label) - 6 * context.unit;
    commandButton(context, id, {.isLit = isLit, .width = room, .height = height});
    ImGui::SameLine();
  };
  tool("run", isStale(context));
  tool("reset");
  tool("launch", form_.isOpen());
  // In a narrow panel the findings come before the button that has Ctrl+O as its key.
  const bool isProgram = context.session().hasProgram();
  if (isProgram) tool("run program", program_.isOpen(context) && !form_.isOpen());
  if (!isProgram && width > kOpenButton * context.unit) tool("open");
  if (!context.state.hidesFuture()) tool("luck");
  const std::string blocker = context.state.gpu.textBlocker();
  ImGui::BeginDisabled(!blocker.empty());
  const bool onGpu = pill(context, "On GPU", false, pillWidth(context, "On GPU") - 6 * context.unit, height);
  ImGui::EndDisabled();
  hintAlways(context, blocker.empty() ? "Compile it for the GPU, run it there, and compare with the simulator"
                                      : blocker);
  if (onGpu) {
    if (form_.isOpen()) form_.toggle();
    report_.showGpu();
    context.state.gpuPanel.page = GpuPage::Text;
    runTextOnGpu(context.state);
  }
  ImGui::SameLine();
  ImGui::PopStyleVar();
  const SourceState state = sourceState(context);
  const float room = ImGui::CalcTextSize(state.text.c_str()).x;
  if (ImGui::GetCursorPosX() + room > ImGui::GetCursorStartPos().x + width) return ImGui::NewLine();
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - room);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 text(at.x, at.y + (height - ImGui::GetTextLineHeight()) / 2);
  if (ImGui::InvisibleButton("state", ImVec2(std::max(room, 1.0F), height))) showReport(context);
  hint(context, "The findings; a click shows or hides them");
  ImGui::GetWindowDrawList()->AddText(text, context.color(state.color), state.text.c_str());
}

void SourceView::showReport(const ViewContext& context) {
  if (!form_.isOpen() || !report_.isOpen(context)) report_.toggle(context);
  if (form_.isOpen()) form_.toggle();
}

PanelInfo SourceView::panel(const WindowShape& shape) const {
  constexpr float kLeast = 340;  // 14 lines with their surroundings
  constexpr float kLeastFolded = 130;
  return {.id = "source",
          .place = Place::Source,
          .least = shape.presents || shape.folds ? kLeastFolded : kLeast,
          .share = 0.62F,
          .leastWidth = 400};
}

void SourceView::draw(const ViewContext& context, ImVec2 size) {
  drawHeading(context, size.x);
  if (context.session().editor().current() == nullptr) return drawWaiting(context, {}, waitingText(context));
  if (const std::uint32_t line = std::exchange(context.state.askedCode, 0); line != 0) {
    listing_.reveal(line);
    code_.open(line);
  }
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  // If it presents, the buttons are hidden; keys do the same.
  const bool presents = context.state.presenting;
  const float row = ImGui::GetTextLineHeight() + 6 * context.unit + spacing;
  const float tools = presents ? 0 : row;
  hasReport_ = report_.isOpen(context) && (!form_.isOpen() || SourceReport::fitsBesideForm(context));
  // The button stays under the pointer from press to release: a press elsewhere ends the typing.
  const bool isPressed = context.state.sourceIsTall && ImGui::IsMouseDown(0);
  // One line of a message costs one line, not the GPU panel's charts.
  const bool isLong = hasReport_ && report_.height() > kShortReport * row;
  context.state.sourceIsTall =
      isLong || form_.isOpen() || code_.isOpen() || context.state.typing || isPressed;
  const float report = hasReport_ ? std::min(std::max(report_.height(), row),
                                             size.y * (form_.isOpen() ? kFaultShare : kMostReportShare)) +
                                        spacing
                                  : 0;
  const float form =
      form_.isOpen() ? std::min(std::max(form_.height(), 3 * row), size.y * kMostFormShare) + spacing : 0;
  const bool hasProgram = program_.isOpen(context) && !form_.isOpen();
  const float program = hasProgram ? size.y * (hasReport_ ? kLeastProgram : kProgram) : 0;
  context.state.sourceIsTall = context.state.sourceIsTall || hasProgram;
  // The same height for every line, so that the lines above stay in place.
  const float code = code_.isOpen() && !form_.isOpen() && !hasProgram ? size.y * kCodeShare + spacing : 0;
  float variables = 0;
  if (context.replay() != nullptr)
    variables = std::min(variablesHeight(context, size.x), size.y * kMostThreadShare) + spacing;
  const float used = ImGui::GetCursorPosY() - ImGui::GetCursorStartPos().y;
  listing_.draw(context, ImVec2(size.x, size.y - used - tools - report - form - program - code - variables));
  if (!presents) drawTools(context, size.x);
  if (hasReport_) report_.draw(context, listing_, ImVec2(size.x, report - spacing));
  if (form_.isOpen()) form_.draw(context, ImVec2(size.x, form - spacing));
  if (hasProgram) program_.draw(context, ImVec2(size.x, program - spacing));
  if (code > 0) code_.draw(context, ImVec2(size.x, code - spacing));
  if (context.replay() == nullptr) return;
  drawVariables(context, ImVec2(size.x, variables - spacing));
}

}  // namespace lanescope
