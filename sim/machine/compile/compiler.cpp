#include <algorithm>

#include <fmt/format.h>

#include "sim/machine/compile/compiler_impl.h"
#include "sim/memory/address.h"

// Ends the lifetimes of local variables, so that a pointer that outlives its variable is reported. Only
// variables whose address is stored have marks: an array that is indexed by its name needs none, nor does a
// variable that a function takes by reference and only reads and writes.
namespace lanescope::compiler {

void Compiler::findEscaping() {
  escapes_.assign(kernel_.variables.size(), false);
  keeps_.assign(kernel_.variables.size(), false);
  // A function that passes its parameter on may be found after its callers.
  for (std::vector<bool> before; before != keeps_;) {
    before = keeps_;
    findEscaping(*kernel_.body);
    for (const typed::Function& function : kernel_.functions) {
      if (function.body != nullptr) findEscaping(*function.body);
    }
  }
}

void Compiler::findEscaping(const typed::Statement& node) {
  if (node.expression != nullptr) findEscaping(*node.expression, false);
  if (node.step != nullptr) findEscaping(*node.step, false);
  for (const typed::StatementPtr& child : node.body) findEscaping(*child);
}

/// `isFollowed`: the value is an address that is used at once, or by a function that does not store it.
void Compiler::findEscaping(const Expression& node, bool isFollowed) {
  if (node.kind == Kind::LocalAddress && !isFollowed) escapes_[node.index] = true;
  const bool isTaken =
      node.kind == Kind::LocalAddress;  // of a parameter: the function can reach everything through it
  if (isTaken || (node.kind == Kind::Variable && !isFollowed)) keeps_[node.index] = true;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    if (node.operands[i] == nullptr) continue;
    bool isAddress = false;
    switch (node.kind) {
      case Kind::Load:
      case Kind::Store:
      case Kind::Atomic: isAddress = i == 0; break;
      case Kind::Update: isAddress = i == 1; break;
      case Kind::Call: isAddress = !keeps_[kernel_.functions[node.index].parameters[i]]; break;
      case Kind::PointerAdd: isAddress = i == 0 && isFollowed; break;
      case Kind::Sequence: isAddress = i == 1 && isFollowed; break;
      default: break;
    }
    findEscaping(*node.operands[i], isAddress);
  }
}

namespace {

void leaveOutNested(const typed::Statement& block, std::vector<bool>& isOwn) {
  for (const typed::StatementPtr& child : block.body) {
    if (child->firstVariable == child->endVariable) leaveOutNested(*child, isOwn);
    for (std::uint32_t v = child->firstVariable; v < child->endVariable; ++v) isOwn[v] = false;
  }
}

}  // namespace

/// Marks a variable, in the active lanes, as ended or as begun.
void Compiler::setEnded(std::uint32_t variable, bool hasEnded, SourceSpan span) {
  const std::uint32_t local = homes_[variable].local;
  if (!escapes_[variable] || local == VariableRegister::kInRegister || isOfFrame(variable)) return;
  std::uint16_t& mark = out_.locals[local].endedRegister;
  if (mark == LocalVariable::kNoRegister) mark = allocatePinned(false);
  emit(Op::Merge32, span, mark, constantRegister(hasEnded ? 1 : 0, false));
}

/// A block's own variables; variables of nested blocks begin with their blocks.
void Compiler::beginVariables(const typed::Statement& block) {
  std::vector<bool> isOwn(block.endVariable, true);
  leaveOutNested(block, isOwn);
  for (std::uint32_t v = block.firstVariable; v < block.endVariable; ++v)
    if (isOwn[v]) setEnded(v, false, block.span);
}

/// After a block, and at each place that reunites lanes that left it early with the others.
void Compiler::endVariables(const typed::Statement& block) {
  for (std::uint32_t v = block.firstVariable; v < block.endVariable; ++v) setEnded(v, true, block.span);
}

}  // namespace lanescope::compiler

