#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/pack_expansion.h"
#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"

/// Names, functions and classes as the checker keeps them.
namespace lanescope::checker {

using Role = syntax::Function::Role;

/// The hidden field of an object with virtual functions: the class it was made of. It is in the place of
/// C++'s pointer to the class's table.
inline constexpr std::string_view kClassField = "(class)";

/// Thrown to leave a statement that cannot be checked; caught in statement() and check().
struct CheckFault {};

/// The meaning of a name in a scope.
struct Symbol {
  enum class Kind : std::uint8_t {
    Variable,
    SharedArray,
    Constant,
    TypeName,
    Template,   ///< a class or variable template, or a template parameter bound to one
    Field,      ///< index: bytes into the object at `this`
    Pack,       ///< index: its elements, each with its own name (elementName)
    Unchecked,  ///< its declaration has a fault: uses of it are skipped without a diagnostic
  } kind = Kind::Variable;
  std::uint32_t index = 0;            ///< Variable, SharedArray
  const Type* type = nullptr;         ///< of the variable, array or constant; for a type name, the type
  std::uint64_t bits = 0;             ///< Constant
  bool isReference = false;           ///< Variable: a pointer in place of its target; TypeName: `T&`
  bool isConst = false;               ///< TypeName: `const T` was bound; Constant: of a variable
  bool isWithoutSign = false;         ///< TypeName: an enum whose integer the compiler chooses as unsigned
  bool isOfOuter = false;             ///< Field: of the object whose method made the current lambda
  BitRange bitField{};                ///< Field
  bool isVolatile = false;            ///< SharedArray
  const std::string* templateName{};  ///< Template: the symbol of the template bound to a parameter; else
                                      ///< null
};

using Scope = std::map<std::string, Symbol, std::less<>>;

/// The values of a template's parameters.
struct BoundArguments {
  Scope bound;                    ///< the parameters and their packs, by name
  PackSizes sizes;                ///< elements of its packs
  std::vector<Symbol> arguments;  ///< in the parameters' order
  std::string shown;              ///< as in the text: `float, 3`
};

/// `add<int>`: the instance of a function template for these arguments.
struct FunctionInstance {
  const syntax::Function* function = nullptr;
  std::vector<Symbol> arguments;  ///< in the parameters' order
  const Type* type = nullptr;     ///< of the function
  std::uint64_t digest = 0;       ///< in a pointer to it, the same in every text
};

/// A glvalue as in C++, which can be assigned to or referred to: a variable or a part of it, or memory at an
/// address.
struct Glvalue {
  bool isVariable = false;
  std::uint32_t variable = 0;
  std::uint32_t offset = 0;        ///< bytes into the variable
  typed::ExpressionPtr address{};  ///< pointer to `type`
  const Type* type = nullptr;
  bool isConst = false;
  bool isVolatile = false;
  SourceSpan span{};
  BitRange bits{};  ///< of a bit-field: `type` is its own, the glvalue that of its integer
};

/// True if the variable itself, not just a pointer's target, is declared volatile.
inline bool isVolatile(const syntax::Statement& node, const syntax::Declarator& declarator) {
  return node.type.isVolatile && node.type.pointers + declarator.pointers == 0;
}

/// The value of an expression: a glvalue, a value, or a list in braces whose type its use decides.
struct Operand {
  std::optional<Glvalue> glvalue{};
  typed::ExpressionPtr value{};
  const syntax::Expression* list = nullptr;
  const Type* type = nullptr;  ///< of an array: a pointer to its elements
  bool isMoved = false;        ///< an xvalue, whose value can be moved from: std::move(x)
  bool isConstant = false;     ///< the value of a const variable, which is still an lvalue
  SourceSpan span{};

