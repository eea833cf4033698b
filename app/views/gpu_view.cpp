#include "app/views/gpu_view.h"

#include <algorithm>
#include <array>

#include "app/session/gpu_session.h"
#include "app/views/widgets.h"
#include "kernels/strategies/shape.h"

namespace lanescope {
namespace {

constexpr unsigned kSmallestPower = 12;
constexpr unsigned kLargestPower = 28;
constexpr std::uint64_t kUsualSize = std::uint64_t{1} << 24U;
constexpr std::array<std::uint32_t, 5> kBlocks{64, 128, 256, 512, 1024};

std::vector<std::uint64_t> sizesToRun() {
  std::vector<std::uint64_t> sizes;
  for (unsigned power = kSmallestPower; power <= kLargestPower; power += 2)
    sizes.push_back(std::uint64_t{1} << power);
  return sizes;
}

bool contains(const std::vector<std::uint64_t>& sizes, std::uint64_t n) {
  return std::ranges::find(sizes, n) != sizes.end();
}

}  // namespace

void GpuView::draw(const ViewContext& context, ImVec2 size) {
  const GpuSession& gpu = context.state.gpu;
  followData(gpu);
  const ImVec2 start = ImGui::GetCursorPos();
  drawSource(context, size.x);
  drawChartChoice(context, size.x);
  const float used = ImGui::GetCursorPosY() - start.y;
  const std::string& notice = gpu.sentence().empty() ? context.state.gpuNotice : gpu.sentence();
  const std::string& sentence = refusal_.empty() ? notice : refusal_;
  ImGui::PushFont(context.fonts.of(FontRole::Small));
  const float sentenceHeight =
      sentence.empty() ? 0
                       : ImGui::CalcTextSize(sentence.c_str(), nullptr, false, size.x).y + 4 * context.unit;
  ImGui::PopFont();
  const float controls = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.y;
  drawChart(context, ImVec2(size.x, std::max(20.0F, size.y - used - controls - sentenceHeight)));
  if (!sentence.empty()) {
    ImGui::PushTextWrapPos(start.x + size.x);
    label(context, sentence, refusal_.empty() ? ColorRole::TextDim : ColorRole::Bad, FontRole::Small);
    ImGui::PopTextWrapPos();
  }
  ImGui::SetCursorPos(ImVec2(start.x, start.y + size.y - ImGui::GetFrameHeight()));
  drawRun(context, size.x);
}

/// Shows what there is until a person chooses: a recording need not have the default N and block.
void GpuView::followData(const GpuSession& gpu) {
  const BenchData& data = gpu.data();
  // A recording of another kind than was shown: whole reductions, or another type of element.
  if (data.series().size() != seriesSeen_) {
    seriesSeen_ = data.series().size();
    const auto isShown = [&](const auto& entry) { return choice_.setting.covers(entry.first); };
    if (seriesSeen_ > 0 && std::ranges::none_of(data.series(), isShown) && !chosen_) {
      const SeriesKey& first = data.series().begin()->first;
      choice_.setting = {first.block, first.cache, first.scope, first.type};
    }
  }
  if (chosen_) return;
  const std::vector<std::uint64_t> sizes = data.sizes(choice_.setting);
  if (!sizes.empty()) choice_.n = contains(sizes, kUsualSize) ? kUsualSize : sizes.back();
}

void GpuView::drawSource(const ViewContext& context, float width) {
  const GpuSession& gpu = context.state.gpu;
  heading(context, "GPU");
  const std::string source = gpu.label();
  if (!source.empty()) {
    ImGui::SameLine(0, 8 * context.unit);
    label(context, source, gpu.source() == GpuSource::Recording ? ColorRole::Conflict : ColorRole::Good,
          FontRole::Bold);
  }
  const float room = pillWidth(context, GpuOptions::text(choice_), FontRole::Body);
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - room);
  options_.draw(context, choice_, scene_, room);
}

void GpuView::drawChartChoice(const ViewContext& context, float width) {
  struct Choice {
    Chart chart;
    const char* text;
    const char* tip;
  };
  constexpr std::array<Choice, 3> kChoices{{
      {Chart::Bandwidth, "bandwidth", "(bytes read + bytes written) / median time"},
      {Chart::Time, "time", "Median time of a launch, whiskers at the quartiles"},
      {Chart::OverN, "over N", "Bandwidth of every strategy over the number of elements"},
  }};
  const float height = ImGui::GetFrameHeight();
  for (const Choice& choice : kChoices) {
    if (pill(context, choice.text, chart_ == choice.chart, pillWidth(context, choice.text), height)) {
      chart_ = choice.chart;
    }
    hint(context, choice.tip);
    ImGui::SameLine();
  }
  const float cold = pillWidth(context, "cold");
  const float warm = pillWidth(context, "warm");
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - cold - warm - ImGui::GetStyle().ItemSpacing.x);
  if (pill(context, "cold", choice_.setting.cache == CacheState::Cold, cold, height))
    choice_.setting.cache = CacheState::Cold;
  hint(context, "L2 flushed before every sample");
  ImGui::SameLine();
  if (pill(context, "warm", choice_.setting.cache == CacheState::Warm, warm, height))
    choice_.setting.cache = CacheState::Warm;
  hint(context, "L2 as the run before has left it");
}

