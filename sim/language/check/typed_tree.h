#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/language/check/type.h"

/// The checked tree: names are resolved, every conversion is a node, templates are instantiated. The compiler
/// lowers it to bytecode without errors.
namespace lanescope::typed {

enum class BinaryOp : std::uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  Minimum,
  Maximum,
};
constexpr bool isComparison(BinaryOp op) {
  return op == BinaryOp::Less || op == BinaryOp::LessEqual || op == BinaryOp::Equal ||
         op == BinaryOp::NotEqual;
}

enum class BuiltIn : std::uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  WarpSize,
  ThreadRank,  ///< of the thread in its block, x fastest
};

enum class AtomicOp : std::uint8_t {
#define ATOMIC(name, op, ...) op,
#include "sim/language/check/functions.def"
};

/// Votes and reductions over the lanes of a warp.
enum class VoteOp : std::uint8_t {
#define VOTE(name, op) op,
#define REDUCTION(name, op, ...) op,
#include "sim/language/check/functions.def"
};

/// True if it joins the lanes' own numbers.
constexpr bool isReduction(VoteOp op) {
  switch (op) {
#define REDUCTION(name, op, ...) case VoteOp::op:
#include "sim/language/check/functions.def"
    return true;
    default: return false;
  }
}

/// The results of __syncthreads_count, _and and _or from the threads' conditions.
enum class BarrierVote : std::uint8_t { None, Count, And, Or };

/// Mathematical functions of one to three floating operands, and tests of one.
enum class MathOp : std::uint8_t {
#define MATH(name, op, ...) op,
#define PREDICATE(name, op, ...) op,
#include "sim/language/check/functions.def"
};
constexpr bool isTest(MathOp op) {
  switch (op) {
#define PREDICATE(name, op, ...) case MathOp::op:
#include "sim/language/check/functions.def"
    return true;
    default: return false;
  }
}

/// Functions of the bits of one integer.
enum class BitOp : std::uint8_t {
#define BITS(name, op, ...) op,
#include "sim/language/check/functions.def"
};

/// The meaning of a condition that is false.
enum class AssertKind : std::uint8_t {
  Assertion,
  Trap,      ///< __trap()
  NoCallee,  ///< the called pointer leads to no function of the text
};

