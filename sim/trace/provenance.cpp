#include "sim/trace/provenance.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

namespace lanescope {

/// The node equal to this one, added if there is none.
ProvenanceId Provenance::shared(const Node& node) {
  const auto hashOfNode = [](const Node& of) {
    return hashOfOperands(of.left, of.right,
                          static_cast<std::uint32_t>(of.kind) << 8U | static_cast<unsigned char>(of.letter));
  };
  const std::uint64_t hash = hashOfNode(node);
  const ProvenanceId known = index_.find(hash, [&](ProvenanceId id) {
    const Node& other = nodes_[id];
    return other.left == node.left && other.right == node.right && other.kind == node.kind &&
           other.letter == node.letter;
  });
  if (known != kNoProvenance) return known;
  const ProvenanceId id = nodes_.append(node);
  index_.add(hash, id, [&](ProvenanceId of) { return hashOfNode(nodes_[of]); });
  return id;
}

ProvenanceId Provenance::inputs(char letter, std::uint32_t count) {
  const auto first = static_cast<ProvenanceId>(nodes_.size());
  for (std::uint32_t index = 0; index < count; ++index)
    nodes_.append({index, 0, 1, Kind::Input, letter, false});
  inputs_.push_back({letter, first, count});
  return first;
}

ProvenanceId Provenance::input(char letter, std::uint32_t index) {
  const auto inputs = std::ranges::find(inputs_, letter, &Inputs::letter);
  if (inputs != inputs_.end() && index < inputs->count) return inputs->first + index;
  return shared({index, 0, 1, Kind::Input, letter, false});
}

ProvenanceId Provenance::findElement(std::string_view array, std::uint32_t index) {
  const auto name = static_cast<std::uint32_t>(std::ranges::find(names_, array) - names_.begin());
  if (name == names_.size()) names_.emplace_back(array);
  return shared({index, name, 1, Kind::Input, 0, true});
}

ProvenanceId Provenance::combine(Kind kind, ProvenanceId left, ProvenanceId right) {
  if (left == kNoProvenance && right == kNoProvenance) return kNoProvenance;
  const Node& first = nodes_[left];
  const Node& second = nodes_[right];
  const std::uint32_t terms = first.terms + std::min(UINT32_MAX - first.terms, second.terms);
  return shared({left, right, terms, kind, 0, first.hasOthers || second.hasOthers});
}

std::string Provenance::inputName(const Node& node) const {
  if (node.letter == 0) return names_[node.right] + "[" + std::to_string(node.left) + "]";
  return std::string(1, node.letter) + std::to_string(node.left);
}

Provenance::Kind Provenance::joins(ProvenanceId id) const {
  while (id != kNoProvenance && nodes_[id].kind != Kind::Input) {
    const Node& node = nodes_[id];
    if (node.left != kNoProvenance && node.right != kNoProvenance) return node.kind;
    id = node.left != kNoProvenance ? node.left : node.right;
  }
  return Kind::None;
}

std::vector<std::uint64_t> Provenance::inputCounts(ProvenanceId id, char letter, std::uint32_t count) const {
  std::vector<std::uint64_t> counts(count, 0);
  std::vector<std::uint64_t> uses(std::size_t{id} + 1, 0);  // by node: operands have smaller numbers
  uses[id] = 1;
  const auto add = [](std::uint64_t& to, std::uint64_t more) { to += std::min(more, UINT64_MAX - to); };
  for (ProvenanceId node = id; node != kNoProvenance; --node) {
    if (uses[node] == 0) continue;
    const Node& used = nodes_[node];
    if (used.kind == Kind::Input) {
      if (used.letter == letter && used.left < count) add(counts[used.left], uses[node]);
      continue;
    }
    add(uses[used.left], uses[node]);
    add(uses[used.right], uses[node]);
  }
  return counts;
}

namespace {

/// The text of an operator.
struct Notation {
  std::string_view open;
  std::string_view between;
  std::string_view close;
};

constexpr std::array<Notation, 8> kNotations{{{"", "", ""},
                                              {"", "", ""},
                                              {"", "+", ""},
                                              {"(", "-", ")"},
                                              {"", "\u00d7", ""},
                                              {"min(", ", ", ")"},
                                              {"max(", ", ", ")"},
                                              {"f(", ", ", ")"}}};

/// True if operands of an operand with the same operator are joined beside the others.
constexpr bool isJoinedInPlace(Provenance::Kind kind) {
  return kind != Provenance::Kind::Subtract && kind != Provenance::Kind::Other;
}

constexpr std::string_view kLeftOut = "\u2026";

/// The text so far: adjacent omitted operands are one `…`.
class ExpressionText {
 public:
  void open(const Notation& notation) {
    text_ += std::exchange(between_, {});
    text_ += notation.open;
    closings_.push_back(notation.close);
    endsLeftOut_ = false;
  }
  void between(std::string_view text) { between_ = text; }
  void term(std::string_view text) {
    text_ += std::exchange(between_, {});
    text_ += text;
    endsLeftOut_ = false;
  }
  void leaveOut() {
    if (endsLeftOut_ && !between_.empty()) {
      between_ = {};
      return;
    }
    term(kLeftOut);
    endsLeftOut_ = true;
  }
  void close() {
    text_ += closings_.back();
    closings_.pop_back();
    endsLeftOut_ = false;
  }
  std::string consume() { return std::move(text_); }

