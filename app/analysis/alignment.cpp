#include "app/analysis/alignment.h"

#include <algorithm>

#include "sim/base/words.h"

namespace lanescope {
namespace {

/// Steps of two phases are not paired one by one past this many possible pairs.
constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 19U;

enum class Part : std::uint8_t { Load, Round, Store, Other };

Part findPart(const Phase& phase) {
  switch (phase.kind) {
    case PhaseKind::Step:
    case PhaseKind::Shuffle: return Part::Round;
    case PhaseKind::Load:
    case PhaseKind::LoadAndJoin: return Part::Load;
    case PhaseKind::Store: return Part::Store;
    case PhaseKind::Other: break;
  }
  return Part::Other;
}

bool areAlike(const Phase& left, const Phase& right) {
  return left.kind == right.kind && left.stepSize == right.stepSize &&
         (left.kind != PhaseKind::LoadAndJoin || left.joins == right.joins);
}

int computeScore(const Phase& left, const Phase& right) {
  const int threads = left.activeThreads.size() == right.activeThreads.size() ? 1 : 0;
  const Part part = findPart(left);
  if (part != Part::Other && areAlike(left, right)) return 5 + threads;
  if (part != findPart(right)) return 1;
  return part == Part::Other ? 2 + threads : 3 + threads;
}

/// True for a step that a viewer waits for: the pictures of a phase are about it.
bool isLandmark(StepKind kind) {
  switch (kind) {
    case StepKind::SharedLoad:
    case StepKind::SharedStore:
    case StepKind::SharedAtomic:
    case StepKind::GlobalLoad:
    case StepKind::GlobalStore:
    case StepKind::GlobalAtomic:
    case StepKind::ConstantLoad:
    case StepKind::Shuffle:
    case StepKind::Reduce:
    case StepKind::BlockBarrier: return true;
    default: return false;
  }
}

std::vector<std::uint32_t> landmarks(const Trace& trace, PoolRange range) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
    if (isLandmark(trace.steps[i].kind)) found.push_back(i);
  }
  return found;
}

int computeScore(const Step& left, const Step& right) {
  const int warp = left.warp == right.warp ? 1 : 0;
  if (left.kind == right.kind) return 3 + warp;
  // One strategy reads a value from shared memory, another gets it by a shuffle.
  const auto hands = [](StepKind kind) { return kind == StepKind::SharedLoad || exchangesRegisters(kind); };
  return hands(left.kind) && hands(right.kind) ? 1 + warp : 0;
}

std::uint32_t countSteps(const Trace& trace) { return static_cast<std::uint32_t>(trace.steps.size()); }

}  // namespace

std::vector<IndexPair> pairInOrder(std::uint32_t left, std::uint32_t right,
                                   const std::function<int(std::uint32_t, std::uint32_t)>& score) {
  // best[i][j]: the most that the sequences from i and from j on can score.
  const std::size_t width = std::size_t{right} + 1;
  std::vector<std::int32_t> best((std::size_t{left} + 1) * width, 0);
  const auto at = [&](std::uint32_t i, std::uint32_t j) -> std::int32_t& { return best[i * width + j]; };
  for (std::uint32_t i = left; i-- > 0;) {
    for (std::uint32_t j = right; j-- > 0;) {
      const int own = score(i, j);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), own > 0 ? own + at(i + 1, j + 1) : 0});
    }
  }
  std::vector<IndexPair> pairs;
  for (std::uint32_t i = 0, j = 0; i < left && j < right;) {
    const int own = score(i, j);
    if (own > 0 && own + at(i + 1, j + 1) == at(i, j)) {
      pairs.push_back({i++, j++});
    } else if (at(i, j + 1) == at(i, j)) {
      ++j;
    } else {
      ++i;
    }
  }
  return pairs;
}

std::vector<IndexPair> pairPhases(const Trace& left, const Trace& right) {
  return pairInOrder(
      static_cast<std::uint32_t>(left.phases.size()), static_cast<std::uint32_t>(right.phases.size()),
      [&](std::uint32_t i, std::uint32_t j) { return computeScore(left.phases[i], right.phases[j]); });
}

