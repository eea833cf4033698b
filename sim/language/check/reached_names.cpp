#include "sim/language/check/reached_names.h"

#include <vector>

namespace lanescope::checker {
namespace {

class NameFinder {
 public:
  explicit NameFinder(const syntax::Unit& unit) : unit_(unit) {}

  std::set<std::string_view> from(const syntax::Function& kernel) {
    look(kernel);
    while (!found_.empty()) {
      const std::string_view name = found_.back();
      found_.pop_back();
      for (const syntax::Function& function : unit_.functions) {
        if (function.name == name && !function.isKernel) look(function);
      }
    }
    return std::move(names_);
  }

 private:
  void look(const syntax::Function& function) {
    look(function.body.get());
    for (const syntax::Parameter& parameter : function.parameters) look(parameter.initial.get());
  }

  void look(const syntax::Expression* expression) {
    if (expression == nullptr) return;
    if (names_.insert(expression->text).second) found_.push_back(expression->text);
    for (const syntax::ExpressionPtr& operand : expression->operands) look(operand.get());
    for (const syntax::TemplateArgument& argument : expression->templateArguments) look(argument.value.get());
  }

  void look(const syntax::Statement* statement) {
    if (statement == nullptr) return;
    for (const syntax::Declarator& declared : statement->declarators) {
      look(declared.initial.get());
      for (const syntax::ExpressionPtr& extent : declared.extents) look(extent.get());
    }
    look(statement->condition.get());
    look(statement->step.get());
    look(statement->expression.get());
    for (const syntax::StatementPtr& part : statement->body) look(part.get());
  }

  const syntax::Unit& unit_;
  std::set<std::string_view> names_;
  std::vector<std::string_view> found_;  ///< whose functions are still to be looked at
};

}  // namespace

std::set<std::string_view> reachedNames(const syntax::Unit& unit, const syntax::Function& kernel) {
  return NameFinder(unit).from(kernel);
}

}  // namespace lanescope::checker