enum class ShuffleKind : std::uint8_t { Index, Up, Down, Xor };

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind : std::uint8_t {
    Constant,       ///< bits
    Variable,       ///< index; `scale` bytes into it
    BuiltIn,        ///< builtIn
    SharedAddress,  ///< index of a shared array: a pointer to its start
    LocalAddress,   ///< index of a variable: a pointer `scale` bytes into it
    Make,           ///< a struct of its leaves (findLeaves), one operand per leaf; no operands: all zero
    Member,   ///< `scale` bytes into the struct that operand 0 is, or a scalar's bits read as another type
    Held,     ///< index 0: the old value of an Update; 1: its right operand
    Convert,  ///< operand 0 to type
    Negate,
    BitNot,
    LogicalNot,
    Binary,  ///< op over two operands of one type
    LogicalAnd,
    LogicalOr,
    Conditional,  ///< condition, then, else
    PointerAdd,   ///< pointer, integer; steps of `scale` bytes
    PointerDifference,
    Load,          ///< address
    Store,         ///< address, value: the value is evaluated first
    Update,        ///< right, address, new value made of Held 0 and 1
    SetVariable,   ///< index, `scale` bytes into it; value
    Sequence,      ///< operand 0, then operand 1
    Shuffle,       ///< mask, value, lane or offset, width
    BlockBarrier,  ///< __syncthreads; with a vote: the condition
    WarpBarrier,   ///< __syncwarp: mask
    GridBarrier,   ///< this_grid().sync()
    Fence,         ///< __threadfence; index 1: seen by other blocks too, 0: only by the thread's own block
    Call,          ///< index of a function; arguments
    Atomic,        ///< atomic over address, value and (CompareSwap) the value to store
    Vote,          ///< vote over mask and value (ActiveMask: neither)
    Math,          ///< math over operands of one type
    Bits,          ///< bitOp
    LaneCall,      ///< index of a row of lane_functions.def; operands of its types
    Print,         ///< index of a format; arguments
    Assert,        ///< condition; index: an AssertKind
    Clock,         ///< warp instructions of the block so far
    Allocate,      ///< bytes of the device's heap: a pointer
    Release,       ///< pointer
  } kind = Kind::Constant;
  const Type* type = nullptr;
  SourceSpan span;
  std::uint64_t bits = 0;  ///< Constant: the value's own bits, zero-extended
  std::uint32_t index = 0;
  std::int64_t scale = 0;
  BinaryOp op = BinaryOp::Add;
  BuiltIn builtIn = BuiltIn::ThreadX;
  ShuffleKind shuffle = ShuffleKind::Down;
  AtomicOp atomic = AtomicOp::Add;
  VoteOp vote = VoteOp::Ballot;
  BarrierVote barrierVote = BarrierVote::None;
  MathOp math = MathOp::Abs;
  BitOp bitOp = BitOp::PopCount;
  bool yieldsOld = false;        ///< Update, SetVariable: the value before (postfix ++)
  bool isResultUsed = true;      ///< Atomic, Call; of an atomic false makes it a reduction
  bool isOfGroup = false;        ///< Shuffle, Vote, WarpBarrier: of a tile, whose mask is its existing lanes;
                                 ///< Atomic: of block scope, `atomicAdd_block`
  bool isBitField = false;       ///< Convert: from a bit-field, whose promoted value is the operand
  bool isVolatile = false;       ///< Load, Store, Update: of a volatile object, in memory
  bool isRightFirst = false;     ///< Binary, PointerAdd, Call: `a += b` evaluates b first ([expr.ass] 1)
  bool isConst = false;          ///< Call: of a function that returns a const object
  bool isGlvalue = false;        ///< Load: from the target of a function's reference, which may be stored to
  bool isXvalue = false;         ///< the same, if that function returns T&&
  std::uint8_t tileThreads = 0;  ///< Shuffle, Vote, WarpBarrier: of that tile; 0: of no tile
  std::vector<ExpressionPtr> operands;
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

struct Statement {
  enum class Kind : std::uint8_t {
    Block,
    Expression,
    If,
    Loop,
    Switch,
    Case,
    Break,
    Continue,
    Return,
    Labelled,  ///< a Block with the label at its end; repeats: with the label at its beginning
    Goto       ///< leaves the Labelled of that label
  } kind = Kind::Block;
  SourceSpan span;
  ExpressionPtr expression;  ///< Expression, Return, Switch; If and Loop: the condition (null: true)
  ExpressionPtr step;        ///< Loop
  bool testsAtEnd = false;   ///< Loop: do … while
  bool repeats = false;      ///< Labelled
  std::uint32_t label = 0;   ///< Labelled, Goto: of the function, each for one direction
  bool isDefault = false;    ///< Case
  std::uint64_t bits = 0;    ///< Case: the value, of the type of the Switch's expression
  std::vector<StatementPtr>
      body;  ///< Block; If: then, else; Loop: the body; Switch: Cases between statements
  /// Block: the variables that end with it, and those of the blocks in it, are among these.
  std::uint32_t firstVariable = 0;
  std::uint32_t endVariable = 0;
};

struct Variable {
  std::string name;
  const Type* type = nullptr;
  SourceSpan declared;
  bool isConst = false;
  bool isAddressed = false;  ///< in the thread's local memory: an array, or its address is taken
  std::string function{};    ///< with template arguments: `add<2>`; empty: the kernel's own
};

