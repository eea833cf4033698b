// Groups other than the block and its tiles: the lanes that happen to be together, and the whole grid.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {

using typed::VoteOp;

/// A coalesced_group of the lanes in the mask.
Checker::ExpressionPtr Checker::coalesced(ExpressionPtr lanes, SourceSpan span) {
  return make(Kind::Make, kernel_.types->named("cg::coalesced_group"), span, std::move(lanes));
}

/// labeled_partition(tile, label) and binary_partition(tile, condition): the lanes of the tile with the same
/// value.
Checker::ExpressionPtr Checker::partition(const syntax::Expression& node) {
  expectArguments(node, 2, 2);
  ExpressionPtr group = value(*node.operands[0]);
  ExpressionPtr label = value(*node.operands[1]);
  if (node.text == "cg::binary_partition") label = convert(toBool(std::move(label)), scalar(Type::Kind::I32));
  ExpressionPtr lanes;
  bool isOfGroup = false;
  std::uint8_t tile = 0;
  if (group->type->structName == "coalesced_group") {
    lanes = make(Kind::Member, scalar(Type::Kind::U32), node.span, std::move(group));
  } else if (group->type->isGroup() && group->type->count > 0 && group->type->count <= 32) {
    lanes = groupMask(*group->type, node.span);
    isOfGroup = true;
    tile = static_cast<std::uint8_t>(group->type->count);
  } else {
    fail(node.operands[0]->span, "a tile or a coalesced group is partitioned",
         "make one with tiled_partition<32>(block)");
  }
  ExpressionPtr same = makeVote(VoteOp::MatchAny, std::move(lanes), std::move(label), node.span);
  same->isOfGroup = isOfGroup;
  same->tileThreads = tile;
  return coalesced(std::move(same), node.span);
}

/// The operations of a coalesced_group, by functions of the library.
Checker::ExpressionPtr Checker::coalescedMethod(const syntax::Expression& node, ExpressionPtr group) {
  static constexpr std::array<std::string_view, 10> kMethods = {
      "thread_rank", "size", "num_threads", "sync", "shfl", "shfl_up", "shfl_down", "any", "all", "ballot"};
  if (std::ranges::count(kMethods, std::string_view(node.text)) == 0) {
    fail(node.operatorSpan,
         fmt::format("a coalesced_group has no '{}' in the subset that is simulated", node.text),
         "known are thread_rank, size, num_threads, sync, shfl, shfl_up, shfl_down, any, all and ballot");
  }
  Values arguments = formatList(std::move(group));
  for (std::size_t i = 1; i < node.operands.size(); ++i) arguments.push_back(value(*node.operands[i]));
  return libraryCall("__lanescope_coalesced_" + node.text, std::move(arguments), node.span);
}

/// `plus` for the argument `cg::plus<T>()`.
std::string Checker::groupOperator(const syntax::Expression& node, const syntax::Expression& with) {
  static constexpr std::array<std::string_view, 6> kOperators = {"cg::plus",    "cg::less",   "cg::greater",
                                                                 "cg::bit_and", "cg::bit_or", "cg::bit_xor"};
  if (with.kind != syntax::Expression::Kind::Call ||
      std::ranges::count(kOperators, std::string_view(with.text)) == 0) {
    fail(with.span,
         fmt::format("'{}' takes plus, less, greater, bit_and, bit_or or bit_xor", node.text.substr(4)),
         "write cg::plus<float>()");
  }
  return with.text.substr(4);
}

/// reduce(coalesced, value, plus<T>()): by functions of the library.
Checker::ExpressionPtr Checker::coalescedReduce(const syntax::Expression& node, ExpressionPtr group) {
  const std::string name = groupOperator(node, *node.operands[2]);
  return libraryCall("__lanescope_coalesced_" + name, formatList(std::move(group), value(*node.operands[1])),
                     node.span);
}

/// inclusive_scan(group, value, plus<T>()) and exclusive_scan: by functions of the library. A tile counts as
/// the lanes in it (cooperative_groups/details/scan.h, coalesced_scan.h).
Checker::ExpressionPtr Checker::groupScan(const syntax::Expression& node) {
  expectArguments(node, 2, 3);
  ExpressionPtr group = value(*node.operands[0]);
  const bool isTile = group->type->isGroup() && group->type->count > 0 && group->type->count <= 32;
  if (!isTile && group->type->structName != "coalesced_group") {
    fail(node.operands[0]->span, "a scan takes a tile or a coalesced group",
         "make one with tiled_partition<32>(block)");
  }
  const bool hasOperator = node.operands.size() == 3;
  const std::string name = hasOperator ? groupOperator(node, *node.operands[2]) : "plus";
  ExpressionPtr operand = value(*node.operands[1]);
  if (hasOperator && node.operands[2]->templateArguments.size() == 1 &&
      node.operands[2]->templateArguments[0].type) {
    operand = convertImplicitly(std::move(operand), resolve(*node.operands[2]->templateArguments[0].type),
                                node.span);
  }
  if (!operand->type->isArithmetic())
    fail(node.operands[1]->span, "only numbers can be scanned", "scan the members");
  if (isTile) group = coalesced(groupMask(*group->type, node.span), node.span);
  Values arguments = formatList(std::move(group), std::move(operand));
  const std::string_view kind = node.text == "cg::inclusive_scan" ? "inclusive" : "exclusive";
  return libraryCall(fmt::format("__lanescope_{}_{}", kind, name), std::move(arguments), node.span);
}

/// The operations of a grid_group.
Checker::ExpressionPtr Checker::gridMethod(const syntax::Expression& node) {
  const std::string_view name = node.text;
  const SourceSpan span = node.span;
  if (node.operands.size() != 1) fail(span, fmt::format("'{}' takes no arguments here", name), "write ()");
  if (name == "sync") return make(Kind::GridBarrier, scalar(Type::Kind::Void), span);
  if (name == "is_valid") return constant(scalar(Type::Kind::Bool), 1, span);
  if (name == "dim_blocks" || name == "group_dim" || name == "block_index") {
    const std::string_view vector = name == "block_index" ? "blockIdx" : "gridDim";
    return this->name(*syntax::made(SyntaxKind::Name, span, vector));
  }
  const std::array<std::string_view, 4> known = {"thread_rank", "size", "num_threads", "block_rank"};
  if (name != "num_blocks" && std::ranges::count(known, name) == 0) {
    fail(node.operatorSpan, fmt::format("a grid_group has no '{}' in the subset that is simulated", name),
         "known are sync, thread_rank, size, num_threads, block_rank, block_index, num_blocks, dim_blocks, "
         "group_dim and is_valid");
  }
  return libraryCall(fmt::format("__lanescope_grid_{}", name), {}, span);
}

}  // namespace lanescope::checker