void GpuView::drawChart(const ViewContext& context, ImVec2 size) {
  const GpuSession& gpu = context.state.gpu;
  const BenchData* pinned = gpu.pinned() != nullptr ? &gpu.pinned()->data : nullptr;
  choice_.highlighted = context.session().selection().strategy;
  // The chart keeps a margin of its own, as wide as the panel's.
  const float margin = ImGui::GetCursorStartPos().x;
  ImGui::SetCursorPosX(0);
  ImGui::BeginChild("chart", ImVec2(size.x + 2 * margin, size.y));
  if (chart_ == Chart::OverN) {
    const SceneContext layout = context.scene(ImVec2(size.x + 2 * margin, size.y));
    scene_ = lineChartScene(gpuLines(gpu.data(), pinned, choice_), layout, context.measure);
  } else {
    const BarChart bars = gpuBars(gpu.data(), pinned, choice_, chart_ == Chart::Time);
    const float least = leastBarChartHeight(bars, context.unit);
    const float bar = least > size.y ? ImGui::GetStyle().ScrollbarSize : 0;
    const SceneContext layout = context.scene(ImVec2(size.x + 2 * margin - bar, std::max(size.y, least)));
    scene_ = barChartScene(bars, layout, context.measure);
  }
  showScene(context, scene_, "gpu chart");
  ImGui::EndChild();
}

void GpuView::drawSizes(const ViewContext& context, const GpuSession& gpu) {
  ImGui::SetNextItemWidth(pillWidth(context, "2^28") + ImGui::GetFrameHeight());
  if (!ImGui::BeginCombo("##size", sizeText(choice_.n).c_str())) return;
  std::vector<std::uint64_t> sizes = gpu.data().sizes(choice_.setting);
  for (const std::uint64_t n : sizesToRun()) {
    if (!contains(sizes, n)) sizes.push_back(n);
  }
  std::ranges::sort(sizes);
  for (const std::uint64_t n : sizes) {
    const bool measured = contains(gpu.data().sizes(choice_.setting), n);
    ImGui::PushStyleColor(ImGuiCol_Text, context.color(measured ? ColorRole::Text : ColorRole::TextDim));
    if (ImGui::Selectable(sizeText(n).c_str(), n == choice_.n)) {
      choice_.n = n;
      chosen_ = true;
    }
    ImGui::PopStyleColor();
  }
  ImGui::EndCombo();
}

void GpuView::drawBlocks(const ViewContext& context) {
  ImGui::SetNextItemWidth(pillWidth(context, "1024") + ImGui::GetFrameHeight());
  if (!ImGui::BeginCombo("##block", std::to_string(choice_.setting.block).c_str())) return;
  for (const std::uint32_t block : kBlocks) {
    if (ImGui::Selectable(std::to_string(block).c_str(), block == choice_.setting.block)) {
      choice_.setting.block = block;
      chosen_ = true;
    }
  }
  ImGui::EndCombo();
}

/// The way from the live GPU's numbers to the recording's, and back where there is a GPU.
void GpuView::drawSourceChoice(const ViewContext& context, float height) {
  GpuSession& gpu = context.state.gpu;
  const bool alive = gpu.state() == WorkerState::Ready || gpu.state() == WorkerState::Running;
  if (!alive) return;
  const bool recorded = gpu.source() == GpuSource::Recording;
  if (pill(context, recorded ? "Live" : "Replay", false, pillWidth(context, "Replay"), height)) {
    refusal_.clear();
    if (recorded) {
      gpu.showLive();
    } else if (const std::optional<Error> error = gpu.replay()) {
      refusal_ = error->sentence();
    }
  }
  hint(context, recorded ? "Show this GPU's numbers" : "Replay the recording that ships with Lanescope");
  ImGui::SameLine();
}

void GpuView::drawRun(const ViewContext& context, float width) {
  GpuSession& gpu = context.state.gpu;
  const float height = ImGui::GetFrameHeight();
  const float left = ImGui::GetCursorStartPos().x;
  ImGui::AlignTextToFramePadding();
  label(context, "N", ColorRole::TextDim);
  ImGui::SameLine();
  drawSizes(context, gpu);
  ImGui::SameLine();
  label(context, "block", ColorRole::TextDim);
  ImGui::SameLine();
  drawBlocks(context);
  ImGui::SameLine();
  drawSourceChoice(context, height);
  const bool running = gpu.state() == WorkerState::Running;
  const char* text = running ? "Cancel" : chart_ == Chart::OverN ? "Run all N" : "Run";
  const float buttonWidth = pillWidth(context, "Run all N");
  if (running) {
    const auto& progress = gpu.data().progress();
    const float done = progress && progress->total > 0
                           ? static_cast<float>(progress->done) / static_cast<float>(progress->total)
                           : 0.0F;
    const float room = left + width - buttonWidth - ImGui::GetStyle().ItemSpacing.x - ImGui::GetCursorPosX();
    ImGui::ProgressBar(done, ImVec2(std::max(room, 8.0F), height), "");
    ImGui::SameLine();
  }
  ImGui::SameLine(left + width - buttonWidth);
  if (!pill(context, text, !running, buttonWidth, height)) return;
  refusal_.clear();
  if (running) return gpu.cancel();
  BenchPlan plan;
  plan.sizes = chart_ == Chart::OverN ? sizesToRun() : std::vector<std::uint64_t>{choice_.n};
  plan.setting = choice_.setting;
  plan.strategies.assign(choice_.picks.begin(), choice_.picks.end());
  if (const std::optional<Error> error = gpu.run(plan)) refusal_ = error->sentence();
}

}  // namespace lanescope
