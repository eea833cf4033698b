#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "sim/language/check/checker_state.h"
#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// Finds the names in functions, in the order of the text, each once.
class NameFinder {
 public:
  explicit NameFinder(bool isOfCalls = true) : isOfCalls_(isOfCalls) {}

  void look(const syntax::Unit& unit) {
    for (const syntax::Function& function : unit.functions) look(function);
    for (const syntax::MemberDefinition& member : unit.members) look(member.function);
    for (const syntax::FileItem& item : unit.items) {
      look(item.constant.get());
      if (item.structure) look(*item.structure);
    }
  }

  void look(const syntax::Function& function) {
    look(function.body.get());
    for (const syntax::Parameter& parameter : function.parameters) look(parameter.initial.get());
    for (const syntax::MemberInitial& member : function.initials) look(member.value.get());
  }

  void look(const syntax::Expression* expression) {
    if (expression == nullptr) return;
    const bool isName = expression->kind == SyntaxKind::Name;
    if (isName && !expression->templateArguments.empty()) instances.push_back(expression);
    const bool isMeant = isName || (isOfCalls_ && expression->kind == SyntaxKind::Call);
    if (isMeant && names.insert(expression->text).second) found.push_back(expression);
    for (const syntax::ExpressionPtr& operand : expression->operands) look(operand.get());
    for (const syntax::TemplateArgument& argument : expression->templateArguments) look(argument.value.get());
    if (expression->closure == nullptr) return;
    for (const syntax::Capture& capture : expression->closure->captures) {
      made_.push_back(syntax::makeExpression(SyntaxKind::Name, capture.span, capture.name));
      const bool isNew = names.insert(made_.back()->text).second;
      if (isNew && capture.initial == nullptr) found.push_back(made_.back().get());
      look(capture.initial.get());
    }
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

  std::set<std::string_view> names;
  std::vector<const syntax::Expression*> found;      ///< those names
  std::vector<const syntax::Expression*> instances;  ///< `add<int>`

 private:
  void lookAtTypes(const syntax::Statement* statement) {
    if (statement == nullptr) return;
    look(statement->types.get());
    for (const syntax::StatementPtr& part : statement->body) lookAtTypes(part.get());
  }

  bool isOfCalls_;  ///< the names of called functions count, too
  std::vector<syntax::ExpressionPtr> made_;
};

}  // namespace lanescope::checker
