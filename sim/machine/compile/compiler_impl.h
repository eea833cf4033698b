#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/own_stack.h"
#include "sim/machine/compile/bytecode.h"

/// The compiler's internals, shared by its source files; not for other code.
namespace lanescope::compiler {

using Kind = typed::Expression::Kind;

/// Thrown if a kernel needs more than an instruction can name; caught in compile().
struct TooLarge {
  bool isDeep = false;  ///< functions within functions, and expressions within expressions
};

/// A scalar part of a value, and its offset from the value's first register.
struct Part {
  const Type* type = nullptr;
  std::uint32_t byteOffset = 0;
  std::uint32_t reg = 0;
};

/// Lowers one checked kernel. A value is in consecutive registers, one or two for each of its parts.
class Compiler {
 public:
  explicit Compiler(typed::Kernel kernel) : kernel_(std::move(kernel)) {}

  Bytecode run();

 private:
  using Reg = std::uint16_t;
  using Expression = typed::Expression;

  /// The registers or the memory that a variable of the kernel lives in.
  struct Home {
    Reg reg = 0;
    std::uint32_t firstVariable = 0;  ///< index of its first part in Bytecode::variables
    std::uint32_t local = VariableRegister::kInRegister;
  };

  // compiler.cpp: registers, emission, statements
  std::size_t emit(Op op, SourceSpan span, Reg dst = 0, Reg a = 0, Reg b = 0, Reg c = 0,
                   std::int64_t imm = 0);
  std::int64_t here() const { return static_cast<std::int64_t>(out_.code.size()); }
  void land(std::size_t jump) { out_.code[jump].imm = here(); }
  Reg allocate(bool isWide) { return allocateRegisters(isWide ? 2 : 1); }
  Reg allocateRegisters(std::uint32_t count);
  Reg allocatePinned(bool isWide);
  void movePinned();
  void openScope(Op op, SourceSpan span);
  void deepen();
  void closeScope(Op op, SourceSpan span);
  void placeVariables();
  void placeLocal(std::uint32_t variable);
  void nameLocal(const typed::Variable& variable, Home& home);
  void copyAddressedParameters();
  void statement(const typed::Statement& node);
  void body(const typed::Statement& node);
  void lower(const typed::Statement& node);
  void park(std::uint32_t scope, SourceSpan span) { emit(Op::Park, span, 0, 0, 0, 0, scope); }
  void labelled(const typed::Statement& node);
  void ifStatement(const typed::Statement& node);
  void loop(const typed::Statement& node);
  std::size_t loopTest(const Expression& condition);
  void switchStatement(const typed::Statement& node);

  // compile_expressions.cpp: each gives the first register its value is in
  Reg expression(const Expression& node);
  Reg result(Op op, const Expression& node, bool isWide, Reg a, Reg b = 0, Reg c = 0, std::int64_t imm = 0);
  Reg unary(Op op, const Expression& node, bool isWide);
  Reg constantRegister(std::uint64_t bits, bool isWide);
  Reg builtInRegister(typed::BuiltIn builtIn);
  Reg sharedAddress(const Expression& node);
  Reg negate(const Expression& node);
  Reg binary(const Expression& node);
  static std::optional<unsigned> dividingPower(const Expression& node);
  Reg divideByPower(const Expression& node, Reg a, unsigned power);
  Reg convert(const Expression& node);
  Reg extend(const Expression& node, const Type& to, Reg a, bool loses);
  Reg fromFloating(const Expression& node, const Type& from, const Type& to, Reg a);
  Reg toFloating(const Expression& node, const Type& from, const Type& to, Reg a);
  Reg logical(const Expression& node);
  Reg conditional(const Expression& node);
  std::pair<Reg, Reg> operands(const Expression& node);
  Reg pointerAdd(const Expression& node);
  Reg shuffle(const Expression& node);
  Reg vote(const Expression& node);
  Reg barrier(const Expression& node);
  Reg warpBarrier(const Expression& node);
  Reg math(const Expression& node);
  Reg laneCall(const Expression& node);
  Reg print(const Expression& node);

