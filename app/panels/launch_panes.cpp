#include "app/panels/launch_panes.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include "app/base/whole.h"
#include "app/launch/element_text.h"
#include "app/launch/launch_form.h"
#include "app/panels/base/widgets.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr float kNameShare = 0.36F;  ///< of the width, for an entry's name

/// The events in the fields in one frame.
struct FormInput {
  bool changed = false;
  bool entered = false;  ///< Enter was pressed in one
  bool seeks = false;    ///< the first fault must come into view
};

/// One row: the entry's name and its field, which keeps the caret while it has a fault. `after` is room
/// behind the field.
void entry(const ViewContext& context, const std::string& name, std::string& text, const std::string& fault,
           float width, const char* tip, FormInput& input, float after = 0) {
  const float left = ImGui::GetCursorPosX();
  const float column = std::floor(width * kNameShare);
  ImGui::AlignTextToFramePadding();
  const std::string shown = cutToFit(name, column - 8 * context.unit);
  label(context, shown, ColorRole::TextDim);
  hint(context, (shown == name ? tip : name + "\n" + tip).c_str());
  ImGui::SameLine(left + column);
  ImGui::SetNextItemWidth(width - column - after);
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  if (ImGui::InputText(("##" + name).c_str(), &text, ImGuiInputTextFlags_EnterReturnsTrue)) {
    input.entered = true;
    if (!fault.empty())
      ImGui::SetKeyboardFocusHere(-1);  // typing continues with its correction, no shortcuts
  }
  if (ImGui::IsItemEdited()) input.changed = true;
  ImGui::PopFont();
}

/// The fault of the row above, below its field.
void faultBelow(const ViewContext& context, const std::string& fault, float width, FormInput& input) {
  if (fault.empty()) return;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::floor(width * kNameShare));
  wrappedText(context, fault, ColorRole::Bad);
  if (std::exchange(input.seeks, false)) ImGui::SetScrollHereY(1);
}

/// The state of the launch that the form shows.
void stateLine(const ViewContext& context, const FormFaults& faults) {
  const Session& session = context.session();
  const Editor& editor = session.editor();
  const bool hasRun = editor.current()->ran != nullptr;
  const std::string back = hasRun ? ", Esc brings back what ran." : ".";
  if (faults.any()) {
    wrappedText(context, "This is not a launch yet: see below" + back, ColorRole::Bad);
  } else if (editor.formIsRefused()) {
    wrappedText(context, "This launch could not begin: Enter tries it again" + back, ColorRole::Bad);
  } else if (editor.formIsChanged()) {
    wrappedText(context, "Changed, not run: Enter runs it" + back, ColorRole::Warning);
  } else if (hasRun && editor.current()->ran->error) {
    wrappedText(context, "The launch that ran, up to its fault. Enter runs what is changed here.",
                ColorRole::TextDim);
  } else {
    wrappedText(context, "The launch that ran. Enter runs what is changed here, Esc closes this.",
                ColorRole::TextDim);
  }
}

void entryWithFault(const ViewContext& context, const std::string& name, std::string& text,
                    const std::string& fault, float width, const char* tip, FormInput& input) {
  entry(context, name, text, fault, width, tip, input);
  faultBelow(context, fault, width, input);
}

bool kernelEntry(const ViewContext& context, LaunchForm& form, const std::string& fault, float width,
                 FormInput& input) {
  const float left = ImGui::GetCursorPosX();
  const float column = std::floor(width * kNameShare);
  bool changed = false;
  ImGui::AlignTextToFramePadding();
  label(context, "kernel", ColorRole::TextDim);
  ImGui::SameLine(left + column);
  ImGui::SetNextItemWidth(width - column);
  const std::vector<KernelSignature>& kernels = context.session().editor().kernels();
  if (beginList(context, "##kernel", form.kernel, kernels.size())) {
    for (const KernelSignature& kernel : kernels) {
      if (!ImGui::Selectable(kernel.name.c_str(), kernel.name == form.kernel)) continue;
      if (kernel.name == form.kernel) continue;
      form = formFor(kernel, context.session().editor().current()->buffer.text());
      changed = true;
    }
    endList();
  }
  faultBelow(context, fault, width, input);
  return changed;
}

