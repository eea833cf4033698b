#include <fmt/format.h>

#include <algorithm>

#include "sim/language/checker_impl.h"
#include "sim/language/constant_folding.h"

namespace lanescope::checker {
namespace {

/// Functions within functions; bounds the checker's own stack.
constexpr std::size_t kMaxCallDepth = 64;

}  // namespace

void Checker::expectArguments(const syntax::Expression& node, std::size_t least, std::size_t most) {
  const std::size_t given = node.operands.size();
  if (given >= least && given <= most) return;
  const std::string wanted = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  fail(node.span,
       fmt::format("{} takes {} argument{}, but {} {} given", node.text, wanted, most == 1 ? "" : "s", given,
                   given == 1 ? "is" : "are"),
       "see the CUDA C++ Programming Guide for its form");
}

Checker::ExpressionPtr Checker::call(const syntax::Expression& node) {
  const std::string& name = node.text;
  for (const syntax::Function& function : unit_.functions) {
    if (function.name == name && !function.isKernel) return deviceCall(node, function);
    if (function.name == name)
      fail(node.span, "a kernel cannot call a kernel", "make it a __device__ function");
  }
  if (name == "__syncthreads") {
    expectArguments(node, 0, 0);
    return make(Kind::BlockBarrier, scalar(Type::Kind::Void), node.span);
  }
  if (name == "__syncwarp") {
    expectArguments(node, 0, 1);
    const Type* type = scalar(Type::Kind::U32);
    ExpressionPtr mask = node.operands.empty() ? constant(type, 0xffffffffu, node.span)
                                               : convertImplicitly(value(*node.operands[0]), type, node.span);
    return make(Kind::WarpBarrier, scalar(Type::Kind::Void), node.span, std::move(mask));
  }
  if (name == "__shfl_sync") return shuffle(node, typed::ShuffleKind::Index);
  if (name == "__shfl_up_sync") return shuffle(node, typed::ShuffleKind::Up);
  if (name == "__shfl_down_sync") return shuffle(node, typed::ShuffleKind::Down);
  if (name == "__shfl_xor_sync") return shuffle(node, typed::ShuffleKind::Xor);
  if (name == "min" || name == "max") {
    return minimumOrMaximum(node, name == "min" ? typed::BinaryOp::Minimum : typed::BinaryOp::Maximum,
                            Type::Kind::Void);
  }
  if (name == "fminf" || name == "fmaxf" || name == "fmin" || name == "fmax") {
    return minimumOrMaximum(node, name[2] == 'i' ? typed::BinaryOp::Minimum : typed::BinaryOp::Maximum,
                            name.back() == 'f' ? Type::Kind::F32 : Type::Kind::F64);
  }
  fail(node.span, fmt::format("the function '{}' is not known to the simulator", name),
       "known are __device__ functions of this file, __syncthreads, __syncwarp, the __shfl_…_sync "
       "family, min, max, fminf and fmaxf");
}

Checker::ExpressionPtr Checker::shuffle(const syntax::Expression& node, typed::ShuffleKind kind) {
  expectArguments(node, 3, 4);
  ExpressionPtr mask = convertImplicitly(value(*node.operands[0]), scalar(Type::Kind::U32), node.span);
  ExpressionPtr exchanged = value(*node.operands[1]);
  if (!exchanged->type->isArithmetic()) {
    fail(node.operands[1]->span, "only numbers can be exchanged between lanes", "shuffle the value itself");
  }
  const Type* type = promoted(exchanged->type);
  exchanged = convert(std::move(exchanged), type);
  ExpressionPtr result = make(Kind::Shuffle, type, node.span, std::move(mask), std::move(exchanged));
  const Type* integer = scalar(Type::Kind::I32);
  result->operands.push_back(convertImplicitly(value(*node.operands[2]), integer, node.span));
  if (node.operands.size() == 4) {
    result->operands.push_back(convertImplicitly(value(*node.operands[3]), integer, node.span));
  } else {
    ExpressionPtr width = make(Kind::BuiltIn, integer, node.span);
    width->builtIn = typed::BuiltIn::WarpSize;
    result->operands.push_back(std::move(width));
  }
  result->shuffle = kind;
  return result;
}

Checker::ExpressionPtr Checker::minimumOrMaximum(const syntax::Expression& node, typed::BinaryOp op,
                                                 Type::Kind kind) {
  expectArguments(node, 2, 2);
  ExpressionPtr a = value(*node.operands[0]);
  ExpressionPtr b = value(*node.operands[1]);
  if (kind != Type::Kind::Void) {
    a = convertImplicitly(std::move(a), scalar(kind), node.span);
    b = convertImplicitly(std::move(b), scalar(kind), node.span);
  }
  return arithmetic(op, std::move(a), std::move(b), node.span, node.text);
}

Checker::ExpressionPtr Checker::deviceCall(const syntax::Expression& node, const syntax::Function& function) {
  expectArguments(node, function.parameters.size(), function.parameters.size());
  if (std::ranges::count(underWay_, &function) > 0) {
    fail(node.span,
         fmt::format("{} calls itself: recursion is not in the subset that is simulated", function.name),
         "write a loop");
  }
  if (underWay_.size() > kMaxCallDepth) {
    fail(node.span, fmt::format("functions call functions more than {} deep", kMaxCallDepth),
         "call fewer within each other");
  }
  const std::uint32_t index = instantiate(function, node);
  const typed::Function& instance = kernel_.functions[index];
  const Type* type =
      instance.returnsValue ? kernel_.variables[instance.result].type : scalar(Type::Kind::Void);
  ExpressionPtr result = make(Kind::Call, type, node.span);
  result->index = index;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const Type* parameter = kernel_.variables[kernel_.functions[index].parameters[i]].type;
    ExpressionPtr argument = value(*node.operands[i]);
    const SourceSpan span = node.operands[i]->span;
    result->operands.push_back(convertImplicitly(std::move(argument), parameter, span));
  }
  return result;
}

