#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// Statements and labels.
namespace lanescope::checker {

/// A statement whose variables, names and objects end with it: those that `fill` adds.
StatementPtr Checker::scoped(StatementKind kind, SourceSpan span, SourceSpan end,
                             const std::function<void(typed::Statement&)>& fill) {
  StatementPtr result = makeStatement(kind, span);
  result->firstVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  pushScope();
  const std::size_t alive = alive_.size();
  fill(*result);
  endObjects(alive, end, *result);
  popScope();
  result->endVariable = static_cast<std::uint32_t>(kernel_.variables.size());
  return result;
}

StatementPtr Checker::block(const syntax::Statement& node) {
  const SourceSpan end{node.span.end, node.span.end};
  return scoped(StatementKind::Block, node.span, end, [&](typed::Statement& into) {
    const std::size_t firstLabel = labels_.size();
    declareLabels(node);
    for (std::size_t i = 0; i < node.body.size(); ++i) {
      const syntax::Statement& child = *node.body[i];
      passLabels(firstLabel, i);
      StatementPtr checked;
      const std::size_t begun = work_;
      try {
        checked = statement(child);
      } catch (const CheckFault&) {
        if (diagnostics_.empty())  // no statement is left out without a word
          diagnostics_.push_back({"this needs a declaration that has a fault", "mend that", at(child.span)});
        forget(diagnostics_.size(), begun);
        if (diagnostics_.size() >= 20) throw;
        if (child.kind == syntax::Statement::Kind::Declaration) declareUnchecked(child);
      }
      if (checked == nullptr) checked = makeStatement(StatementKind::Block, child.span);
      into.body.push_back(std::move(checked));
    }
    wrapLabelled(firstLabel, into);
  });
}

/// A statement, and behind it the end of the unnamed objects that it makes.
StatementPtr Checker::statement(const syntax::Statement& node) {
  using Written = syntax::Statement::Kind;
  const bool mayEnd =
      node.kind == Written::Expression || node.kind == Written::Declaration || node.kind == Written::Return;
  const Temporaries own(*this, mayEnd);
  StatementPtr result = plainStatement(node);
  if (temporaries_.empty() || node.kind == Written::Return) return result;
  StatementPtr block = makeStatement(StatementKind::Block, node.span);
  if (result != nullptr) block->body.push_back(std::move(result));
  destroyAll(temporaries_, node.span, *block);
  return block;
}

StatementPtr Checker::plainStatement(const syntax::Statement& node) {
  using Written = syntax::Statement::Kind;
  spend(1, node.span);
  switch (node.kind) {
    case Written::Empty: return makeStatement(StatementKind::Block, node.span);
    case Written::Block: return block(node);
    case Written::Declaration: return declaration(node);
    case Written::Types:
      for (const syntax::FileItem& item : *node.types) fileItem(item);
      if (!node.body.empty()) return declaration(*node.body[0]);
      return makeStatement(StatementKind::Block, node.span);
    case Written::If: return ifStatement(node);
    case Written::RangeFor: return rangeLoop(node);
    case Written::For:
    case Written::While:
    case Written::Do: return loop(node);
    case Written::Switch: return switchStatement(node);
    case Written::Case:
      fail(node.span, "a case label must be directly inside its switch", "move it out of the inner block");
    case Written::Return: return returnStatement(node);
    case Written::Break:
    case Written::Continue: return jump(node);
    case Written::Goto: return gotoStatement(node);
    case Written::Label: return makeStatement(StatementKind::Block, node.span);
    case Written::Expression: break;
  }
  return expressionStatement(expression(*node.expression), node.span);
}

/// A statement whose value is unused.
StatementPtr Checker::expressionStatement(ExpressionPtr expression, SourceSpan span) {
  if (isTemporaryObject(*expression)) return endedAtOnce(std::move(expression), span);
  StatementPtr result = makeStatement(StatementKind::Expression, span);
  discard(*expression);
  result->expression = std::move(expression);
  return result;
}

StatementPtr Checker::jump(const syntax::Statement& node) {
  const bool isBreak = node.kind == syntax::Statement::Kind::Break;
  if (loopDepth_ == 0 && !(isBreak && switchDepth_ > 0)) {
    fail(node.span, fmt::format("'{}' outside a loop", isBreak ? "break" : "continue"), "remove it");
  }
  StatementPtr result = makeStatement(isBreak ? StatementKind::Break : StatementKind::Continue, node.span);
  const std::size_t kept = isBreak ? aliveAtBreak_ : aliveAtLoop_;
  if (kept == alive_.size()) return result;
  StatementPtr block = makeStatement(StatementKind::Block, node.span);
  destroyFrom(kept, node.span, *block);
  block->body.push_back(std::move(result));
  return block;
}

StatementPtr Checker::ifStatement(const syntax::Statement& node) {
  ExpressionPtr test = fold(condition(*node.condition));
  if (node.isConstexpr) test = asConstant(std::move(test));
  if (test->kind == Kind::Constant) {  // decided by the compiler: no branch is left
    const std::size_t chosen = test->bits != 0 ? 0 : 1;
    if (chosen >= node.body.size()) return makeStatement(StatementKind::Block, node.span);
    return inScope(*node.body[chosen]);
  }
  StatementPtr result = makeStatement(StatementKind::If, node.span);
  result->expression = std::move(test);
  for (const syntax::StatementPtr& branch : node.body) result->body.push_back(inScope(*branch));
  return result;
}

StatementPtr Checker::loop(const syntax::Statement& node) {
  return scoped(StatementKind::Block, node.span, node.span, [&](typed::Statement& outer) {
    StatementPtr result = makeStatement(StatementKind::Loop, node.span);
    const bool isFor = node.kind == syntax::Statement::Kind::For;
    if (isFor) {
      if (StatementPtr first = statement(*node.body[0])) outer.body.push_back(std::move(first));
    }
    if (node.condition != nullptr) result->expression = fold(condition(*node.condition));
    if (result->expression != nullptr && result->expression->kind == Kind::Constant &&
        result->expression->bits != 0) {
      result->expression = nullptr;
    }
    if (node.step != nullptr) {
      result->step = expression(*node.step);
      discard(*result->step);
    }
    result->testsAtEnd = node.kind == syntax::Statement::Kind::Do;
    {
      const LoopScope inLoop(*this);
      result->body.push_back(inScope(*node.body[isFor ? 1 : 0]));
    }
    outer.body.push_back(std::move(result));
  });
}

StatementPtr Checker::switchStatement(const syntax::Statement& node) {
  ExpressionPtr subject = asScalar(value(*node.condition));
  if (!subject->type->isInteger()) {
    fail(node.condition->span, fmt::format("'switch' needs an integer, not {}", subject->type->name()),
         "use a chain of if and else");
  }
  const Type* type = subject->type->isScoped ? subject->type : promoted(subject->type);
  std::vector<std::uint64_t> seen;
  bool hasDefault = false;
  const Deeper inSwitch(switchDepth_);
  const Restored<std::size_t> atBreak(aliveAtBreak_, alive_.size());
  const SourceSpan end{node.span.end, node.span.end};
  return scoped(StatementKind::Switch, node.span, end, [&](typed::Statement& into) {
    into.expression = convert(std::move(subject), promoted(type));
    for (const syntax::StatementPtr& child : node.body[0]->body) {
      if (child->kind != syntax::Statement::Kind::Case) {
        if (StatementPtr checked = statement(*child)) into.body.push_back(std::move(checked));
        continue;
      }
      if (child->condition == nullptr && std::exchange(hasDefault, true))
        fail(child->span, "this switch has two defaults", "remove one of them");
      into.body.push_back(caseLabel(*child, type, seen));
    }
  });
}

StatementPtr Checker::caseLabel(const syntax::Statement& node, const Type* type,
                                std::vector<std::uint64_t>& seen) {
  StatementPtr result = makeStatement(StatementKind::Case, node.span);
  result->isDefault = node.condition == nullptr;
  if (result->isDefault) return result;
  const ExpressionPtr label =
      asConstant(convertImplicitly(value(*node.condition), type, node.condition->span));
  if (label->kind != Kind::Constant) fail(node.condition->span, "a case needs a constant", "write a number");
  if (std::ranges::count(seen, label->bits) > 0) {
    fail(node.condition->span, "this case is there already", "remove one of them");
  }
  seen.push_back(label->bits);
  result->bits = label->bits;
  return result;
}

StatementPtr Checker::returnStatement(const syntax::Statement& node) {
  StatementPtr result = makeStatement(StatementKind::Return, node.span);
  std::optional<Operand> given;
  if (node.expression != nullptr) given = operand(*node.expression);
  if (given && returnsReference_) given = asPlace(std::move(*given));
  if (returnType_ == nullptr) deduceReturn(given, node.span);
  const bool wantsValue = returnType_->kind != Type::Kind::Void;
  const bool isVoid = given && given->type != nullptr && given->type->kind == Type::Kind::Void;
  StatementPtr block = makeStatement(StatementKind::Block, node.span);
  std::optional<std::uint32_t> moved;  // a variable that becomes the result does not end here
  if (!wantsValue && isVoid) {         // return f(x); and both are void
    block->body.push_back(expressionStatement(std::move(given->value), node.span));
  } else if (wantsValue != given.has_value()) {
    fail(node.span, wantsValue ? "this function must return a value" : "this function returns nothing",
         wantsValue ? "write return value;" : "write return;");
  } else if (wantsValue) {
    if (!returnsReference_ && given->glvalue && given->glvalue->isVariable && given->type == returnType_) {
      const std::uint32_t variable = given->glvalue->variable;
      const bool isWhole = kernel_.variables[variable].type == returnType_;
      if (isWhole && variable >= firstLocal_) moved = variable;
      given->isMoved = isWhole;
    }
    ExpressionPtr value = returnsReference_ ? referenceTo(returnType_, std::move(*given), returnsRvalue_)
                          : moved           ? makeValue(std::move(*given))
                                            : passed(std::move(*given), returnType_, node.span);
    ExpressionPtr set = setVariable(resultVariable_, 0, returnType_, std::move(value), node.span);
    if (alive_.empty() && temporaries_.empty()) {
      result->expression = std::move(set);
      return result;
    }
    block->body.push_back(expressionStatement(std::move(set), node.span));
  }
  destroyAll(temporaries_, node.span, *block);
  destroyFrom(0, node.span, *block, moved);
  if (block->body.empty()) return result;
  block->body.push_back(std::move(result));
  return block;
}

/// The return type of a function that is declared with auto: the type of its first return.
void Checker::deduceReturn(const std::optional<Operand>& given, SourceSpan span) {
  returnType_ = voidType();
  if (!given || given->type == returnType_) return;
  if (given->type == nullptr) fail(span, "'auto' needs a value", "name the type: float2{…}");
  returnType_ = given->type;
  returnsRvalue_ = returnsRvalue_ && !given->isLvalue();
  if (returnsReference_) {
    const bool isConst = given->glvalue && given->glvalue->isConst;
    returnType_ = pointerTo(returnType_, isConst);
  }
  resultVariable_ = addResult("auto", span);
}

// goto: a jump forward leaves a block of statements that ends at the label, a jump back repeats one that
// begins there. So its rule is the same as that of break and continue: the lanes reconverge at the label.

namespace {

/// Statements of a block, [begin, end), with a label at the end or the beginning.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t label = 0;
  bool repeats = false;
};

/// Nests two ranges that overlap: the one that can grow takes in the other. False if neither can grow.
bool nest(Range& first, Range& second) {
  const bool overlap = first.begin < second.begin && second.begin < first.end && first.end < second.end;
  if (!overlap) return true;
  if (first.repeats) {
    first.end = second.end;
  } else if (!second.repeats) {
    second.begin = first.begin;
  } else {
    return false;
  }
  return true;
}

/// Extends ranges until any two of them are disjoint or nested.
bool nestAll(std::vector<Range>& ranges) {
  for (std::size_t pass = 0; pass <= ranges.size(); ++pass) {
    for (Range& a : ranges) {
      for (Range& b : ranges) {
        if (!nest(a, b)) return false;
      }
    }
  }
  return true;
}

}  // namespace

