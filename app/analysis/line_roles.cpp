#include "app/analysis/line_roles.h"

#include <memory>
#include <set>
#include <string>

#include "sim/language/check/checker.h"
#include "sim/language/parse/syntax.h"

namespace lanescope {
namespace {

using typed::Expression;
using typed::Statement;

/// Everything that a line does.
struct LineDeeds {
  bool isGlobal = false;
  bool isShared = false;
  bool isCondition = false;
  bool isLoop = false;

  LineRole role() const {
    if (isGlobal) return LineRole::Global;
    if (isShared) return LineRole::Shared;
    if (isCondition) return LineRole::Condition;
    return isLoop ? LineRole::Loop : LineRole::Other;
  }
};

class RoleFinder {
 public:
  RoleFinder(const SourceText& text, const typed::Kernel& kernel) : text_(text), kernel_(kernel) {}

  std::map<std::uint32_t, LineRole> find() {
    // A pointer may get its value after the first line that uses it, in a loop.
    for (int pass = 0; pass < 2; ++pass) {
      if (kernel_.body != nullptr) visit(*kernel_.body);
      for (const typed::Function& function : kernel_.functions) {
        if (function.body != nullptr) visit(*function.body);
      }
    }
    std::map<std::uint32_t, LineRole> roles;
    for (const auto& [line, deeds] : deeds_) {
      if (deeds.role() != LineRole::Other) roles[line] = deeds.role();
    }
    return roles;
  }

 private:
  enum class Space : std::uint8_t { Global, Shared, Local };

  LineDeeds& at(SourceSpan span) { return deeds_[text_.findLine(span)]; }

  void visit(const Statement& statement) {
    if (statement.kind == Statement::Kind::Loop) at(statement.span).isLoop = true;
    if (statement.kind == Statement::Kind::If && statement.expression != nullptr)
      at(statement.expression->span).isCondition = true;
    if (statement.kind == Statement::Kind::Switch) at(statement.span).isCondition = true;
    if (statement.expression != nullptr) visit(*statement.expression);
    if (statement.step != nullptr) visit(*statement.step);
    for (const typed::StatementPtr& part : statement.body) {
      if (part != nullptr) visit(*part);
    }
  }

  void visit(const Expression& one) {
    switch (one.kind) {
      case Expression::Kind::Load:
      case Expression::Kind::Store:
      case Expression::Kind::Atomic: access(one, *one.operands[0]); break;
      case Expression::Kind::Update: access(one, *one.operands[1]); break;
      case Expression::Kind::Shuffle:
      case Expression::Kind::Vote: at(one.span).isShared = true; break;
      case Expression::Kind::BlockBarrier:
      case Expression::Kind::WarpBarrier:
      case Expression::Kind::GridBarrier:
      case Expression::Kind::Fence: at(one.span).isLoop = true; break;
      case Expression::Kind::SetVariable: give(one.index, *one.operands[0]); break;
      case Expression::Kind::Call:
        if (one.index < kernel_.functions.size()) {
          const auto& parameters = kernel_.functions[one.index].parameters;
          for (std::size_t i = 0; i < parameters.size() && i < one.operands.size(); ++i)
            give(parameters[i], *one.operands[i]);
        }
        break;
      default: break;
    }
    for (const typed::ExpressionPtr& operand : one.operands) {
      if (operand != nullptr) visit(*operand);
    }
  }

  void access(const Expression& one, const Expression& address) {
    switch (findSpace(address)) {
      case Space::Global: at(one.span).isGlobal = true; break;
      case Space::Shared: at(one.span).isShared = true; break;
      case Space::Local: break;
    }
  }

  void give(std::uint32_t variable, const Expression& value) {
    if (findSpace(value) == Space::Shared) shared_.insert(variable);
    if (findSpace(value) == Space::Local) local_.insert(variable);
  }

  /// The memory that an address is in: that of the pointer it was made of.
  Space findSpace(const Expression& address) const {
    switch (address.kind) {
      case Expression::Kind::SharedAddress: return Space::Shared;
      case Expression::Kind::LocalAddress: return Space::Local;
      case Expression::Kind::Variable:
        return shared_.contains(address.index)  ? Space::Shared
               : local_.contains(address.index) ? Space::Local
                                                : Space::Global;
      case Expression::Kind::PointerAdd:
      case Expression::Kind::Convert:
      case Expression::Kind::Member: return findSpace(*address.operands[0]);
      case Expression::Kind::Sequence:
      case Expression::Kind::Conditional: return findSpace(*address.operands[1]);
      default: return Space::Global;
    }
  }

  const SourceText& text_;
  const typed::Kernel& kernel_;
  std::map<std::uint32_t, LineDeeds> deeds_;
  std::set<std::uint32_t> shared_, local_;  ///< variables that point there
};

}  // namespace

std::string_view lineRoleWords(LineRole role) {
  switch (role) {
    case LineRole::Global: return "global memory";
    case LineRole::Condition: return "condition";
    case LineRole::Shared: return "shared memory, shuffle";
    case LineRole::Loop: return "loop and barrier";
    case LineRole::Other: break;
  }
  return "other lines";
}

std::map<std::uint32_t, LineRole> findLineRoles(const SourceText& text, const typed::Kernel& kernel) {
  return RoleFinder(text, kernel).find();
}

std::map<std::uint32_t, LineRole> findLineRoles(std::string_view text, std::string_view kernel) {
  const auto source = std::make_shared<const SourceText>("", std::string(text));
  const ParsedText parsed(source);
  const auto checked = checkKernel(parsed, kernel);
  if (!checked) return {};
  return findLineRoles(*source, *checked);
}

}  // namespace lanescope
