#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/own_stack.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"

/// Copies of a text's syntax in which parameter packs are replaced by their elements.
namespace lanescope::checker {

using typed::ExpressionPtr;
using typed::StatementPtr;
using StatementKind = typed::Statement::Kind;
using TemplateParameters = std::vector<syntax::TemplateParameter>;
using TemplateArguments = std::vector<syntax::TemplateArgument>;

/// The kind of a written expression.
using SyntaxKind = syntax::Expression::Kind;

/// Elements of each pack, by the name of its parameter.
using PackSizes = std::map<std::string, std::size_t, std::less<>>;

/// The name of an element, which no text can write.
std::string elementName(std::string_view pack, std::size_t element);

/// Copies syntax. With an element, a pack's name means that one of its elements. The pattern of a `...` is
/// left unchanged or, with `expandsArguments`, written out in template arguments.
class PackCopier {
 public:
  explicit PackCopier(const PackSizes& packs, bool expandsArguments = false)
      : packs_(packs), expandsArguments_(expandsArguments) {}

  PackCopier& of(std::size_t element) {
    element_ = element;
    return *this;
  }
  syntax::ExpressionPtr copy(const syntax::Expression& node);
  syntax::TypeName copy(const syntax::TypeName& name);
  syntax::TemplateArgument copy(const syntax::TemplateArgument& argument);
  TemplateArguments copy(const TemplateArguments& arguments);
  syntax::TemplateParameter copy(const syntax::TemplateParameter& parameter);
  syntax::Parameter copy(const syntax::Parameter& parameter);
  /// Nodes copied so far.
  std::size_t copied() const { return copied_; }

 private:
  std::string named(const std::string& name) const;

  const PackSizes& packs_;
  bool expandsArguments_ = false;
  std::optional<std::size_t> element_;
  std::size_t copied_ = 0;
};

/// Calls `see` with each name in the pattern that may be a pack expanded by the `...` behind it.
void forEachName(const syntax::Expression& pattern, const std::function<void(const std::string&)>& see);
void forEachName(const syntax::TypeName& pattern, const std::function<void(const std::string&)>& see);
void forEachName(const syntax::TemplateArgument& pattern, const std::function<void(const std::string&)>& see);

// Names, functions and classes as the checker keeps them.

using Role = syntax::Function::Role;

/// The hidden field of an object with virtual functions: the class it was made of. It is in the place of
/// C++'s pointer to the class's table.
inline constexpr std::string_view kClassField = "(class)";

/// Thrown to leave a statement that cannot be checked; caught in statement() and check().
struct CheckFault {};

/// Thrown to end a check: its text nests too deeply, or needs too much. Unlike a CheckFault, never a reason
/// to try something else. Caught where a check begins.
struct Exhausted {
  Diagnostic fault;
};

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
  bool isReference = false;           ///< Variable: a pointer in place of its target; TypeName: `T&`…
  bool isConst = false;               ///< TypeName: `const T`, or a reference to one; Constant: of a variable
  bool isOfOuter = false;             ///< Field: of the object whose method made the current lambda
  BitRange bitField{};                ///< Field
  bool isMutable = false;             ///< Field
  bool isStored = false;              ///< Constant: index is that of its variable
  bool isVolatile = false;            ///< SharedArray; TypeName: as isConst
  bool isRvalue = false;              ///< of isReference: `T&&`
  bool isOfAuto = false;              ///< Constant: of a template's `auto`: its type counts, too
  bool isBinding = false;             ///< of isReference: a name of `auto [x, y]`, which is no reference
  const std::string* templateName{};  ///< Template: the symbol of the template bound to a parameter; else
                                      ///< null
};

/// True if two names mean the same type, with const, volatile and the reference.
inline bool isSameType(const Symbol& a, const Symbol& b) {
  return a.kind == Symbol::Kind::TypeName && b.kind == a.kind && a.type == b.type && a.isConst == b.isConst &&
         a.isVolatile == b.isVolatile && a.isReference == b.isReference && a.isRvalue == b.isRvalue;
}

using Scope = std::map<std::string, Symbol, std::less<>>;
/// The template arguments that a call gives: none.
inline const Scope kNoneGiven;

