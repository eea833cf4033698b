#include "app/panels/gpu_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <imgui_stdlib.h>

#include "app/analysis/bench_data.h"
#include "app/analysis/recording.h"
#include "app/base/system.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_charts.h"
#include "app/panels/gpu_words.h"
#include "kernels/protocol/bench_rules.h"
#include "sim/base/counted.h"

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

namespace {

constexpr std::array<std::uint64_t, 6> kPerMultiprocessor{1, 2, 4, 8, 16, 32};
constexpr std::array<std::uint64_t, 5> kPlain{1, 16, 128, 1024, 8192};  ///< for a GPU with unknown data

std::string describeElementsPerThread(const BenchChoice& choice, std::uint64_t blocks) {
  const double threads = static_cast<double>(blocks) * choice.setting.block;
  return elementsPerThreadText(static_cast<double>(choice.n) / threads);
}

/// A row of the menu: the number, and its meaning in dim letters.
bool row(const ViewContext& context, const std::string& number, const std::string& meaning, bool isChosen) {
  const float left = ImGui::GetCursorPosX();
  const bool pressed = ImGui::Selectable(("##" + number).c_str(), isChosen);
  const bool isTinted = isChosen || ImGui::IsItemHovered();  // dim letters are hard to read there
  ImGui::SameLine(left);
  label(context, number, ColorRole::Text, isChosen ? FontRole::Bold : FontRole::Body);
  ImGui::SameLine(left + 64 * context.unit);
  label(context, meaning, isTinted ? ColorRole::Text : ColorRole::TextDim, FontRole::Small);
  return pressed;
}

}  // namespace

float comboWidth(const ViewContext& context, std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x + 14 * context.unit +
         ImGui::GetFrameHeight();
}

BenchPlan makePlan(const BenchChoice& choice, std::vector<std::uint64_t> sizes) {
  BenchPlan plan;
  plan.sizes = std::move(sizes);
  plan.setting = choice.setting;
  plan.strategies = contendersToRun(choice);
  plan.blocks = choice.blocks;
  return plan;
}

std::string GpuBlocks::missing(const BenchChoice& choice, const GpuSession& gpu) {
  const auto hasThem = [&](const auto& entry) {
    return entry.first.blocks == choice.blocks && choice.setting.covers(entry.first);
  };
  const auto& series = gpu.data().series();
  if (choice.blocks == 0 || series.empty() || std::ranges::any_of(series, hasThem)) return {};
  return "No times here have a grid of " + withCommas(choice.blocks) + " blocks" +
         (gpu.runBlocker().empty() ? ": Run makes them." : ".");
}

std::string GpuBlocks::conversion(const BenchChoice& choice) {
  return choice.blocks == 0 ? std::string() : describeElementsPerThread(choice, choice.blocks);
}

