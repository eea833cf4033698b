#include "sim/tests/formula.h"

#include <algorithm>
#include <span>
#include <utility>

namespace lanescope::testing {
namespace {

using Kind = Provenance::Kind;

bool isJoinedInPlace(Kind kind) {
  return kind == Kind::Add || kind == Kind::Multiply || kind == Kind::Minimum || kind == Kind::Maximum;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<Formula> all() {
    std::optional<Formula> formula = sum();
    return rest_.empty() ? formula : std::nullopt;
  }

 private:
  bool receive(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  static Formula with(Kind kind, Formula left, Formula right) {
    if (left.kind == kind && kind != Kind::Subtract) {
      left.operands.push_back(std::move(right));
      return left;
    }
    return {kind, "", {std::move(left), std::move(right)}};
  }
  std::optional<Formula> sum() {
    std::optional<Formula> formula = product();
    while (formula) {
      const bool isMinus = receive("-");
      if (!isMinus && !receive("+")) break;
      std::optional<Formula> next = product();
      if (!next) return std::nullopt;
      formula = with(isMinus ? Kind::Subtract : Kind::Add, *std::move(formula), *std::move(next));
    }
    return formula;
  }
  std::optional<Formula> product() {
    std::optional<Formula> formula = factor();
    while (formula && receive("\u00d7")) {
      std::optional<Formula> next = factor();
      if (!next) return std::nullopt;
      formula = with(Kind::Multiply, *std::move(formula), *std::move(next));
    }
    return formula;
  }
  std::optional<Formula> factor() {
    if (receive("\u2026")) return Formula{};
    if (receive("(")) {
      std::optional<Formula> inner = sum();
      return receive(")") ? inner : std::nullopt;
    }
    for (const auto& [word, kind] :
         {std::pair{"min(", Kind::Minimum}, {"max(", Kind::Maximum}, {"f(", Kind::Other}}) {
      if (receive(word)) return call(kind);
    }
    if (!rest_.starts_with('a')) return std::nullopt;
    const std::size_t end = std::min(rest_.find_first_not_of("0123456789", 1), rest_.size());
    Formula input{Kind::Input, std::string(rest_.substr(0, end)), {}};
    rest_.remove_prefix(end);
    return end > 1 ? std::optional(input) : std::nullopt;
  }
  std::optional<Formula> call(Kind kind) {
    Formula formula{kind, "", {}};
    do {
      std::optional<Formula> operand = sum();
      if (!operand) return std::nullopt;
      formula.operands.push_back(*std::move(operand));
    } while (receive(", "));
    return receive(")") && formula.operands.size() > 1 ? std::optional(formula) : std::nullopt;
  }

  std::string_view rest_;
};

bool areOperands(std::span<const Formula> shown, std::span<const Formula> operands, bool mayRun) {
  if (shown.empty() || operands.empty()) return shown.empty() && operands.empty();
  if (!matchesName(shown.front(), operands.front())) return false;
  if (areOperands(shown.subspan(1), operands.subspan(1), mayRun)) return true;
  return mayRun && shown.front().kind == Kind::None && areOperands(shown, operands.subspan(1), mayRun);
}

}  // namespace

std::optional<Formula> readFormula(std::string_view text) { return Reader(text).all(); }

bool matchesName(const Formula& formula, const Formula& expression) {
  if (formula.kind == Kind::None) return true;
  return formula.kind == expression.kind && formula.name == expression.name &&
         areOperands(formula.operands, expression.operands, isJoinedInPlace(formula.kind));
}

MirroredGraph::Value MirroredGraph::input() {
  const std::uint32_t index = inputs++;
  return {all.input('a', index),
          std::make_shared<Formula>(Formula{Kind::Input, "a" + std::to_string(index), {}})};
}

MirroredGraph::Value MirroredGraph::join(Kind kind, const Value& left, const Value& right) {
  const ProvenanceId id = all.combine(kind, left.id, right.id);
  if (id == kNoProvenance) return constant();
  // What adds nothing that an input is in leaves no trace.
  if (id == left.id) return left;
  if (id == right.id) return right;
  Formula tree{kind, "", {}};
  for (const Value* value : {&left, &right}) {
    const bool isJoined = value->tree->kind == kind && isJoinedInPlace(kind);
    const std::span<const Formula> operands(value->tree->operands);
    if (isJoined)
      tree.operands.insert(tree.operands.end(), operands.begin(), operands.end());
    else
      tree.operands.push_back(*value->tree);
  }
  return {id, std::make_shared<Formula>(std::move(tree))};
}

}  // namespace lanescope::testing
