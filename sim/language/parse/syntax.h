#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/work_count.h"
#include "sim/language/parse/file_names.h"

namespace lanescope::syntax {

// The syntax tree: the text as written, before names and types are resolved. Every node keeps its span.

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

struct TemplateArgument;
struct Closure;

/// What a name was found to be where it is written ([basic.lookup]).
enum class Binding : std::uint8_t {
  Open,     ///< the checker finds it
  Scope,    ///< of a block, a class or a template's head
  File,     ///< declared outside of functions and classes
  Nothing,  ///< of CUDA, or a function of the arguments' namespaces
};

/// A type as written: `const volatile float*`.
struct TypeName {
  std::string base;  ///< normalised: `unsigned`, `long long`, `float`, or a name; `cg::thread_block`
  bool isConst = false;
  bool isVolatile = false;
  Binding binding = Binding::Open;
  bool isDependent = false;            ///< on a template's parameters
  std::uint32_t pointers = 0;          ///< number of `*`
  std::uint32_t constPointers = 0;     ///< a bit for each of them, set for `* const`; the first is the lowest
  std::uint32_t volatilePointers = 0;  ///< the same for `* volatile`
  std::uint32_t hostWords = 0;         ///< of a class of the host's C++ library: the size of an object
  bool isReference = false;
  bool isRvalue = false;    ///< of a reference: `&&`
  bool isOfTarget = false;  ///< a pointer for a cast to a reference: to the target if the base is one, too
  std::shared_ptr<std::vector<TemplateArgument>> arguments;  ///< of `Vec<float>`, `Vec<>`; null without <>
  std::vector<std::string> path{};                           ///< `value_type` of `typename T::value_type`
  SourceSpan span;
  /// For `float (*)[8]`: the array of the type above, and the `*` to it. Null otherwise.
  std::shared_ptr<std::vector<ExpressionPtr>> extents{};
  std::uint32_t arrayPointers = 0;
  bool isOfValue = false;            ///< of `decltype((x))`, which is a reference if x is an lvalue
  std::shared_ptr<Expression> of{};  ///< of `decltype(…)`, whose base is that word; else null
  /// For a function that pointers lead to: its return type, then its parameters. Null otherwise.
  std::shared_ptr<std::vector<TypeName>> signature{};
};

/// An argument of a template: a type or a constant expression.
struct TemplateArgument {
  std::optional<TypeName> type;
  ExpressionPtr value;
  bool isExpansion = false;  ///< `...` follows
};

struct Expression {
  enum class Kind : std::uint8_t {
    Integer,
    Floating,
    Boolean,
    String,       ///< text
    Name,         ///< text; of `Vec<float>::kSize` the type, and text is the member's name
    Unary,        ///< text is the operator: + - ! ~ * & ++ --
    Postfix,      ///< text: ++ --
    Binary,       ///< text; also && || and the comma
    Assign,       ///< text: = += -= …
    Conditional,  ///< operands: condition, then, else
    Call,         ///< text is the callee, with a type its member; operands the arguments
    Invoke,       ///< operands: the callee, then the arguments
    Index,        ///< operands: base, index
    Member,       ///< operand; text is the member
    MemberCall,   ///< text is the method; operands: the object, then the arguments
    Cast,         ///< type; operand; text is `static_cast` and the like, empty for (T)x and T(x)
    Construct,    ///< T{…}: type; operand: a List
    List,         ///< {…}: operands
    Designated,   ///< `.x = 1` in a list: text is the field; operand
    SizeOf,       ///< type, or an operand; text `sizeof...`: of a pack, the operand; `offsetof`: of a type's
                  ///< operands
    Expansion,    ///< operand: the pattern of `...`, repeated for each element of its packs
    Fold,         ///< `(a + ...)`: text is the operator; operand the pattern, or two; arrow: from the right
    Lambda,       ///< closure
    New,          ///< type; text `new` or `new[]`; operands: the address (arrow), the count, a List of values
    Delete,       ///< text `delete` or `delete[]`; operand
  } kind = Kind::Integer;
  std::string text;
  SourceSpan span;
  SourceSpan operatorSpan;
  std::vector<ExpressionPtr> operands;
  std::vector<TemplateArgument> templateArguments;
  std::optional<TypeName> type;
  std::shared_ptr<Closure> closure{};
  bool arrow = false;        ///< Member written with ->
  bool isQualified = false;  ///< Name, Call: with its namespace written, so that the arguments' namespaces do
                             ///< not count
  Binding binding = Binding::Open;  ///< Name, Call; of operators that of their functions
  bool isInner = false;             ///< File: of a namespace, so that CUDA's own functions are hidden
  bool isTemplateId = false;        ///< `<…>` is behind the name
  bool isDependent = false;         ///< on a template's parameters
  Place place = kAnywhere;          ///< in the text
  std::vector<Home> homes{};        ///< of Binding::File
  bool expands = false;             ///< an Expansion is among the operands or template arguments
  std::uint32_t height = 1;         ///< of the tree below it: limits the recursion over the tree
};

/// A node whose operator is at the node's own place.
inline ExpressionPtr makeExpression(Expression::Kind kind, SourceSpan span, std::string_view text = {}) {
  auto expression = std::make_unique<Expression>();
  expression->kind = kind;
  expression->text = text;
  expression->span = expression->operatorSpan = span;
  return expression;
}

/// One declared name with its array extents and initial value.
struct Declarator {
  std::string name;
  SourceSpan span;
  std::uint32_t pointers = 0;       ///< its own `*`, besides the type's
  std::uint32_t constPointers = 0;  ///< as in a TypeName
  std::uint32_t volatilePointers = 0;
  bool isReference = false;
  bool isRvalue = false;                                         ///< of a reference: `&&`
  bool isCopied = false;                                         ///< initial follows `=`
  bool isFunction = false;                                       ///< a function: it declares no variable
  std::vector<ExpressionPtr> extents;                            ///< a null extent is `[]`
  ExpressionPtr bits{};                                          ///< of a bit-field
  std::vector<ExpressionPtr> alignments{};                       ///< of its alignas
  std::shared_ptr<std::vector<TemplateArgument>> specialised{};  ///< `kBits<float>`, of a variable template
  ExpressionPtr initial;
  std::vector<Declarator> bindings{};  ///< of `auto [x, y]`, whose own name no text can write
  std::optional<TypeName> array{};     ///< of `(*t)[8]`: extents, arrayPointers and isReference
  std::optional<TypeName> function{};  ///< of `(*f)(int)`: signature, without the return type, and pointers
};

/// The declarator's type: the statement's type with the declarator's additions.
TypeName findType(TypeName type, const Declarator& declarator);

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;
struct FileItem;

struct Statement {
  enum class Kind : std::uint8_t {
    Empty,
    Block,
    Declaration,
    Expression,
    If,
    For,
    RangeFor,  ///< expression: the range; body: the declaration of the variable, the body
    While,
    Do,
    Switch,  ///< condition; body: a block, its Case labels between the statements
    Case,    ///< condition: the value; null for default
    Break,
    Continue,
    Return,
    Types,  ///< types
    Goto,   ///< label
    Label,  ///< label
  } kind = Kind::Empty;
  SourceSpan span;
  std::vector<StatementPtr> body;  ///< Block: all; If: then, else; loops: the body; For: init first
  ExpressionPtr condition;
  ExpressionPtr step;        ///< For
  ExpressionPtr expression;  ///< Expression, Return
  TypeName type;             ///< Declaration
  std::vector<Declarator> declarators;
  std::vector<ExpressionPtr> alignments{};  ///< Declaration: of its alignas
  std::string label{};
  bool isShared = false;
  bool isExtern = false;
  bool isMutable = false;  ///< of a class
  bool isPrivate = false;  ///< of a class: private or protected
  bool isStatic = false;   ///< within a function
  bool isConstexpr = false;
  bool isDevice = false;    ///< __device__, at file scope
  bool isConstant = false;  ///< __constant__, at file scope
  /// Types: a struct, an enum or an alias within a function; body: the variables declared with it.
  std::shared_ptr<std::vector<FileItem>> types;
};

/// Calls `see` with each expression of a statement and of the statements in it, in the order of the text,
/// including null ones.
template <typename See>
void forEachExpression(const Statement* statement, const See& see) {
  if (statement == nullptr) return;
  for (const Declarator& declared : statement->declarators) {
    see(declared.initial.get());
    for (const ExpressionPtr& extent : declared.extents) see(extent.get());
  }
  see(statement->condition.get());
  see(statement->step.get());
  see(statement->expression.get());
  for (const StatementPtr& part : statement->body) forEachExpression(part.get(), see);
}

struct Parameter {
  TypeName type;
  std::string name;
  SourceSpan span;
  ExpressionPtr initial;  ///< default argument
  bool isPack = false;    ///< `Rest... rest`
};

struct TemplateParameter {
  std::string name;
  bool isType = false;
  bool isTemplate = false;  ///< `template <typename> class Op`, which is a type as well
  TypeName valueType;
  std::optional<TypeName> defaultType;
  ExpressionPtr defaultValue;
  bool isPack = false;  ///< `typename... Rest`
};

/// The initial value of a base or a field in a constructor: `x(1)`, `Base{a, b}`.
struct MemberInitial {
  TypeName name;
  ExpressionPtr value;  ///< a List
  SourceSpan span;
};

struct Function {
  enum class Role : std::uint8_t {
    Plain,
    Method,
    StaticMethod,
    Friend,  ///< of a class, found through it
    Constructor,
    Destructor,
    Conversion,  ///< `operator float() const`
  } role = Role::Plain;
  std::string name;          ///< of operators `operator+`
  std::string space{};       ///< the namespaces around it: `a::b`
  Place place = 0;           ///< of its first declaration
  SourceSpan span;           ///< of its name
  std::uint64_t digest = 0;  ///< of its tokens, the same in every text; 0: of a kernel or a method
  bool isKernel = false;
  bool isConstexpr = false;
  bool isConst = false;       ///< a method that does not change its object
  bool isForLvalues = false;  ///< a method with `&` behind its parameters
  bool isForRvalues = false;  ///< a method with `&&` there
  bool hasEllipsis = false;   ///< `f(...)`
  bool isExplicit = false;    ///< Constructor, Conversion
  bool isDefaulted = false;   ///< `= default`
  bool isDeleted = false;     ///< `= delete`
  bool isPure = false;        ///< `= 0`
  bool isPrivate = false;     ///< of a class: private or protected
  bool isVirtual = false;     ///< virtual, override or final
  bool returnsReference = false;
  bool isSpecialisation = false;  ///< `template <>`: it replaces a template's instance
  std::vector<TemplateParameter> templateParameters;
  std::vector<TemplateArgument> specialised{};       ///< the <…> behind the name of a specialisation
  std::vector<TemplateParameter> classParameters{};  ///< as a definition outside the class names them
  TypeName returnType;                               ///< without its '&'
  std::vector<Parameter> parameters;
  std::vector<MemberInitial> initials{};  ///< Constructor
  ExpressionPtr launchBound{};            ///< the first number of `__launch_bounds__(256, 2)`; null without
  StatementPtr body;                      ///< null for one with a fault in its head
  std::shared_ptr<Expression> constraint{};  ///< of the requires clause behind its parameters; null without
  std::vector<Diagnostic> diagnostics{};     ///< its faults: reported if it is reached
  const Function* of = nullptr;  ///< the template whose packs have elements here; it shares its body with
                                 ///< this function