/// The operators that the strategy's kernel can use in place of the sum.
bool operatorEntry(const ViewContext& context, const Strategy& strategy, LaunchForm& form, float width) {
  const float left = ImGui::GetCursorPosX();
  const float column = std::floor(width * kNameShare);
  bool changed = false;
  ImGui::AlignTextToFramePadding();
  label(context, "operator", ColorRole::TextDim);
  hint(context, "How two values become one; each operator has an identity (neutral) element");
  ImGui::SameLine(left + column);
  ImGui::SetNextItemWidth(width - column);
  if (!beginList(context, "##operator", form.templateArguments, strategy.operators.size())) return false;
  for (const std::string& one : strategy.operators) {
    if (!ImGui::Selectable(one.c_str(), one == form.templateArguments)) continue;
    changed = one != form.templateArguments;
    form = withOperator(std::move(form), strategy, one);
  }
  endList();
  return changed;
}

/// The type of the strategy's elements: another choice writes the text for it and runs it.
void elementEntry(const ViewContext& context, const Document& document, float width) {
  const Strategy& strategy = *document.strategy;
  const float left = ImGui::GetCursorPosX();
  const float column = std::floor(width * kNameShare);
  const ElementType now = findElement(strategy, context.session().editor().kernels());
  ImGui::AlignTextToFramePadding();
  label(context, "element", ColorRole::TextDim);
  hint(context, "The type of what is reduced: choosing another writes the text for it, and runs it");
  ImGui::SameLine(left + column);
  ImGui::SetNextItemWidth(width - column);
  const std::vector<ElementType> types = findElementTypes(strategy);
  if (!beginList(context, "##element", std::string(elementTypeName(now)), types.size())) return;
  for (const ElementType type : types) {
    if (ImGui::Selectable(std::string(elementTypeName(type)).c_str(), type == now) && type != now)
      context.session().chooseElementType(type);
  }
  endList();
}

/// The fills of a buffer behind its spec, as a menu.
bool fillMenu(const ViewContext& context, std::size_t argument, std::string& spec, float width) {
  bool changed = false;
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  ImGui::PushID(static_cast<int>(argument));
  if (beginList(context, "##fill", "fill", fillNames().size(), ImGuiComboFlags_NoArrowButton)) {
    for (const std::string& fill : fillNames()) {
      if (!ImGui::Selectable(fill.c_str())) continue;
      spec = withFill(spec, fill);
      changed = true;
    }
    endList();
  }
  ImGui::PopID();
  hint(context,
       "zero: only 0\nhash: whole numbers from 0 to 99, well mixed\nhash1: from 1 to 100\n"
       "ones: only 1\niota: 0, 1, 2, 3 …\nfactors: 1 or -1, with ever fewer 2 and 3 between: "
       "the product of them all is exact\nleast: from 10 to 99, and the first is not the least");
  return changed;
}

/// A row per field of a struct, below the row that has all of them.
void fieldEntries(const ViewContext& context, const KernelParameter& parameter, std::string& spec,
                  float width, FormInput& input) {
  const std::vector<std::string> fields = splitFields(spec);
  if (fields.size() != parameter.fields.size()) return;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    std::string text = fields[f];
    entry(
        context, parameter.name + "." + parameter.fields[f].name, text, "", width,
        "TYPE:VALUE, as i32:4; a buffer that the struct points to is TYPE:FILL:COUNT; of a buffer of structs "
        "TYPE:FILL, as f32:hash.",
        input);
    if (text != fields[f]) spec = withField(spec, f, text);
  }
}

