#include "sim/trace/provenance.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lanescope {

ProvenanceId Provenance::input(char letter, std::uint32_t index) {
  const std::uint64_t key = std::uint64_t{static_cast<unsigned char>(letter)} << 32 | index;
  auto& known = known_[static_cast<std::size_t>(Kind::Input)];
  const auto [entry, isNew] = known.emplace(key, static_cast<ProvenanceId>(nodes_.size()));
  if (isNew) nodes_.push_back({Kind::Input, letter, index, 0, 1});
  return entry->second;
}

ProvenanceId Provenance::combine(Kind kind, ProvenanceId left, ProvenanceId right) {
  if (left == kNoProvenance && right == kNoProvenance) return kNoProvenance;
  if (kind == Kind::Add && right == kNoProvenance) return left;
  if (kind == Kind::Add && left == kNoProvenance) return right;
  if (kind == Kind::Subtract && right == kNoProvenance) return left;
  const std::uint64_t key = std::uint64_t{left} << 32 | right;
  auto& known = known_[static_cast<std::size_t>(kind)];
  const auto [entry, isNew] = known.emplace(key, static_cast<ProvenanceId>(nodes_.size()));
  if (isNew) {
    const std::uint64_t room = UINT64_MAX - nodes_[left].terms;
    nodes_.push_back({kind, 0, left, right, nodes_[left].terms + std::min(room, nodes_[right].terms)});
  }
  return entry->second;
}

std::string Provenance::inputName(const Node& node) {
  return std::string(1, node.letter) + std::to_string(node.left);
}

std::string Provenance::text(ProvenanceId id, std::size_t maxTerms) const {
  static constexpr std::array<std::string_view, 8> kOpen = {"", "", "", "(", "(", "min(", "max(", "f("};
  static constexpr std::array<std::string_view, 8> kBetween = {"", "", "+", "-", "*", ", ", ", ", ", "};
  static constexpr std::array<std::string_view, 8> kClose = {"", "", "", ")", ")", ")", ")", ")"};
  // An explicit stack of what is still to be written: nodes, or literal text.
  struct Piece {
    ProvenanceId node = 0;
    std::string_view literal;
  };
  const std::uint64_t total = terms(id);
  const bool shortens = total > maxTerms;
  std::string result;
  std::uint64_t written = 0;
  std::vector<Piece> stack{{id, {}}};
  if (id == kNoProvenance) return result;
  // What is left out is not walked either: it may be longer than anybody could wait for.
  while (!stack.empty() && !(shortens && written + 1 >= maxTerms)) {
    const Piece piece = stack.back();
    stack.pop_back();
    if (piece.node == kNoProvenance) {
      result += piece.literal;
      continue;
    }
    const Node& node = nodes_[piece.node];
    if (node.kind == Kind::Input) {
      ++written;
      result += inputName(node);
      continue;
    }
    const auto kind = static_cast<std::size_t>(node.kind);
    stack.push_back({0, kClose[kind]});
    stack.push_back(node.right == kNoProvenance ? Piece{0, "."} : Piece{node.right, {}});
    stack.push_back({0, kBetween[kind]});
    stack.push_back(node.left == kNoProvenance ? Piece{0, "."} : Piece{node.left, {}});
    stack.push_back({0, kOpen[kind]});
  }
  if (shortens) {
    while (!result.empty() && (result.back() == '+' || result.back() == '(')) result.pop_back();
    const Node* last = &nodes_[id];
    while (last->kind != Kind::Input) last = &nodes_[last->right != kNoProvenance ? last->right : last->left];
    result += "+\u2026+" + inputName(*last);
  }
  return result;
}

}  // namespace lanescope
