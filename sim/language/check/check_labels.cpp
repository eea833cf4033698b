// goto: a jump forward leaves a block of statements that ends at the label, a jump back repeats one that
// begins there. So its rule is the same as that of break and continue: the lanes reconverge at the label.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {
namespace {

/// Statements of a block, [begin, end), with a label at the end or the beginning.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t label = 0;
  bool repeats = false;
};

/// Nests two ranges that overlap: the one that can grow takes in the other. False if neither can grow.
bool nest(Range& first, Range& second) {
  const bool overlap = first.begin < second.begin && second.begin < first.end && first.end < second.end;
  if (!overlap) return true;
  if (first.repeats) {
    first.end = second.end;
  } else if (!second.repeats) {
    second.begin = first.begin;
  } else {
    return false;
  }
  return true;
}

/// Extends ranges until any two of them are disjoint or nested.
bool nestAll(std::vector<Range>& ranges) {
  for (std::size_t pass = 0; pass <= ranges.size(); ++pass) {
    for (Range& a : ranges) {
      for (Range& b : ranges) {
        if (!nest(a, b)) return false;
      }
    }
  }
  return true;
}

}  // namespace

void Checker::declareLabels(const syntax::Statement& block) {
  constexpr std::size_t kMaxLabels = 256;
  for (std::size_t i = 0; i < block.body.size(); ++i) {
    if (block.body[i]->kind != syntax::Statement::Kind::Label) continue;
    if (labels_.size() >= kMaxLabels) fail(block.body[i]->span, "more than 256 labels", "write loops");
    Label label;
    label.name = block.body[i]->label;
    label.at = i;
    label.number = labelNumbers_;
    labelNumbers_ += 2;
    labels_.push_back(std::move(label));
  }
}

/// The statement `now` of the block whose labels begin with `first` is checked next.
void Checker::passLabels(std::size_t first, std::size_t now) {
  for (std::size_t i = first; i < labels_.size(); ++i) {
    labels_[i].now = now;
    if (!labels_[i].isPassed) labels_[i].alive = alive_.size();
    labels_[i].isPassed = now >= labels_[i].at;
  }
}

typed::StatementPtr Checker::gotoStatement(const syntax::Statement& node) {
  const auto found = std::ranges::find(labels_.rbegin(), labels_.rend(), node.label, &Label::name);
  if (found == labels_.rend()) {
    fail(node.span,
         fmt::format("'goto {}' finds no label in the blocks around it, and a jump into another is not "
                     "simulated",
                     node.label),
         "write an if or a loop");
  }
  Label& label = *found;
  if (label.isPassed) {
    label.lastBehind = label.now;
  } else if (!label.firstBefore) {
    label.firstBefore = label.now;
  }
  typed::StatementPtr block = makeStatement(typed::Statement::Kind::Block, node.span);
  const std::uint32_t number = label.number + (label.isPassed ? 1 : 0);
  destroyFrom(label.alive, node.span, *block);
  typed::StatementPtr jump = makeStatement(typed::Statement::Kind::Goto, node.span);
  jump->label = number;
  block->body.push_back(std::move(jump));
  return block;
}

/// Puts the statements that gotos leave or repeat into statements of their own. The block's labels end.
void Checker::wrapLabelled(std::size_t first, typed::Statement& block) {
  std::vector<Range> ranges;
  for (std::size_t i = first; i < labels_.size(); ++i) {
    const Label& label = labels_[i];
    if (label.firstBefore) ranges.push_back({*label.firstBefore, label.at, label.number, false});
    if (label.lastBehind) ranges.push_back({label.at, *label.lastBehind + 1, label.number + 1, true});
  }
  labels_.resize(first);
  if (ranges.empty()) return;
  if (!nestAll(ranges))
    fail(block.span, "a goto into the middle of what another goto repeats is not simulated", "write a loop");
  // The innermost range first. The statements in it count as one for the ranges around it and behind it.
  std::ranges::stable_sort(ranges, {}, [](const Range& range) { return range.end - range.begin; });
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range range = ranges[i];
    typed::StatementPtr wrapped = makeStatement(typed::Statement::Kind::Labelled, block.span);
    wrapped->label = range.label;
    wrapped->repeats = range.repeats;
    const auto begin = block.body.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto end = block.body.begin() + static_cast<std::ptrdiff_t>(range.end);
    std::move(begin, end, std::back_inserter(wrapped->body));
    *begin = std::move(wrapped);
    block.body.erase(begin + 1, end);
    const std::size_t less = range.end - range.begin - 1;
    for (std::size_t j = i + 1; j < ranges.size(); ++j) {
      if (ranges[j].begin >= range.end) ranges[j].begin -= less;
      if (ranges[j].end >= range.end) ranges[j].end -= less;
    }
  }
}

}  // namespace lanescope::checker
