#include "app/panels/gpu_words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/base/whole.h"
#include "app/gpu/gpu_session.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_charts.h"
#include "app/panels/gpu_options.h"
#include "app/workbench/editor.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/text_parts.h"
#include "sim/base/counted.h"

namespace lanescope {

std::string withTitles(std::string_view sentence) {
  std::string text;
  while (true) {
    const std::size_t open = sentence.find('\'');
    const std::size_t close = open == std::string_view::npos ? open : sentence.find('\'', open + 1);
    if (close == std::string_view::npos) return text.append(sentence);
    const std::string id(sentence.substr(open + 1, close - open - 1));
    const std::string title = contenderTitle(id);
    text.append(sentence.substr(0, open + 1));
    sentence.remove_prefix(open + 1);
    // If the text in quotes is not an id, its closing quote can be the opening quote of one: continue inside
    // it.
    if (title == id) continue;
    text += title;
    sentence.remove_prefix(id.size());
  }
}

std::string pinsLeftOut(const BenchNumbers& numbers, const BenchChoice& choice,
                        const std::set<std::size_t>& shown, bool overN) {
  const auto n = overN ? std::nullopt : std::optional(choice.n);
  // Runs with the same reason share a sentence.
  std::vector<std::pair<BenchDifference, std::vector<std::string>>> reasons;
  for (std::size_t run = 1; run <= numbers.pins.size(); ++run) {
    if (shown.contains(run)) continue;
    const BenchDifference why = computeDifference(numbers.pins[run - 1].data, choice.setting, n);
    auto reason = std::ranges::find(reasons, why, [](const auto& known) { return known.first; });
    if (reason == reasons.end()) reason = reasons.insert(reason, {why, {}});
    reason->second.push_back(std::to_string(run));
  }
  std::string text;
  for (const auto& [why, runs] : reasons) {
    const bool isOne = runs.size() == 1;
    if (!text.empty()) text += ' ';
    text += isOne ? "Pin " : "Pins ";
    text += listed(runs) + (isOne ? " has no " : " have no ") + (overN ? "lines" : "bars") + " here: ";
    switch (why.kind) {
      case BenchDifference::Kind::None: text += "none of the strategies shown was timed so."; break;
      case BenchDifference::Kind::Nothing: text += "nothing was timed."; break;
      case BenchDifference::Kind::Elsewhere:
        text += (isOne ? "it was timed " : "they were timed ") + why.how + ".";
        break;
    }
  }
  return text;
}

std::string wordsBelow(const GpuSession& gpu, const BenchChoice& choice, const std::string& leftOutPins,
                       const std::string& news) {
  const std::string missing = leftOutPins.empty() ? GpuBlocks::missing(choice, gpu) : leftOutPins;
  const std::string& rest = missing.empty() ? news : missing;
  if (gpu.source() != GpuSource::Live || gpu.leftOut().empty()) return rest;
  return rest.empty() ? gpu.leftOut() : gpu.leftOut() + " " + rest;
}

std::set<std::string> tickedIds(const BenchChoice& choice) {
  const std::vector<std::string> chosen = contendersToRun(choice);
  if (!chosen.empty()) return {chosen.begin(), chosen.end()};
  BenchRequest request;
  request.n = choice.n;
  request.block = choice.setting.block;
  request.scope = choice.setting.scope;
  request.type = choice.setting.type;
  std::set<std::string> ids;
  if (const auto contenders = makeContenders(request); contenders) {
    for (const Contender& contender : *contenders) ids.insert(contender.id);
  }
  return ids;
}

std::string picksText(const BenchChoice& choice) {
  const std::string all = std::to_string(contenderIds().size());
  const std::string ticked = std::to_string(tickedIds(choice).size());
  if (choice.picks.empty()) return "all that can: " + ticked + " of " + all;
  return ticked == all ? "all " + all : ticked + " of " + all;
}

void setPicked(BenchChoice& choice, const std::string& id, bool isPicked) {
  std::set<std::string> ids = tickedIds(choice);
  if (isPicked) {
    ids.insert(id);
  } else if (ids.size() > 1) {
    ids.erase(id);
  }
  choice.picks = std::move(ids);
}

namespace {

constexpr float kBar = 120;      // units
constexpr float kTextRoom = 60;  // units: if less is free, there is no bar
constexpr float kTriangle = 4;   // units
constexpr float kIndent = 13;    // units, of the name beside it

/// True if its first letter is pronounced by its name, as in H200 or RTX.
bool isSpelled(std::string_view word) {
  return word.size() > 1 && std::isupper(static_cast<unsigned char>(word[0])) != 0 &&
         std::islower(static_cast<unsigned char>(word[1])) == 0;
}

void drawTriangle(const ViewContext& context, ImVec2 centre, bool isOpen) {
  const float r = kTriangle * context.unit;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = context.color(ColorRole::TextDim);
  if (isOpen)
    list.AddTriangleFilled({centre.x - r, centre.y - r * 0.6F}, {centre.x + r, centre.y - r * 0.6F},
                           {centre.x, centre.y + r * 0.8F}, ink);
  else
    list.AddTriangleFilled({centre.x - r * 0.6F, centre.y - r}, {centre.x + r * 0.8F, centre.y},
                           {centre.x - r * 0.6F, centre.y + r}, ink);
}

/// The triangle and the panel's name, at the cursor.
void paintHeading(const ViewContext& context, bool isOpen) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawTriangle(context, ImVec2(at.x + kTriangle * context.unit, at.y + ImGui::GetTextLineHeight() / 2),
               isOpen);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + kIndent * context.unit);
  heading(context, "GPU");
}