std::uint32_t Checker::instantiate(const syntax::Function& function, const syntax::Expression& node) {
  // Template arguments are read in the caller's scope, the body in the file's.
  pushScope();
  bindTemplateArguments(function, node.templateArguments, node.span);
  const auto bound = scopes_.back();
  popScope();
  std::string key = function.name;
  for (const auto& [name, symbol] : bound)
    key += fmt::format("|{}:{}:{}", name, symbol.type->name(), symbol.bits);
  if (const auto known = instances_.find(key); known != instances_.end()) return known->second;

  auto callerScopes = std::exchange(scopes_, {scopes_.front(), bound, {}});
  const Type* callerReturn = returnType_;
  const std::uint32_t callerResult = resultVariable_;
  const int callerLoops = std::exchange(loopDepth_, 0);
  underWay_.push_back(&function);
  const auto leave = [&] {
    underWay_.pop_back();
    returnType_ = callerReturn;
    resultVariable_ = callerResult;
    loopDepth_ = callerLoops;
    scopes_ = std::move(callerScopes);
  };
  typed::Function instance;
  try {
    instance = functionBody(function);
  } catch (const CheckFault&) {
    leave();
    throw;
  }
  leave();
  const auto index = static_cast<std::uint32_t>(kernel_.functions.size());
  kernel_.functions.push_back(std::move(instance));
  instances_[key] = index;
  return index;
}

/// The body of a function in the scopes that stand: its variables join the kernel's.
typed::Function Checker::functionBody(const syntax::Function& function) {
  typed::Function instance;
  instance.name = function.name;
  returnType_ = resolve(function.returnType);
  instance.returnsValue = returnType_->kind != Type::Kind::Void;
  if (instance.returnsValue) {
    resultVariable_ = addVariable(function.name + "()", returnType_, function.span, false);
    instance.result = resultVariable_;
  }
  for (const syntax::Parameter& parameter : function.parameters) {
    const Type* type = resolve(parameter.type);
    const std::uint32_t variable = addVariable(parameter.name, type, parameter.span, false);
    instance.parameters.push_back(variable);
    if (!parameter.name.empty())
      declare(parameter.name, parameter.span, {Symbol::Kind::Variable, variable, type, 0});
  }
  instance.body = block(*function.body);
  return instance;
}

}  // namespace lanescope::checker
