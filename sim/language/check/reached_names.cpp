#include "sim/language/check/reached_names.h"

#include <algorithm>

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

  std::set<std::string_view> withoutCalls() {
    isOfCalls_ = false;
    for (const syntax::Function& function : unit_.functions) look(function);
    for (const syntax::MemberDefinition& member : unit_.members) look(member.function);
    for (const syntax::FileItem& item : unit_.items) {
      look(item.constant.get());
      if (item.structure) look(*item.structure);
    }
    return std::move(names_);
  }

  std::vector<const syntax::Expression*> instances() {
    withoutCalls();
    return std::move(instances_);
  }

  std::set<std::string_view> in(const syntax::Expression* expression) {
    look(expression);
    return std::move(names_);
  }

 private:
  void look(const syntax::Function& function) {
    look(function.body.get());
    for (const syntax::Parameter& parameter : function.parameters) look(parameter.initial.get());
    for (const syntax::MemberInitial& member : function.initials) look(member.value.get());
  }

  void look(const syntax::Expression* expression) {
    if (expression == nullptr) return;
    const bool isName = expression->kind == syntax::Expression::Kind::Name;
    if (isName && !expression->templateArguments.empty()) instances_.push_back(expression);
    const bool isMeant = isOfCalls_ || isName;
    if (isMeant && names_.insert(expression->text).second) found_.push_back(expression->text);
    for (const syntax::ExpressionPtr& operand : expression->operands) look(operand.get());
    for (const syntax::TemplateArgument& argument : expression->templateArguments) look(argument.value.get());
    if (expression->closure == nullptr) return;
    for (const syntax::Capture& capture : expression->closure->captures) look(capture.initial.get());
    look(expression->closure->structure);
  }

  void look(const syntax::Structure& structure) {
    for (const syntax::StatementPtr& field : structure.fields) look(field.get());
    for (const syntax::StatementPtr& constant : structure.constants) look(constant.get());
    for (const syntax::Function& method : structure.methods) look(method);
    look(structure.types.get());
  }

  /// Nesting of classes within functions and classes.
  void look(const std::vector<syntax::FileItem>* types) {
    if (types == nullptr) return;
    for (const syntax::FileItem& item : *types) {
      if (item.structure) look(*item.structure);
    }
  }

  void look(const syntax::Statement* statement) {
    syntax::forEachExpression(statement, [this](const syntax::Expression* expression) { look(expression); });
    lookAtTypes(statement);
  }

  void lookAtTypes(const syntax::Statement* statement) {
    if (statement == nullptr) return;
    look(statement->types.get());
    for (const syntax::StatementPtr& part : statement->body) lookAtTypes(part.get());
  }

  const syntax::Unit& unit_;
  std::set<std::string_view> names_;
  std::vector<const syntax::Expression*> instances_;
  std::vector<std::string_view> found_;  ///< whose functions are still to be searched
  bool isOfCalls_ = true;                ///< the names of called functions count, too
};

}  // namespace

std::set<std::string_view> reachedNames(const syntax::Unit& unit, const syntax::Function& kernel) {
  return NameFinder(unit).from(kernel);
}

std::set<std::string_view> namesWithoutCalls(const syntax::Unit& unit) {
  return NameFinder(unit).withoutCalls();
}

std::vector<const syntax::Expression*> instancesWithoutCalls(const syntax::Unit& unit) {
  return NameFinder(unit).instances();
}

bool containsAnyName(const std::set<std::string_view>& names, const syntax::Expression* expression) {
  const syntax::Unit none;
  const std::set<std::string_view> found = NameFinder(none).in(expression);
  return std::ranges::any_of(found, [&](std::string_view name) { return names.contains(name); });
}

}  // namespace lanescope::checker