  /// The function as the text has it.
  const Function& written() const { return of != nullptr ? *of : *this; }
};

/// `struct Pair { float value; int index; };`, a class, a union; a template of one, or a specialisation.
struct Structure {
  std::string name;
  std::string space{};  ///< the namespaces around it: `a::b`
  SourceSpan span;
  bool isUnion = false;
  bool isDefined = true;
  bool hasPrivateFields = false;
  bool hasVirtual = false;  ///< own virtual functions, also of the host
  std::vector<TemplateParameter> templateParameters{};
  std::shared_ptr<std::vector<TemplateArgument>> specialised{};  ///< the <…> behind its name
  std::vector<TypeName> bases{};
  std::vector<StatementPtr> fields;     ///< Declarations; without a name: an anonymous union
  std::vector<StatementPtr> constants;  ///< Declarations of static members
  std::vector<Function> methods{};
  std::shared_ptr<std::vector<FileItem>> types{};  ///< declared within it
  std::set<std::string, std::less<>> hostMethods{};
  /// `using Base::f;`: a class, and a name in it.
  std::vector<std::pair<TypeName, std::string>> usings{};
  ExpressionPtr alignment;  ///< of __align__(n); null without
  std::uint8_t pack = 0;    ///< the largest alignment of its members in bytes; 0: no limit
};

/// A capture of a lambda.
struct Capture {
  std::string name;
  SourceSpan span;
  bool isReference = false;
  ExpressionPtr initial;  ///< of [x = 1]; null: the variable of that name
};

/// A lambda: a class with `operator()`, and its captures.
struct Closure {
  Structure structure;
  std::vector<Capture> captures;
  bool capturesAll = false;   ///< [=] or [&]
  bool byReference = false;   ///< [&]
  bool capturesThis = false;  ///< [this], [=] and [&] within a method
};

/// `enum Mode { kSum, kMax = 4 };`
struct Enumeration {
  std::string name;     ///< empty for one without
  std::string space{};  ///< the namespaces around it: `a::b`
  SourceSpan span;
  bool isScoped = false;  ///< enum class: its names need `Mode::`
  bool isFixed = false;   ///< its integer is written, or is int as for an enum class
  TypeName underlying;
  std::vector<Declarator> enumerators;
};

/// `using T = float;` and `typedef float T;`
struct Alias {
  std::string name;
  TypeName type;
  SourceSpan span;
  std::vector<TemplateParameter> templateParameters{};
};

/// An item at file scope, in the text's order: a constant (`constexpr int kTile = 32;`), a variable or a
/// type.
struct FileItem {
  std::uint64_t digest = 0;  ///< of its tokens, the same in every text
  SourceSpan span{};         ///< of its first token
  StatementPtr constant{};
  std::optional<Structure> structure{};
  std::optional<Enumeration> enumeration{};
  std::optional<Alias> alias{};
  std::vector<std::string> names{};                     ///< that it declares
  std::vector<Diagnostic> diagnostics{};                ///< its faults: reported if one of its names is used
  bool isTemplate = false;                              ///< of a variable
  std::vector<TemplateParameter> templateParameters{};  ///< of a variable's template
  std::shared_ptr<std::vector<TemplateArgument>> specialised{};  ///< the <…> behind a variable's name
};

/// A function of a class that is defined outside it.
struct MemberDefinition {
  std::string className;
  std::string outerName{};                    ///< of the outermost class around it, if it is in another
  std::vector<TemplateArgument> arguments{};  ///< the <…> behind that
  Function function;                          ///< isSpecialisation: of the class of these arguments alone
};

/// What the names at file scope mean, found once for all kernels of the text. It points into its Unit.
struct FileIndex {
  using Items = std::map<std::string, const FileItem*, std::less<>>;
  using Classes = std::map<std::string, std::vector<const Structure*>, std::less<>>;