namespace lanescope {

namespace compiler {
namespace {

constexpr std::uint32_t kMaxRegisters = 30000;
/// Constants and built-ins are numbered from here while compiling, and moved behind the others at the end: a
/// register with a start value must never serve as a temporary before.
constexpr std::uint32_t kPinnedBase = kMaxRegisters;
constexpr std::size_t kMaxCode = 1u << 21;
/// Parts of one variable in local memory that are named for the pictures.
constexpr std::size_t kMaxNamedParts = 64;
constexpr std::uint32_t kMaxLocalBytes = 64 * 1024;

}  // namespace

Bytecode Compiler::run() {
  out_.kernelName = kernel_.name;
  out_.staticSharedBytes = kernel_.staticSharedBytes;
  out_.mostBlockThreads =
      std::min<std::uint64_t>(kernel_.launchBound.value_or(kMaxBlockThreads), kMaxBlockThreads);
  findRecursive();
  placeVariables();
  variableEnd_ = next_;
  openScope(Op::ScopeBegin, {});
  copyAddressedParameters();
  findEscaping();
  for (const typed::StatementPtr& child : kernel_.body->body) statement(*child);
  emit(Op::Exit, {});
  recursiveFunctions();
  movePinned();
  out_.sharedArrays = std::move(kernel_.sharedArrays);
  out_.formats = std::move(kernel_.formats);
  out_.types = std::move(kernel_.types);
  return std::move(out_);
}

/// Gives every variable its registers, or its place in local memory. A parameter of the kernel always has
/// registers: the launch sets them.
void Compiler::placeVariables() {
  homes_.resize(kernel_.variables.size());
  for (const bool isOfFrame : {false, true}) {
    if (isOfFrame) out_.firstFrameLocal = out_.locals.size();
    for (std::uint32_t v = 0; v < kernel_.variables.size(); ++v) {
      if (kernel_.variables[v].isAddressed && this->isOfFrame(v) == isOfFrame) placeLocal(v);
    }
  }
  for (std::size_t v = 0; v < kernel_.variables.size(); ++v) {
    const typed::Variable& variable = kernel_.variables[v];
    Home& home = homes_[v];
    const auto parameter = std::ranges::find(kernel_.parameters, v);
    if (variable.isAddressed) nameLocal(variable, home);
    if (variable.isAddressed && parameter == kernel_.parameters.end()) continue;
    home.firstVariable = static_cast<std::uint32_t>(out_.variables.size());
    home.reg = static_cast<Reg>(next_);
    for (const Leaf& leaf : findLeaves(*variable.type, kMaxRegisters)) {
      out_.variables.push_back({variable.name + leaf.suffix, leaf.type, allocate(leaf.type->isWide()),
                                variable.declared, VariableRegister::kInRegister, 0, variable.function});
    }
  }
  out_.symbols = kernel_.symbols;
  for (const std::uint32_t parameter : kernel_.parameters) {
    // The registers' own entry comes behind the entries that name an addressed parameter's parts.
    out_.parameters.push_back(homes_[parameter].firstVariable);
    out_.parameterTypes.push_back(kernel_.variables[parameter].type);
  }
}

void Compiler::placeLocal(std::uint32_t v) {
  const typed::Variable& variable = kernel_.variables[v];
  homes_[v].local = static_cast<std::uint32_t>(out_.locals.size());
  std::uint32_t& bytes = isOfFrame(v) ? out_.frameBytes : out_.localBytes;
  out_.locals.push_back({variable.name, variable.type, bytes, variable.declared});
  if (out_.locals.size() > kMaxLocals) throw TooLarge{};
  bytes = (bytes + variable.type->size + 15) / 16 * 16;
  if (bytes > kMaxLocalBytes) throw TooLarge{};
}

/// The parts of a variable in local memory, for the pictures.
void Compiler::nameLocal(const typed::Variable& variable, Home& home) {
  home.firstVariable = static_cast<std::uint32_t>(out_.variables.size());
  for (const Leaf& leaf : findLeaves(*variable.type, kMaxNamedParts)) {
    out_.variables.push_back({variable.name + leaf.suffix, leaf.type, 0, variable.declared, home.local,
                              leaf.offset, variable.function});
  }
}

void Compiler::copyAddressedParameters() {
  for (const std::uint32_t parameter : kernel_.parameters) {
    const typed::Variable& variable = kernel_.variables[parameter];
    if (variable.isAddressed) assign(parameter, 0, *variable.type, homes_[parameter].reg, variable.declared);
  }
}

// --- emission ---

std::size_t Compiler::emit(Op op, SourceSpan span, Reg dst, Reg a, Reg b, Reg c, std::int64_t imm) {
  if (out_.code.size() >= kMaxCode) throw TooLarge{};
  if (out_.sites.empty() || !(out_.sites.back() == span)) out_.sites.push_back(span);
  out_.code.push_back({op, dst, a, b, c, 0, static_cast<std::uint32_t>(out_.sites.size() - 1), imm});
  return out_.code.size() - 1;
}
Compiler::Reg Compiler::allocateRegisters(std::uint32_t count) {
  const std::uint32_t reg = next_;
  next_ += count;
  highest_ = std::max(highest_, next_);
  if (next_ > kMaxRegisters) throw TooLarge{};
  return static_cast<Reg>(reg);
}

void Compiler::openScope(Op op, SourceSpan span) {
  emit(op, span);
  deepen();
}
void Compiler::deepen() {
  ++depth_;
  out_.scopeDepth = std::max(out_.scopeDepth, depth_);
}
void Compiler::closeScope(Op op, SourceSpan span) {
  emit(op, span);
  --depth_;
}

Compiler::Reg Compiler::allocatePinned(bool isWide) {
  const std::uint32_t reg = kPinnedBase + pinned_;
  pinned_ += isWide ? 2 : 1;
  if (pinned_ > kMaxRegisters) throw TooLarge{};
  return static_cast<Reg>(reg);
}

void Compiler::movePinned() {
  const auto move = [this](Reg& reg) {
    if (reg >= kPinnedBase) reg = static_cast<Reg>(reg - kPinnedBase + highest_);
  };
  for (Instruction& instruction : out_.code) {
    move(instruction.dst);
    move(instruction.a);
    move(instruction.b);
    move(instruction.c);
    move(instruction.d);
  }
  for (ConstantRegister& constant : out_.constants) move(constant.reg);
  for (BuiltInRegister& builtIn : out_.builtIns) move(builtIn.reg);
  for (LocalAddressRegister& address : out_.localAddresses) move(address.reg);
  for (LocalVariable& local : out_.locals) {
    if (local.endedRegister != LocalVariable::kNoRegister) move(local.endedRegister);
  }
  out_.registers = highest_ + pinned_;
}

// --- statements ---
/// Temporaries are released when their statement ends.
void Compiler::statement(const typed::Statement& node) {
  if (OwnStack::isLow()) throw TooLarge{true};
  const std::uint32_t mark = next_;
  lower(node);
  next_ = mark;
}

/// For a loop or function: the variables declared in it end behind its scope, where all its lanes are
/// together.
void Compiler::body(const typed::Statement& node) {
  if (node.kind != typed::Statement::Kind::Block) return statement(node);
  beginVariables(node);
  for (const typed::StatementPtr& child : node.body) statement(*child);
}

void Compiler::lower(const typed::Statement& node) {
  switch (node.kind) {
    case typed::Statement::Kind::Block:
      beginVariables(node);
      for (const typed::StatementPtr& child : node.body) statement(*child);
      endVariables(node);
      return;
    case typed::Statement::Kind::Expression: expression(*node.expression); return;
    case typed::Statement::Kind::If: ifStatement(node); return;
    case typed::Statement::Kind::Loop: loop(node); return;
    case typed::Statement::Kind::Switch: switchStatement(node); return;
    case typed::Statement::Kind::Case: return;  // switchStatement() has lowered it
    case typed::Statement::Kind::Break: park(breakScopes_.back(), node.span); return;
    case typed::Statement::Kind::Continue: park(continueScopes_.back(), node.span); return;
    case typed::Statement::Kind::Return:
      if (node.expression != nullptr && isResultDropped_) effects(*node.expression);
      if (node.expression != nullptr && !isResultDropped_) expression(*node.expression);
      park(functionScope_, node.span);
      return;
    case typed::Statement::Kind::Labelled: labelled(node); return;
    case typed::Statement::Kind::Goto: park(labelScopes_.at(node.label), node.span); return;
  }
}

/// Lanes that go to the label behind the statements wait there; lanes that go back to the label before them
/// wait at the end of an iteration, until the others have left.
void Compiler::labelled(const typed::Statement& node) {
  const std::uint32_t outer = depth_;
  openScope(Op::ScopeBegin, node.span);
  labelScopes_[node.label] = depth_ - (node.repeats ? 0 : 1);
  const std::int64_t top = here();
  if (node.repeats) openScope(Op::ScopeBegin, node.span);
  for (const typed::StatementPtr& child : node.body) statement(*child);
  if (node.repeats) {
    park(outer, node.span);
    closeScope(Op::ScopeEnd, node.span);
    const std::size_t none = emit(Op::JumpIfNone, node.span);
    emit(Op::Jump, node.span, 0, 0, 0, 0, top);
    land(none);
  }
  closeScope(Op::ScopeEnd, node.span);
}

void Compiler::ifStatement(const typed::Statement& node) {
  const Reg condition = expression(*node.expression);
  const std::size_t begin = emit(Op::IfBegin, node.expression->span, 0, condition);
  deepen();
  statement(*node.body[0]);
  land(begin);
  const std::size_t other = emit(Op::IfElse, node.span);
  if (node.body.size() > 1) statement(*node.body[1]);
  land(other);
  closeScope(Op::IfEnd, node.span);
}

void Compiler::loop(const typed::Statement& node) {
  const std::uint32_t loopScope = depth_;
  openScope(Op::ScopeBegin, node.span);
  const std::int64_t top = here();
  std::size_t test = 0;
  const bool testsFirst = node.expression != nullptr && !node.testsAtEnd;
  if (testsFirst) test = loopTest(*node.expression);
  const std::uint32_t bodyScope = depth_;
  openScope(Op::ScopeBegin, node.span);
  breakScopes_.push_back(loopScope);
  continueScopes_.push_back(bodyScope);
  body(*node.body[0]);
  breakScopes_.pop_back();
  continueScopes_.pop_back();
  closeScope(Op::ScopeEnd, node.span);
  endVariables(*node.body[0]);
  const std::size_t none = emit(Op::JumpIfNone, node.span);
  if (node.step != nullptr) expression(*node.step);
  if (node.expression != nullptr && node.testsAtEnd) test = loopTest(*node.expression);
  emit(Op::Jump, node.span, 0, 0, 0, 0, top);
  if (node.expression != nullptr) land(test);
  land(none);
  closeScope(Op::ScopeEnd, node.span);
  endVariables(*node.body[0]);
}

std::size_t Compiler::loopTest(const Expression& condition) {
  const Reg test = expression(condition);
  return emit(Op::LoopTest, condition.span, 0, test);
}

/// The value is compared with every case first; each lane then waits for the case it goes to.
void Compiler::switchStatement(const typed::Statement& node) {
  const Type& type = *node.expression->type;
  const Reg subject = expression(*node.expression);
  const bool isWide = type.isWide();
  std::vector<Reg> tests;
  Reg matched = constantRegister(0, false);
  for (const typed::StatementPtr& child : node.body) {
    if (child->kind != typed::Statement::Kind::Case || child->isDefault) continue;
    const Reg test = allocate(false);
    emit(isWide ? Op::Eq64 : Op::Eq32, child->span, test, subject, constantRegister(child->bits, isWide));
    const Reg both = allocate(false);
    emit(Op::Or32, child->span, both, matched, test);
    matched = both;
    tests.push_back(test);
  }
  const Reg none = allocate(false);
  emit(Op::Eq32, node.span, none, matched, constantRegister(0, false));
  beginVariables(node);
  breakScopes_.push_back(depth_);
  openScope(Op::ScopeBegin, node.span);
  emit(Op::SwitchBegin, node.expression->span);
  deepen();
  std::size_t at = 0;
  for (const typed::StatementPtr& child : node.body) {
    if (child->kind == typed::Statement::Kind::Case) {
      emit(Op::SwitchCase, child->span, 0, child->isDefault ? none : tests[at++]);
    } else {
      statement(*child);
    }
  }
  closeScope(Op::SwitchEnd, node.span);
  closeScope(Op::ScopeEnd, node.span);
  endVariables(node);
  breakScopes_.pop_back();
}

}  // namespace compiler

Result<Bytecode> compile(typed::Kernel kernel) {
  const std::string name = kernel.name;
  Bytecode code;
  try {
    OwnStack::run([&] { code = compiler::Compiler(std::move(kernel)).run(); });
  } catch (const compiler::TooLarge& fault) {
    if (fault.isDeep) {
      return Error{fmt::format("The functions that {} calls are nested too deeply to be simulated.", name),
                   "Use fewer levels."};
    }
    return Error{fmt::format("{} is too large to be simulated.", name), "Split it into smaller kernels."};
  }
  return code;
}

}  // namespace lanescope
