#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/language/diagnostic.h"
#include "sim/language/type.h"

/// The checked tree: names are resolved, every conversion is a node, templates are instantiated.
/// The compiler lowers it to bytecode without meeting an error.
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
};

enum class ShuffleKind : std::uint8_t { Index, Up, Down, Xor };

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct Expression {
  enum class Kind : std::uint8_t {
    Constant,       ///< bits
    Variable,       ///< index
    BuiltIn,        ///< builtIn
    SharedAddress,  ///< index of a shared array: a pointer to its start
    Held,           ///< index 0: the value that an Update found; 1: its right operand
    Convert,        ///< operand 0 to type
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
    SetVariable,   ///< index; value
    Sequence,      ///< operand 0, then operand 1
    Shuffle,       ///< mask, value, lane or offset, width
    BlockBarrier,  ///< __syncthreads
    WarpBarrier,   ///< __syncwarp: mask
    Call,          ///< index of a function; arguments
  } kind = Kind::Constant;
  const Type* type = nullptr;
  SourceSpan span;
  std::uint64_t bits = 0;  ///< Constant: the value's own bits, zero-extended
  std::uint32_t index = 0;
  std::int64_t scale = 0;
  BinaryOp op = BinaryOp::Add;
  BuiltIn builtIn = BuiltIn::ThreadX;
  ShuffleKind shuffle = ShuffleKind::Down;
  bool yieldsOld = false;  ///< Update, SetVariable: the value before (postfix ++)
  std::vector<ExpressionPtr> operands;
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;

struct Statement {
  enum class Kind : std::uint8_t { Block, Expression, If, Loop, Break, Continue, Return } kind = Kind::Block;
  SourceSpan span;
  ExpressionPtr expression;        ///< Expression, Return; If and Loop: the condition (null: true)
  ExpressionPtr step;              ///< Loop
  bool testsAtEnd = false;         ///< Loop: do … while
  std::vector<StatementPtr> body;  ///< Block; If: then, else; Loop: the body
};

struct Variable {
  std::string name;
  const Type* type = nullptr;
  SourceSpan declared;
  bool isConst = false;
};

struct SharedArray {
  std::string name;
  const Type* element = nullptr;       ///< scalar
  std::uint64_t count = 0;             ///< elements in all; 0: as many as the launch gives
  std::vector<std::uint64_t> extents;  ///< innermost last
  std::uint32_t byteOffset = 0;
  bool isDynamic = false;
};

/// A __device__ function, inlined where it is called. Its variables are the kernel's.
struct Function {
  std::string name;
  std::vector<std::uint32_t> parameters;  ///< variable indices
  std::uint32_t result = 0;               ///< variable index; unused for void
  bool returnsValue = false;
  StatementPtr body;
};

struct Kernel {
  std::string name;
  std::vector<std::uint32_t> parameters;  ///< variable indices
  std::vector<Variable> variables;
  std::vector<SharedArray> sharedArrays;
  std::uint64_t staticSharedBytes = 0;
  std::vector<Function> functions;
  StatementPtr body;
  std::shared_ptr<TypeTable> types;
};

}  // namespace lanescope::typed