  bool isLvalue() const { return glvalue.has_value() && !isMoved; }
};

/// A function that a name may mean.
struct Callee {
  const syntax::Function* function = nullptr;
  const Type* owner = nullptr;  ///< its class
  std::uint32_t offset = 0;     ///< of that class in the object's
};

/// The least cost of a candidate if one of its arguments is converted.
inline constexpr int kCostOfConversion = 16;

/// A __device__ function that a call may mean, with its template parameters bound.
struct Candidate {
  Callee callee;
  const syntax::Function* function = nullptr;
  Scope bound;  ///< names of its class, then its template parameters
  std::vector<const Type*> parameters;
  bool binds = true;  ///< its references that may store can be those of the arguments
  int cost = 0;
};

/// A struct, class or union of the text.
struct ClassInfo {
  const syntax::Structure* node = nullptr;
  Scope scope;                                      ///< names in it and around it
  std::vector<const syntax::Declarator*> declared;  ///< of its fields; null for a base
  std::vector<Symbol> arguments;                    ///< of its template
  bool isComplete = false;
  bool isFaulty = false;  ///< a diagnostic says why it is incomplete
};

/// A class, or one that derives from it.
struct ClassPart {
  const Type* type = nullptr;
  std::uint32_t offset = 0;  ///< of the other in its objects
};

/// A label of the current block.
struct Label {
  std::string name;
  std::size_t at = 0;                        ///< its place among the block's statements
  std::uint32_t number = 0;                  ///< of gotos from before it; gotos from behind it have one more
  bool isPassed = false;                     ///< the current statement is behind it
  std::size_t now = 0;                       ///< the place of the current statement
  std::size_t alive = 0;                     ///< objects that live at the label
  std::optional<std::size_t> firstBefore{};  ///< the first statement with a goto to it
  std::optional<std::size_t> lastBehind{};   ///< the last one
};

/// The object of the current member function.
struct ThisObject {
  std::uint32_t variable = 0;
  const Type* type = nullptr;  ///< of the pointer
};

// check_virtual.cpp: the numbers of classes
bool isPolymorphic(const Type* type);
std::uint64_t classNumber(const Type& type, std::uint32_t offset);
std::vector<std::uint32_t> numberOffsets(const Type* type);

// check_templates.cpp, check_packs.cpp: binding the parameters of templates
std::string makeKey(std::string_view name, const std::vector<Symbol>& arguments);
void bindClassParameters(const syntax::Function& function, const std::vector<Symbol>& arguments,
                         Scope& bound);
void bindPacks(const PackSizes& sizes, Scope& bound);
void bindHeadPacks(const syntax::Function& head, bool ofTemplate, Scope& bound);

// check_bit_fields.cpp, check_operators.cpp
typed::ExpressionPtr promotedBits(typed::ExpressionPtr value);
bool isOfStruct(const std::vector<Operand>& operands);

/// True for a reference. A group, which has no data, is passed by value all the same.
inline bool passesAddress(const syntax::Parameter& parameter, const Type& type) {
  return parameter.type.isReference && !type.isGroup();
}

inline bool areHalves(const Type& a, const Type& b) {
  return a.isHalf() || b.isHalf() || a.isHalf2() || b.isHalf2();
}

/// A conversion between numbers that is implicit in CUDA: between half and __nv_bfloat16 there is none.
inline bool convertsNumbers(const Type& from, const Type& to) {
  const bool areNumbers = (from.isArithmetic() || from.isHalf()) && (to.isArithmetic() || to.isHalf());
  return areNumbers && !(from.isHalf() && to.isHalf() && &from != &to);
}

/// A conversion between dim3 and uint3, which have the same members.
inline bool convertsExtent(const Type& from, const Type& to) {
  const bool isOfExtent = from.structName == "dim3" && to.structName == "uint3";
  return isOfExtent || (from.structName == "uint3" && to.structName == "dim3");
}

/// True for a call of std::move or std::forward.
inline bool isMove(const syntax::Expression& node) {
  return node.operands.size() == 1 && (node.text == "std::move" || node.text == "std::forward");
}

}  // namespace lanescope::checker