void Checker::declareLabels(const syntax::Statement& block) {
  constexpr std::size_t kMaxLabels = 256;
  for (std::size_t i = 0; i < block.body.size(); ++i) {
    if (block.body[i]->kind != syntax::Statement::Kind::Label) continue;
    if (labels_.size() >= kMaxLabels) fail(block.body[i]->span, "more than 256 labels", "write loops");
    Label label;
    label.name = block.body[i]->label;
    label.at = i;
    label.number = labelNumbers_;
    labelNumbers_ += 2;
    labels_.push_back(std::move(label));
  }
}

/// The statement `now` of the block whose labels begin with `first` is checked next.
void Checker::passLabels(std::size_t first, std::size_t now) {
  for (std::size_t i = first; i < labels_.size(); ++i) {
    labels_[i].now = now;
    if (!labels_[i].isPassed) labels_[i].alive = alive_.size();
    labels_[i].isPassed = now >= labels_[i].at;
  }
}

StatementPtr Checker::gotoStatement(const syntax::Statement& node) {
  const auto found = std::ranges::find(labels_.rbegin(), labels_.rend(), node.label, &Label::name);
  if (found == labels_.rend()) {
    fail(node.span,
         fmt::format("'goto {}' finds no label in the blocks around it, and a jump into another is not "
                     "simulated",
                     node.label),
         "write an if or a loop");
  }
  Label& label = *found;
  if (label.isPassed) {
    label.lastBehind = label.now;
  } else if (!label.firstBefore) {
    label.firstBefore = label.now;
  }
  StatementPtr block = makeStatement(StatementKind::Block, node.span);
  const std::uint32_t number = label.number + (label.isPassed ? 1 : 0);
  destroyFrom(label.alive, node.span, *block);
  StatementPtr jump = makeStatement(StatementKind::Goto, node.span);
  jump->label = number;
  block->body.push_back(std::move(jump));
  return block;
}

