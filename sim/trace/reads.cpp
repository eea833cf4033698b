#include "sim/trace/reads.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lanescope {

ReadsId Reads::read(Read read) {
  const auto [entry, isNew] =
      known_.emplace(std::uint64_t{read.step} << 32U | read.place, static_cast<ReadsId>(nodes_.size()));
  if (isNew) nodes_.push_back({kNoReads, kNoReads, read, read.step});
  return entry->second;
}

ReadsId Reads::join(ReadsId left, ReadsId right) {
  if (left == right || right == kNoReads) return left;
  if (left == kNoReads) return right;
  const auto [entry, isNew] =
      joined_.emplace(std::uint64_t{left} << 32U | right, static_cast<ReadsId>(nodes_.size()));
  if (isNew) nodes_.push_back({left, right, {}, std::max(nodes_[left].lastStep, nodes_[right].lastStep)});
  return entry->second;
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
    if (node.left == kNoReads) {
      reads.push_back(node.read);
      continue;
    }
    // The right operand first: where there are too many, the last ones stay.
    stack.push_back(node.left);
    stack.push_back(node.right);
  }
  std::ranges::reverse(reads);
  return reads;
}

}  // namespace lanescope
