// Lambdas: objects of unnamed classes, whose fields are their captures.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/language/check/checker_impl.h"

namespace lanescope::checker {
namespace {

/// Collects the names that a lambda's body uses, in their order.
class NameCollector {
 public:
  void look(const syntax::Expression* expression) {
    if (expression == nullptr) return;
    const bool isName = expression->kind == syntax::Expression::Kind::Name ||
                        expression->kind == syntax::Expression::Kind::Call;
    if (isName && seen_.insert(expression->text).second) names.push_back(expression);
    for (const syntax::ExpressionPtr& operand : expression->operands) look(operand.get());
    if (expression->closure == nullptr) return;
    for (const syntax::Capture& capture : expression->closure->captures) {
      if (seen_.insert(capture.name).second && capture.initial == nullptr) {
        made_.push_back(syntax::made(SyntaxKind::Name, capture.span, capture.name));
        names.push_back(made_.back().get());
      }
      look(capture.initial.get());
    }
    look(expression->closure->structure.methods[0].body.get());
  }

  void look(const syntax::Statement* statement) {
    syntax::forEachExpression(statement, [this](const syntax::Expression* expression) { look(expression); });
  }

  std::vector<const syntax::Expression*> names;

 private:
  std::set<std::string_view> seen_;
  std::vector<syntax::ExpressionPtr> made_;
};

}  // namespace

/// One captured variable: a field of the lambda, and its value.
void Checker::captureOne(const std::string& name, SourceSpan span, bool isReference, Operand given,
                         std::vector<Field>& fields, Values& values) {
  Field field{.name = name};
  if (isReference) {
    if (!given.glvalue) fail(span, fmt::format("'{}' has no place to refer to", name), "capture it by value");
    const Type* const type = given.glvalue->type;
    const bool isConst = given.glvalue->isConst;
    field.isReference = true;
    field.type = kernel_.types->pointerTo(type, isConst, false);
    values.push_back(referenceTo(field.type, std::move(given)));
  } else {
    if (given.glvalue && given.glvalue->type->isArray()) {
      fail(span, fmt::format("capturing the array '{}' by value is not simulated", name),
           "capture it by reference: [&]");
    }
    const Type* const type = given.type;
    values.push_back(given.glvalue && type != nullptr && type->isStruct()
                         ? passed(std::move(given), type, span)
                         : makeValue(std::move(given)));
    field.type = values.back()->type;
  }
  fields.push_back(std::move(field));
}

/// The variables that [=] and [&] capture: those of the function around the lambda that its body names.
void Checker::captureAll(const syntax::Closure& closure, std::vector<Field>& fields, Values& values) {
  NameCollector collector;
  collector.look(closure.structure.methods[0].body.get());
  for (const syntax::Expression* const used : collector.names) {
    const auto matchesName = [&](const auto& part) { return part.name == used->text; };
    if (std::ranges::any_of(closure.structure.methods[0].parameters, matchesName)) continue;
    if (std::ranges::any_of(fields, matchesName)) continue;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(used->text);
      if (found == scope->end()) continue;
      const bool isOwnField = found->second.kind == Symbol::Kind::Field && this_ && lambdaField(used->text);
      if (found->second.kind == Symbol::Kind::Variable || isOwnField) {
        captureOne(used->text, used->span, closure.byReference,
                   asOperand(symbolGlvalue(found->second, *used)), fields, values);
      }
      break;
    }
  }
}

/// True for a capture of the current lambda.
bool Checker::lambdaField(std::string_view name) const {
  const Type* const type = this_->type->element;
  return type->structName.starts_with("(lambda") && type->field(name) != nullptr;
}

/// The object of a lambda: its captured variables with their current values.
Checker::ExpressionPtr Checker::lambda(const syntax::Expression& node) {
  const syntax::Closure& closure = *node.closure;
  const syntax::Structure& structure = closure.structure;
  refuseFaulty(structure.methods[0].diagnostics);
  std::vector<Field> fields;
  Values values;
  for (const syntax::Capture& capture : closure.captures) {
    const syntax::ExpressionPtr name = syntax::made(SyntaxKind::Name, capture.span, capture.name);
    Operand given = operand(capture.initial != nullptr ? *capture.initial : *name);
    const bool isConstant = capture.initial == nullptr && !given.glvalue;
    if (isConstant) continue;  // its value is known without a capture
    captureOne(capture.name, capture.span, capture.isReference, std::move(given), fields, values);
  }
  if (closure.capturesAll) captureAll(closure, fields, values);
  const bool holdsThis = closure.capturesThis && this_;
  if (holdsThis) {
    Field field{.name = "(this)", .type = this_->type};
    fields.push_back(std::move(field));
    values.push_back(wholeVariable(this_->variable, node.span));
  }
  const std::string around = inProgress_.empty() ? std::string() : inProgress_.back();
  const Type*& known = lambdaTypes_[{&node, around}];
  if (known == nullptr) {
    Type* const made = kernel_.types->incomplete(structure.name);
    kernel_.types->complete(*made, std::move(fields), {});
    ClassInfo& info = classes_[made];
    info.node = &structure;
    info.scope = visibleNames();
    if (holdsThis) addFieldNames(*this_->type->element, info.scope, true);
    addFieldNames(*made, info.scope, false);
    info.isComplete = true;
    known = made;
  }
  ExpressionPtr result = make(Kind::Make, known, node.span);
  result->operands = std::move(values);
  return result;
}

}  // namespace lanescope::checker