Alignment::Alignment(const Trace& left, const Trace& right) : partners_(left.phases.size(), -1) {
  const std::vector<IndexPair> pairs = pairPhases(left, right);
  std::uint32_t done = 0;
  std::size_t next = 0;
  for (std::uint32_t phase = 0; phase < left.phases.size() && !pairs.empty(); ++phase) {
    const Phase& own = left.phases[phase];
    if (next < pairs.size() && pairs[next].left == phase) {
      partners_[phase] = static_cast<std::int32_t>(pairs[next].right);
      ++next;
      const std::uint32_t end =
          next < pairs.size() ? right.phases[pairs[next].right].firstStep : countSteps(right);
      addSteps(left, {own.firstStep, own.endStep - own.firstStep}, right, {done, end - done});
      done = end;
    }
    add(own.endStep, done);
  }
  add(countSteps(left), countSteps(right));
}

void Alignment::add(std::uint32_t left, std::uint32_t right) {
  if (left > knots_.back().left) {
    knots_.push_back({left, std::max(right, knots_.back().right)});
  } else {
    knots_.back().right = std::max(right, knots_.back().right);
  }
}

void Alignment::addSteps(const Trace& left, PoolRange leftSteps, const Trace& right, PoolRange rightSteps) {
  const std::vector<std::uint32_t> ours = landmarks(left, leftSteps);
  const std::vector<std::uint32_t> theirs = landmarks(right, rightSteps);
  if (std::uint64_t{ours.size()} * theirs.size() > kMostPairs) return;
  const auto score = [&](std::uint32_t i, std::uint32_t j) {
    return computeScore(left.steps[ours[i]], right.steps[theirs[j]]);
  };
  for (const IndexPair& pair : pairInOrder(static_cast<std::uint32_t>(ours.size()),
                                           static_cast<std::uint32_t>(theirs.size()), score)) {
    add(ours[pair.left] + 1, theirs[pair.right] + 1);
  }
}

std::int32_t Alignment::findPartner(std::uint32_t leftPhase) const {
  return leftPhase < partners_.size() ? partners_[leftPhase] : -1;
}

std::uint32_t Alignment::toRightSteps(std::uint32_t leftSteps) const {
  const auto after = std::ranges::upper_bound(knots_, leftSteps, {}, &Knot::left);
  if (after == knots_.end()) return knots_.back().right;
  const Knot& from = *(after - 1);
  const std::uint64_t passed = std::uint64_t{leftSteps - from.left} * (after->right - from.right);
  return from.right + static_cast<std::uint32_t>(passed / (after->left - from.left));
}

