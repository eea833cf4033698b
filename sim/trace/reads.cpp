#include "sim/trace/reads.h"

#include <algorithm>
#include <unordered_set>

namespace lanescope {
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
