#include "sim/machine/compile/compiled_kernel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/own_stack.h"
#include "sim/language/check/checker.h"
#include "sim/language/check/typed_tree.h"

namespace lanescope {
namespace {

/// The products that are computed once and used several times, as `x * x` in `x * x + y * y < 4` and then in
/// `x * x - y * y`: nvcc fuses such a product only if it could be fused in each use, all in one basic block;
/// else it is computed, and rounded, for all. Measured with nvcc 13.0 for sm_90
/// (sim/host/tests/programs/shared_products.cu). Finds the products of one function whose operands are
/// variables and constants; the effect of loops that nvcc unrolls is unknown.
class SharedProducts {
 public:
  explicit SharedProducts(const typed::Kernel& kernel);

  /// True if nvcc would fuse that multiplication with the sum or difference that uses it.
  bool canFuse(const typed::Expression& product) const;

 private:
  using Kind = typed::Expression::Kind;

  struct Use {
    std::string user;        ///< the value that it goes into; a new one for each if unknown
    bool isFusible = false;  ///< in a sum or a difference, without another product to its left
    std::size_t basicBlock = 0;
  };
  using Known = std::map<std::string, std::size_t>;

  void walk(const typed::Statement* statement);
  void walkLoop(const typed::Statement& loop);
  void walk(const typed::Expression* expression);
  void walkBranches(const typed::Expression& expression);
  void use(const typed::Expression& operand, const typed::Expression& user);
  std::string computeValue(const typed::Expression& expression) const;
  void assign(std::uint32_t variable);
  void assignAll(const std::set<std::uint32_t>& variables);
  void beginBlock() { ++basicBlock_; }