/// A specialisation of a template of classes or variables.
struct Specialisation {
  const TemplateParameters& own;
  const TemplateArguments& written;
};

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
  std::uint32_t offset = 0;  ///< bytes into the variable
  ExpressionPtr address{};   ///< pointer to `type`
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
  ExpressionPtr value{};
  const syntax::Expression* list = nullptr;
  const Type* type = nullptr;  ///< of an array: a pointer to its elements
  bool isMoved = false;        ///< an xvalue, whose value can be moved from: std::move(x)
  bool isPlace = false;        ///< the value is that of an lvalue: `b ? x : y`, `++x`, a const variable
  bool isConst = false;        ///< of a value
  bool isReturned = false;     ///< the glvalue is the target of a function's reference
  bool isZero = false;         ///< a null pointer constant: 0, nullptr
  std::optional<std::uint32_t> variable{};  ///< that holds the constant
  SourceSpan span{};

  bool isObject() const { return glvalue.has_value() || isPlace; }
  bool isLvalue() const { return isObject() && !isMoved; }
  bool refersToConst() const { return glvalue ? glvalue->isConst : isConst; }
  /// The type of the object; for an array its own, no pointer.
  const Type* ownType() const { return glvalue ? glvalue->type : type; }
};

/// A function that a name may mean.
struct Callee {
  const syntax::Function* function = nullptr;
  const Type* owner = nullptr;  ///< its class
  std::uint32_t offset = 0;     ///< of that class in the object's
  bool isUsed = false;          ///< by a using declaration: its object counts as one of the derived class
  bool isOfBlock = false;       ///< by a declaration in a block, which has no default arguments
};

/// An implicit conversion sequence, from an argument to a parameter ([over.best.ics] 12.2.4.2).
struct Conversion {
  enum class Rank : std::uint8_t { Exact, Promotion, Converted, None };
  Rank rank = Rank::None;                ///< of the standard conversion; of a user's, the one behind it
  bool isUsers = false;                  ///< by a constructor or a conversion function
  bool isAmbiguous = false;              ///< by more than one of them
  const syntax::Function* by = nullptr;  ///< that one; null if it is CUDA's own
  const Type* to = nullptr;              ///< of the standard conversion; of a reference, its target
  bool isReference = false;              ///< binds a reference, which is…
  bool isRvalue = false;                 ///< … `T&&`
  bool isConst = false;                  ///< … const
  bool isOfObject = false;               ///< binds that of a method without & or && behind its parameters
  bool isFromPointer = false;            ///< of a pointer to bool
  bool isToOwnInteger = false;           ///< of an enumeration to the integer that its declaration names
  bool isNeutral = false;                ///< of the object, for a static function
  bool isEllipsis = false;               ///< to the `...` of f(...)

  bool exists() const { return rank != Rank::None; }
};

/// A __device__ function that a call may mean, with its template parameters bound.
struct Candidate {
  Callee callee{};
  const syntax::Function* function = nullptr;
  Scope bound{};  ///< names of its class, then its template parameters
  std::vector<const Type*> parameters{};
  std::vector<Conversion> conversions{};  ///< of the object, if there is one, then of the arguments
  bool binds = true;                      ///< its references that may store can be those of the arguments
};

inline bool isTemplate(const Candidate& candidate) {
  return !candidate.function->written().templateParameters.empty();
}

/// The functions that a call may mean, and the best of them, if one is best.
struct Choice {
  std::vector<Candidate> fitting;
  std::optional<std::size_t> best{};
};

/// A struct, class or union of the text.
struct ClassInfo {
  const syntax::Structure* node = nullptr;
  Scope scope;                                      ///< names in it and around it
  std::vector<const syntax::Declarator*> declared;  ///< of its fields; null for a base
  std::vector<Symbol> arguments;                    ///< of its template
  bool isComplete = false;
  std::vector<Diagnostic> faults;  ///< why it is incomplete; empty: it has none

  /// The initial value that the class gives its field of that index. Null if it gives none.
  const syntax::Expression* defaultOf(std::size_t field) const {
    return field < declared.size() && declared[field] != nullptr ? declared[field]->initial.get() : nullptr;
  }
};

/// A part of an aggregate, and its initial value in a list.
struct Part {
  const Type* type = nullptr;
  std::uint32_t offset = 0;
  const Field* field = nullptr;               ///< null: an element of an array
  const syntax::Expression* standard{};       ///< the value that the class gives it; may be null
  const syntax::Expression* given = nullptr;  ///< null: none
  bool isElided = false;                      ///< given is its first part's value, without braces around

