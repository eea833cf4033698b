#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/random.h"
#include "sim/random_programs/types.h"

namespace lanescope::random_programs {

/// A name for numbers. What it holds stays in `range`, whatever a program does.
struct Variable {
  std::string name;
  Type type = Type::Int;
  Range range;
  bool isChangeable = true;
  bool isConstant = false;  ///< has a place in constant expressions
  bool isUsable = true;
  unsigned elements = 0;     ///< of an array: a power of two
  std::uint64_t places = 0;  ///< a bit; of a reference those of what it may be bound to
  std::string qualifier;     ///< that leads to it even if the name is hidden
};

/// Which places an evaluation reads and writes, a bit each.
struct Effects {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  void add(const Effects& other) { reads |= other.reads, writes |= other.writes; }
  /// True if the order of the two matters, so that C++ must define it.
  bool meets(const Effects& other) const {
    return ((writes & (other.reads | other.writes)) | (other.writes & reads)) != 0;
  }
};

/// An expression with what is known of it.
struct Value {
  std::string text;
  int strength = 0;  ///< of its operator, as in [expr.compound] 7.6: 16 for a name, 1 for the comma
  Type type = Type::Int;
  Range range;
  Effects effects;
};

struct Parameter {
  Type type = Type::Int;
  Range range;
  bool isReference = false;  ///< to a variable that the function may change
};

struct Function {
  std::string name;  ///< as a call says it, with its qualifiers
  std::vector<Parameter> parameters;
  std::size_t defaults = 0;  ///< of so many last parameters
  Type result = Type::Int;
  Range range;
  Effects effects;          ///< on variables at file scope
  bool isConstant = false;  ///< constexpr
  bool isDeduced = false;   ///< the result's type, from what is returned
  bool isUsable = true;
  bool isLocal = false;
  bool isCalledExactly = false;  ///< with arguments of the parameters' types
};

/// Writes random expressions whose values C++ defines. Signed arithmetic does not overflow, divisors are not
/// zero, shifts are by less than the width, floating values stay finite, and no two operands whose order is
/// open meet in a variable that one of them writes.
class Expressions {
 public:
  explicit Expressions(Random& random) : random_(random) {}

  Value any(int depth);
  /// An expression for a variable: its value after the conversion is in `range`.
  Value fitting(Type type, Range range, int depth) { return fitted(any(depth), type, range); }
  /// `value`, or what is left of it, so that its conversion to `type` is in `range`.
  Value fitted(Value value, Type type, Range range);
  /// An assignment, a compound one, an increment, or a call, as a statement has it.
  Value change(int depth);
  /// With literals, constants and constexpr functions only.
  Value constant(int depth);
  /// An integer from 0 to 2^bits - 1.
  Value index(unsigned bits, int depth);
  /// An expression for an element of `out`, with an implicit conversion to int.
  std::string word(int depth);

  /// True for `int(x)`, which may be taken for a type or a declaration in parentheses.
  static bool beginsWithType(const std::string& text);
  static std::string in(const Value& value, int strength);
  Type anyType() { return static_cast<Type>(random_.below(kTypes.size())); }
  /// What a new variable of that type may hold.
  Range anyRange(Type type);
  /// True if a later one of `variables`, or the one that is being declared, has the name of this one of them.
  bool isHidden(const Variable& variable) const;

  std::vector<Variable> variables;  ///< a later one hides an earlier one of its name
  std::vector<Function> functions;
  std::string hidden;           ///< a variable that is being declared: its initial value must not name it
  bool isPure = false;          ///< nothing is changed
  std::string inside;           ///< `n::` or `S::`, if the text is in one
  Effects all;                  ///< of every expression so far
  std::uint64_t fileScope = 0;  ///< the places of variables there: no reference is bound to them

 private:
  Value pick(int depth);
  Value leaf();
  Value literal();
  Value element(const Variable& variable, int depth);
  Value beside(const Effects& other, int depth);
  Value integer(Value value);
  Value bounded(Value value, int limit);
  Value nonzero(Value value);
  Value arithmetic(int depth);
  Value floating(Value a, Value b, unsigned sign);
  Value bits(int depth);
  Value shift(int depth);
  Value comparison(int depth);
  Value logical(int depth);
  Value unary(int depth);
  Value cast(int depth);
  Value conditional(int depth);
  Value compound(const Variable& variable, Value place, int depth);
  Value call(int depth);
  std::string named(const Function& function);
  bool bindsReference(const Parameter& parameter, const Effects& others, Value& argument);
  const Function* chosen(const std::string& name, const std::vector<Value>& arguments) const;
  std::vector<const Variable*> visible(bool toChange) const;

  Random& random_;
  bool onlyConstants_ = false;
};

}  // namespace lanescope::random_programs