 private:
  std::string text_;
  std::string_view between_;  ///< only written once the next operand is
  std::vector<std::string_view> closings_;
  bool endsLeftOut_ = false;  ///< with an operand of the operator that is open
};

}  // namespace

ProvenanceId Provenance::lastOperand(const Node& node) {
  return node.right != kNoProvenance ? node.right : node.left;
}

bool Provenance::isLastNear(ProvenanceId id) const {
  constexpr int kMostOperators = 3;
  int operators = 0;
  for (Kind kind = Kind::None; nodes_[id].kind != Kind::Input; id = lastOperand(nodes_[id])) {
    const bool isJoined = nodes_[id].kind == kind && isJoinedInPlace(kind);
    if (!isJoined && ++operators > kMostOperators) return false;
    kind = nodes_[id].kind;
  }
  return true;
}

std::string Provenance::text(ProvenanceId id, std::size_t maxTerms) const {
  if (id == kNoProvenance) return {};
  const auto findNotation = [](Kind kind) -> const Notation& {
    return kNotations[static_cast<std::size_t>(kind)];
  };
  // An entry of an explicit stack of the text still to be written.
  struct Piece {
    enum class What : std::uint8_t { Node, Between, Close } what = What::Node;
    ProvenanceId node = 0;
    Kind parent = Kind::None;
    bool isRight = false;  ///< the right operand
    bool isLast = true;    ///< it holds the last of all input elements
  };
  using What = Piece::What;
  ExpressionText text;
  std::uint64_t written = 0;
  std::vector<Piece> stack{{What::Node, id, Kind::None}};
  const bool shortens = terms(id) > maxTerms;
  std::optional<bool> showsLast;
  while (!stack.empty()) {
    const Piece piece = stack.back();
    stack.pop_back();
    if (piece.what == What::Between) {
      text.between(findNotation(piece.parent).between);
      continue;
    }
    if (piece.what == What::Close) {
      text.close();
      continue;
    }
    // An omitted part is not walked: it may be too long to walk in reasonable time.
    bool isLeftOut = piece.node == kNoProvenance;
    if (!isLeftOut && shortens && written + 1 >= maxTerms) {
      if (piece.isLast && !showsLast) showsLast = isLastNear(piece.node);
      isLeftOut = !piece.isLast || !*showsLast;
    }
    if (isLeftOut) {
      text.leaveOut();
      continue;
    }
    const Node& node = nodes_[piece.node];
    if (node.kind == Kind::Input) {
      ++written;
      text.term(inputName(node));
      continue;
    }
    const bool isJoined = node.kind == piece.parent && isJoinedInPlace(node.kind);
    const bool isInner = node.kind == Kind::Add && (piece.parent == Kind::Multiply ||
                                                    (piece.parent == Kind::Subtract && piece.isRight));
    if (!isJoined) {
      text.open(isInner ? findNotation(Kind::Subtract) : findNotation(node.kind));
      stack.push_back({What::Close});
    }
    const bool isLastRight = node.right != kNoProvenance;
    stack.push_back({What::Node, node.right, node.kind, true, piece.isLast && isLastRight});
    stack.push_back({What::Between, 0, node.kind});
    stack.push_back({What::Node, node.left, node.kind, false, piece.isLast && !isLastRight});
  }
  return text.consume();
}

namespace {

constexpr std::uint32_t kLastStep = 0x7fffffff;

}  // namespace

ReadsId Reads::read(Read read) {
  if (read.step != step_) ofStep_.forget();
  step_ = read.step;
  const std::uint64_t hash = computeHash(read.cellOrThread);
  const ReadsId known = ofStep_.find(hash, [&](ReadsId id) { return nodes_[id].left == read.cellOrThread; });
  if (known != kNoReads) return known;
  const ReadsId id = nodes_.append({1, read.step & kLastStep, read.cellOrThread, read.from});
  ofStep_.add(hash, id, [this](ReadsId of) { return computeHash(nodes_[of].left); });
  return id;
}

ReadsId Reads::join(ReadsId left, ReadsId right) {
  if (left == right || right == kNoReads) return left;
  if (left == kNoReads) return right;
  const std::uint64_t hash = hashOfOperands(left, right);
  const ReadsId known =
      joined_.find(hash, [&](ReadsId id) { return nodes_[id].left == left && nodes_[id].right == right; });
  if (known != kNoReads) return known;
  const std::uint32_t last = std::max<std::uint32_t>(nodes_[left].lastStep, nodes_[right].lastStep);
  const ReadsId id = nodes_.append({0, last & kLastStep, left, right});
  joined_.add(hash, id, [this](ReadsId of) { return hashOfOperands(nodes_[of].left, nodes_[of].right); });
  return id;
}

std::vector<Read> Reads::since(ReadsId id, std::uint32_t firstStep) const {
  std::vector<Read> reads;
  std::unordered_set<ReadsId> seen;
  std::vector<ReadsId> stack{id};
  while (!stack.empty() && seen.size() < 2 * kMost) {
    const ReadsId next = stack.back();
    stack.pop_back();
    const Node& node = nodes_[next];
    if (next == kNoReads || node.lastStep < firstStep || !seen.insert(next).second) continue;
    if (node.isRead != 0) {
      reads.push_back({node.lastStep, node.left, node.right});
      continue;
    }
    // The right operand first: if there are too many, the last ones stay.
    stack.push_back(node.left);
    stack.push_back(node.right);
  }
  std::ranges::reverse(reads);
  return reads;
}

}  // namespace lanescope