/// Full width: the memory's whole bandwidth.
void drawBar(const ViewContext& context, ImVec2 at, ImVec2 size, float share) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = 2 * context.unit;
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, context.color(ColorRole::Cell), radius);
  const float filled = std::max(2 * radius, size.x * std::min(share, 1.0F));
  list.AddRectFilled(at, {at.x + filled, at.y + size.y}, context.color(ColorRole::BarHighlight), radius);
}

}  // namespace

std::string withArticle(std::string gpu) {
  constexpr std::string_view kMaker = "NVIDIA ";
  if (gpu.starts_with(kMaker)) gpu.erase(0, kMaker.size());
  if (gpu.empty()) return "a GPU";
  constexpr std::string_view kVowels = "AEIOU";
  constexpr std::string_view kSpokenWithVowel = "AEFHILMNORSX";
  const char first = static_cast<char>(std::toupper(static_cast<unsigned char>(gpu.front())));
  const bool isVowel = (isSpelled(gpu) ? kSpokenWithVowel : kVowels).find(first) != std::string_view::npos;
  return (isVowel ? "an " : "a ") + gpu;
}

namespace {

/// The timing of the document's own text at the shown N and block, on the shown GPU.
const TextTiming* findTiming(const GpuSession& gpu, const BenchChoice& choice, const Document& document) {
  const auto& timing = gpu.text().outcome().timing;
  const auto& hello = gpu.data().hello();
  if (!timing || !hello || timing->gpu != hello->gpu || timing->wrong) return nullptr;
  const bool isShown =
      timing->n == choice.n && timing->block == choice.setting.block && timing->type == choice.setting.type;
  return isShown && gpu.text().isAbout(document.buffer.text()) ? &*timing : nullptr;
}

/// The line for the strategy's unedited text.
GpuLine shippedLine(const GpuSession& gpu, const BenchChoice& choice) {
  const BenchData& data = gpu.data();
  if (gpu.source() == GpuSource::None)
    return {"No measurements: no GPU has answered, and there is no recording."};
  if (choice.highlighted == nullptr) return {"No measurements of this text."};
  const std::string where = data.hello() ? " on " + withArticle(data.hello()->gpu) : std::string();
  const std::string id(choice.highlighted->id);
  const auto reading = anyGridsReading(data, choice.setting, id, choice.n);
  if (!reading && gpu.animating()) return {"Replaying the recording…"};
  if (!reading) return {"Not measured" + where + "."};
  if (reading->wrong) return {"A wrong result" + where + ": its time has no meaning."};
  GpuLine line{figure(reading->gbps) + bandwidthUnit(id) + where};
  if (!data.ceiling() || data.ceiling()->gbps <= 0) return line;
  line.share = static_cast<float>(reading->gbps / data.ceiling()->gbps);
  const long percent = roundToWhole<long>(100 * line.share);
  const std::string share = (percent < 1 ? std::string("less than 1") : std::to_string(percent)) + "% of ";
  if (data.hello())
    line.brief = line.text.substr(0, line.text.size() - where.size()) + ", " + share +
                 withArticle(data.hello()->gpu) + "'s bandwidth";
  line.terse = line.text.substr(0, line.text.size() - where.size()) + ", " + share + "bandwidth";
  line.text += ": " + share + "what its memory delivers";
  return line;
}

}  // namespace