std::uint32_t Alignment::toLeftSteps(std::uint32_t rightSteps) const {
  std::uint32_t low = 0;
  std::uint32_t high = knots_.back().left;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (toRightSteps(middle) < rightSteps) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

bool Alignment::isKnot(std::uint32_t leftSteps) const {
  const auto found = std::ranges::lower_bound(knots_, leftSteps, {}, &Knot::left);
  return found != knots_.end() && found->left == leftSteps;
}

Cursor Alignment::syncTo(const Replay& left, const Trace& right) const {
  const Cursor here = left.cursor();
  const std::uint32_t steps = toRightSteps(here.steps);
  if (steps == 0 || steps > right.steps.size()) return {steps, 0};
  const std::uint32_t wavefronts = right.steps[steps - 1].wavefronts;
  const std::optional<Step> step = left.currentStep();
  const bool inProgress = step && here.wavefront < step->wavefronts && isKnot(here.steps);
  return {steps, inProgress ? std::min(here.wavefront, wavefronts) : wavefronts};
}

namespace {

constexpr int kSameScore = 8;
constexpr int kBlankScore = 1;  // an empty line says little about the match of two texts

struct DiffWord {
  std::string_view text;
  std::uint32_t begin = 0;
};

/// Names and numbers whole, every other letter by itself.
std::vector<DiffWord> splitDiffWords(std::string_view line) {
  std::vector<DiffWord> words;
  for (std::size_t at = 0; at < line.size();) {
    if (isSpace(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (isOfWord(line[at]) && end < line.size() && isOfWord(line[end])) ++end;
    words.push_back({line.substr(at, end - at), static_cast<std::uint32_t>(at)});
    at = end;
  }
  return words;
}

struct SplitLine {
  std::string_view text;
  std::vector<DiffWord> words;
};

std::vector<SplitLine> splitLines(std::string_view text) {
  std::vector<SplitLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({text.substr(0, end), splitDiffWords(text.substr(0, end))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool areSame(const SplitLine& left, const SplitLine& right) {
  return std::ranges::equal(left.words, right.words, {}, &DiffWord::text, &DiffWord::text);
}

std::vector<IndexPair> commonWords(const SplitLine& left, const SplitLine& right) {
  return pairInOrder(
      static_cast<std::uint32_t>(left.words.size()), static_cast<std::uint32_t>(right.words.size()),
      [&](std::uint32_t a, std::uint32_t b) { return left.words[a].text == right.words[b].text ? 1 : 0; });
}

/// How well two lines match: 0 if they share less than half of the words of the longer one.
int computeScore(const SplitLine& left, const SplitLine& right) {
  if (areSame(left, right)) return left.words.empty() ? kBlankScore : kSameScore;
  const std::size_t most = std::max(left.words.size(), right.words.size());
  const std::size_t least = std::min(left.words.size(), right.words.size());
  if (2 * least < most) return 0;
  const std::size_t common = commonWords(left, right).size();
  return 2 * common < most ? 0 : static_cast<int>(1 + common * (kSameScore - 2) / most);
}

/// The words that are in no pair; those side by side are one part.
std::vector<ChangedPart> changedParts(const SplitLine& line, const std::vector<bool>& isCommon) {
  std::vector<ChangedPart> parts;
  bool goesOn = false;
  for (std::size_t word = 0; word < line.words.size(); ++word) {
    const std::uint32_t begin = line.words[word].begin;
    const auto end = static_cast<std::uint32_t>(begin + line.words[word].text.size());
    if (!isCommon[word] && goesOn) parts.back().end = end;
    if (!isCommon[word] && !goesOn) parts.push_back({begin, end});
    goesOn = !isCommon[word];
  }
  return parts;
}

DiffLine makeDiffLine(const std::vector<SplitLine>& lines, std::uint32_t index) {
  return {index + 1, std::string(lines[index].text), {}};
}

DiffRow pairedRow(const std::vector<SplitLine>& left, const std::vector<SplitLine>& right, IndexPair pair) {
  DiffRow row{DiffRow::Kind::Same, makeDiffLine(left, pair.left), makeDiffLine(right, pair.right)};
  const SplitLine& ours = left[pair.left];
  const SplitLine& theirs = right[pair.right];
  if (areSame(ours, theirs)) return row;
  row.kind = DiffRow::Kind::Changed;
  std::vector<bool> isOurs(ours.words.size(), false);
  std::vector<bool> isTheirs(theirs.words.size(), false);
  for (const IndexPair& common : commonWords(ours, theirs))
    isOurs[common.left] = isTheirs[common.right] = true;
  row.left.changed = changedParts(ours, isOurs);
  row.right.changed = changedParts(theirs, isTheirs);
  return row;
}

}  // namespace

std::vector<DiffRow> diffLines(std::string_view left, std::string_view right) {
  const std::vector<SplitLine> ours = splitLines(left);
  const std::vector<SplitLine> theirs = splitLines(right);
  const auto count = [](const std::vector<SplitLine>& lines) {
    return static_cast<std::uint32_t>(lines.size());
  };
  std::vector<DiffRow> rows;
  std::uint32_t nextLeft = 0;
  std::uint32_t nextRight = 0;
  const auto addUpTo = [&](std::uint32_t endLeft, std::uint32_t endRight) {
    for (; nextLeft < endLeft; ++nextLeft)
      rows.push_back({DiffRow::Kind::LeftOnly, makeDiffLine(ours, nextLeft), {}});
    for (; nextRight < endRight; ++nextRight)
      rows.push_back({DiffRow::Kind::RightOnly, {}, makeDiffLine(theirs, nextRight)});
  };
  for (const IndexPair& pair : pairInOrder(count(ours), count(theirs), [&](std::uint32_t a, std::uint32_t b) {
         return computeScore(ours[a], theirs[b]);
       })) {
    addUpTo(pair.left, pair.right);
    rows.push_back(pairedRow(ours, theirs, pair));
    nextLeft = pair.left + 1;
    nextRight = pair.right + 1;
  }
  addUpTo(count(ours), count(theirs));
  return rows;
}

}  // namespace lanescope