  bool isBits() const { return field != nullptr && field->bits.storage != nullptr; }
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

// check_templates.cpp, check_deduction.cpp, check_packs.cpp: binding the parameters of templates
bool takesRvalues(const syntax::TypeName& type, const Scope& bound);
Symbol targetOf(const Type& pointer);
std::string makeKey(std::string_view name, const std::vector<Symbol>& arguments);
void bindClassParameters(const syntax::Function& function, const std::vector<Symbol>& arguments,
                         Scope& bound);
void bindPacks(const PackSizes& sizes, Scope& bound);
void bindHeadPacks(const syntax::Function& head, bool ofTemplate, Scope& bound);

// check_bit_fields.cpp, check_methods.cpp, check_conversions.cpp, check_declarations.cpp
ExpressionPtr promotedBits(ExpressionPtr value);
bool hasOperators(const Operand& operand);
bool addsConst(const Type* from, const Type* to);
bool isText(const Type& type, const syntax::Expression& node);

/// True for a reference. A group, which has no data, is passed by value all the same.
inline bool passesAddress(const syntax::Parameter& parameter, const Type& type) {
  return parameter.type.isReference && !type.isGroup();
}

inline bool areHalves(const Type& a, const Type& b) {
  return a.isHalf() || b.isHalf() || a.isHalf2() || b.isHalf2();
}

/// A conversion between numbers that is implicit in CUDA: between half and __nv_bfloat16 there is none, and
/// an enumeration takes nothing but its own values.
inline bool convertsNumbers(const Type& from, const Type& to) {
  if (to.isEnum() || from.isScoped) return false;
  const bool areNumbers = (from.isArithmetic() || from.isHalf()) && (to.isArithmetic() || to.isHalf());
  return areNumbers && !(from.isHalf() && to.isHalf() && &from != &to);
}

/// A conversion between dim3 and uint3, which have the same members.
inline bool convertsExtent(const Type& from, const Type& to) {
  const bool isOfExtent = from.structName == "dim3" && to.structName == "uint3";
  return isOfExtent || (from.structName == "uint3" && to.structName == "dim3");
}

/// A call of that name, for the choice of a function.
inline syntax::ExpressionPtr callOf(std::string_view name, SourceSpan span) {
  return syntax::makeExpression(SyntaxKind::Call, span, name);
}

/// True for a call of std::move or std::forward.
inline bool isMove(const syntax::Expression& node) {
  return node.operands.size() == 1 && (node.text == "std::move" || node.text == "std::forward");
}

/// The most work of one check, in the units of TreeBuilder::spend(): templates and calls can need any amount.
inline constexpr std::size_t kMostWork = 2'000'000;
/// The most nodes of a typed tree, about 130 bytes each.
inline constexpr std::size_t kMostNodes = 800'000;
/// The most numbers and pointers that a value has: the compiler has about that many registers.
inline constexpr std::uint64_t kMostLeavesOfValue = 30'000;
inline constexpr std::size_t kLeavesOfWork = 4;
inline constexpr std::size_t kStepsOfWork = 4;
inline constexpr std::size_t kBytesOfWork = 64;
/// The longest text of a template's arguments: types of types can double it at each level.
inline constexpr std::size_t kLongestName = 1u << 14;

/// Changes a part of the state as long as it lives.
template <class T>
class Restored {
 public:
  Restored(T& place, T value) : place_(place), before_(std::exchange(place, std::move(value))) {}
  ~Restored() { place_ = std::move(before_); }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  T& place_;
  T before_;
};

/// Counts one more level as long as it lives.
struct Deeper : Restored<int> {
  explicit Deeper(int& depth) : Restored(depth, depth + 1) {}
};

/// The state that belongs to the function that is being checked.
struct FunctionState {
  std::vector<Scope> scopes_{};  ///< none: file scope
  std::string functionName_{};   ///< with template arguments; empty: the kernel
  const Type* returnType_ = nullptr;
  std::uint32_t resultVariable_ = 0;
  std::uint32_t firstLocal_ = 0;  ///< after its parameters
  bool returnsReference_ = false;
  bool returnsRvalue_ = false;  ///< of returnsReference_: `T&&`
  int loopDepth_ = 0;
  int switchDepth_ = 0;
  /// Objects, in order, whose destructors run at the end of their scopes.
  std::vector<std::uint32_t> alive_{};
  std::vector<std::uint32_t> temporaries_{};  ///< unnamed objects that end with the current statement
  bool mayEnd_ = false;                       ///< an unnamed object with a destructor may be made here
  std::vector<Label> labels_{};               ///< of the blocks around the current statement
  std::size_t aliveAtLoop_ = 0;               ///< objects of alive_ from before the innermost loop
  std::size_t aliveAtBreak_ = 0;              ///< objects from before the innermost loop or switch
  std::optional<ThisObject> this_{};
  std::vector<const Type*> classScopes_{};  ///< whose member functions can be called without an object's name
};

/// While something elsewhere is checked, in these scopes: no statement or object of the function counts.
struct Elsewhere : Restored<FunctionState> {
  Elsewhere(FunctionState& of, std::vector<Scope> scopes)
      : Restored(of, {std::move(scopes), of.functionName_, of.returnType_, of.resultVariable_, of.firstLocal_,
                      of.returnsReference_, of.returnsRvalue_}) {}
};

/// While a statement or a part of one is checked: the unnamed objects that it makes. None with a destructor
/// may be made in what is evaluated only under a condition.
struct Temporaries {
  Temporaries(FunctionState& of, bool mayEnd) : own(of.temporaries_, {}), may(of.mayEnd_, mayEnd) {}

