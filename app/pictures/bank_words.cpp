// The words that the banks hold: their requests and values, and as much of them as there is room for.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/pictures/bank_painter.h"
#include "app/pictures/wavefront_list.h"
#include "app/base/element_noun.h"

namespace lanescope {

// The word's number; in wide cells also the origin of its value.
void BankPainter::paintWordText(std::uint32_t word, const Rect& rect, ColorRole color) {
  if (rect.h < out_.u(10) || rect.w < out_.u(10)) return;
  TextStyle style{FontRole::Small, color, Align::Center, 0.95F, 1};
  const std::int32_t cell = plan_.cellOfWord[word];
  if (rect.w >= out_.u(80) && cell >= 0) {
    const auto index = static_cast<std::uint32_t>(cell);
    const Word& value = moment_.state.cells[index];
    const TracedArray* array = arrayOfCell(trace_, index);
    const bool isPart = array != nullptr && isWide(array->type);
    const std::string_view part = !isPart ? "" : firstCellAt(*array, index) == index ? ", low" : ", high";
    for (const std::size_t terms : {8U, 4U, 2U}) {
      if (value.from == kNoProvenance) break;
      const std::string text = trace_.provenance.text(value.from, terms);
      if (out_.textInside(rect, fmt::format("{}:  {}{}", word, text, part), style, 0.85F)) return;
    }
  }
  // All numbers of a row have one size. If the widest does not fit, none is drawn.
  const std::size_t digits = fmt::format("{}", word | (rowWords() - 1)).size();
  const float widest = out_.textWidth(std::string(digits, '4'), style);
  const float room = rect.w - out_.u(0.6F);
  const float scale = std::clamp(room / widest, out_.leastScale(style), 1.0F);
  if (widest * scale > room + 0.01F) return;
  style.scale *= scale;
  out_.textInside(rect, fmt::format("{}", word), style, 0.6F);
}

void BankPainter::paintWord(std::uint32_t word, const Rect& rect) {
  const std::int32_t cell = plan_.cellOfWord[word];
  const LaneDemand* demand = demandOfWord_[word];
  const float radius = std::min({out_.u(3), rect.h / 4, rect.w / 4});
  const float alpha = demand == nullptr ? 1.0F : wavefrontAlpha(demand->wavefront) * grown(demand->wavefront);
  const bool roomy = rect.h >= out_.u(8);
  out_.fill(rect, ColorRole::Cell, radius, cell < 0 ? 0.3F : request_.lanes.empty() ? 0.6F : 1.0F);
  if (roomy) out_.stroke(rect, ColorRole::CellBorder, out_.u(1), radius, 0.7F);
  if (demand != nullptr) out_.fill(rect, wavefrontColor(demand->wavefront), radius, alpha);
  const ColorRole onDemand = alpha > 0.9F ? ColorRole::TextOnAccent : ColorRole::Text;
  paintWordText(word, rect, demand == nullptr ? ColorRole::TextDim : onDemand);
  if (cell < 0) return;
  const auto index = static_cast<std::uint32_t>(cell);
  if (isLit(index)) out_.stroke(rect.inset(-out_.u(1.5F)), ColorRole::Text, out_.u(2), radius);
  out_.hit(
      rect, HitArea::Kind::Cell, index, [&] { return makeTip(word); },
      demand == nullptr ? -1 : std::int64_t{demand->thread});
}

// The words of one element light up together.
bool BankPainter::isLit(std::uint32_t cell) const {
  const TracedArray* array = arrayOfCell(trace_, cell);
  if (array == nullptr) return context_.cellLit(cell);
  const std::uint32_t first = firstCellAt(*array, cell);
  for (std::uint32_t each = first; each < first + splitWords(array->type); ++each) {
    if (context_.cellLit(each)) return true;
  }
  return false;
}

std::string BankPainter::makeTip(std::uint32_t word) const {
  std::string tip =
      fmt::format("word {}: bank {}, row {}", word, word / perBank_ % machine_.banks, word / rowWords());
  const auto index = static_cast<std::uint32_t>(plan_.cellOfWord[word]);
  const TracedArray* array = arrayOfCell(trace_, index);
  if (array == nullptr) return tip;
  if (isWide(array->type)) {
    tip += fmt::format("\n{} half of {}, a {} of two words",
                       index == firstCellAt(*array, index) ? "low" : "high", cellName(trace_, index),
                       elementNoun(array->type));
  }
  if (index >= moment_.state.cells.size() || !moment_.state.cells[index].written) return tip;
  const ProvenanceId from = moment_.state.cells[index].from;
  const std::string value = formatValue(array->type, elementBits(*array, moment_.state.cells, index));
  const std::string made = trace_.provenance.text(from, 32);
  return tip + (made.empty() ? "\n" + value : fmt::format("\n{} = {}", made, value));
}

// `word 3 of bank 3`, `words 6 and 7 of banks 6 and 7`, `words 6 and 7 of bank 3`.
std::string BankPainter::findPlace(const LaneDemand& demand) const {
  if (demand.words == 1) return fmt::format("word {} of bank {}", demand.word, demand.bank);
  const std::uint32_t last = demand.word + demand.words - 1;
  const std::uint32_t lastBank = last / perBank_ % machine_.banks;
  const std::string_view between = demand.words == 2 ? "and" : "to";
  const std::string words = fmt::format("words {} {} {}", demand.word, between, last);
  if (lastBank == demand.bank) return fmt::format("{} of bank {}", words, demand.bank);
  return fmt::format("{} of banks {} {} {}", words, demand.bank, demand.words / perBank_ == 2 ? "and" : "to",
                     lastBank);
}

void BankPainter::paintWords() {
  for (const std::uint32_t row : rows_) {
    for (std::uint32_t word = row * rowWords(); word < std::min((row + 1) * rowWords(), plan_.words);
         ++word) {
      if (const Rect* rect = rectOfWord(word)) paintWord(word, *rect);
    }
  }
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Right, 0.85F, 1};
  const float right = gridLeft_ - out_.u(4);
  float lastY = out_.height();
  for (std::size_t shown = 0; shown < rows_.size(); ++shown) {
    const Rect rect = bankRect(shown, 0);
    if (lastY - rect.midY() < out_.computeSize(style) * 1.1F) continue;
    const auto touches = [&](float gap) {
      return std::abs(gap - rect.midY()) < out_.computeSize(style) * 0.6F;
    };
    if (std::ranges::any_of(gaps_, touches)) continue;
    lastY = rect.midY();
    const std::uint32_t first = rows_[shown] * rowWords();
    const std::uint32_t last = std::min(first + rowWords(), plan_.words) - 1;
    out_.textWithin(right, rect.midY(), out_.u(56),
                    last == first ? fmt::format("{}", first) : fmt::format("{}\u2013{}", first, last), style);
  }
  // Omitted rows.
  for (const float y : gaps_) {
    const float radius = out_.u(1.1F);
    for (const float at : {0.0F, 5.0F, 10.0F})
      out_.fill({right - out_.u(14 - at), y - radius, 2 * radius, 2 * radius}, ColorRole::TextDim, radius);
  }
}

}  // namespace lanescope
