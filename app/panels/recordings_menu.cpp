#include "app/panels/recordings_menu.h"

#include <algorithm>

#include "app/analysis/bench_text.h"
#include "app/analysis/recording.h"
#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

/// A line below a row's buttons, in from the left.
void below(const ViewContext& context, const std::string& text) {
  ImGui::Indent(12 * context.unit);
  wrappedText(context, text, ColorRole::TextDim, FontRole::Small);
  ImGui::Unindent(12 * context.unit);
}

/// The pinned run of that file, from 1; 0 if none.
std::size_t pinRecording(const GpuSession& gpu, const std::filesystem::path& path) {
  const auto found = std::ranges::find(gpu.pins(), path, &PinnedBench::path);
  return found == gpu.pins().end() ? 0 : static_cast<std::size_t>(found - gpu.pins().begin()) + 1;
}

}  // namespace

RecordingsMenu::Outcome RecordingsMenu::draw(const ViewContext& context) {
  heading(context, "COMPARE", "with up to " + std::to_string(kMostPins) + " runs, of this GPU or others");
  Outcome outcome = drawPins(context);
  for (const std::filesystem::path& path : shippedRecordings()) {
    ImGui::PushID(path.c_str());
    const Outcome clicked = drawRecording(context, path);
    ImGui::PopID();
    if (clicked.isClicked) outcome = clicked;
  }
  return outcome;
}

RecordingsMenu::Outcome RecordingsMenu::drawPins(const ViewContext& context) {
  GpuSession& gpu = context.state.gpu;
  Outcome outcome;
  if (ImGui::Button("Pin these numbers")) outcome = {true, gpu.pin()};
  hint(context, "Keep them, as thin gray bars and dashed lines, beside what comes next");
  for (std::size_t i = 0; i < gpu.pins().size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool isUnpinned = ImGui::Button("Unpin");
    ImGui::SameLine();
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string text = "pin " + std::to_string(i + 1) + ": " + gpu.pins()[i].label;
    label(context, cutToFit(text, room));
    hint(context, (text + "\n" + contentsText(gpu.pins()[i].data)).c_str());
    ImGui::PopID();
    if (!isUnpinned) continue;
    gpu.unpin(i--);
    outcome.isClicked = true;
  }
  return outcome;
}

RecordingsMenu::Outcome RecordingsMenu::drawRecording(const ViewContext& context,
                                                      const std::filesystem::path& path) {
  GpuSession& gpu = context.state.gpu;
  Outcome outcome;
  const bool isShown = gpu.shownRecording() == path;
  const std::size_t pin = pinRecording(gpu, path);
  ImGui::BeginDisabled(isShown);
  if (ImGui::Button("Show")) outcome = {true, gpu.open(path)};
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Pin")) outcome = {true, gpu.pin(path)};
  ImGui::SameLine();
  const std::string mark = isShown && pin > 0 ? "  on show, and pin " + std::to_string(pin)
                           : isShown          ? "  on show"
                           : pin > 0          ? "  pin " + std::to_string(pin)
                                              : "";
  label(context, path.stem().string(), isShown ? ColorRole::Accent : ColorRole::Text,
        isShown ? FontRole::Bold : FontRole::Body);
  if (!mark.empty()) {
    ImGui::SameLine(0, 0);
    label(context, mark, isShown ? ColorRole::Accent : ColorRole::TextDim);
  }
  below(context, readContents(path));
  return outcome;
}

const std::string& RecordingsMenu::readContents(const std::filesystem::path& path) {
  if (const auto known = contents_.find(path); known != contents_.end()) return known->second;
  const Result<Recording> recording = loadRecording(path);
  const std::string text = recording ? recording->title() + ": " + contentsText(recording->data()) + "."
                                     : recording.error().sentence();
  return contents_[path] = text;
}

}  // namespace lanescope