  Restored<std::vector<std::uint32_t>> own;
  Restored<bool> may;
};

/// While a loop's body is checked: the target of `break` and `continue` there.
struct LoopScope {
  explicit LoopScope(FunctionState& of)
      : loop(of.loopDepth_),
        inSwitch(of.switchDepth_, 0),
        atLoop(of.aliveAtLoop_, of.alive_.size()),
        atBreak(of.aliveAtBreak_, of.alive_.size()) {}

  Deeper loop;
  Restored<int> inSwitch;
  Restored<std::size_t> atLoop;
  Restored<std::size_t> atBreak;
};

/// The state of a kernel's checker. Private to the checker.
struct CheckerState : FunctionState {
  CheckerState(const syntax::Unit& unit, std::vector<Diagnostic>& diagnostics)
      : unit_(unit), diagnostics_(diagnostics) {}

  const syntax::Unit& unit_;
  std::vector<Diagnostic>& diagnostics_;
  typed::Kernel kernel_;
  Scope file_;                               ///< the used part of the file scope
  std::set<const syntax::FileItem*> begun_;  ///< items at file scope that were used
  /// Templates of classes with their specialisations, by name.
  const syntax::FileIndex::Classes& classTemplates_ = unit_.index.classTemplates;
  const std::map<std::string, const syntax::Alias*, std::less<>>& aliasTemplates_ =
      unit_.index.aliasTemplates;
  const std::map<std::string, std::vector<const syntax::FileItem*>, std::less<>>& variableTemplates_ =
      unit_.index.variableTemplates;
  std::map<const Type*, ClassInfo> classes_;
  std::map<const Type*, Scope> enumerators_;
  std::map<const Type*, std::string_view> enumSpaces_;  ///< the namespaces around enumerations
  std::map<const Type*, const Type*> owners_;  ///< the classes around member classes and enumerations
  std::map<std::pair<const syntax::Function*, const Type*>, bool> copies_;  ///< as of Checker::isCopy()
  std::map<std::string, const Type*> classInstances_;
  std::map<std::string, Symbol> variableInstances_;                ///< constants
  std::map<std::vector<const Type*>, const Type*> functionTypes_;  ///< by return type, then parameter types
  std::map<std::pair<const syntax::Structure*, std::string>, syntax::Function> implicitFunctions_;
  std::vector<const Type*> placeholders_;  ///< types in place of template parameters, to compare templates
  std::map<const Type*, std::uint32_t> unevaluated_;  ///< variables of a type in operands of decltype
  std::map<const syntax::Structure*, std::vector<syntax::Function>> deductionGuides_;  ///< of class templates
  /// Functions of templates that pointers may lead to, as far as they are known.
  std::vector<FunctionInstance> pointedTo_;
  std::map<const syntax::Declarator*, std::vector<Diagnostic>> constantFaults_;  ///< of static constants
  std::map<std::string, std::vector<Diagnostic>, std::less<>> itemFaults_;       ///< of names at file scope
  std::map<std::uint32_t, std::vector<Diagnostic>> instanceFaults_;  ///< of instances of functions
  std::map<std::pair<const syntax::Expression*, std::string>, const Type*> lambdaTypes_;
  int classDepth_ = 0;                   ///< classes being completed
  int aliasDepth_ = 0;                   ///< templates of aliases being resolved
  int defaultDepth_ = 0;                 ///< default values of members being checked
  std::vector<std::string> inProgress_;  ///< keys of the functions being checked, to find recursion
  std::map<std::string, std::uint32_t> instances_;
  std::map<std::string, std::uint32_t>
      texts_;  ///< string literals as written: variables with their addresses
  /// Variables with `static` in functions, by declaration and the function's name with its template
  /// arguments; and the function's instance, as in inProgress_.
  std::map<std::pair<const syntax::Declarator*, std::string>, std::pair<std::string, Symbol>> statics_;
  std::optional<SourceSpan> librarySpan_;  ///< while a function of the library is checked: its call
  /// Values that were checked before their use, to know their types, each with the work until then.
  std::map<const syntax::Expression*, std::pair<Operand, std::size_t>> checked_;
  std::vector<syntax::ExpressionPtr> made_;  ///< the results of pack expansions
  std::map<std::pair<const syntax::Function*, std::vector<std::size_t>>, std::unique_ptr<syntax::Function>>
      packFunctions_;  ///< by template and its packs' elements
  std::uint32_t labelNumbers_ = 0;
  std::size_t expanded_ = 0;  ///< nodes of syntax that were copied for packs
  std::map<std::string, const syntax::Alias*, std::less<>>
      aliasesInProgress_;                             ///< at file scope, whose types are being read
  int variableDepth_ = 0;                             ///< variable templates whose value is being found
  int foldingSteps_ = ConstantEvaluator::kMostSteps;  ///< left for calls outside constant expressions
  int trials_ = 0;                  ///< depth of values that are read only to learn their type
  int substitutions_ = 0;           ///< heads of templates around what is checked
  int typeDepth_ = 0;               ///< types being resolved
  std::size_t work_ = 0;            ///< as of spend()
  std::size_t nodes_ = 0;           ///< of the typed tree
  std::uint64_t symbolBytes_ = 0;   ///< of the variables at file scope
  std::uint64_t initialBytes_ = 0;  ///< of those with initial values
};

/// The values in a vector: an initializer list cannot hold values that cannot be copied.
template <class First, class... Others>
std::vector<First> formatList(First first, Others... others) {
  std::vector<First> list;
  list.push_back(std::move(first));
  (list.push_back(std::move(others)), ...);
  return list;
}

/// Makes the nodes of the typed tree and reports faults. It needs only the checker's state, not the text.
/// Private to the checker.
struct TreeBuilder : CheckerState {
  using CheckerState::CheckerState;
  using Kind = typed::Expression::Kind;

