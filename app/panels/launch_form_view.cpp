#include "app/panels/launch_form_view.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <imgui_stdlib.h>

#include "app/launch/element_text.h"
#include "app/launch/launch_in_text.h"
#include "app/panels/base/widgets.h"

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
  std::string shown = name;
  const float room = column - 8 * context.unit;
  while (shown.size() > 2 && ImGui::CalcTextSize(shown.c_str()).x > room)
    shown = shown.substr(0, shown.size() - (shown.ends_with("…") ? 4 : 1)) + "…";
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
       "zero: nothing but 0\nhash: whole numbers from 0 to 99, well mixed\nhash1: from 1 to 100\n"
       "ones: nothing but 1\niota: 0, 1, 2, 3 …\nfactors: 1 or -1, with ever fewer 2 and 3 between: "
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

}  // namespace lanescope
