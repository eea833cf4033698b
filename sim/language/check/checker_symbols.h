#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"

/// What the checker knows of names, functions and classes.
namespace lanescope::checker {

using Role = syntax::Function::Role;

/// The field of an object with virtual functions that says of which class it was made: where C++ has the
/// pointer to its table.
inline constexpr std::string_view kClassField = "(class)";

/// Thrown to leave a statement that cannot be checked; caught in statement() and check().
struct CheckFault {};

/// What a name means in a scope.
struct Symbol {
  enum class Kind : std::uint8_t {
    Variable,
    SharedArray,
    Constant,
    TypeName,
    Template,   ///< of a class
    Field,      ///< index: bytes into the object that `this` points to
    Pack,       ///< index: its elements, each of a name of its own (elementName)
    Unchecked,  ///< its declaration has a fault of its own: what uses it is passed over in silence
  } kind = Kind::Variable;
  std::uint32_t index = 0;     ///< Variable, SharedArray
  const Type* type = nullptr;  ///< of the variable, array or constant; the type that is named
  std::uint64_t bits = 0;      ///< Constant
  bool isReference = false;    ///< Variable: a pointer that stands for what it points to; TypeName: `T&`
  bool isConst = false;        ///< TypeName: `const T` was bound
  bool isOfOuter = false;      ///< Field: of the object whose method made the lambda that is checked
  BitRange bitField{};         ///< Field
};

using Scope = std::map<std::string, Symbol, std::less<>>;

/// Something that can be assigned to: a variable or a part of it, or memory at an address.
struct Place {
  bool isVariable = false;
  std::uint32_t variable = 0;
  std::uint32_t offset = 0;      ///< bytes into the variable
  typed::ExpressionPtr address;  ///< pointer to `type`
  const Type* type = nullptr;
  bool isConst = false;
  SourceSpan span;
  BitRange bits{};  ///< of a bit-field: `type` is its own, the place that of its integer
};

/// What an expression gives: a place, a value, or a list in braces whose type its use decides.
struct Operand {
  std::optional<Place> place;
  typed::ExpressionPtr value;
  const syntax::Expression* list = nullptr;
  const Type* type = nullptr;  ///< of an array: a pointer to its elements
  bool isMoved = false;        ///< a place whose value may be taken: std::move(x)
  SourceSpan span;

  bool isLvalue() const { return place.has_value() && !isMoved; }
};

/// A function that a name may mean.
struct Callee {
  const syntax::Function* function = nullptr;
  const Type* owner = nullptr;  ///< its class
  std::uint32_t offset = 0;     ///< of that class in the object's
};

/// A __device__ function that a call may mean, with its template parameters bound.
struct Candidate {
  Callee callee;
  const syntax::Function* function = nullptr;
  Scope bound;  ///< names of its class, then its template parameters
  std::vector<const Type*> parameters;
  bool binds = true;  ///< its references that may store can be those of the arguments
  int cost = 0;
};

/// What is known of a struct, class or union of the text.
struct ClassInfo {
  const syntax::Structure* node = nullptr;
  Scope scope;                                      ///< names in it and around it
  std::vector<const syntax::Declarator*> declared;  ///< of its fields; null for a base
  std::vector<Symbol> arguments;                    ///< of its template
  bool isComplete = false;
  bool isFaulty = false;   ///< a diagnostic says why it is not complete
  bool outerThis = false;  ///< a lambda with the `this` of its method in its field (this)
};

/// A label of a block that is checked.
struct Label {
  std::string name;
  std::size_t at = 0;                        ///< its place among the block's statements
  std::uint32_t number = 0;                  ///< of gotos from before it; of those from behind one more
  bool isPassed = false;                     ///< what is checked is behind it
  std::size_t now = 0;                       ///< the place of what is checked
  std::size_t alive = 0;                     ///< objects that live at the label
  std::optional<std::size_t> firstBefore{};  ///< the first statement with a goto to it
  std::optional<std::size_t> lastBehind{};   ///< the last one
};

/// The object of the member function that is checked.
struct ThisObject {
  std::uint32_t variable = 0;
  const Type* type = nullptr;  ///< of the pointer
};

/// True for a reference; a group, which holds nothing, is passed by value all the same.
inline bool passesAddress(const syntax::Parameter& parameter, const Type& type) {
  return parameter.type.isReference && !type.isGroup();
}

/// True for a call of std::move or std::forward.
inline bool isMove(const syntax::Expression& node) {
  return node.operands.size() == 1 && (node.text == "std::move" || node.text == "std::forward");
}

}  // namespace lanescope::checker