  [[noreturn]] void fail(SourceSpan span, std::string message, std::string hint);
  /// The diagnostics from that one on, to be kept with what they are of: a later use reports them again. All
  /// of them if the fault was reported before.
  std::vector<Diagnostic> faultsSince(std::size_t first) const {
    if (first == diagnostics_.size()) return diagnostics_;
    return {diagnostics_.begin() + static_cast<std::ptrdiff_t>(first), diagnostics_.end()};
  }
  /// Checks something that may have a fault. False if it has one, which is then forgotten.
  template <class Use>
  bool attempt(const Use& use) {
    const std::size_t before = diagnostics_.size();
    const std::size_t begun = work_;
    try {
      use();
      return true;
    } catch (const CheckFault&) {
      forget(before, begun);
      return false;
    }
  }
  /// The same for the head of a template: it forgets only faults that C++ has, too, and passes on others.
  /// `reason`: the last of them; may be null.
  template <class Use>
  bool attemptTyping(const Use& use, std::string* reason = nullptr) {
    const std::size_t before = diagnostics_.size();
    const std::size_t begun = work_;
    try {
      use();
      return true;
    } catch (const CheckFault&) {
      if (!isOfTyping(before)) throw;
      if (reason != nullptr && diagnostics_.size() > before) *reason = diagnostics_.back().message;
      forget(before, begun);
      return false;
    }
  }
  /// Removes the diagnostics from that one on, and the values that were kept since.
  void forget(std::size_t firstDiagnostic, std::size_t work) {
    diagnostics_.resize(firstDiagnostic);
    std::erase_if(checked_, [&](const auto& one) { return one.second.second >= work; });
  }
  /// Keeps a value that was checked before its use, so that it is not checked again.
  void keep(const syntax::Expression& node, Operand value) {
    checked_.insert_or_assign(&node, std::pair(std::move(value), work_));
  }
  /// For types that C++, too, does not allow there. In the head of a template it is no fault, but leaves the
  /// template out ([temp.deduct] 13.10.3/8).
  [[noreturn]] void failTyping(SourceSpan span, std::string message, std::string hint);
  /// True if the diagnostics from `before` on are of failTyping(). In a valid text any other says that the
  /// simulator lacks something, so that no template may be left out for it.
  bool isOfTyping(std::size_t before) const {
    return std::all_of(diagnostics_.begin() + static_cast<std::ptrdiff_t>(before), diagnostics_.end(),
                       [](const Diagnostic& one) { return one.isOfTyping; });
  }
  /// For an unknown name.
  [[noreturn]] void failUnknown(SourceSpan span, std::string message, std::string hint);
  /// For a name that another file of the program defines; the message has it in quotes.
  [[noreturn]] void failElsewhere(SourceSpan span, std::string message);
  /// Counts work: about one unit for each expression, or for 4 steps of a constant's evaluation. Ends the
  /// check if it needs more than a check may, or if the stack is low. Every recursion over the text passes
  /// here.
  void spend(std::size_t units, SourceSpan span) {
    work_ += units;
    if (work_ > kMostWork || OwnStack::isLow()) giveUp(span);
  }
  [[noreturn]] void giveUp(SourceSpan span) const;
  /// Refuses a private member on which it depends if a template is left out: its access is not checked.
  void refuseSecret(bool isPrivate, std::string_view name, SourceSpan span);
  /// The place in the text for the span: within a library's function, its call.
  SourceSpan at(SourceSpan span) const { return librarySpan_.value_or(span); }