GpuLine gpuLine(const GpuSession& gpu, const BenchChoice& choice, const Document* document) {
  GpuLine line = shippedLine(gpu, choice);
  const bool isEdited = document != nullptr && document->strategy != nullptr &&
                        document->strategy == choice.highlighted && document->isEdited();
  if (!isEdited || line.share < 0) return line;
  const std::string shipped = line.text;
  const std::string figures = line.brief.substr(0, line.brief.find(','));
  if (const TextTiming* const own = findTiming(gpu, choice, *document)) {
    const std::string edited = figure(own->gbps) + bandwidthUnit(std::string(choice.highlighted->id));
    line.share = static_cast<float>(own->gbps / gpu.data().ceiling()->gbps);
    line.text = "As edited: " + edited + "; as shipped: " + shipped;
    line.brief = "As edited: " + edited + ", shipped: " + figures;
    line.terse = "As edited: " + edited;
    return line;
  }
  line.text = "Not timed as edited; as shipped: " + shipped +
              ". Run on GPU times it, with a GPU worker; why has its floor";
  line.brief = "Not timed as edited; shipped: " + figures;
  line.terse = "Not timed as edited";
  return line;
}

bool drawGpuHeading(const ViewContext& context) {
  const ImVec2 start = ImGui::GetCursorPos();
  const float width = kIndent * context.unit + labelWidth(context, "GPU", FontRole::Bold);
  const bool isClicked = ImGui::InvisibleButton("gpu heading", ImVec2(width, ImGui::GetTextLineHeight()));
  commandHint(context, "GPU panel", "One line again");
  ImGui::SetCursorPos(start);
  paintHeading(context, true);
  return isClicked;
}

bool drawGpuLine(const ViewContext& context, const GpuLine& line, float width) {
  const float unit = context.unit;
  const ImVec2 start = ImGui::GetCursorPos();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight();
  const bool isClicked = ImGui::InvisibleButton("gpu line", ImVec2(width, height));
  const bool isHovered = ImGui::IsItemHovered();
  if (isHovered) commandHint(context, "GPU panel", line.text + ". A click shows the charts");
  ImGui::SetCursorPos(start);
  paintHeading(context, false);
  ImGui::SameLine(0, 10 * unit);
  const float left = ImGui::GetCursorPosX() - start.x;
  const float bar = line.share >= 0 && width - left - kBar * unit > kTextRoom * unit ? kBar * unit : 0;
  const float room = width - left - bar - (bar > 0 ? 10 * unit : 0);
  ImGui::PushFont(context.fonts.of(FontRole::Body));
  std::string text = line.text;
  for (const std::string& shorter : {line.brief, line.terse})
    if (!shorter.empty() && ImGui::CalcTextSize(text.c_str()).x > room) text = shorter;
  text = cutToFit(text, room);
  ImGui::PopFont();
  label(context, text, line.share >= 0 ? ColorRole::Text : ColorRole::TextDim);
  if (bar > 0) {
    const float thick = std::round(height * 0.5F);
    drawBar(context, ImVec2(at.x + width - bar, at.y + (height - thick) / 2), ImVec2(bar, thick), line.share);
  }
  return isClicked;
}

namespace {

/// True if the column has room only for the panel's line.
bool gpuHasLineOnly(const ViewState& state) {
  return state.isFolded || state.sourceIsTall || state.presenting || state.maximised.has_value();
}

}  // namespace

bool gpuIsMaximised(const ViewState& state) { return state.maximised == "gpu"; }

void enlargeGpu(ViewState& state) {
  if (gpuHasLineOnly(state))
    state.maximised = "gpu";
  else
    state.settings.gpuIsOpen = true;
}

void toggleGpu(ViewState& state) {
  if (gpuIsMaximised(state)) return state.maximised.reset();
  if (gpuHasLineOnly(state) || !state.settings.gpuIsOpen) return enlargeGpu(state);
  state.settings.gpuIsOpen = false;
}

}  // namespace lanescope