/// Puts the statements that gotos leave or repeat into statements of their own. The block's labels end.
void Checker::wrapLabelled(std::size_t first, typed::Statement& block) {
  std::vector<Range> ranges;
  for (std::size_t i = first; i < labels_.size(); ++i) {
    const Label& label = labels_[i];
    if (label.firstBefore) ranges.push_back({*label.firstBefore, label.at, label.number, false});
    if (label.lastBehind) ranges.push_back({label.at, *label.lastBehind + 1, label.number + 1, true});
  }
  labels_.resize(first);
  if (ranges.empty()) return;
  if (!nestAll(ranges))
    fail(block.span, "a goto into the middle of what another goto repeats is not simulated", "write a loop");
  // The innermost range first. The statements in it count as one for the ranges around it and behind it.
  std::ranges::stable_sort(ranges, {}, [](const Range& range) { return range.end - range.begin; });
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Range range = ranges[i];
    StatementPtr wrapped = makeStatement(StatementKind::Labelled, block.span);
    wrapped->label = range.label;
    wrapped->repeats = range.repeats;
    const auto begin = block.body.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto end = block.body.begin() + static_cast<std::ptrdiff_t>(range.end);
    std::move(begin, end, std::back_inserter(wrapped->body));
    *begin = std::move(wrapped);
    block.body.erase(begin + 1, end);
    const std::size_t less = range.end - range.begin - 1;
    for (std::size_t j = i + 1; j < ranges.size(); ++j) {
      if (ranges[j].begin >= range.end) ranges[j].begin -= less;
      if (ranges[j].end >= range.end) ranges[j].end -= less;
    }
  }
}

}  // namespace lanescope::checker
