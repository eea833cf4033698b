#include "app/panels/gpu_options.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "app/base/write_file.h"
#include "app/analysis/bench_export.h"
#include "app/analysis/recording.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_words.h"

namespace lanescope {
namespace {

/// The default folder for files: the home folder.
std::string startingPath() {
  const char* home = std::getenv("HOME");
  const std::filesystem::path folder = home != nullptr && *home != 0 ? home : ".";
  return (folder / "lanescope-gpu").string();
}

}  // namespace

std::string GpuOptions::text(const BenchChoice& choice) {
  std::string text = choice.setting.scope == Scope::Full ? "to one value" : "one kernel";
  return text + " · " + std::string(elementTypeName(choice.setting.type));
}

void GpuOptions::draw(const ViewContext& context, BenchChoice& choice, const Scene& chart, float width,
                      bool opens) {
  const float height = ImGui::GetTextLineHeight() + 4 * context.unit;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(6 * context.unit, 2 * context.unit));
  if (pill(context, text(choice).c_str(), ImGui::IsPopupOpen("gpu options"), width, height) || opens)
    ImGui::OpenPopup("gpu options");
  ImGui::PopStyleVar();
  commandHint(context, "GPU menu");
  ImGui::SetNextWindowSizeConstraints(ImVec2(300 * context.unit, 0),
                                      ImVec2(420 * context.unit, ImGui::GetIO().DisplaySize.y * 0.92F));
  const float margin = std::floor(10 * context.unit);  // a fraction of a pixel would add a scroll bar
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, margin));
  if (ImGui::BeginPopup("gpu options")) {
    drawWhat(context, choice);
    drawPicks(context, choice);
    if (const auto outcome = recordings_.draw(context); outcome.isClicked) receive(outcome.problem);
    drawFiles(context, chart);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

void GpuOptions::drawWhat(const ViewContext& context, BenchChoice& choice) {
  heading(context, "TIMED");
  BenchSetting& setting = choice.setting;
  if (ImGui::RadioButton("one kernel", setting.scope == Scope::Kernel)) setting.scope = Scope::Kernel;
  hint(context, "A launch of the strategy's kernel alone: most produce one sum per block");
  ImGui::SameLine();
  if (ImGui::RadioButton("to one value", setting.scope == Scope::Full)) setting.scope = Scope::Full;
  hint(context, "Every launch and memset that one value takes, with CUB beside");
  for (const ElementType type : {ElementType::Float, ElementType::Double, ElementType::Int}) {
    if (ImGui::RadioButton(std::string(elementTypeName(type)).c_str(), setting.type == type))
      setting.type = type;
    if (type != ElementType::Int) ImGui::SameLine();
  }
}

void GpuOptions::drawPicks(const ViewContext& context, BenchChoice& choice) {
  heading(context, "STRATEGIES", picksText(choice));
  const std::set<std::string> ticked = tickedIds(choice);
  const bool isShort = ImGui::GetIO().DisplaySize.y < 900 * context.unit;
  picks_.begin("picks", 0, isShort ? 4 : 6, ImGui::GetFrameHeightWithSpacing());
  float top = 0;
  for (const std::string& id : contenderIds()) {
    bool isPicked = ticked.contains(id);
    const bool isLast = isPicked && ticked.size() == 1;
    ImGui::SetCursorPosY(top);
    if (ImGui::Checkbox(contenderTitle(id).c_str(), &isPicked)) setPicked(choice, id, isPicked);
    if (isLast) hint(context, "The last one stays: All shows everyone again");
    top += picks_.pitch();
  }
  ImGui::SetCursorPosY(top);
  ImGui::Dummy(ImVec2(0, 0));
  picks_.end();
  if (ImGui::Button("All that can")) choice.picks.clear();
  hint(context, "Show and time all that can: reductions, or the family of the current transpose or picture");
  ImGui::SameLine();
  if (ImGui::Button("Transposes")) choice.picks = familyIds(Family::Transpose);
  ImGui::SameLine();
  if (ImGui::Button("Elements")) choice.picks = familyIds(Family::Elements);
  hint(context, "Vector addition and the Julia set: one kernel, no sum");
  ImGui::SameLine();
  if (choice.highlighted != nullptr && ImGui::Button("This one and CUB"))
    choice.picks = {std::string(choice.highlighted->id), std::string("cub")};
}

void GpuOptions::receive(const std::optional<Error>& problem) {
  isBad_ = problem.has_value();
  note_ = problem ? problem->sentence() : std::string();
}

std::filesystem::path GpuOptions::recordingPath() const {
  std::filesystem::path path(path_.data());
  if (path.extension() != ".jsonl") path += ".jsonl";
  return path;
}

void GpuOptions::save(const char* ending, const std::string& text) {
  std::filesystem::path path(path_.data());
  if (path.extension() != ending) path += ending;
  std::error_code failure;
  if (!text.empty() && warned_ != path && std::filesystem::exists(path, failure)) {
    warned_ = path;
    isBad_ = true;
    note_ = "There is a " + path.string() + " already: once more replaces it.";
    return;
  }
  warned_.clear();
  const auto problem = text.empty() ? Error{"There is nothing to save yet."} : writeFile(path, text);
  isBad_ = problem.has_value();
  note_ = problem ? problem->sentence() : "Saved " + path.string() + ".";
}

void GpuOptions::savePicture(const ViewContext& context, const Scene& chart, ImageKind kind) {
  const bool isPng = kind == ImageKind::Png;
  const Result<ImageWriter> writer = ImageWriter::of(kind, context.theme(), isPng ? 2 : 1);
  if (writer) {
    // The screen's letters are smaller than a file's of the same size.
    const Result<std::string> bytes = writer->write(refitted(chart, context.measure, writer->measure()));
    if (bytes) return save(isPng ? ".png" : ".svg", *bytes);
    note_ = bytes.error().sentence();
  } else {
    note_ = writer.error().sentence();
  }
  isBad_ = true;
}

void GpuOptions::drawFiles(const ViewContext& context, const Scene& chart) {
  GpuSession& gpu = context.state.gpu;
  heading(context, "FILES");
  if (path_[0] == 0) std::strncpy(path_.data(), startingPath().c_str(), path_.size() - 1);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##path", path_.data(), path_.size());
  hint(context, "Path without its ending");
  if (ImGui::Button("CSV")) save(".csv", benchCsv(gpu.data()));
  ImGui::SameLine();
  if (ImGui::Button("JSON")) save(".json", benchJson(gpu.data()));
  ImGui::SameLine();
  if (ImGui::Button("SVG")) savePicture(context, chart, ImageKind::Svg);
  hint(context, "The chart shown");
  ImGui::SameLine();
  if (ImGui::Button("PNG")) savePicture(context, chart, ImageKind::Png);
  hint(context, "The chart shown, at twice its size");
  ImGui::SameLine();
  if (ImGui::Button("Recording")) save(".jsonl", recordingText(gpu.data()));
  ImGui::SameLine();
  if (ImGui::Button("Open")) receive(gpu.open(recordingPath()));
  hint(context, "Show the recording of that path");
  ImGui::SameLine();
  if (ImGui::Button("Pin")) receive(gpu.pin(recordingPath()));
  hint(context, "Keep the recording of that path beside the numbers on show");
  if (!note_.empty())
    wrappedText(context, note_, isBad_ ? ColorRole::Bad : ColorRole::TextDim, FontRole::Small);
}

}  // namespace lanescope
