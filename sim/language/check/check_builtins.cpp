#include <fmt/format.h>

#include <functional>
#include <tuple>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"
#include "sim/language/check/print_format.h"
#include "sim/language/text/counted.h"

namespace lanescope::checker {
namespace {

using typed::AtomicOp;
using typed::BarrierVote;
using typed::BinaryOp;
using typed::BitOp;
using typed::MathOp;
using typed::ShuffleKind;
using typed::VoteOp;

constexpr std::string_view kKnown =
    "known are __device__ functions of this file, barriers, shuffles, votes, atomics, min, max, abs, "
    "the usual mathematics, bit functions, printf, assert, and cooperative groups";

struct MathFunction {
  std::string_view name;  ///< of the double form; the float form has an f behind it
  MathOp op;
  int operands;
};

constexpr MathFunction kMath[] = {
    {"sqrt", MathOp::Sqrt, 1},   {"rsqrt", MathOp::Rsqrt, 1}, {"exp", MathOp::Exp, 1},
    {"exp2", MathOp::Exp2, 1},   {"log", MathOp::Log, 1},     {"log2", MathOp::Log2, 1},
    {"log10", MathOp::Log10, 1}, {"sin", MathOp::Sin, 1},     {"cos", MathOp::Cos, 1},
    {"tan", MathOp::Tan, 1},     {"tanh", MathOp::Tanh, 1},   {"floor", MathOp::Floor, 1},
    {"ceil", MathOp::Ceil, 1},   {"trunc", MathOp::Trunc, 1}, {"round", MathOp::Round, 1},
    {"rint", MathOp::Rint, 1},   {"fabs", MathOp::Abs, 1},    {"pow", MathOp::Pow, 2},
    {"fmod", MathOp::Fmod, 2},   {"hypot", MathOp::Hypot, 2}, {"copysign", MathOp::CopySign, 2},
    {"fma", MathOp::Fma, 3}};

constexpr std::tuple<std::string_view, Type::Kind, Type::Kind> kSameBits[] = {
    {"__float_as_uint", Type::Kind::F32, Type::Kind::U32},
    {"__float_as_int", Type::Kind::F32, Type::Kind::I32},
    {"__uint_as_float", Type::Kind::U32, Type::Kind::F32},
    {"__int_as_float", Type::Kind::I32, Type::Kind::F32},
    {"__double_as_longlong", Type::Kind::F64, Type::Kind::I64},
    {"__longlong_as_double", Type::Kind::I64, Type::Kind::F64}};

const std::map<std::string_view, AtomicOp> kAtomics = {
    {"atomicAdd", AtomicOp::Add},         {"atomicSub", AtomicOp::Add},
    {"atomicMin", AtomicOp::Minimum},     {"atomicMax", AtomicOp::Maximum},
    {"atomicAnd", AtomicOp::And},         {"atomicOr", AtomicOp::Or},
    {"atomicXor", AtomicOp::Xor},         {"atomicExch", AtomicOp::Exchange},
    {"atomicCAS", AtomicOp::CompareSwap}, {"atomicInc", AtomicOp::Increment},
    {"atomicDec", AtomicOp::Decrement}};

const std::map<std::string_view, VoteOp> kVotes = {{"__ballot_sync", VoteOp::Ballot},
                                                   {"__any_sync", VoteOp::Any},
                                                   {"__all_sync", VoteOp::All},
                                                   {"__activemask", VoteOp::ActiveMask},
                                                   {"__match_any_sync", VoteOp::MatchAny},
                                                   {"__reduce_add_sync", VoteOp::ReduceAdd},
                                                   {"__reduce_min_sync", VoteOp::ReduceMinimum},
                                                   {"__reduce_max_sync", VoteOp::ReduceMaximum},
                                                   {"__reduce_and_sync", VoteOp::ReduceAnd},
                                                   {"__reduce_or_sync", VoteOp::ReduceOr},
                                                   {"__reduce_xor_sync", VoteOp::ReduceXor}};

const std::map<std::string_view, ShuffleKind> kShuffles = {{"__shfl_sync", ShuffleKind::Index},
                                                           {"__shfl_up_sync", ShuffleKind::Up},
                                                           {"__shfl_down_sync", ShuffleKind::Down},
                                                           {"__shfl_xor_sync", ShuffleKind::Xor}};

const std::map<std::string_view, BarrierVote> kBarriers = {{"__syncthreads", BarrierVote::None},
                                                           {"__syncthreads_count", BarrierVote::Count},
                                                           {"__syncthreads_and", BarrierVote::And},
                                                           {"__syncthreads_or", BarrierVote::Or}};

const std::map<std::string_view, BitOp> kBits = {{"__popc", BitOp::PopCount},
                                                 {"__ffs", BitOp::FindFirstSet},
                                                 {"__clz", BitOp::CountLeadingZeros},
                                                 {"__brev", BitOp::Reverse}};

}  // namespace

Checker::ExpressionPtr Checker::builtInCall(const syntax::Expression& node) {
  const std::string_view name = node.text;
  if (name.starts_with("cg::")) return groupFunction(node);
  if (const auto found = kBarriers.find(name); found != kBarriers.end()) return barrier(node, found->second);
  if (const auto found = kShuffles.find(name); found != kShuffles.end()) return shuffle(node, found->second);
  if (const auto found = kVotes.find(name); found != kVotes.end()) return vote(node, found->second);
  if (const auto found = kAtomics.find(name); found != kAtomics.end()) {
    return atomic(node, found->second, name == "atomicSub");
  }
  if (name == "__syncwarp") return warpBarrier(node);
  if (name == "__threadfence" || name == "__threadfence_block" || name == "__threadfence_system") {
    expectArguments(node, 0, 0);
    ExpressionPtr fence = make(Kind::Fence, scalar(Type::Kind::Void), node.span);
    fence->index = name == "__threadfence_block" ? 0 : 1;
    return fence;
  }
  const std::string_view plain = name.starts_with("std::") ? name.substr(5) : name;
  if (plain == "min" || plain == "max" || plain == "umin" || plain == "umax") {
    const bool isUnsigned = plain[0] == 'u';
    const bool isMinimum = plain.ends_with("min");
    return minimumOrMaximum(node, isMinimum ? BinaryOp::Minimum : BinaryOp::Maximum,
                            isUnsigned ? Type::Kind::U32 : Type::Kind::Void);
  }
  if (plain == "fminf" || plain == "fmaxf" || plain == "fmin" || plain == "fmax") {
    return minimumOrMaximum(node, plain[2] == 'i' ? BinaryOp::Minimum : BinaryOp::Maximum,
                            plain.back() == 'f' ? Type::Kind::F32 : Type::Kind::F64);
  }
  if (plain == "abs" || plain == "labs" || plain == "llabs") return absolute(node);
  for (const MathFunction& function : kMath) {
    if (plain == function.name) return math(node, function.op, function.operands, Type::Kind::F64);
    if (plain.ends_with('f') && plain.substr(0, plain.size() - 1) == function.name) {
      return math(node, function.op, function.operands, Type::Kind::F32);
    }
  }
  if (plain == "isnan" || plain == "isinf") {
    return math(node, plain == "isnan" ? MathOp::IsNan : MathOp::IsInf, 1, Type::Kind::Void);
  }
  if (name == "__fmaf_rn" || name == "__fma_rn") {
    return math(node, MathOp::Fma, 3, name == "__fmaf_rn" ? Type::Kind::F32 : Type::Kind::F64);
  }
  if (name == "__ldg") {
    expectArguments(node, 1, 1);
    ExpressionPtr address = value(*node.operands[0]);
    if (!address->type->isPointer()) fail(node.span, "__ldg takes a pointer", "write __ldg(&in[i])");
    const Type* type = address->type->element;
    if (type->kind == Type::Kind::Void) fail(node.span, "void* cannot be followed", "cast the pointer");
    return make(Kind::Load, type, node.span, std::move(address));
  }
  const bool isLong = name.ends_with("ll");
  if (const auto found = kBits.find(isLong ? name.substr(0, name.size() - 2) : name); found != kBits.end()) {
    return bits(node, found->second, isLong);
  }
  for (const auto& [function, from, to] : kSameBits) {
    if (name == function) return sameBits(node, from, to);
  }
  if (name.starts_with("make_")) return makeVector(node);
  if (name == "printf") return print(node);
  if (name == "assert") return assertion(node);
  if (name == "static_assert") return staticAssertion(node);
  fail(node.span, fmt::format("the function '{}' is not known to the simulator", name), std::string(kKnown));
}

Checker::ExpressionPtr Checker::barrier(const syntax::Expression& node, BarrierVote vote) {
  const std::size_t arguments = vote == BarrierVote::None ? 0 : 1;
  expectArguments(node, arguments, arguments);
  const Type* type = scalar(vote == BarrierVote::None ? Type::Kind::Void : Type::Kind::I32);
  ExpressionPtr result = make(Kind::BlockBarrier, type, node.span);
  result->barrierVote = vote;
  if (arguments == 1) result->operands.push_back(condition(*node.operands[0]));
  return result;
}

Checker::ExpressionPtr Checker::warpBarrier(const syntax::Expression& node) {
  expectArguments(node, 0, 1);
  const Type* type = scalar(Type::Kind::U32);
  ExpressionPtr mask = node.operands.empty() ? constant(type, 0xffffffffu, node.span)
                                             : convertImplicitly(value(*node.operands[0]), type, node.span);
  ExpressionPtr result = make(Kind::WarpBarrier, scalar(Type::Kind::Void), node.span, std::move(mask));
  result->isOfGroup = node.operands.empty();
  return result;
}

Checker::ExpressionPtr Checker::shuffle(const syntax::Expression& node, ShuffleKind kind) {
  expectArguments(node, 3, 4);
  ExpressionPtr mask = convertImplicitly(value(*node.operands[0]), scalar(Type::Kind::U32), node.span);
  const Type* integer = scalar(Type::Kind::I32);
  ExpressionPtr exchanged = value(*node.operands[1]);
  ExpressionPtr lane = convertImplicitly(value(*node.operands[2]), integer, node.span);
  ExpressionPtr width = node.operands.size() == 4
                            ? convertImplicitly(value(*node.operands[3]), integer, node.span)
                            : builtIn(typed::BuiltIn::WarpSize, node.span);
  return makeShuffle(kind, std::move(mask), std::move(exchanged), std::move(lane), std::move(width),
                     node.span);
}

Checker::ExpressionPtr Checker::makeShuffle(ShuffleKind kind, ExpressionPtr mask, ExpressionPtr value,
                                            ExpressionPtr lane, ExpressionPtr width, SourceSpan span) {
  if (!value->type->isArithmetic()) {
    fail(value->span, "only numbers can be exchanged between lanes", "shuffle the members one by one");
  }
  const Type* type = promoted(value->type);
  value = convert(std::move(value), type);
  ExpressionPtr result = make(Kind::Shuffle, type, span, std::move(mask), std::move(value));
  result->operands.push_back(std::move(lane));
  result->operands.push_back(std::move(width));
  result->shuffle = kind;
  return result;
}

Checker::ExpressionPtr Checker::vote(const syntax::Expression& node, VoteOp op) {
  if (op == VoteOp::ActiveMask) {
    expectArguments(node, 0, 0);
    ExpressionPtr result = make(Kind::Vote, scalar(Type::Kind::U32), node.span);
    result->vote = op;
    return result;
  }
  expectArguments(node, 2, 2);
  ExpressionPtr mask = convertImplicitly(value(*node.operands[0]), scalar(Type::Kind::U32), node.span);
  return makeVote(op, std::move(mask), value(*node.operands[1]), node.span);
}

Checker::ExpressionPtr Checker::makeVote(VoteOp op, ExpressionPtr mask, ExpressionPtr value,
                                         SourceSpan span) {
  const Type* type = scalar(op == VoteOp::Any || op == VoteOp::All ? Type::Kind::I32 : Type::Kind::U32);
  if (op <= VoteOp::All) {
    value = toBool(std::move(value));
  } else if (op == VoteOp::MatchAny) {
    if (!value->type->isArithmetic()) fail(span, "only numbers can be matched", "match a number");
    const Type* common = promoted(value->type);
    value = convert(std::move(value), common);
  } else {
    const Type* promotedType = promoted(value->type);
    if (!promotedType->isInteger() || promotedType->size != 4) {
      fail(span,
           fmt::format("the __reduce_…_sync functions take int or unsigned, not {}", value->type->name()),
           "use shuffles for other types");
    }
    const bool isBitwise = op >= VoteOp::ReduceAnd;
    type = isBitwise ? scalar(Type::Kind::U32) : promotedType;
    value = convert(std::move(value), type);
  }
  ExpressionPtr result = make(Kind::Vote, type, span, std::move(mask), std::move(value));
  result->vote = op;
  return result;
}

/// Which types each atomic takes: CUDA Programming Guide, "Atomic Functions".
Checker::ExpressionPtr Checker::atomic(const syntax::Expression& node, AtomicOp op, bool isSubtraction) {
  const std::size_t arguments = op == AtomicOp::CompareSwap ? 3 : 2;
  expectArguments(node, arguments, arguments);
  ExpressionPtr address = value(*node.operands[0]);
  if (!address->type->isPointer()) {
    fail(node.operands[0]->span, fmt::format("{} takes an address first", node.text), "write &x");
  }
  if (address->type->elementIsConst) fail(node.span, "this is const", "remove const where it is declared");
  const Type* type = address->type->element;
  const bool isFloat = type->isFloating() && (op == AtomicOp::Add || op == AtomicOp::Exchange) &&
                       !(type->kind == Type::Kind::F64 && op == AtomicOp::Exchange) && !isSubtraction;
  const bool isUnsignedOnly = op == AtomicOp::Increment || op == AtomicOp::Decrement;
  const bool isInteger =
      type->isInteger() && type->size >= 4 && (!isUnsignedOnly || type->kind == Type::Kind::U32);
  const bool isLongAdd = type->kind == Type::Kind::I64 && op == AtomicOp::Add;
  if (!(isFloat || isInteger) || isLongAdd || (isSubtraction && type->size == 8)) {
    fail(node.span, fmt::format("there is no {} for {}", node.text, type->name()),
         isUnsignedOnly ? "use unsigned"
         : isLongAdd    ? "use unsigned long long"
                        : "build it with atomicCAS");
  }
  ExpressionPtr operand = convertImplicitly(value(*node.operands[1]), type, node.operands[1]->span);
  if (isSubtraction) operand = fold(make(Kind::Negate, type, node.span, std::move(operand)));
  ExpressionPtr result = make(Kind::Atomic, type, node.span, std::move(address), std::move(operand));
  if (op == AtomicOp::CompareSwap) {
    result->operands.push_back(convertImplicitly(value(*node.operands[2]), type, node.operands[2]->span));
  }
  result->atomic = op;
  return result;
}

Checker::ExpressionPtr Checker::print(const syntax::Expression& node) {
  if (node.operands.empty() || node.operands[0]->kind != syntax::Expression::Kind::String) {
    fail(node.span, "'printf' needs its text first", "write printf(\"%d\\n\", x)");
  }
  const auto format = parsePrintFormat(node.operands[0]->text);
  if (!format) fail(node.operands[0]->span, format.error().message, format.error().hint);
  if (format->conversions.size() != node.operands.size() - 1) {
    fail(node.span,
         fmt::format("the text asks for {}, but {} {} given", counted(format->conversions.size(), "value"),
                     node.operands.size() - 1, isOrAre(node.operands.size() - 1)),
         "give one for each %");
  }
  if (format->conversions.size() > 32)
    fail(node.span, "'printf' takes at most 32 values", "print in two calls");
  ExpressionPtr result = make(Kind::Print, scalar(Type::Kind::I32), node.span);
  typed::PrintFormat typedFormat = *format;
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    ExpressionPtr argument = value(*node.operands[i]);
    const char conversion = format->conversions[i - 1].back();
    const Type* given = argument->type;
    const bool wantsFloat = std::string_view("aAeEfFgG").find(conversion) != std::string_view::npos;
    const bool fits =
        conversion == 'p' ? given->isPointer() : (wantsFloat ? given->isFloating() : given->isInteger());
    if (!fits) {
      fail(node.operands[i]->span, fmt::format("%{} does not print {}", conversion, given->name()),
           given->isFloating()  ? "write %f"
           : given->isPointer() ? "write %p"
                                : "write %d");
    }
    const Type* type = scalar(wantsFloat                             ? Type::Kind::F64
                              : given->isSigned() || given->size < 4 ? Type::Kind::I64
                                                                     : Type::Kind::U64);
    if (given->isPointer()) type = scalar(Type::Kind::U64);
    typedFormat.types.push_back(promoted(given));
    result->operands.push_back(convert(std::move(argument), type));
  }
  result->index = static_cast<std::uint32_t>(kernel_.formats.size());
  kernel_.formats.push_back(std::move(typedFormat));
  return result;
}

Checker::ExpressionPtr Checker::assertion(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  return make(Kind::Assert, scalar(Type::Kind::Void), node.operands[0]->span, condition(*node.operands[0]));
}

/// Decided here: nothing of it is left to run.
Checker::ExpressionPtr Checker::staticAssertion(const syntax::Expression& node) {
  expectArguments(node, 1, 2);
  const SourceSpan span = node.operands[0]->span;
  const ExpressionPtr test = fold(condition(*node.operands[0]));
  if (test->kind != Kind::Constant) {
    fail(span, "static_assert needs a constant", "use assert for what a thread computes");
  }
  if (test->bits == 0) {
    fail(span, "this static_assert does not hold",
         "mend what it checks, or launch with other template arguments");
  }
  return make(Kind::Convert, scalar(Type::Kind::Void), node.span,
              constant(scalar(Type::Kind::Bool), 1, span));
}

}  // namespace lanescope::checker