void GpuBlocks::draw(const ViewContext& context, BenchChoice& choice, bool opens) {
  const float width = comboWidth(context, "default");
  const std::string shown = choice.blocks == 0 ? "default" : withCommas(choice.blocks);
  const float room = width - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x;
  const float margin = std::floor(10 * context.unit);  // a fraction of a pixel would add a scroll bar
  ImGui::SetNextItemWidth(width);
  ImGui::SetNextWindowSizeConstraints(ImVec2(330 * context.unit, 0),
                                      ImVec2(330 * context.unit, ImGui::GetIO().DisplaySize.y * 0.8F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(margin, margin));
  if (opens) openCombo("##grid");
  const bool isOpen =
      ImGui::BeginCombo("##grid", cutToFit(shown, room).c_str(), ImGuiComboFlags_HeightLargest);
  ImGui::PopStyleVar();
  if (isOpen) {
    drawMenu(context, choice);
    ImGui::EndCombo();
    return;
  }
  filledFor_.reset();
  const std::string meaning = choice.blocks == 0
                                  ? std::string("Each strategy chooses its own number of blocks")
                                  : gridDetail(choice.blocks) + ": " + conversion(choice);
  hint(context, (meaning + "\nFor the next run of the kernels that stride over their grid").c_str());
}

void GpuBlocks::drawMenu(const ViewContext& context, BenchChoice& choice) {
  if (filledFor_ != choice.blocks) {
    filledFor_ = choice.blocks;
    blocks_ = choice.blocks == 0 ? std::string() : std::to_string(choice.blocks);
    perThread_.clear();
    fault_.clear();
  }
  heading(context, "BLOCKS", "if a kernel strides over its grid");
  drawPresets(context, choice);
  ImGui::Separator();
  drawFields(context, choice);
  drawConsequence(context, choice);
}

void GpuBlocks::drawPresets(const ViewContext& context, BenchChoice& choice) {
  if (row(context, "default", "each strategy's own choice", choice.blocks == 0)) choice.blocks = 0;
  const auto& hello = context.state.gpu.data().hello();
  const std::uint64_t sms = hello ? hello->sms : 0;
  if (sms == 0) {
    for (const std::uint64_t count : kPlain) {
      if (row(context, withCommas(count), describeElementsPerThread(choice, count), choice.blocks == count))
        choice.blocks = count;
    }
    return;
  }
  for (const std::uint64_t each : kPerMultiprocessor) {
    const std::uint64_t count = each * sms;
    const std::string meaning = std::to_string(each) + " per SM, " + describeElementsPerThread(choice, count);
    if (row(context, withCommas(count), meaning, choice.blocks == count)) choice.blocks = count;
  }
}

void GpuBlocks::drawFields(const ViewContext& context, BenchChoice& choice) {
  const float width = 110 * context.unit;
  const float column = ImGui::GetCursorPosX() + 120 * context.unit;
  const auto field = [&](const char* name, const char* id, std::string& text, const char* tip) {
    ImGui::AlignTextToFramePadding();
    label(context, name, ColorRole::TextDim);
    ImGui::SameLine(column);
    ImGui::SetNextItemWidth(width);
    const bool isEntered = ImGui::InputText(id, &text, ImGuiInputTextFlags_EnterReturnsTrue);
    const bool isLeft = ImGui::IsItemDeactivatedAfterEdit() && !text.empty();
    hint(context, tip);
    return isEntered || isLeft;
  };
  if (field("blocks", "##blocks", blocks_, "A number or a power of two, 1 to 2^31 - 1; Enter takes it"))
    receive(choice, blocks_, {});
  if (field("elements per thread", "##per thread", perThread_,
            "The most elements per thread, on average, at this N and block size; Enter turns it into a "
            "number of blocks"))
    receive(choice, {}, perThread_);
  if (!fault_.empty()) wrappedText(context, fault_, ColorRole::Bad, FontRole::Small);
}

void GpuBlocks::receive(BenchChoice& choice, const std::string& blocks, const std::string& perThread) {
  const auto formatList = [](const std::string& text) {
    return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
  };
  const auto counts =
      blocksAskedFor(formatList(blocks), formatList(perThread), choice.n, choice.setting.block);
  fault_ = counts ? std::string() : counts.error().sentence();
  if (!counts) return;
  choice.blocks = counts->empty() ? 0 : counts->front();
  filledFor_ = choice.blocks;
  blocks_ = choice.blocks == 0 ? std::string() : std::to_string(choice.blocks);
}

/// The effect on a run: the elements per thread, and the strategies that keep another grid, or why it is
/// refused.
void GpuBlocks::drawConsequence(const ViewContext& context, const BenchChoice& choice) {
  if (choice.blocks == 0) return;
  const BenchRequest request = makeRequest(makePlan(choice, {choice.n}), choice.n);
  wrappedText(context,
              gridDetail(choice.blocks) + " of " + std::to_string(choice.setting.block) +
                  " threads: " + conversion(choice) + " at N = " + sizeText(choice.n) + ".",
              ColorRole::Text, FontRole::Small);
  const auto contenders = makeContenders(request);
  const std::string sentence = withTitles(contenders ? ownGridsText(request) : contenders.error().sentence());
  if (!sentence.empty())
    wrappedText(context, sentence, contenders ? ColorRole::TextDim : ColorRole::Bad, FontRole::Small);
}

namespace {

/// The default folder for files: the home folder.
std::string startingPath(const Host& host) {
  const std::filesystem::path home = host.home();
  return ((home.empty() ? "." : home) / "lanescope-gpu").string();
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
    if (isLast) hint(context, "The last one stays: the button All that can shows all again");
    top += picks_.pitch();
  }
  ImGui::SetCursorPosY(top);
  ImGui::Dummy(ImVec2(0, 0));
  picks_.end();
  if (ImGui::Button("All that can")) choice.picks.clear();
  hint(context, "Show and time all that can: reductions, or the family of the current transpose or picture");
  if (const Strategy* const current = choice.highlighted; current != nullptr) {
    ImGui::SameLine();
    if (ImGui::Button("This chapter")) choice.picks = chapterIds(*current);
    hint(context, "The strategies of the current lesson's chapter; the chart over N has them too");
    const Strategy* const other = context.session().comparison().strategy();
    if (other != nullptr && other != current && other->family == current->family) {
      ImGui::SameLine();
      if (ImGui::Button("What I compare")) choice.picks = {std::string(current->id), std::string(other->id)};
    }
  }
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

void GpuOptions::save(Host& host, const char* ending, const std::string& text) {
  std::filesystem::path path(path_.data());
  if (path.extension() != ending) path += ending;
  if (!text.empty() && warned_ != path && host.kindOf(path) != Host::FileKind::None) {
    warned_ = path;
    isBad_ = true;
    note_ = "There is a " + path.string() + " already: once more replaces it.";
    return;
  }
  warned_.clear();
  const auto problem = text.empty() ? Error{"No times to save yet.", "Press Run, or choose a recording."}
                                    : host.write(path, text);
  isBad_ = problem.has_value();
  note_ = problem ? problem->sentence() : "Saved " + path.string() + ".";
}

void GpuOptions::savePicture(const ViewContext& context, const Scene& chart, ImageKind kind) {
  const bool isPng = kind == ImageKind::Png;
  const Result<ImageWriter> writer = ImageWriter::of(kind, context.theme(), isPng ? 2 : 1);
  if (writer) {
    // The screen's letters are smaller than a file's of the same size.
    const Result<std::string> bytes = writer->write(refitted(chart, context.measure, writer->measure()));
    if (bytes) return save(*context.session().host(), isPng ? ".png" : ".svg", *bytes);
    note_ = bytes.error().sentence();
  } else {
    note_ = writer.error().sentence();
  }
  isBad_ = true;
}

void GpuOptions::drawFiles(const ViewContext& context, const Scene& chart) {
  GpuSession& gpu = context.state.gpu;
  Host& host = *context.session().host();
  heading(context, "FILES");
  if (path_[0] == 0) std::strncpy(path_.data(), startingPath(host).c_str(), path_.size() - 1);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputText("##path", path_.data(), path_.size());
  hint(context, "Path without its ending");
  if (ImGui::Button("CSV")) save(host, ".csv", benchCsv(gpu.data()));
  ImGui::SameLine();
  if (ImGui::Button("JSON")) save(host, ".json", benchJson(gpu.data()));
  ImGui::SameLine();
  if (ImGui::Button("SVG")) savePicture(context, chart, ImageKind::Svg);
  hint(context, "The chart shown");
  ImGui::SameLine();
  if (ImGui::Button("PNG")) savePicture(context, chart, ImageKind::Png);
  hint(context, "The chart shown, at twice its size");
  ImGui::SameLine();
  if (ImGui::Button("Recording")) save(host, ".jsonl", recordingText(gpu.data()));
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
