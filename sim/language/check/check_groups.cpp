#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"

// Groups other than the block and its tiles: the lanes that happen to be together, and the whole grid.
namespace lanescope::checker {

namespace {

using typed::BinaryOp;
using typed::BuiltIn;
using typed::ShuffleKind;
using typed::VoteOp;

constexpr std::string_view kMethods =
    "known are thread_rank, size, num_threads, sync, shfl, shfl_up, shfl_down, shfl_xor, any, all, ballot, "
    "meta_group_rank, meta_group_size, group_index and thread_index";

struct GroupOperator {
  std::string_view name;
  BinaryOp op;
  VoteOp vote;
};
constexpr GroupOperator kOperators[] = {{"cg::plus", BinaryOp::Add, VoteOp::ReduceAdd},
                                        {"cg::less", BinaryOp::Minimum, VoteOp::ReduceMinimum},
                                        {"cg::greater", BinaryOp::Maximum, VoteOp::ReduceMaximum},
                                        {"cg::bit_and", BinaryOp::And, VoteOp::ReduceAnd},
                                        {"cg::bit_or", BinaryOp::Or, VoteOp::ReduceOr},
                                        {"cg::bit_xor", BinaryOp::Xor, VoteOp::ReduceXor}};

/// The operator for the argument `cg::plus<T>()`. Null for another one.
const GroupOperator* operatorOf(const syntax::Expression& with) {
  const auto* const found = std::ranges::find(kOperators, with.text, &GroupOperator::name);
  return with.kind == SyntaxKind::Call && found != std::end(kOperators) ? found : nullptr;
}

/// True for a part of a warp.
bool isTile(const Type& group) { return group.isGroup() && group.count > 0 && group.count <= 32; }

/// Notes the tile that an operation of a warp belongs to.
void setTile(typed::Expression& operation, const Type& group) {
  operation.isOfGroup = true;
  operation.tileThreads = static_cast<std::uint8_t>(group.count);
}

}  // namespace

/// A coalesced_group of the lanes in the mask.
ExpressionPtr Checker::coalesced(ExpressionPtr lanes, SourceSpan span) {
  return make(Kind::Make, kernel_.types->named("cg::coalesced_group"), span, std::move(lanes));
}

/// labeled_partition(tile, label) and binary_partition(tile, condition): the lanes of the tile with the same
/// value.
ExpressionPtr Checker::partition(const syntax::Expression& node) {
  expectArguments(node, 2, 2);
  ExpressionPtr group = value(*node.operands[0]);
  ExpressionPtr label = value(*node.operands[1]);
  if (node.text == "cg::binary_partition") label = convert(toBool(std::move(label)), scalar(Type::Kind::I32));
  const Type& type = *group->type;
  if (!isTile(type) && type.structName != "coalesced_group")
    fail(node.operands[0]->span, "a tile or a coalesced group is partitioned",
         "make one with tiled_partition<32>(block)");
  ExpressionPtr lanes = isTile(type)
                            ? groupMask(type, node.span)
                            : make(Kind::Member, scalar(Type::Kind::U32), node.span, std::move(group));
  ExpressionPtr same = makeVote(VoteOp::MatchAny, std::move(lanes), std::move(label), node.span);
  if (isTile(type)) setTile(*same, type);
  return coalesced(std::move(same), node.span);
}

/// The operations of a coalesced_group, by functions of the library.
ExpressionPtr Checker::coalescedMethod(const syntax::Expression& node, ExpressionPtr group) {
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
  if (operatorOf(with) == nullptr) {
    fail(with.span,
         fmt::format("'{}' takes plus, less, greater, bit_and, bit_or or bit_xor", node.text.substr(4)),
         "write cg::plus<float>()");
  }
  return with.text.substr(4);
}

/// The value that a reduction or a scan is of, as the T of plus<T>() if that is written.
ExpressionPtr Checker::groupValue(const syntax::Expression& node, std::string_view verb,
                                  std::string_view participle) {
  ExpressionPtr operand = value(*node.operands[1]);
  if (node.operands.size() == 3 && node.operands[2]->templateArguments.size() == 1 &&
      node.operands[2]->templateArguments[0].type) {
    operand = convertImplicitly(std::move(operand), resolve(*node.operands[2]->templateArguments[0].type),
                                node.span);
  }
  if (!operand->type->isArithmetic())
    fail(node.operands[1]->span, fmt::format("only numbers can be {}", participle),
         fmt::format("{} the members", verb));
  return operand;
}

/// inclusive_scan(group, value, plus<T>()) and exclusive_scan: by functions of the library. A tile counts as
/// the lanes in it (cooperative_groups/details/scan.h, coalesced_scan.h).
ExpressionPtr Checker::groupScan(const syntax::Expression& node) {
  expectArguments(node, 2, 3);
  ExpressionPtr group = value(*node.operands[0]);
  const bool isOfTile = isTile(*group->type);
  if (!isOfTile && group->type->structName != "coalesced_group") {
    fail(node.operands[0]->span, "a scan takes a tile or a coalesced group",
         "make one with tiled_partition<32>(block)");
  }
  const bool hasOperator = node.operands.size() == 3;
  const std::string name = hasOperator ? groupOperator(node, *node.operands[2]) : "plus";
  ExpressionPtr operand = groupValue(node, "scan", "scanned");
  if (isOfTile) group = coalesced(groupMask(*group->type, node.span), node.span);
  Values arguments = formatList(std::move(group), std::move(operand));
  const std::string_view kind = node.text == "cg::inclusive_scan" ? "inclusive" : "exclusive";
  return libraryCall(fmt::format("__lanescope_{}_{}", kind, name), std::move(arguments), node.span);
}

/// The operations of a grid_group.
ExpressionPtr Checker::gridMethod(const syntax::Expression& node) {
  const std::string_view name = node.text;
  const SourceSpan span = node.span;
  if (node.operands.size() != 1) fail(span, fmt::format("'{}' takes no arguments here", name), "write ()");
  if (name == "sync") return make(Kind::GridBarrier, voidType(), span);
  if (name == "is_valid") return constant(boolType(), 1, span);
  if (name == "dim_blocks" || name == "group_dim" || name == "block_index") {
    const std::string_view vector = name == "block_index" ? "blockIdx" : "gridDim";
    return makeValue(named(*syntax::makeExpression(SyntaxKind::Name, span, vector)));
  }
  const std::string function = fmt::format("__lanescope_grid_{}", name);
  if (libraryFunctions(function).empty()) {
    fail(node.operatorSpan, fmt::format("a grid_group has no '{}' in the subset that is simulated", name),
         "known are sync, thread_rank, size, num_threads, block_rank, block_index, num_blocks, dim_blocks, "
         "group_dim and is_valid");
  }
  return libraryCall(function, {}, span);
}

// Cooperative groups, as far as courses use them: the whole block, and tiles of a warp. A group is a type
// without a value. Its functions are written here in terms of the block's and warp's own operations (CUDA
// Programming Guide, "Cooperative Groups"; cooperative_groups/details/*.h).

ExpressionPtr Checker::groupFunction(const syntax::Expression& node) {
  const std::string_view name = std::string_view(node.text).substr(4);
  if (name == "this_thread_block") {
    expectArguments(node, 0, 0);
    return make(Kind::Make, kernel_.types->makeGroup(0), node.span);
  }
  if (name == "this_grid") {
    expectArguments(node, 0, 0);
    return make(Kind::Make, kernel_.types->makeGroup(Type::kWholeGrid), node.span);
  }
  if (name == "coalesced_threads") {
    expectArguments(node, 0, 0);
    ExpressionPtr lanes = make(Kind::Vote, scalar(Type::Kind::U32), node.span);
    lanes->vote = VoteOp::ActiveMask;
    return coalesced(std::move(lanes), node.span);
  }
  if (name == "labeled_partition" || name == "binary_partition") return partition(node);
  if (name == "tiled_partition") {
    expectArguments(node, 1, 2);
    const bool isGiven = node.operands.size() == 2;  // tiled_partition(block, 32)
    const bool hasSize =
        isGiven || (!node.templateArguments.empty() && node.templateArguments[0].value != nullptr);
    if (!hasSize)
      fail(node.span, "tiled_partition needs its size as a constant", "write tiled_partition<32>(block)");
    const std::uint64_t threads =
        constantExtent(isGiven ? *node.operands[1] : *node.templateArguments[0].value);
    const ExpressionPtr parent = value(*node.operands[0]);
    if (!parent->type->isGroup() || parent->type->count >= Type::kWholeGrid)
      fail(node.operands[0]->span, "a group is partitioned", "pass this_thread_block()");
    const bool isPower = (threads & (threads - 1)) == 0;
    if (threads > 32 || !isPower || (parent->type->count != 0 && threads > parent->type->count)) {
      fail(node.span, "a tile has 1, 2, 4, 8, 16 or 32 threads, no more than its parent",
           "write tiled_partition<32>(block)");
    }
    return make(Kind::Make, kernel_.types->makeGroup(threads, parent->type), node.span);
  }
  if (name == "sync") {
    expectArguments(node, 1, 1);
    const ExpressionPtr group = value(*node.operands[0]);
    if (group->type->isGroup() && group->type->count == Type::kWholeGrid)
      return make(Kind::GridBarrier, voidType(), node.span);
    if (!group->type->isGroup()) fail(node.span, "'sync' takes a group", "pass this_thread_block()");
    return groupBarrier(*group->type, node.span);
  }
  if (name == "reduce") return groupReduce(node);
  if (name == "inclusive_scan" || name == "exclusive_scan") return groupScan(node);
  rejectNotSimulated(node.text, node.span);
  fail(node.span, fmt::format("cooperative groups' '{}' is not in the subset that is simulated", name),
       "known are this_thread_block, tiled_partition<N>, coalesced_threads, this_grid, labeled_partition, "
       "binary_partition, sync, and reduce, inclusive_scan and exclusive_scan with plus, less, greater, "
       "bit_and, bit_or and bit_xor");
}

ExpressionPtr Checker::groupBarrier(const Type& group, SourceSpan span) {
  if (group.count == 0) return make(Kind::BlockBarrier, voidType(), span);
  ExpressionPtr result = make(Kind::WarpBarrier, voidType(), span, groupMask(group, span));
  setTile(*result, group);
  return result;
}

ExpressionPtr Checker::groupSize(const Type& group, SourceSpan span) {
  if (group.count > 0) return constant(scalar(Type::Kind::U32), group.count, span);
  ExpressionPtr size = builtIn(BuiltIn::BlockDimX, span);
  for (const BuiltIn extent : {BuiltIn::BlockDimY, BuiltIn::BlockDimZ}) {
    size = arithmetic(BinaryOp::Multiply, std::move(size), builtIn(extent, span), span, "*");
  }
  return size;
}

ExpressionPtr Checker::groupRank(const Type& group, SourceSpan span) {
  ExpressionPtr rank = builtIn(BuiltIn::ThreadRank, span);
  if (group.count == 0) return rank;
  return arithmetic(BinaryOp::Remainder, std::move(rank), groupSize(group, span), span, "%");
}

/// The lane at which the thread's tile begins. A warp has a power of two of lanes. A tile that is wider than
/// a warp of the machine is a fault at run time.
ExpressionPtr Checker::tileBegin(const Type& group, SourceSpan span) {
  const Type* type = scalar(Type::Kind::U32);
  ExpressionPtr lanes = arithmetic(BinaryOp::Subtract, convert(builtIn(BuiltIn::WarpSize, span), type),
                                   constant(type, 1, span), span, "-");
  ExpressionPtr lane =
      arithmetic(BinaryOp::And, builtIn(BuiltIn::ThreadRank, span), std::move(lanes), span, "&");
  return arithmetic(BinaryOp::And, std::move(lane), constant(type, ~(group.count - 1) & 31u, span), span,
                    "&");
}

/// The lanes of the thread's tile: one bit per thread, shifted to the tile's start.
ExpressionPtr Checker::groupMask(const Type& group, SourceSpan span) {
  const Type* type = scalar(Type::Kind::U32);
  if (group.count == 32) return constant(type, 0xffffffffu, span);
  ExpressionPtr begin = tileBegin(group, span);
  ExpressionPtr ones = constant(type, (std::uint64_t{1} << group.count) - 1, span);
  return arithmetic(BinaryOp::ShiftLeft, std::move(ones), std::move(begin), span, "<<");
}

ExpressionPtr Checker::groupMethod(const syntax::Expression& node) {
  ExpressionPtr object = value(*node.operands[0]);
  const Type& group = *object->type;
  if (group.structName == "coalesced_group" && !node.arrow) return coalescedMethod(node, std::move(object));
  if (group.isGroup() && group.count == Type::kWholeGrid && !node.arrow) return gridMethod(node);
  if (!group.isGroup() || node.arrow) {
    failTyping(node.span, fmt::format("{} has no member function '{}'", group.name(), node.text),
               "call a function that takes it, or declare it in the struct");
  }
  const std::string_view name = node.text;
  const bool isBlock = group.count == 0;
  const std::size_t given = node.operands.size() - 1;
  const auto takes = [&](std::size_t count) {
    if (given == count) return;
    fail(node.span, takesText(name, count, count, "argument", given),
         "see the CUDA C++ Programming Guide, Cooperative Groups");
  };
  if (name == "thread_rank") return takes(0), groupRank(group, node.span);
  if (name == "size" || name == "num_threads") return takes(0), groupSize(group, node.span);
  if (name == "sync") return takes(0), groupBarrier(group, node.span);
  if (isBlock &&
      (name == "group_index" || name == "thread_index" || name == "dim_threads" || name == "group_dim")) {
    const BuiltIn first = name == "group_index"    ? BuiltIn::BlockX
                          : name == "thread_index" ? BuiltIn::ThreadX
                                                   : BuiltIn::BlockDimX;
    ExpressionPtr result = make(Kind::Make, kernel_.types->named("dim3"), node.span);
    for (int i = 0; i < 3; ++i) {
      result->operands.push_back(builtIn(static_cast<BuiltIn>(static_cast<int>(first) + i), node.span));
    }
    return takes(0), std::move(result);
  }
  if (!isBlock && (name == "meta_group_rank" || name == "meta_group_size")) {
    takes(0);
    const bool isRank = name == "meta_group_rank";
    const Type& parent = group.element != nullptr ? *group.element : *kernel_.types->makeGroup(0);
    ExpressionPtr whole = isRank ? groupRank(parent, node.span) : groupSize(parent, node.span);
    if (!isRank) {  // a last tile may be partial
      whole = arithmetic(BinaryOp::Add, std::move(whole),
                         constant(scalar(Type::Kind::U32), group.count - 1, node.span), node.span, "+");
    }
    return arithmetic(BinaryOp::Divide, std::move(whole), groupSize(group, node.span), node.span, "/");
  }
  static constexpr std::array<std::pair<std::string_view, ShuffleKind>, 4> kShuffles = {
      {{"shfl", ShuffleKind::Index},
       {"shfl_up", ShuffleKind::Up},
       {"shfl_down", ShuffleKind::Down},
       {"shfl_xor", ShuffleKind::Xor}}};
  for (const auto& [method, kind] : kShuffles) {
    if (isBlock || name != method) continue;
    takes(2);
    ExpressionPtr lane =
        convertImplicitly(value(*node.operands[2]), scalar(Type::Kind::I32), node.operands[2]->span);
    ExpressionPtr result = makeShuffle(kind, groupMask(group, node.span), value(*node.operands[1]),
                                       std::move(lane), groupSize(group, node.span), node.span);
    setTile(*result, group);
    return result;
  }
  static constexpr std::array<std::pair<std::string_view, VoteOp>, 3> kVotes = {
      {{"any", VoteOp::Any}, {"all", VoteOp::All}, {"ballot", VoteOp::Ballot}}};
  for (const auto& [method, op] : kVotes) {
    if (isBlock || name != method) continue;
    takes(1);
    ExpressionPtr result = makeVote(op, groupMask(group, node.span), value(*node.operands[1]), node.span);
    setTile(*result, group);
    if (op != VoteOp::Ballot || group.count == 32) return result;
    // A tile's ballot counts its own lanes from 0.
    return arithmetic(BinaryOp::ShiftRight, std::move(result), tileBegin(group, node.span), node.span, ">>");
  }
  fail(node.operatorSpan, fmt::format("a {} has no '{}' in the subset that is simulated", group.name(), name),
       std::string(kMethods));
}

/// reduce(tile, value, plus<T>()): by the redux instruction for 32-bit integers in tiles of 16 or more,
/// by a butterfly of shuffles otherwise (cooperative_groups/details/reduce.h, coalesced_reduce.h).
ExpressionPtr Checker::groupReduce(const syntax::Expression& node) {
  expectArguments(node, 3, 3);
  ExpressionPtr object = value(*node.operands[0]);
  const Type& group = *object->type;
  if (group.structName == "coalesced_group") {  // by functions of the library
    const std::string name = groupOperator(node, *node.operands[2]);
    return libraryCall("__lanescope_coalesced_" + name,
                       formatList(std::move(object), value(*node.operands[1])), node.span);
  }
  if (!group.isGroup() || group.count == 0 || group.count >= Type::kWholeGrid) {
    fail(node.operands[0]->span, "'reduce' takes a tile", "make one with tiled_partition<32>(block)");
  }
  const syntax::Expression& with = *node.operands[2];
  const GroupOperator* const chosen = operatorOf(with);
  if (chosen == nullptr) {
    Values arguments = formatList(std::move(object));
    for (const std::size_t operand : {1U, 2U}) arguments.push_back(value(*node.operands[operand]));
    if (!arguments[2]->type->isStruct()) {
      fail(with.span, "'reduce' takes plus, less, greater, bit_and, bit_or, bit_xor or a function object",
           "write cg::plus<float>()");
    }
    return libraryCall("__lanescope_tile_reduce", std::move(arguments), node.span);
  }
  ExpressionPtr operand = groupValue(node, "reduce", "reduced");
  const Type* type = operand->type;
  if (type->isInteger() && type->size == 4 && group.count >= 16) {
    ExpressionPtr result = makeVote(chosen->vote, groupMask(group, node.span), std::move(operand), node.span);
    setTile(*result, group);
    return convert(std::move(result), type);
  }
  std::uint32_t variable = 0;
  ExpressionPtr result = hold("reduce()", std::move(operand), node.span, variable);
  const auto held = [&] { return wholeVariable(variable, node.span); };
  for (std::uint64_t distance = group.count / 2; distance > 0; distance /= 2) {
    ExpressionPtr other = makeShuffle(ShuffleKind::Xor, groupMask(group, node.span), held(),
                                      constant(scalar(Type::Kind::I32), distance, node.span),
                                      groupSize(group, node.span), node.span);
    setTile(*other, group);
    ExpressionPtr next = arithmetic(chosen->op, held(), std::move(other), node.span, chosen->name);
    next = setVariable(variable, convert(std::move(next), type), node.span);
    result = sequence(node.span, std::move(result), std::move(next));
  }
  return result;
}

}  // namespace lanescope::checker