  std::map<std::string, std::vector<const Function*>, std::less<>>
      functions;                        ///< kernels, too, in their order
  std::vector<const Function*> bodies;  ///< functions with a body that are no kernels
  Items items;
  Classes classTemplates;  ///< with their specialisations
  std::map<std::string, const Alias*, std::less<>> aliasTemplates;
  std::map<std::string, std::vector<const FileItem*>, std::less<>> variableTemplates;

  /// The functions of that name, kernels too.
  std::span<const Function* const> named(std::string_view name) const;
};

struct Unit {
  std::vector<Function> functions;
  std::vector<MemberDefinition> members;
  std::vector<FileItem> items;
  std::set<std::string, std::less<>> hostFunctions;  ///< names of functions that only the host runs
  std::set<std::string, std::less<>> declared;       ///< names of functions of the device that are declared
  FileNames names;                                   ///< of the file itself
  std::set<std::string, std::less<>> friends;        ///< names of functions that classes declare as friends
  std::set<std::string> missing;  ///< missing files that the text includes, with their marks
  FileIndex index;
};

/// The parameters' types, the same in each declaration of a function.
std::string parameterText(const Function& function);

/// Parses a kernel text, item by item. The faults of an item are kept with it, and count only for a kernel
/// that reaches it. `diagnostics` gets the faults of the text as a whole (at most 20).
Unit parse(const SourceText& source, std::vector<Diagnostic>& diagnostics);

/// Parses a kernel's name with template arguments, as a command line gives it: `name<128, true>`. Namespaces
/// in it, those of the kernel's file, are resolved. Null if it does not have that form.
ExpressionPtr parseKernelName(const SourceText& name, const FileNames& names);

}  // namespace lanescope::syntax

