#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/text/not_simulated.h"

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

}  // namespace

const std::unordered_map<std::string_view, Checker::Maker>& Checker::builtIns() {
  static const std::unordered_map<std::string_view, Maker> kFunctions = {
#define ROW(name, call) {name, [](Checker& checker, const syntax::Expression& node) { return checker.call; }},
#define FUNCTION(name, call) ROW(#name, call)
#define STANDARD(name, call) ROW(#name, call) ROW("std::" #name, call)
#define VOTE(name, op) ROW(#name, vote(node, VoteOp::op))
#define REDUCTION(name, op, ...) VOTE(name, op)
#define ATOMIC(name, op, ...)                            \
  ROW(#name, atomic(node, AtomicOp::op, false))          \
  ROW(#name "_block", atomic(node, AtomicOp::op, false)) \
  ROW(#name "_system", atomic(node, AtomicOp::op, false))
#define BITS(name, op, ...) \
  ROW(#name, bits(node, BitOp::op, false)) ROW(#name "ll", bits(node, BitOp::op, true))
#define MATH(name, op, operands, ...)                               \
  STANDARD(name, math(node, MathOp::op, operands, Type::Kind::F64)) \
  STANDARD(name##f, math(node, MathOp::op, operands, Type::Kind::F32))
#define PREDICATE(name, op, ...) STANDARD(name, math(node, MathOp::op, 1, Type::Kind::Void))
#include "sim/language/check/functions.def"
#undef ROW
  };
  return kFunctions;
}

bool Checker::isBuiltIn(std::string_view name) {
  return name.starts_with("make_") || builtIns().contains(name) || !libraryFunctions(name).empty();
}

/// Keeps the checked arguments of a call, so that its operands are not checked again.
void Checker::keepChecked(const syntax::Expression& node, std::vector<Operand> arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments.size() == node.operands.size(); ++i) {
    if (arguments[i].list == nullptr) keep(*node.operands[i], std::move(arguments[i]));
  }
}

/// A call of a function that CUDA has and the text overloads. The text's function is called if one fits and
/// CUDA's does not fit better, as CUDA's functions of numbers do if every argument is a number of one type.
ExpressionPtr Checker::overloadOfBuiltIn(const syntax::Expression& node, const std::vector<Callee>& functions,
                                         std::vector<Operand> arguments) {
  const bool isOfNumbers = std::ranges::all_of(arguments, [&](const Operand& each) {
    return each.type != nullptr && each.type->isArithmetic() && each.type == arguments[0].type;
  });
  std::string reason;
  const std::optional<Candidate> own = bestCandidate(node, functions, arguments, nullptr, reason);
  const bool converts = own && std::ranges::any_of(own->conversions, [](const Conversion& one) {
                          return one.isUsers || one.rank != Conversion::Rank::Exact;
                        });
  if (own && !(converts && isOfNumbers && builtIns().contains(node.text)))
    return finishCall(node, *own, std::move(arguments), nullptr);
  if (functions.size() > 1) reason = fmt::format("no {} takes these arguments", node.text);
  keepChecked(node, std::move(arguments));
  ExpressionPtr result;
  if (attempt([&] { result = builtInCall(node); })) return result;
  fail(node.span, reason, fmt::format("see the declaration of {}", node.text));
}

ExpressionPtr Checker::builtInCall(const syntax::Expression& called) {
  const std::string_view name = called.text;
  if (name.starts_with("cg::")) return groupFunction(called);
  if (name.starts_with("std::") && !called.templateArguments.empty()) return standardTemplate(called);
  if (name.starts_with("make_")) return makeVector(called);
  if (const auto found = builtIns().find(name); found != builtIns().end())
    return found->second(*this, called);
  if (ExpressionPtr result = laneFunction(called)) return result;
  if (const auto functions = libraryFunctions(name); !functions.empty())
    return callWith(called, functions, readOperands(called, 0));
  rejectRemoved(called);
  rejectNotSimulated(name, called.span);
  if (!unit_.index.named(name).empty())
    fail(called.span, fmt::format("the function '{}' is not declared before this place", name),
         "declare it above, or name its namespace");
  if (unit_.declared.contains(name))
    failElsewhere(called.span, fmt::format("the function '{}' is defined in another file", name));
  failUnknown(called.span, fmt::format("the function '{}' is not known to the simulator", name),
              std::string(kKnown));
}

/// An argument of a call, converted to a number's type.
ExpressionPtr Checker::argument(const syntax::Expression& node, std::size_t index, Type::Kind kind) {
  return convertImplicitly(value(*node.operands[index]), scalar(kind), node.span);
}

ExpressionPtr Checker::fence(const syntax::Expression& node, bool isOfAllBlocks) {
  expectArguments(node, 0, 0);
  ExpressionPtr result = make(Kind::Fence, voidType(), node.span);
  result->index = isOfAllBlocks ? 1 : 0;
  return result;
}

/// Functions over a warp from before Volta, without a lane mask.
void Checker::rejectRemoved(const syntax::Expression& node) {
  static constexpr std::string_view kRemoved[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor",
                                                  "__any",  "__all",     "__ballot"};
  if (std::ranges::count(kRemoved, std::string_view(node.text)) == 0) return;
  fail(node.span, fmt::format("CUDA no longer has {}: it is {}_sync today", node.text, node.text),
       fmt::format("write {}_sync(0xffffffff, …)", node.text));
}

/// Refuses a name in a part of CUDA that is not simulated, and says so.
void Checker::rejectNotSimulated(std::string_view name, SourceSpan span) {
  if (auto outside = notSimulated(name, span))
    fail(span, std::move(outside->message), std::move(outside->hint));
}

/// The type that is read or written at the address.
const Type* Checker::accessed(const syntax::Expression& node, const typed::Expression& address) {
  if (!address.type->isPointer())
    fail(node.span, fmt::format("{} takes a pointer", node.text), fmt::format("write {}(&in[i])", node.text));
  const Type* type = address.type->element;
  if (type->kind == Type::Kind::Void) failTyping(node.span, "void* cannot be followed", "cast the pointer");
  return type;
}

/// __ldg and similar functions: a load like any other.
ExpressionPtr Checker::hintedLoad(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  ExpressionPtr address = value(*node.operands[0]);
  const Type* type = accessed(node, *address);
  return make(Kind::Load, type, node.span, std::move(address));
}

/// __stcs and similar functions: a store like any other.
ExpressionPtr Checker::hintedStore(const syntax::Expression& node) {
  expectArguments(node, 2, 2);
  ExpressionPtr address = value(*node.operands[0]);
  const Type* type = accessed(node, *address);
  if (address->type->elementIsConst)
    failTyping(node.span, "this is const", "remove const from its declaration");
  ExpressionPtr stored = convertImplicitly(value(*node.operands[1]), type, node.operands[1]->span);
  ExpressionPtr store = make(Kind::Store, type, node.span, std::move(address), std::move(stored));
  return make(Kind::Convert, voidType(), node.span, std::move(store));
}

ExpressionPtr Checker::clock(const syntax::Expression& node) {
  expectArguments(node, 0, 0);
  return make(Kind::Clock, node.text == "clock" ? kernel_.types->named("long") : scalar(Type::Kind::I64),
              node.span);
}

/// Hints to the compiler or the scheduler, which change no value. Their arguments are computed.
ExpressionPtr Checker::withoutEffect(const syntax::Expression& node, std::size_t arguments) {
  expectArguments(node, arguments, arguments);
  ExpressionPtr given =
      arguments == 0 ? constant(scalar(Type::Kind::I32), 0, node.span) : value(*node.operands[0]);
  return make(Kind::Convert, voidType(), node.span, std::move(given));
}

/// __builtin_expect(value, usual): the value.
ExpressionPtr Checker::expected(const syntax::Expression& node) {
  expectArguments(node, 2, 2);
  return argument(node, 0, Type::Kind::I64);
}

/// __trap ends the launch when a thread reaches it, and so does __brkpt without a debugger.
ExpressionPtr Checker::trap(const syntax::Expression& node, typed::AssertKind kind) {
  expectArguments(node, 0, 0);
  return makeTrap(kind, node.span);
}

ExpressionPtr Checker::barrier(const syntax::Expression& node, BarrierVote vote) {
  const std::size_t arguments = vote == BarrierVote::None ? 0 : 1;
  expectArguments(node, arguments, arguments);
  const Type* type = scalar(vote == BarrierVote::None ? Type::Kind::Void : Type::Kind::I32);
  ExpressionPtr result = make(Kind::BlockBarrier, type, node.span);
  result->barrierVote = vote;
  if (arguments == 1) result->operands.push_back(condition(*node.operands[0]));
  return result;
}

ExpressionPtr Checker::warpBarrier(const syntax::Expression& node) {
  expectArguments(node, 0, 1);
  ExpressionPtr mask = node.operands.empty() ? constant(scalar(Type::Kind::U32), 0xffffffffu, node.span)
                                             : argument(node, 0, Type::Kind::U32);
  ExpressionPtr result = make(Kind::WarpBarrier, voidType(), node.span, std::move(mask));
  result->isOfGroup = node.operands.empty();
  return result;
}

ExpressionPtr Checker::shuffle(const syntax::Expression& node, ShuffleKind kind) {
  expectArguments(node, 3, 4);
  ExpressionPtr mask = argument(node, 0, Type::Kind::U32);
  ExpressionPtr exchanged = value(*node.operands[1]);
  if (exchanged->type->isHalf2()) return callWith(node, libraryFunctions(node.text), readOperands(node, 0));
  ExpressionPtr lane = argument(node, 2, Type::Kind::I32);
  ExpressionPtr width = node.operands.size() == 4 ? argument(node, 3, Type::Kind::I32)
                                                  : builtIn(typed::BuiltIn::WarpSize, node.span);
  return makeShuffle(kind, std::move(mask), std::move(exchanged), std::move(lane), std::move(width),
                     node.span);
}

ExpressionPtr Checker::makeShuffle(ShuffleKind kind, ExpressionPtr mask, ExpressionPtr value,
                                   ExpressionPtr lane, ExpressionPtr width, SourceSpan span) {
  if (!value->type->isArithmetic() && !value->type->isHalf()) {
    fail(value->span, "only numbers can be exchanged between lanes", "shuffle the members one by one");
  }
  const Type* type = promoted(value->type);
  value = convert(std::move(value), type);
  ExpressionPtr result =
      make(Kind::Shuffle, type, span, std::move(mask), std::move(value), std::move(lane), std::move(width));
  result->shuffle = kind;
  return result;
}

ExpressionPtr Checker::vote(const syntax::Expression& node, VoteOp op) {
  if (op == VoteOp::ActiveMask) {
    expectArguments(node, 0, 0);
    ExpressionPtr result = make(Kind::Vote, scalar(Type::Kind::U32), node.span);
    result->vote = op;
    return result;
  }
  if (op == VoteOp::MatchAll) return matchAll(node);
  expectArguments(node, 2, 2);
  ExpressionPtr mask = argument(node, 0, Type::Kind::U32);
  return makeVote(op, std::move(mask), value(*node.operands[1]), node.span);
}

/// __match_all_sync(mask, value, &all): the lanes if all of them have the value, else 0. Sets `all` to true
/// if they do.
ExpressionPtr Checker::matchAll(const syntax::Expression& node) {
  expectArguments(node, 3, 3);
  const Type* integer = scalar(Type::Kind::I32);
  ExpressionPtr mask = argument(node, 0, Type::Kind::U32);
  ExpressionPtr lanes = makeVote(VoteOp::MatchAll, std::move(mask), value(*node.operands[1]), node.span);
  std::uint32_t variable = 0;
  ExpressionPtr result = hold("__match_all_sync()", std::move(lanes), node.span, variable);
  ExpressionPtr address = convertImplicitly(value(*node.operands[2]), pointerTo(integer), node.span);
  ExpressionPtr isAll = convert(toBool(wholeVariable(variable, node.span)), integer);
  ExpressionPtr store = make(Kind::Store, integer, node.span, std::move(address), std::move(isAll));
  return sequence(node.span, std::move(result), std::move(store), wholeVariable(variable, node.span));
}

ExpressionPtr Checker::makeVote(VoteOp op, ExpressionPtr mask, ExpressionPtr value, SourceSpan span) {
  const Type* type = scalar(op == VoteOp::Any || op == VoteOp::All ? Type::Kind::I32 : Type::Kind::U32);
  if (op == VoteOp::Ballot || op == VoteOp::Any || op == VoteOp::All) {
    value = toBool(std::move(value));
  } else if (op == VoteOp::MatchAny || op == VoteOp::MatchAll) {
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
    const bool isBitwise = op == VoteOp::ReduceAnd || op == VoteOp::ReduceOr || op == VoteOp::ReduceXor;
    type = isBitwise ? scalar(Type::Kind::U32) : promotedType;
    value = convert(std::move(value), type);
  }
  ExpressionPtr result = make(Kind::Vote, type, span, std::move(mask), std::move(value));
  result->vote = op;
  return result;
}

/// The types for each atomic: CUDA Programming Guide, "Atomic Functions".
ExpressionPtr Checker::atomic(const syntax::Expression& node, AtomicOp op, bool isSubtraction) {
  const std::size_t arguments = op == AtomicOp::CompareSwap ? 3 : 2;
  expectArguments(node, arguments, arguments);
  ExpressionPtr address = value(*node.operands[0]);
  if (!address->type->isPointer()) {
    fail(node.operands[0]->span, fmt::format("{} takes an address first", node.text), "write &x");
  }
  if (address->type->elementIsConst)
    failTyping(node.span, "this is const", "remove const from its declaration");
  const Type* type = address->type->element;
  if (type->isStruct()) {
    if (const auto functions = libraryFunctions(node.text); !functions.empty())
      return callWith(node, functions, readOperands(node, 0));
  }
  const bool isHalfAdd = type->isHalf() && op == AtomicOp::Add && !isSubtraction;
  const bool isFloat = type->isFloating() && (op == AtomicOp::Add || op == AtomicOp::Exchange) &&
                       !(type->kind == Type::Kind::F64 && op == AtomicOp::Exchange) && !isSubtraction;
  const bool isUnsignedOnly = op == AtomicOp::Increment || op == AtomicOp::Decrement;
  const bool isInteger =
      type->isInteger() && type->size >= 4 && (!isUnsignedOnly || type->kind == Type::Kind::U32);
  const bool isLongAdd = type->kind == Type::Kind::I64 && op == AtomicOp::Add;
  if (!(isFloat || isInteger || isHalfAdd) || isLongAdd || (isSubtraction && type->size == 8)) {
    fail(node.span, fmt::format("there is no {} for {}", node.text, type->name()),
         isUnsignedOnly                ? "use unsigned"
         : isLongAdd                   ? "use unsigned long long"
         : op == AtomicOp::CompareSwap ? "use the word of 32 bits that it is in"
                                       : "build it with atomicCAS");
  }
  ExpressionPtr operand = convertImplicitly(value(*node.operands[1]), type, node.operands[1]->span);
  if (isSubtraction) operand = fold(make(Kind::Negate, type, node.span, std::move(operand)));
  ExpressionPtr result = make(Kind::Atomic, type, node.span, std::move(address), std::move(operand));
  result->isOfGroup = std::string_view(node.text).ends_with("_block");
  if (op == AtomicOp::CompareSwap) {
    result->operands.push_back(convertImplicitly(value(*node.operands[2]), type, node.operands[2]->span));
  }
  result->atomic = op;
  return result;
}

ExpressionPtr Checker::assertion(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  return make(Kind::Assert, voidType(), node.operands[0]->span, condition(*node.operands[0]));
}

/// Decided here: no code is left to run.
ExpressionPtr Checker::staticAssertion(const syntax::Expression& node) {
  expectArguments(node, 1, 2);
  const SourceSpan span = node.operands[0]->span;
  const ExpressionPtr test = asConstant(condition(*node.operands[0]));
  if (test->kind != Kind::Constant) {
    fail(span, "static_assert needs a constant", "use assert for what a thread computes");
  }
  if (test->bits == 0) {
    fail(span, "this static_assert does not hold",
         "mend what it checks, or launch with other template arguments");
  }
  return make(Kind::Convert, voidType(), node.span, constant(boolType(), 1, span));
}

// Functions of numbers: the usual mathematics, minimum and maximum, bits, vectors.

ExpressionPtr Checker::minimumOrMaximum(const syntax::Expression& node, BinaryOp op, Type::Kind kind) {
  expectArguments(node, 2, 2);
  ExpressionPtr a = value(*node.operands[0]);
  ExpressionPtr b = value(*node.operands[1]);
  if (kind != Type::Kind::Void) {
    a = convertImplicitly(std::move(a), scalar(kind), node.span);
    b = convertImplicitly(std::move(b), scalar(kind), node.span);
  }
  return arithmetic(op, std::move(a), std::move(b), node.span, node.text);
}

ExpressionPtr Checker::math(const syntax::Expression& node, MathOp op, int operands, Type::Kind kind) {
  expectArguments(node, static_cast<std::size_t>(operands), static_cast<std::size_t>(operands));
  Values values;
  bool allFloat = true;
  for (const syntax::ExpressionPtr& operand : node.operands) {
    values.push_back(value(*operand));
    allFloat = allFloat && values.back()->type->kind == Type::Kind::F32;
  }
  // sqrt(float) is the float form: the CUDA headers overload it (CUDA Math API).
  if (kind != Type::Kind::F32) kind = allFloat ? Type::Kind::F32 : Type::Kind::F64;
  ExpressionPtr result = make(Kind::Math, scalar(isTest(op) ? Type::Kind::I32 : kind), node.span);
  for (ExpressionPtr& operand : values) {
    result->operands.push_back(convertImplicitly(std::move(operand), scalar(kind), node.span));
  }
  result->math = op;
  return result;
}

ExpressionPtr Checker::absolute(const syntax::Expression& node) {
  expectArguments(node, 1, 1);
  ExpressionPtr operand = value(*node.operands[0]);
  if (operand->type->isFloating()) return math(node, MathOp::Abs, 1, operand->type->kind);
  if (!operand->type->isInteger()) fail(node.span, "'abs' takes a number", "give it a number");
  const Type* type = promoted(operand->type);
  if (!type->isSigned()) return convert(std::move(operand), type);
  // |x| = max(x, -x), also for the smallest number, which is its own negative.
  ExpressionPtr again = value(*node.operands[0]);
  ExpressionPtr negative = fold(make(Kind::Negate, type, node.span, convert(std::move(again), type)));
  return arithmetic(BinaryOp::Maximum, convert(std::move(operand), type), std::move(negative), node.span,
                    "abs");
}

ExpressionPtr Checker::bits(const syntax::Expression& node, BitOp op, bool isLong) {
  expectArguments(node, 1, 1);
  const Type::Kind operand = isLong ? Type::Kind::U64 : Type::Kind::U32;
  const Type* type = scalar(op == BitOp::Reverse ? operand : Type::Kind::I32);
  ExpressionPtr result = make(Kind::Bits, type, node.span, argument(node, 0, operand));
  result->bitOp = op;
  return result;
}

ExpressionPtr Checker::sameBits(const syntax::Expression& node, Type::Kind from, Type::Kind to) {
  expectArguments(node, 1, 1);
  return make(Kind::Member, scalar(to), node.span, argument(node, 0, from));
}

/// make_float4(x, y, z, w) and similar functions.
ExpressionPtr Checker::makeVector(const syntax::Expression& node) {
  if (const auto functions = libraryFunctions(node.text); !functions.empty())
    return callWith(node, functions, readOperands(node, 0));
  const Type* type = kernel_.types->named(std::string_view(node.text).substr(5));
  if (type == nullptr || !type->isStruct()) {
    fail(node.span, fmt::format("the function '{}' is not known to the simulator", node.text),
         "write make_float4 or another vector's name");
  }
  expectArguments(node, type->fields.size(), type->fields.size());
  ExpressionPtr result = make(Kind::Make, type, node.span);
  for (const syntax::ExpressionPtr& operand : node.operands) {
    result->operands.push_back(convertImplicitly(value(*operand), type->fields[0].type, operand->span));
  }
  return result;
}

}  // namespace lanescope::checker