  const Type* scalar(Type::Kind kind) const { return kernel_.types->scalar(kind); }
  const Type* voidType() const { return scalar(Type::Kind::Void); }
  const Type* boolType() const { return scalar(Type::Kind::Bool); }
  const Type* pointerTo(const Type* target, bool isConst = false) const {
    return kernel_.types->pointerTo(target, isConst, false);
  }
  const Type* pointerTo(const Symbol& target) const {
    return kernel_.types->pointerTo(target.type, target.isConst, target.isVolatile);
  }
  const Type* sizeType() const { return kernel_.types->named("unsigned long"); }  ///< size_t
  const Type* promoted(const Type* type) const;
  /// The usual arithmetic conversions, C++20 [expr.arith.conv] 7.4.
  const Type* common(const Type* a, const Type* b) const;
  std::uint32_t addVariable(const std::string& name, const Type* type, SourceSpan span, bool isConst);

  ExpressionPtr make(Kind kind, const Type* type, SourceSpan span);
  template <class... Operands>
  ExpressionPtr make(Kind kind, const Type* type, SourceSpan span, Operands... operands) {
    ExpressionPtr node = make(kind, type, span);
    (node->operands.push_back(std::move(operands)), ...);
    return node;
  }
  ExpressionPtr constant(const Type* type, std::uint64_t bits, SourceSpan span);
  ExpressionPtr builtIn(typed::BuiltIn builtIn, SourceSpan span);
  /// The whole value of a variable.
  ExpressionPtr wholeVariable(std::uint32_t index, SourceSpan span);
  ExpressionPtr setVariable(std::uint32_t variable, std::uint32_t offset, const Type* type,
                            ExpressionPtr value, SourceSpan span);
  /// The address of a variable, which is then in the thread's local memory.
  ExpressionPtr variableAddress(std::uint32_t index, SourceSpan span);
  ExpressionPtr makeBinary(typed::BinaryOp op, const Type* type, ExpressionPtr a, ExpressionPtr b,
                           SourceSpan span);
  /// Ends the launch when a thread reaches it.
  ExpressionPtr makeTrap(typed::AssertKind kind, SourceSpan span);
  /// Evaluates the expressions in order; the result is the value of the last. Null ones are left out.
  template <class... Others>
  ExpressionPtr sequence(SourceSpan span, ExpressionPtr first, Others... others) {
    if constexpr (sizeof...(others) == 0) {
      return first;
    } else {
      ExpressionPtr rest = sequence(span, std::move(others)...);
      if (first == nullptr || rest == nullptr) return first == nullptr ? std::move(rest) : std::move(first);
      const Type* const type = rest->type;
      return make(Kind::Sequence, type, span, std::move(first), std::move(rest));
    }
  }
  /// Stores the whole of a variable.
  ExpressionPtr setVariable(std::uint32_t variable, ExpressionPtr value, SourceSpan span);
  /// Stores the value in a new variable, whose name no text can write.
  ExpressionPtr hold(std::string_view name, ExpressionPtr value, SourceSpan span, std::uint32_t& variable);
  StatementPtr makeStatement(StatementKind kind, SourceSpan span);
};

}  // namespace lanescope::checker