void argumentEntries(const ViewContext& context, LaunchForm& form, const FormFaults& faults, float width,
                     FormInput& input) {
  const auto& kernels = context.session().editor().kernels();
  const KernelSignature* signature = findSignature(kernels, form.kernel);
  const float fillWidth = pillWidth(context, "fill");
  for (std::size_t i = 0; i < form.arguments.size(); ++i) {
    std::string name = "argument " + std::to_string(i);
    if (signature != nullptr && i < signature->parameters.size())
      name = signature->parameters[i].declaration();
    std::string& spec = form.arguments[i];
    const bool isBuffer = withFill(spec, "hash") != spec || withFill(spec, "zero") != spec;
    const float after = isBuffer ? fillWidth + ImGui::GetStyle().ItemSpacing.x : 0;
    const std::string fault = i < faults.arguments.size() ? faults.arguments[i] : "";
    entry(
        context, name, spec, fault, width,
        "A buffer is TYPE:FILL:COUNT, as f32:hash:64, and +3 behind it passes a pointer to its element 3; a "
        "scalar is TYPE=VALUE, as u32=7; a struct has its fields in braces.",
        input, after);
    if (isBuffer && fillMenu(context, i, spec, fillWidth)) input.changed = true;
    faultBelow(context, fault, width, input);
    if (signature != nullptr && i < signature->parameters.size() && signature->parameters[i].isStruct)
      fieldEntries(context, signature->parameters[i], spec, width, input);
  }
}

}  // namespace

void LaunchFormView::draw(const ViewContext& context, ImVec2 size) {
  Editor& editor = context.session().editor();
  Document* document = editor.current();
  if (document == nullptr) return;
  LaunchForm form = editor.currentForm();
  const FormFaults faults =
      document->form ? editor.formFaults() : checkForm(form, findSignature(editor.kernels(), form.kernel));
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  const float pitch = ImGui::GetFrameHeightWithSpacing();
  if (height_ > size.y && rowsFrom_ > 0)
    size.y = rowsFrom_ + std::max(std::floor((size.y - rowsFrom_ + spacing) / pitch), 1.0F) * pitch - spacing;
  ImGui::BeginChild("launch form", size);
  const float width = size.x - ImGui::GetStyle().ScrollbarSize;
  stateLine(context, faults);
  rowsFrom_ = ImGui::GetCursorPosY();
  FormInput input;
  input.seeks = seeksFault_;
  input.changed = kernelEntry(context, form, faults.kernel, width, input);
  const KernelSignature* signature = findSignature(editor.kernels(), form.kernel);
  const bool hasOperators = document->strategy != nullptr && !document->strategy->operators.empty();
  if (hasOperators && operatorEntry(context, *document->strategy, form, width)) input.changed = true;
  if (document->strategy != nullptr) elementEntry(context, *document, width);
  const bool isTemplate = signature != nullptr && !signature->templateParameters.empty();
  if (!hasOperators && (isTemplate || !form.templateArguments.empty()))
    entry(context, "template", form.templateArguments, "", width,
          "Template arguments, separated by commas: 128, float", input);
  entryWithFault(context, "grid", form.grid, faults.grid, width, "Blocks: X or X,Y or X,Y,Z; 8x8 too", input);
  entryWithFault(context, "block", form.block, faults.block, width,
                 "Threads per block: X or X,Y or X,Y,Z; 8x8 too", input);
  entryWithFault(context, "dynamic shared", form.dynamicShared, faults.dynamicShared, width,
                 "Bytes of extern __shared__ memory per block", input);
  argumentEntries(context, form, faults, width, input);
  height_ = ImGui::GetCursorPosY() - spacing;
  endScrolling(context, ImGui::GetScrollY() > 0);
  if (input.changed) editor.editForm(form);
  seeksFault_ = input.entered && faults.any();  // Enter would seem to do nothing if the fault is out of sight
  // Its fault is already shown beside its field.
  if (input.entered && (editor.formIsChanged() || editor.formIsRefused()) && !editor.formFaults().any())
    context.session().run();
}

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
  return {{.id = "run program",
           .keys = {"Ctrl+R"},
           .help = {"run the file as a whole program; cancel it", HelpGroup::Text},
           .label = "Run program",
           .tip =
               "Compile and run the file's main(): its kernels are simulated, and each launch can be traced "
               "with the data that it had",
           .blocked =
               [&session] {
                 return session.hasProgram() ? "" : "This text has no main(): open a file that is a program.";
               },
           .run =
               [this, &state] {
                 if (state.session.program().isRunning())
                   state.session.cancelProgram();
                 else
                   start(state);
               }}};
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
  hint(context, "The arguments of main(), as in a shell: 1024 --verbose; Enter runs the program");
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
  const auto rows = toWhole<std::size_t>(std::max(2.0F, height * kListShare / pitch));
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