  const typed::Kernel& kernel_;
  std::vector<std::size_t> versions_;  ///< by variable: a new number for each new value
  std::size_t nextVersion_ = 0;
  std::size_t basicBlock_ = 0;
  std::size_t unknown_ = 0;
  Known known_;                         ///< the numbers of the products computed so far
  std::vector<std::vector<Use>> uses_;  ///< by the number in known_
  std::map<const typed::Expression*, std::size_t> products_;
};

using typed::BinaryOp;
using typed::Expression;
using typed::Statement;

bool isProduct(const Expression& node) {
  return node.kind == Expression::Kind::Binary && node.op == BinaryOp::Multiply && node.type->isFloating();
}

bool isProductOrNegated(const Expression& node) {
  return isProduct(node) || (node.kind == Expression::Kind::Negate && isProduct(*node.operands[0]));
}

/// True if the product is that operand, or the value that the operand negates.
bool isOperand(const Expression& product, const Expression& operand) {
  return &product == &operand ||
         (operand.kind == Expression::Kind::Negate && operand.operands[0].get() == &product);
}

void addAssigned(const Expression* expression, std::set<std::uint32_t>& variables) {
  if (expression == nullptr) return;
  if (expression->kind == Expression::Kind::SetVariable) variables.insert(expression->index);
  for (const typed::ExpressionPtr& operand : expression->operands) addAssigned(operand.get(), variables);
}

/// The variables that a statement assigns.
void addAssigned(const Statement* statement, std::set<std::uint32_t>& variables) {
  if (statement == nullptr) return;
  addAssigned(statement->expression.get(), variables);
  addAssigned(statement->step.get(), variables);
  for (const typed::StatementPtr& part : statement->body) addAssigned(part.get(), variables);
}

template <class Part>
std::set<std::uint32_t> assignedIn(const Part* part) {
  std::set<std::uint32_t> variables;
  addAssigned(part, variables);
  return variables;
}

SharedProducts::SharedProducts(const typed::Kernel& kernel)
    : kernel_(kernel), versions_(kernel.variables.size(), 0) {
  walk(kernel.body.get());
  for (const typed::Function& function : kernel.functions) {
    known_.clear();
    beginBlock();
    walk(function.body.get());
  }
}

bool SharedProducts::canFuse(const Expression& product) const {
  const auto found = products_.find(&product);
  if (found == products_.end()) return true;
  const std::vector<Use>& uses = uses_[found->second];
  const auto isOther = [&](const Use& use) { return use.user != uses.front().user; };
  if (std::ranges::none_of(uses, isOther)) return true;
  const auto isNear = [&](const Use& use) {
    return use.isFusible && use.basicBlock == uses.front().basicBlock;
  };
  return std::ranges::all_of(uses, isNear);
}

void SharedProducts::assign(std::uint32_t variable) { versions_[variable] = ++nextVersion_; }

void SharedProducts::assignAll(const std::set<std::uint32_t>& variables) {
  for (const std::uint32_t variable : variables) assign(variable);
}

void SharedProducts::walk(const Statement* statement) {
  if (statement == nullptr) return;
  const auto& body = statement->body;
  switch (statement->kind) {
    case Statement::Kind::If: {
      walk(statement->expression.get());
      const std::vector<std::size_t> versions = versions_;
      for (const typed::StatementPtr& branch : body) {
        const Known known = known_;
        beginBlock();
        walk(branch.get());
        known_ = known;
        versions_ = versions;
      }
      beginBlock();
      for (const typed::StatementPtr& branch : body) assignAll(assignedIn(branch.get()));
      return;
    }
    case Statement::Kind::Loop: return walkLoop(*statement);
    case Statement::Kind::Switch:
    case Statement::Kind::Labelled: {
      walk(statement->expression.get());
      const std::set<std::uint32_t> assigned = assignedIn(statement);
      const Known known = known_;
      for (const typed::StatementPtr& part : body) {
        const bool isEntered =
            statement->kind == Statement::Kind::Labelled || part->kind == Statement::Kind::Case;
        if (isEntered) {
          beginBlock();
          assignAll(assigned);
          known_ = known;
        }
        walk(part.get());
      }
      beginBlock();
      assignAll(assigned);
      known_ = known;
      return;
    }
    default:
      walk(statement->expression.get());
      for (const typed::StatementPtr& part : body) walk(part.get());
  }
}

/// A variable that a loop assigns has another value at the start of each iteration.
void SharedProducts::walkLoop(const Statement& loop) {
  const std::set<std::uint32_t> assigned = assignedIn(&loop);
  const Known known = known_;
  beginBlock();
  assignAll(assigned);
  if (!loop.testsAtEnd) {
    walk(loop.expression.get());
    beginBlock();
  }
  for (const typed::StatementPtr& part : loop.body) walk(part.get());
  beginBlock();
  if (loop.testsAtEnd) walk(loop.expression.get());
  walk(loop.step.get());
  beginBlock();
  assignAll(assigned);
  known_ = known;
}

/// The first operand of `a && b`, `a || b` and `c ? a : b` is always computed.
void SharedProducts::walkBranches(const Expression& expression) {
  walk(expression.operands[0].get());
  const std::vector<std::size_t> versions = versions_;
  const Known known = known_;
  for (std::size_t i = 1; i < expression.operands.size(); ++i) {
    beginBlock();
    walk(expression.operands[i].get());
    use(*expression.operands[i], expression);
    known_ = known;
    versions_ = versions;
  }
  beginBlock();
  assignAll(assignedIn(&expression));
}

void SharedProducts::walk(const Expression* expression) {
  if (expression == nullptr) return;
  const bool branches = expression->kind == Kind::LogicalAnd || expression->kind == Kind::LogicalOr ||
                        expression->kind == Kind::Conditional;
  if (branches) return walkBranches(*expression);
  for (const typed::ExpressionPtr& operand : expression->operands) {
    if (operand == nullptr) continue;
    walk(operand.get());
    use(*operand, *expression);
  }
  if (expression->kind == Kind::SetVariable) assign(expression->index);
}

/// Records the use of a product; -(x * y) in a sum is x * y there.
void SharedProducts::use(const Expression& operand, const Expression& user) {
  if (!isProduct(operand)) {
    if (isProductOrNegated(operand)) use(*operand.operands[0], user);
    return;
  }
  if (user.kind == Kind::Negate) return;
  const std::string value = computeValue(operand);
  if (value.empty()) return;
  const auto [known, isNew] = known_.emplace(value, uses_.size());
  if (isNew) uses_.emplace_back();
  products_[&operand] = known->second;
  std::string into = computeValue(user);
  if (into.empty()) into = fmt::format("?{}", ++unknown_);
  const bool isSum = user.kind == Kind::Binary && (user.op == BinaryOp::Add || user.op == BinaryOp::Subtract);
  const bool isFirst =
      isSum && (isOperand(operand, *user.operands[0]) || !isProductOrNegated(*user.operands[0]));
  uses_[known->second].push_back({std::move(into), isFirst, basicBlock_});
}

/// The operands and operators that make a value, the same text for the same value; empty if unknown.
std::string SharedProducts::computeValue(const Expression& expression) const {
  std::vector<std::string> parts;
  for (const typed::ExpressionPtr& operand : expression.operands) {
    parts.push_back(computeValue(*operand));
    if (parts.back().empty()) return {};
  }
  const auto key = [&](std::string_view name, std::int64_t of) {
    std::string text = fmt::format("{}{}:{}(", name, of, fmt::ptr(expression.type));
    for (const std::string& part : parts) text += part + ",";
    return text + ")";
  };
  switch (expression.kind) {
    case Kind::Constant: return key("c", static_cast<std::int64_t>(expression.bits));
    case Kind::BuiltIn: return key("b", static_cast<std::int64_t>(expression.builtIn));
    case Kind::Member: return key("m", expression.scale);
    case Kind::Convert: return key("t", 0);
    case Kind::Negate: return key("-", 0);
    case Kind::Math: return key("f", static_cast<std::int64_t>(expression.math));
    case Kind::Variable:
      if (kernel_.variables[expression.index].isAddressed) return {};
      return key(fmt::format("v{}@{}.", expression.index, versions_[expression.index]), expression.scale);
    case Kind::Binary:
      if (expression.op == BinaryOp::Add || expression.op == BinaryOp::Multiply) std::ranges::sort(parts);
      return key("o", static_cast<std::int64_t>(expression.op));
    default: return {};
  }
}

using typed::ExpressionPtr;
using Kind = Expression::Kind;

bool isBinary(const ExpressionPtr& node, BinaryOp op) {
  return node != nullptr && node->kind == Kind::Binary && node->op == op && node->type->isFloating();
}

bool isNegated(const ExpressionPtr& node) {
  return node->kind == Kind::Negate && isBinary(node->operands[0], BinaryOp::Multiply);
}

bool isProduct(const ExpressionPtr& node) { return isBinary(node, BinaryOp::Multiply) || isNegated(node); }

ExpressionPtr negated(ExpressionPtr value) {
  if (value->kind == Kind::Negate) return std::move(value->operands[0]);
  auto node = std::make_unique<Expression>();
  node->kind = Kind::Negate;
  node->type = value->type;
  node->span = value->span;
  node->operands.push_back(std::move(value));
  return node;
}

/// x * y + addend in place of `node`, if the product is x * y or -(x * y).
void fuse(ExpressionPtr& node, ExpressionPtr product, bool isSubtracted, ExpressionPtr addend) {
  if (isNegated(product)) {
    product = std::move(product->operands[0]);
    isSubtracted = !isSubtracted;
  }
  auto fused = std::make_unique<Expression>();
  fused->kind = Kind::Math;
  fused->math = typed::MathOp::Fma;
  fused->type = node->type;
  fused->span = node->span;
  ExpressionPtr left = std::move(product->operands[0]);
  fused->operands.push_back(isSubtracted ? negated(std::move(left)) : std::move(left));
  fused->operands.push_back(std::move(product->operands[1]));
  fused->operands.push_back(std::move(addend));
  node = std::move(fused);
}

/// The product that nvcc would fuse: x * y or -(x * y), unless nvcc also computes it for other uses.
bool isFusible(const ExpressionPtr& node, const SharedProducts& shared) {
  return isProduct(node) && shared.canFuse(isNegated(node) ? *node->operands[0] : *node);
}

void contract(ExpressionPtr& node, const SharedProducts& shared) {
  const bool isSum = isBinary(node, BinaryOp::Add);
  if (!isSum && !isBinary(node, BinaryOp::Subtract)) return;
  ExpressionPtr& left = node->operands[0];
  ExpressionPtr& right = node->operands[1];
  if (isFusible(left, shared)) {
    ExpressionPtr product = std::move(left);
    ExpressionPtr addend = isSum ? std::move(right) : negated(std::move(right));
    fuse(node, std::move(product), false, std::move(addend));
  } else if (isFusible(right, shared)) {
    ExpressionPtr product = std::move(right);
    ExpressionPtr addend = std::move(left);
    fuse(node, std::move(product), !isSum, std::move(addend));
  }
}

/// True unless a value can as well be computed a moment later than the text says.
bool hasEffects(const Expression& node) {
  constexpr std::array kPure{Kind::Constant, Kind::Variable,     Kind::BuiltIn, Kind::SharedAddress,
                             Kind::Held,     Kind::LocalAddress, Kind::Member,  Kind::Convert,
                             Kind::Negate,   Kind::Binary,       Kind::Math,    Kind::PointerAdd,
                             Kind::Load};
  if (std::ranges::find(kPure, node.kind) == kPure.end()) return true;
  return std::ranges::any_of(node.operands, [](const ExpressionPtr& one) { return hasEffects(*one); });
}

/// The product that is added to a place in memory takes its operand's place in the sum.
void inlineProduct(Expression& update) {
  ExpressionPtr& right = update.operands[0];
  ExpressionPtr& value = update.operands[2];
  if (right == nullptr || !isProduct(right) || hasEffects(*right)) return;
  if (!isBinary(value, BinaryOp::Add) && !isBinary(value, BinaryOp::Subtract)) return;
  ExpressionPtr& added = value->operands[1];
  if (added->kind == Kind::Held && added->index == 1) added = std::move(right);
}

template <class Visit>
void forEach(ExpressionPtr& node, const Visit& visit) {
  if (node == nullptr) return;
  for (ExpressionPtr& operand : node->operands) forEach(operand, visit);
  visit(node);
}

template <class Visit>
void forEach(typed::Statement& statement, const Visit& visit) {
  forEach(statement.expression, visit);
  forEach(statement.step, visit);
  for (const typed::StatementPtr& child : statement.body) {
    if (child != nullptr) forEach(*child, visit);
  }
}

/// Visits every expression, nested ones first.
template <class Visit>
void forEach(typed::Kernel& kernel, const Visit& visit) {
  if (kernel.body != nullptr) forEach(*kernel.body, visit);
  for (typed::Function& function : kernel.functions) {
    if (function.body != nullptr) forEach(*function.body, visit);
  }
}

/// Fuses each floating multiplication with the addition or subtraction in the same expression that uses it:
/// one rounding, not two. nvcc does so unless it is given --fmad=false. If both operands are products, it
/// fuses the left one, but none that SharedProducts withholds; a product that an earlier statement computed
/// is not fused, though nvcc may do that, too.
void contractMultiplyAdd(typed::Kernel& kernel) {
  forEach(kernel, [](const ExpressionPtr& node) {
    if (node->kind == Kind::Update) inlineProduct(*node);
  });
  const SharedProducts shared(kernel);
  forEach(kernel, [&](ExpressionPtr& node) { contract(node, shared); });
}

}  // namespace

namespace {

Result<CompiledKernelPtr> compileHere(const ParsedText& text, std::string_view kernel,
                                      ProductRounding rounding) {
  auto checked = checkKernel(text, kernel);
  if (!checked) return checked.error();
  if (rounding == ProductRounding::Fused) contractMultiplyAdd(*checked);
  countWork(text.work, &WorkCount::compilations);
  auto code = compile(std::move(*checked));
  if (!code) return code.error();
  auto compiled = std::make_shared<CompiledKernel>();
  compiled->source = text.source;
  compiled->asked = kernel;
  compiled->code = std::move(*code);
  for (const SourceSpan site : compiled->code.sites)
    compiled->lineOfSite.push_back(text.source->findLine(site));
  const std::string_view full = compiled->code.kernelName;
  const std::string_view name = full.substr(0, full.find('<'));
  const syntax::Function* const own = kernelNamed(text.unit, name, splitKernelName(kernel).number);
  if (own != nullptr) compiled->line = text.source->findLine(own->span);
  constexpr std::size_t kFunctionsOfWork = 4;
  *text.checked += text.unit.index.bodies.size() / kFunctionsOfWork;
  for (const syntax::Function* const function : text.unit.index.bodies)
    compiled->functions.push_back({function->name, {function->span.begin, function->body->span.end}});
  return CompiledKernelPtr(std::move(compiled));
}

}  // namespace

Result<CompiledKernelPtr> compileKernel(const ParsedText& text, std::string_view kernel,
                                        ProductRounding rounding) {
  Result<CompiledKernelPtr> result = CompiledKernelPtr();
  OwnStack::run([&] { result = compileHere(text, kernel, rounding); });
  return result;
}

}  // namespace lanescope