struct SharedArray {
  std::string name;
  const Type* element = nullptr;       ///< scalar, pointer or struct
  std::uint64_t count = 0;             ///< elements in all; 0: as many as the launch sets
  std::vector<std::uint64_t> extents;  ///< innermost last
  std::uint32_t byteOffset = 0;
  bool isDynamic = false;
};

/// A format of printf: its parts between the values, and the conversion of each value.
struct PrintFormat {
  std::vector<std::string> texts;        ///< one more than values
  std::vector<std::string> conversions;  ///< `%5.2f`, one per value; `*` for a width given by the next one
  std::vector<std::string> strings{};    ///< literals for %s: the value is the number of one
  /// The type that each value is passed as: int, unsigned, 64-bit or double. For %s a pointer if the value is
  /// one.
  std::vector<const Type*> types;
};

/// A __device__ function, inlined where it is called unless it may call itself. Its variables are the
/// kernel's.
struct Function {
  std::string name;
  std::vector<std::uint32_t> parameters;  ///< variable indices
  std::uint32_t result = 0;               ///< variable index; unused for void
  bool returnsValue = false;
  bool returnsReference = false;  ///< the value is the address of the reference's target
  bool returnsRvalue = false;     ///< of returnsReference: `T&&`
  bool isForRuns = false;         ///< not constexpr: cannot be part of a constant expression
  StatementPtr body;

  /// The same without its body.
  Function head() const {
    return {name, parameters, result, returnsValue, returnsReference, returnsRvalue, isForRuns, nullptr};
  }
};

/// A pointer in the initial value of a variable at file scope, to another one or to a string literal.
struct SymbolAddress {
  std::uint32_t at = 0;      ///< bytes into the variable
  std::uint32_t symbol = 0;  ///< its target: index into Kernel::symbols
  std::int64_t offset = 0;   ///< bytes into that
};

/// A variable at file scope that the kernel names: its own buffer, whose address is a parameter.
struct GlobalSymbol {
  std::string name;
  const Type* type = nullptr;
  std::uint32_t variable = 0;              ///< a pointer to it
  bool isConstant = false;                 ///< __constant__
  bool isOfFunction = false;               ///< `static` in a function: the host has no name for it
  bool isText = false;                     ///< a string literal, which has no name in the text
  bool isOfHost = false;                   ///< const, without __device__: a program has no memory for it
  std::vector<std::byte> bytes{};          ///< initial bytes; empty: all are 0
  std::vector<SymbolAddress> addresses{};  ///< that are added to the bytes when their memory is known
};

struct Kernel {
  std::string name;
  std::vector<std::uint32_t> parameters;  ///< variable indices; after those of the text one for each symbol
  std::vector<GlobalSymbol> symbols;
  std::vector<Variable> variables;
  std::vector<SharedArray> sharedArrays;
  std::uint64_t staticSharedBytes = 0;
  std::optional<std::uint64_t> launchBound{};  ///< most threads per block, from __launch_bounds__
  std::vector<Function> functions;
  std::vector<PrintFormat> formats;
  StatementPtr body;
  std::shared_ptr<TypeTable> types;
};

}  // namespace lanescope::typed

namespace lanescope {

/// Splits a printf text, including quotes, into its parts and conversions: `d i u x X o c` for integers, `e E
/// f F g G a A` for floating values, `p` for pointers, `s` for texts, `*` for widths. Length modifiers are
/// dropped, since every integer is passed in 64 bits. The caller sets the types. Error: another conversion.
Result<typed::PrintFormat> parsePrintFormat(std::string_view quoted);

/// The conversion with numbers in place of its `*`.
std::string withWidths(std::string conversion, std::span<const std::int64_t> widths);

/// A text printed with a conversion for texts, `%-10s`.
std::string formatPrintedText(const std::string& conversion, const std::string& text);

/// One value printed with its conversion. `bits` is a 64-bit integer, cut to the size of `type`, or a double.
std::string formatPrinted(const std::string& conversion, const Type& type, std::uint64_t bits);

}  // namespace lanescope