  // compile_values.cpp: structs, variables, memory, calls
  const std::vector<Part>& parts(const Type& type);
  std::uint32_t width(const Type& type);
  void copy(Op narrow, Op wide, SourceSpan span, const Type& type, Reg dst, Reg from);
  Reg partAt(const Type& type, std::uint32_t byteOffset);
  Reg localAddress(std::uint32_t local, std::uint64_t byteOffset);
  Reg makeStruct(const Expression& node);
  Reg member(const Expression& node);
  Reg variable(const Expression& node);
  Reg load(const Expression& node, const Type& type, Reg address);
  void emitStore(SourceSpan span, const Type& type, Reg address, Reg value, bool isVolatile = false);
  Reg moved(SourceSpan span, Reg address, std::uint32_t bytes);
  Reg settled(Reg right, const Type& type, const Expression& left);
  Reg store(const Expression& node);
  Reg update(const Expression& node);
  Reg setVariable(const Expression& node);
  void assign(std::uint32_t variable, std::uint32_t byteOffset, const Type& type, Reg value, SourceSpan span);
  Reg atomic(const Expression& node, bool isResultUsed);
  void effects(const Expression& node);
  Reg call(const Expression& node, bool isResultUsed);

  // compile_values.cpp: functions that can call themselves, which are not inlined
  void findRecursive();
  bool isRecursive(std::uint32_t function) const { return functions_[function].isRecursive; }
  Reg callRecursive(const Expression& node);
  void tellRestored(std::uint32_t function, SourceSpan span);
  void recursiveFunctions();
  void recursiveFunction(std::uint32_t index);
  Reg allocatePinnedRegisters(std::uint32_t count);
  std::vector<std::pair<Reg, std::uint32_t>> ownRegisters(std::uint32_t function);
  bool isOfFrame(std::uint32_t variable) const { return ofFrame_[variable]; }

  // compiler.cpp: the local variables that a pointer may outlive, and the ends of their lifetimes
  void findEscaping();
  void findEscaping(const typed::Statement& node);
  void findEscaping(const Expression& node, bool isFollowed);
  void setEnded(std::uint32_t variable, bool hasEnded, SourceSpan span);
  void beginVariables(const typed::Statement& block);
  void endVariables(const typed::Statement& block);

  typed::Kernel kernel_;
  Bytecode out_;
  std::vector<Home> homes_;  ///< by variable of the kernel
  std::uint32_t next_ = 0;
  std::uint32_t variableEnd_ = 0;  ///< registers below it are variables
  std::uint32_t highest_ = 0;
  std::uint32_t pinned_ = 0;
  std::uint32_t depth_ = 0;
  bool isResultDropped_ = false;  ///< for the inlined function
  std::uint32_t functionScope_ = 0;
  std::map<std::uint32_t, std::uint32_t> labelScopes_;
  std::vector<std::uint32_t> breakScopes_;
  std::vector<std::uint32_t> continueScopes_;
  std::vector<std::array<Reg, 2>> held_;
  std::map<std::pair<std::uint64_t, bool>, Reg> constants_;
  std::map<std::uint64_t, Reg> localAddresses_;
  std::vector<bool> escapes_;  ///< by variable of the kernel: its address is stored
  std::vector<bool> keeps_;    ///< by variable of the kernel, a pointer: its value is stored elsewhere
  std::map<const Type*, std::vector<Part>> parts_;
  /// The layout of a function that is not inlined.
  struct Recursive {
    bool isRecursive = false;
    bool isDone = false;
    std::vector<std::uint32_t> variables{};  ///< named in its body, and its parameters
    std::vector<Reg> arguments{};            ///< the registers its caller puts them in
    Reg result = 0;
    std::int64_t entry = 0;
    std::vector<std::size_t> calls{};  ///< the instructions that jump to it
  };
  std::vector<Recursive> functions_;         ///< by function of the kernel
  std::vector<bool> ofFrame_;                ///< by variable of the kernel: each call has its own
  std::optional<std::uint32_t> function_{};  ///< the recursive function being lowered
};

/// True if its evaluation for masked-off lanes could do harm or be visible.
bool needsMask(const typed::Expression& node);

}  // namespace lanescope::compiler