namespace lanescope {

/// The most work of checks, as in ParsedText, that the commands and the window give to one text.
inline constexpr std::uint64_t kMostWorkOfText = 3'000'000;

/// A text and its syntax tree, parsed once for all uses.
struct ParsedText {
  explicit ParsedText(std::shared_ptr<const SourceText> text, WorkCountPtr counting = {})
      : source(std::move(text)), work(std::move(counting)), unit(syntax::parse(*source, diagnostics)) {
    countWork(work, &WorkCount::parses);
    countWork(work, &WorkCount::tokenizations);
  }

  std::shared_ptr<const SourceText> source;
  WorkCountPtr work;  ///< counts what is done with the text; may be null
  /// Of all checks of kernels of the text so far, in the units of one check's limit.
  std::shared_ptr<std::atomic<std::uint64_t>> checked = std::make_shared<std::atomic<std::uint64_t>>(0);
  std::vector<Diagnostic> diagnostics;  ///< the faults; the tree then has everything read before them
  syntax::Unit unit;
};

}  // namespace lanescope

// A program's text for a compiler that only has the device.
namespace lanescope::syntax {

/// The text for NVRTC, which compiles for the device and has neither the host's headers nor files beside the
/// text. It has everything that `kernel` (`name` or `name<128>`; empty: any) may reach, with macros replaced
/// and the text's own `#include`s read. Every token is in its line and, if there is room, in its column. The
/// headers of the toolkit and the standard library come first. Functions of the host are left out, also those
/// of classes. A text without code for the host is returned unchanged.
std::string deviceText(const SourceText& source, std::string_view kernel);

}  // namespace lanescope::syntax
