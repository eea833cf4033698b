#include "sim/language/check/checker.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/checker_state.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/check/header_places.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope::checker {

Elsewhere::Elsewhere(CheckerState& checker, std::vector<Scope> scopes)
    : checker_(checker),
      scopes_(std::exchange(checker.scopes_, std::move(scopes))),
      functionName_(checker.functionName_),
      returnType_(checker.returnType_),
      resultVariable_(checker.resultVariable_),
      firstLocal_(checker.firstLocal_),
      loopDepth_(std::exchange(checker.loopDepth_, 0)),
      switchDepth_(std::exchange(checker.switchDepth_, 0)),
      alive_(std::exchange(checker.alive_, {})),
      temporaries_(std::exchange(checker.temporaries_, {})),
      mayEnd_(std::exchange(checker.mayEnd_, false)),
      labels_(std::exchange(checker.labels_, {})),
      aliveAtLoop_(std::exchange(checker.aliveAtLoop_, 0)),
      aliveAtBreak_(std::exchange(checker.aliveAtBreak_, 0)),
      this_(std::exchange(checker.this_, std::nullopt)),
      classScopes_(std::exchange(checker.classScopes_, {})),
      returnsReference_(checker.returnsReference_) {}

Elsewhere::~Elsewhere() {
  checker_.scopes_ = std::move(scopes_);
  checker_.functionName_ = std::move(functionName_);
  checker_.returnType_ = returnType_;
  checker_.resultVariable_ = resultVariable_;
  checker_.firstLocal_ = firstLocal_;
  checker_.loopDepth_ = loopDepth_;
  checker_.switchDepth_ = switchDepth_;
  checker_.alive_ = std::move(alive_);
  checker_.temporaries_ = std::move(temporaries_);
  checker_.mayEnd_ = mayEnd_;
  checker_.labels_ = std::move(labels_);
  checker_.aliveAtLoop_ = aliveAtLoop_;
  checker_.aliveAtBreak_ = aliveAtBreak_;
  checker_.this_ = this_;
  checker_.classScopes_ = std::move(classScopes_);
  checker_.returnsReference_ = returnsReference_;
}

namespace {

constexpr std::size_t kMaxVariables = 4096;

}  // namespace

void TreeBuilder::fail(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), at(span)});
  throw CheckFault{};
}

void TreeBuilder::failUnknown(SourceSpan span, std::string message, std::string hint) {
  diagnostics_.push_back({std::move(message), std::move(hint), at(span), true});
  throw CheckFault{};
}

void TreeBuilder::failElsewhere(SourceSpan span, std::string message) {
  diagnostics_.push_back(
      {std::move(message),
       "give all source files of the program: lanescope-cli run main.cu other.cu, or check", at(span)});
  diagnostics_.back().isElsewhere = true;
  throw CheckFault{};
}

void TreeBuilder::giveUp(SourceSpan span) const {
  if (OwnStack::isLow())
    throw Exhausted{{"this is nested too deeply to be simulated", "use fewer levels", at(span)}};
  throw Exhausted{{"this kernel is too large to be simulated", "split it into smaller ones", at(span)}};
}

typed::ExpressionPtr TreeBuilder::make(Kind kind, const Type* type, SourceSpan span) {
  if (++nodes_ > kMostNodes) giveUp(span);
  if (type->isStruct()) {  // each of its leaves is a register, and takes an instruction
    if (type->leaves > kMostLeavesOfValue)
      fail(span,
           fmt::format("{} has {}, more than the value of an expression has here", type->name(),
                       counted(type->leaves, "number")),
           "copy its members one by one, those of an array in a loop");
    spend(static_cast<std::size_t>(type->leaves / kLeavesOfWork), span);
  }
  auto node = std::make_unique<typed::Expression>();
  node->kind = kind;
  node->type = type;
  node->span = at(span);
  return node;
}

typed::ExpressionPtr TreeBuilder::constant(const Type* type, std::uint64_t bits, SourceSpan span) {
  ExpressionPtr node = make(Kind::Constant, type, span);
  node->bits = bits;
  return node;
}

typed::ExpressionPtr TreeBuilder::builtIn(typed::BuiltIn builtIn, SourceSpan span) {
  const bool isSigned = builtIn == typed::BuiltIn::WarpSize;
  ExpressionPtr node = make(Kind::BuiltIn, scalar(isSigned ? Type::Kind::I32 : Type::Kind::U32), span);
  node->builtIn = builtIn;
  return node;
}

typed::ExpressionPtr TreeBuilder::setVariable(std::uint32_t variable, std::uint32_t offset, const Type* type,
                                              ExpressionPtr value, SourceSpan span) {
  ExpressionPtr result = make(Kind::SetVariable, type, span, std::move(value));
  result->index = variable;
  result->scale = offset;
  return result;
}

typed::ExpressionPtr TreeBuilder::wholeVariable(std::uint32_t index, SourceSpan span) {
  ExpressionPtr result = make(Kind::Variable, kernel_.variables[index].type, span);
  result->index = index;
  return result;
}

typed::StatementPtr TreeBuilder::makeStatement(typed::Statement::Kind kind, SourceSpan span) {
  auto statement = std::make_unique<typed::Statement>();
  statement->kind = kind;
  statement->span = at(span);
  return statement;
}

std::uint32_t TreeBuilder::addVariable(const std::string& name, const Type* type, SourceSpan span,
                                       bool isConst) {
  if (kernel_.variables.size() >= kMaxVariables) {
    fail(span, fmt::format("more than {} variables", kMaxVariables), "split the kernel");
  }
  if (type->size > kMaxSharedBytes)
    fail(span,
         fmt::format("{} has {} bytes, more local memory than a simulated thread has", name,
                     withCommas(type->size)),
         "keep it in global memory, and pass a pointer to it");
  // A variable of a library's function is, like a result, not a variable of the text.
  const std::string shown = librarySpan_ && !name.ends_with(")") ? functionName_ + "()" : name;
  kernel_.variables.push_back(
      {shown, type, at(span), isConst, type->isArray() || type->hasUnion, functionName_});
  return static_cast<std::uint32_t>(kernel_.variables.size() - 1);
}

const Type* TreeBuilder::promoted(const Type* type) const {
  if (type->isEnum()) return type->promotion;
  if (type->isInteger() && type->size < 4) return scalar(Type::Kind::I32);
  return type->size == 4 && type->underlying != nullptr ? type->underlying : type;  // wchar_t, char32_t
}

const Type* TreeBuilder::common(const Type* a, const Type* b) const {
  if (a->kind == Type::Kind::F64 || b->kind == Type::Kind::F64) return scalar(Type::Kind::F64);
  if (a->kind == Type::Kind::F32 || b->kind == Type::Kind::F32) return scalar(Type::Kind::F32);
  a = promoted(a);
  b = promoted(b);
  const auto rank = [](const Type* type) { return type->size < 8 ? 0 : type->underlying != nullptr ? 1 : 2; };
  if (rank(a) < rank(b)) std::swap(a, b);
  if (!a->isSigned() || b->isSigned() || a->size > b->size) return a;
  return rank(a) == rank(b) ? b : scalar(Type::Kind::U64);  // long long and unsigned long
}

}  // namespace lanescope::checker

namespace lanescope {
namespace checker {
void Checker::declare(const std::string& name, SourceSpan span, Symbol symbol) {
  if (!scope().emplace(name, symbol).second) {
    fail(span, fmt::format("'{}' is declared twice in this block", name), "rename one of them");
  }
}

/// Declares the names of a declaration with a fault: a use of one is not a second fault.
void Checker::declareUnchecked(const syntax::Statement& declaration) {
  for (const syntax::Declarator& declarator : declaration.declarators) {
    Symbol symbol{.kind = Symbol::Kind::Unchecked};
    scope().emplace(declarator.name, symbol);
  }
}

const Symbol* Checker::findInScopes(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  }
  return nullptr;
}

const Symbol* Checker::find(std::string_view name) {
  if (const Symbol* const own = findInScopes(name)) return own;
  return librarySpan_ ? nullptr : findAtFileScope(name);
}

const Symbol* Checker::findBound(syntax::Binding binding, std::string_view name) {
  if (binding == syntax::Binding::Open) return find(name);
  if (binding != syntax::Binding::File) return findInScopes(name);
  if (librarySpan_) return nullptr;
  const Symbol* const symbol = findAtFileScope(name);
  const bool isBegun = symbol == nullptr && unit_.index.items.contains(name);  // its own names are in scope
  return isBegun ? findInScopes(name) : symbol;
}

/// The meaning of a name where it is written: what is declared later, or in a base that depends on a
/// template's parameters, does not count.
const Symbol* Checker::find(const syntax::Expression& node) { return findBound(node.binding, node.text); }

const Symbol* Checker::find(const syntax::TypeName& name) { return findBound(name.binding, name.base); }

const Symbol* Checker::findAtFileScope(std::string_view name) {
  if (const auto known = file_.find(name); known != file_.end()) return &known->second;
  const auto found = unit_.index.items.find(name);
  if (found == unit_.index.items.end() || !begun_.insert(found->second).second) return aliasInProgress(name);
  const syntax::FileItem& item = *found->second;
  spend(1, item.span);
  {
    const Elsewhere elsewhere(*this, {});
    functionName_.clear();
    try {
      fileItem(item);
    } catch (const CheckFault&) {
      Symbol unchecked{.kind = Symbol::Kind::Unchecked};
      for (const std::string& one : item.names) file_.insert_or_assign(one, unchecked);
    }
  }
  const auto known = file_.find(name);
  return known == file_.end() ? nullptr : &known->second;
}

/// `typedef struct Node Node_t;`, which the members of Node use: the type is known, but its fields are not
/// yet.
const Symbol* Checker::aliasInProgress(std::string_view name) {
  const auto begun = aliasesInProgress_.find(name);
  if (begun == aliasesInProgress_.end()) return nullptr;
  const syntax::Alias& alias = *begun->second;
  aliasesInProgress_.erase(begun);  // an alias of itself has no type
  const Elsewhere elsewhere(*this, {});
  return &file_.insert_or_assign(alias.name, aliased(alias)).first->second;
}

Symbol Checker::aliased(const syntax::Alias& alias) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::TypeName;
  symbol.type = resolve(alias.type);
  symbol.isConst = isConstType(alias.type);
  return symbol;
}

/// Faults that the parser kept with an item.
void Checker::makeReport(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool isNew = std::ranges::none_of(diagnostics_, [&](const Diagnostic& known) {
      return known.span == diagnostic.span && known.message == diagnostic.message;
    });
    if (isNew) diagnostics_.push_back(diagnostic);
  }
}

/// Reports the faults and gives up if there are any.
void Checker::refuseFaulty(const std::vector<Diagnostic>& diagnostics) {
  if (diagnostics.empty()) return;
  makeReport(diagnostics);
  throw CheckFault{};
}

/// The type without its pointers. isConst becomes true if a template's T is a const type.
const Type* Checker::resolveBase(const syntax::TypeName& name, bool& isConst) {
  constexpr int kMostNested = 256;
  const Deeper deeper(typeDepth_);
  spend(1, name.span);
  if (typeDepth_ > kMostNested) {
    throw Exhausted{{fmt::format("{} needs too many other types to be simulated",
                                 name.base.empty() ? "this type" : name.base),
                     "use fewer, or end the recursion of its templates", at(name.span)}};
  }
  const auto typeOfOperand = [&] {
    const Operand of = operand(*name.of);
    isConst = isConst || (name.path.empty() && of.refersToConst());
    if (of.type == nullptr) fail(name.span, "decltype takes an expression", "write one");
    return of.glvalue ? of.glvalue->type : of.type;
  };
  if (name.signature != nullptr) return functionType(name);
  if (name.base == "cg::thread_block") return kernel_.types->makeGroup(0);
  if (name.base == "cg::grid_group") return kernel_.types->makeGroup(Type::kWholeGrid);
  if (name.base == "cg::thread_group") return kernel_.types->makeGroup(Type::kAnyGroup);
  if (name.base == "cg::thread_block_tile") {
    if (!name.arguments || name.arguments->empty() || (*name.arguments)[0].value == nullptr) {
      fail(name.span, "thread_block_tile needs its size", "write thread_block_tile<32>");
    }
    const std::uint64_t threads = constantExtent(*(*name.arguments)[0].value);
    if (threads > 32 || (threads & (threads - 1)) != 0) {
      fail(name.span, "a tile has 1, 2, 4, 8, 16 or 32 threads", "write thread_block_tile<32>");
    }
    return kernel_.types->makeGroup(threads);
  }
  bool ofClass = false;
  const Type* type =
      name.of != nullptr ? typeOfOperand() : namedType(name, name.path.empty() ? isConst : ofClass);
  for (const std::string& part : name.path) {
    const Symbol* const symbol = memberNamed(type, part);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::TypeName) {
      fail(name.span, fmt::format("{} has no type '{}' in it", type->name(), part),
           "declare it in the struct");
    }
    isConst = isConst || symbol->isConst;
    type = symbol->type;
  }
  return type;
}

/// The type for a name with its template arguments.
const Type* Checker::namedType(const syntax::TypeName& name, bool& isConst) {
  if (name.hostWords > 0) return kernel_.types->hostClass(name.base, name.hostWords);
  const Symbol* const symbol = find(name);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Unchecked) throw CheckFault{};
  if (symbol != nullptr && symbol->templateName != nullptr && name.arguments != nullptr) {
    syntax::TypeName own = name;
    own.base = *symbol->templateName;
    const auto alias = aliasTemplates_.find(own.base);
    return alias != aliasTemplates_.end() ? aliasInstance(own, *alias->second, isConst) : classInstance(own);
  }
  if (name.arguments != nullptr) {
    if (const auto alias = aliasTemplates_.find(name.base); alias != aliasTemplates_.end())
      return aliasInstance(name, *alias->second, isConst);
    if (classTemplates_.contains(name.base)) return classInstance(name);
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::TypeName) {
    isConst = isConst || symbol->isConst;
    const ClassInfo* const info = findClass(symbol->type);
    if (info != nullptr && info->isFaulty) throw CheckFault{};
    return symbol->type;
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Template) {
    fail(name.span, fmt::format("{} is a template: its arguments are missing", name.base),
         fmt::format("write {}<…>", name.base));
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Pack) failPack(name.base, name.span);
  const Type* type = kernel_.types->named(name.base);
  if (type == nullptr) {
    fail(name.span, fmt::format("the type '{}' is not in the subset that is simulated", name.base),
         "use bool, char, short, int, unsigned, long long, size_t, float, double, a vector such as float4, "
         "or a struct of this file");
  }
  return type;
}

const Type* Checker::resolve(const syntax::TypeName& name, std::uint32_t morePointers) {
  bool isConst = name.isConst;
  const Type* type = resolveBase(name, isConst);
  if (name.isReference) {
    fail(name.span, "a reference has no place here", "references are for parameters and variables");
  }
  for (std::uint32_t i = 0; i < name.pointers + morePointers; ++i) {
    const bool isOfConst = i == 0 ? isConst : (name.constPointers >> (i - 1) & 1) != 0;
    type = kernel_.types->pointerTo(type, isOfConst, i == 0 && name.isVolatile);
  }
  if (name.extents != nullptr) type = withArray(type, name, isConst && name.pointers + morePointers == 0);
  refuseNested(type, name.span);
  return type;
}

/// Aliases can make types of any number of pointers and dimensions, and functions recurse over a type.
void Checker::refuseNested(const Type* type, SourceSpan span) {
  constexpr int kMostNested = 64;
  int levels = 0;
  for (; type->element != nullptr && levels <= kMostNested; type = type->element) ++levels;
  if (levels > kMostNested)
    fail(span, fmt::format("this type has more than {} pointers and dimensions", kMostNested), "use fewer");
}

/// The type of the variable that holds a parameter. For a reference, a pointer to its target.
const Type* Checker::parameterType(const syntax::Parameter& parameter) {
  syntax::TypeName name = parameter.type;
  name.isReference = false;
  const Type* type = resolve(name);
  if (type->kind == Type::Kind::Void) fail(parameter.span, "a parameter cannot be void", "give it a type");
  if (!parameter.type.isReference && type->isArray())  // of a typedef
    return kernel_.types->pointerTo(type->element, name.isConst, false);
  if (!parameter.type.isReference) return type;
  return kernel_.types->pointerTo(type, isConstType(name), false);
}

/// True for `const T`, for `T* const`, and for `T` if T is a const type.
bool Checker::isConstType(const syntax::TypeName& name) {
  if (name.arrayPointers > 0) return false;
  if (name.pointers > 0) return (name.constPointers >> (name.pointers - 1) & 1) != 0;
  bool isConst = name.isConst;
  resolveBase(name, isConst);
  return isConst;
}

/// True for the parameter T of `T&&` that is bound to `X&`, and for the decltype of an lvalue.
bool Checker::isReferenceType(const syntax::TypeName& name) {
  if (name.of != nullptr && name.pointers == 0 && name.path.empty()) {
    bool isReference = false;
    declaredOperand(name, isReference);
    return isReference;
  }
  if (name.pointers > 0 || !name.path.empty() || name.arguments != nullptr) return false;
  const Symbol* const symbol = name.base.empty() ? nullptr : find(name);
  return symbol != nullptr && symbol->kind == Symbol::Kind::TypeName && symbol->isReference;
}

/// The kernel's name comes from outside the text: faults in it are shown at the kernel.
void Checker::bindKernelArguments(const syntax::Function& kernel, const syntax::Expression& name) {
  const std::size_t before = diagnostics_.size();
  std::string reason;
  try {
    Scope bound;
    reason = bindTemplate(kernel, name.templateArguments, {}, bound);
    scopes_.back() = std::move(bound);
  } catch (const CheckFault&) {
    for (std::size_t i = before; i < diagnostics_.size(); ++i) {
      diagnostics_[i].message = fmt::format("in the kernel's name: {}", diagnostics_[i].message);
      diagnostics_[i].span = kernel.span;
    }
    throw;
  }
  if (reason.empty()) return;
  std::string form;
  for (const syntax::TemplateParameter& parameter : kernel.templateParameters)
    form += (form.empty() ? "" : ", ") + parameter.name;
  fail(kernel.span, reason,
       form.empty() ? "leave out the <…>"
                    : fmt::format("name the kernel {}<{}> with values for them", kernel.name, form));
}

/// The type of an enumeration without a given one, by the range of its values (C++20 [dcl.enum] 9.7.1 and,
/// for what the compiler may choose, GCC's).
const Type* Checker::enumOf(const syntax::Enumeration& node, const std::vector<Symbol>& values) {
  const std::string& name = node.name.empty() ? "enum" : node.name;
  if (node.isFixed) {
    const Type* const underlying = resolve(node.underlying);
    Type* const type = kernel_.types->makeEnum(name, underlying, promoted(underlying));
    type->isFixed = true;
    type->isScoped = node.isScoped;
    return type;
  }
  bool isNegative = false;
  int bits = 1;
  for (const Symbol& one : values) {
    const std::int64_t value = constantValue(*one.type, one.bits);
    const bool isBelow = value < 0 && one.type->kind != Type::Kind::U64;
    isNegative = isNegative || isBelow;
    bits = std::max(bits,
                    static_cast<int>(std::bit_width(static_cast<std::uint64_t>(isBelow ? ~value : value))));
  }
  const Type* const asSigned = bits < 32 ? scalar(Type::Kind::I32) : kernel_.types->named("long");
  const Type* const asUnsigned = bits <= 32 ? scalar(Type::Kind::U32) : sizeType();
  const bool isOfSigned = isNegative || bits < 32 || (bits > 32 && bits < 64);
  return kernel_.types->makeEnum(name, isNegative ? asSigned : asUnsigned,
                                 isOfSigned ? asSigned : asUnsigned);
}

/// The values of the enumerators. Until the closing brace each has the type of what it begins with, and the
/// names of those before it are known.
std::vector<Symbol> Checker::enumerators(const syntax::Enumeration& node) {
  const Type* const fixed = node.isFixed ? resolve(node.underlying) : nullptr;
  if (fixed != nullptr && (!fixed->isInteger() || fixed->isEnum()))
    fail(node.span, "an enum is made of integers", "write enum Name : int");
  std::vector<Scope> scopes = scopes_;
  scopes.emplace_back();
  const Elsewhere elsewhere(*this, std::move(scopes));
  std::vector<Symbol> values;
  for (const syntax::Declarator& enumerator : node.enumerators) {
    ExpressionPtr value;
    if (enumerator.initial != nullptr) {
      value = expression(*enumerator.initial);
      const Type* const promotion = value->type->isEnum() ? value->type->promotion : value->type;
      value = asConstant(fixed != nullptr ? convertImplicitly(std::move(value), fixed, enumerator.span)
                                          : convert(std::move(value), promotion));
      if (value->kind != Kind::Constant || !value->type->isInteger())
        fail(enumerator.span, "an enumerator is an integer constant", "write a number");
    } else if (values.empty()) {
      value = constant(fixed != nullptr ? fixed : scalar(Type::Kind::I32), 0, enumerator.span);
    } else {
      const Symbol& last = values.back();
      const std::int64_t before = constantValue(*last.type, last.bits);
      const auto next = static_cast<std::int64_t>(static_cast<std::uint64_t>(before) + 1);
      const bool fits =
          constantValue(*last.type, constantBits(*last.type, next)) == next && before != INT64_MAX;
      const Type* const type = fits || fixed != nullptr ? last.type
                               : before == INT64_MAX    ? sizeType()
                                                        : kernel_.types->named("long");
      value = constant(type, constantBits(*type, next), enumerator.span);
    }
    values.push_back({.kind = Symbol::Kind::Constant, .type = value->type, .bits = value->bits});
    declare(enumerator.name, enumerator.span, values.back());
  }
  return values;
}

void Checker::enumeration(const syntax::Enumeration& node) {
  const std::vector<Symbol> values = enumerators(node);
  const Type* const type = enumOf(node, values);
  enumSpaces_[type] = node.space;
  if (!node.name.empty()) declare(node.name, node.span, {.kind = Symbol::Kind::TypeName, .type = type});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const syntax::Declarator& enumerator = node.enumerators[i];
    const std::uint64_t bits = constantBits(*type, constantValue(*values[i].type, values[i].bits));
    const Symbol symbol{.kind = Symbol::Kind::Constant, .type = type, .bits = bits};
    enumerators_[type].emplace(syntax::lastName(enumerator.name), symbol);
    if (!node.isScoped) declare(enumerator.name, enumerator.span, symbol);
    if (!node.name.empty())
      declare(fmt::format("{}::{}", node.name, syntax::lastName(enumerator.name)), enumerator.span, symbol);
  }
}

/// Declares the names of an item at file scope or in a function.
void Checker::fileItem(const syntax::FileItem& item) {
  refuseFaulty(item.diagnostics);
  if (item.constant != nullptr && !item.isTemplate) declaration(*item.constant);
  const bool isTemplate = item.isTemplate ||
                          (item.structure && classTemplates_.contains(item.structure->name)) ||
                          (item.alias && aliasTemplates_.contains(item.alias->name));
  if (isTemplate) {
    Symbol symbol{.kind = Symbol::Kind::Template};
    const SourceSpan span = item.structure ? item.structure->span
                            : item.alias   ? item.alias->span
                                           : item.constant->span;
    declare(item.names[0], span, symbol);
    return;
  }
  if (item.structure) structure(*item.structure);
  if (item.enumeration) enumeration(*item.enumeration);
  if (item.alias) {
    const std::string& name = item.alias->name;
    if (isFileScope()) aliasesInProgress_[name] = &*item.alias;
    const Symbol symbol = aliased(*item.alias);
    if (isFileScope() && aliasesInProgress_.erase(name) == 0) return;  // its type's members declared it
    declare(name, item.alias->span, symbol);
  }
}

/// For a constant expression of C++: the value that constexpr functions give, once they are run. Otherwise
/// the expression unchanged.
Checker::ExpressionPtr Checker::asConstant(ExpressionPtr value) {
  value = fold(std::move(value));
  if (value->kind == Kind::Constant || !value->type->isArithmetic()) return value;
  const std::optional<std::uint64_t> bits =
      evaluate(value->span, [&](ConstantEvaluator of) { return of.computeBits(*value); });
  return bits ? constant(value->type, *bits, value->span) : std::move(value);
}

std::uint64_t Checker::constantExtent(const syntax::Expression& node) {
  const ExpressionPtr extent = asConstant(expression(node));
  if (extent->kind != Kind::Constant || !extent->type->isInteger() ||
      constantValue(*extent->type, extent->bits) <= 0) {
    fail(node.span, "an array's extent must be a positive constant",
         "use a number, a constexpr constant or a template parameter");
  }
  return static_cast<std::uint64_t>(constantValue(*extent->type, extent->bits));
}

/// The threads per block that the kernel's __launch_bounds__ allows. Empty: any number. A bound that is not a
/// constant here is only unchecked.
std::optional<std::uint64_t> Checker::findLaunchBound(const syntax::Function& kernel) {
  if (kernel.launchBound == nullptr) return std::nullopt;
  const std::size_t before = diagnostics_.size();
  try {
    return constantExtent(*kernel.launchBound);
  } catch (const CheckFault&) {
    diagnostics_.resize(before);
    return std::nullopt;
  }
}

/// The specialisation that replaces the kernel for the bound template arguments. The kernel itself if there
/// is none.
const syntax::Function& Checker::specialisedKernel(const syntax::Function& kernel) {
  if (kernel.templateParameters.empty()) return kernel;
  Candidate candidate;
  candidate.function = &kernel;
  candidate.bound = scope();
  for (const syntax::Parameter& parameter : kernel.parameters)
    candidate.parameters.push_back(parameterType(parameter));
  specialise(candidate);
  return *candidate.function;
}

typed::Kernel Checker::check(const syntax::Function& written, const syntax::Expression& name) {
  kernel_.types = std::make_shared<TypeTable>();
  kernel_.name = written.name;
  try {
    pushScope();
    const syntax::Function& asked = *withPacks(written, name.templateArguments, {}, {}, written.span);
    bindKernelArguments(asked, name);
    bindHeadPacks(asked, true, scope());
    const syntax::Function& kernel = specialisedKernel(asked);
    inProgress_.push_back(kernel.name);
    returnType_ = resolve(kernel.returnType);
    if (returnType_->kind != Type::Kind::Void) {
      fail(kernel.returnType.span, "a kernel returns nothing", "write __global__ void");
    }
    pushScope();
    for (const syntax::Parameter& parameter : kernel.parameters) {
      const Type* type = parameterType(parameter);  // of a reference: a pointer, as the launch passes it
      const bool isConst = parameter.type.isConst && !type->isPointer();
      const std::uint32_t variable = addVariable(parameter.name, type, parameter.span, isConst);
      kernel_.parameters.push_back(variable);
      if (!parameter.name.empty()) {
        const bool isReference = parameter.type.isReference;
        declare(parameter.name, parameter.span,
                {Symbol::Kind::Variable, variable, type, 0, isReference, false});
      }
    }
    bindHeadPacks(kernel, false, scope());
    kernel_.launchBound = findLaunchBound(kernel.written());
    declareSymbols(kernel.written());
    kernel_.body = block(*kernel.written().body);
    for (const typed::GlobalSymbol& symbol : kernel_.symbols) kernel_.parameters.push_back(symbol.variable);
  } catch (const CheckFault&) {
    // The diagnostic exists already.
  } catch (const Exhausted& exhausted) {
    diagnostics_.assign(1, exhausted.fault);
  }
  return std::move(kernel_);
}

}  // namespace checker

namespace {

Error diagnosticError(const SourceText& source, std::vector<Diagnostic> diagnostics) {
  Error error;
  for (const Diagnostic& diagnostic : diagnostics) error.message += renderDiagnostic(source, diagnostic);
  if (!error.message.empty()) error.message.pop_back();
  const std::string first = makeSentences(diagnostics.front());
  error.summary = diagnostics.size() == 1
                      ? fmt::format("The text has a fault. {}", first)
                      : fmt::format("The text has {} faults. The first: {}", diagnostics.size(), first);
  error.diagnostics = std::move(diagnostics);
  return error;
}

std::string listKernels(const syntax::Unit& unit) {
  std::string list;
  std::set<std::string_view> seen;
  for (const syntax::Function& function : unit.functions) {
    if (!function.isKernel || !seen.insert(function.name).second) continue;
    list += (list.empty() ? "" : ", ") + function.name + (function.templateParameters.empty() ? "" : "<…>");
  }
  return list;
}

/// An unknown name may be in a missing file.
void nameMissingFiles(const syntax::Unit& unit, std::vector<Diagnostic>& diagnostics) {
  if (unit.missing.empty()) return;
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.isUnknownName)
      diagnostic.hint += fmt::format(
          "; it may be in {}, which was not found beside the file or in an include folder around it",
          fmt::join(unit.missing, ", "));
  }
}

/// Adds the place of the declaration to the message on a name that another file of the program defines,
/// unless the message is placed there.
void nameDeclarations(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    const std::size_t begin = diagnostic.message.find('\'') + 1;
    const std::size_t end = diagnostic.message.find('\'', begin);
    if (!diagnostic.isElsewhere || begin == 0 || end == std::string::npos) continue;
    const std::string place = placeOfName(source, diagnostic.message.substr(begin, end - begin));
    const HeaderPlace* const header = diagnostic.header.get();
    const std::string own =
        header != nullptr ? fmt::format("{}:{}", header->path, header->place.line)
                          : fmt::format("{}:{}", source.name(), source.place(diagnostic.span.begin).line);
    if (!place.empty() && place != own) diagnostic.message += fmt::format(" (declared in {})", place);
  }
}

/// Checks a kernel; the faults of its own text, or else of all that it reaches, by their places.
std::vector<Diagnostic> faultsOf(const ParsedText& text, const syntax::Function& kernel,
                                 const syntax::Expression& name, typed::Kernel& checked) {
  constexpr std::size_t kWorkOfStart = 300;
  std::vector<Diagnostic> diagnostics = kernel.diagnostics;
  if (!diagnostics.empty()) return diagnostics;
  OwnStack::run([&] {
    checker::Checker checker(text.unit, diagnostics);
    checked = checker.check(kernel, name);
    *text.checked += checker.work() + kWorkOfStart;
  });
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic& one) { return one.span.begin; });
  return diagnostics;
}

}  // namespace

KernelName splitKernelName(std::string_view asked) {
  const std::size_t mark = asked.find('@');
  if (mark == std::string_view::npos || mark > asked.find('<')) return {std::string(asked), 1};
  const std::size_t end = std::min(asked.find('<', mark), asked.size());
  KernelName name{std::string(asked.substr(0, mark)) + std::string(asked.substr(end)), 0};
  const char* const last = asked.data() + end;
  if (std::from_chars(asked.data() + mark + 1, last, name.number).ptr != last) name.number = 0;
  return name;
}

const syntax::Function* kernelNamed(const syntax::Unit& unit, std::string_view plain, std::size_t number) {
  for (const syntax::Function* const function : unit.index.named(plain)) {
    if (function->isKernel && number-- == 1) return function;
  }
  return nullptr;
}

Result<typed::Kernel> checkKernel(const ParsedText& text, std::string_view kernel) {
  const SourceText& source = *text.source;
  const syntax::Unit& unit = text.unit;
  if (!text.diagnostics.empty()) return diagnosticError(source, text.diagnostics);
  const std::string list = kernel.empty() ? listKernels(unit) : std::string();
  if (std::ranges::none_of(unit.functions, &syntax::Function::isKernel)) {
    return Error{fmt::format("There is no __global__ kernel in {}.", source.name()),
                 "A kernel begins with __global__ void."};
  }
  if (kernel.empty() && list.find(',') == std::string::npos) {
    kernel = std::string_view(list).substr(0, list.find('<'));
  }
  if (kernel.find("lambda(") != std::string_view::npos || kernel.find("(lambda") != std::string_view::npos) {
    return Error{
        fmt::format("{} is launched with a lambda of the host's, which only a run of the program has.",
                    kernel.substr(0, kernel.find('<'))),
        "Run the program (lanescope-cli run), or write it as a struct with what it captures and a __device__ "
        "operator()."};
  }
  const KernelName asked = splitKernelName(kernel);
  const SourceText nameText("kernel name", asked.text);
  const syntax::ExpressionPtr name = syntax::parseKernelName(nameText, unit.names);
  const syntax::Function* const chosen =
      name == nullptr ? nullptr : kernelNamed(unit, name->text, asked.number);
  if (chosen == nullptr) {
    return Error{kernel.empty() ? fmt::format("There are several kernels in {}.", source.name())
                                : fmt::format("There is no kernel named '{}' in {}.", kernel, source.name()),
                 fmt::format("Choose one of: {}.", listKernels(unit))};
  }
  typed::Kernel checked;
  std::vector<Diagnostic> diagnostics = faultsOf(text, *chosen, *name, checked);
  if (!diagnostics.empty()) {
    placeInHeaders(text, diagnostics, [&](const ParsedText& again) {
      const syntax::Function* const same = kernelNamed(again.unit, name->text, asked.number);
      typed::Kernel unused;
      return same == nullptr || !again.diagnostics.empty() ? again.diagnostics
                                                           : faultsOf(again, *same, *name, unused);
    });
    nameMissingFiles(unit, diagnostics);
    nameDeclarations(source, diagnostics);
    return diagnosticError(source, std::move(diagnostics));
  }
  checked.name = asked.text;
  return checked;
}

std::vector<std::string> kernelNames(const ParsedText& text) {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const syntax::Function& function : text.unit.functions) {
    if (function.isKernel && text.diagnostics.empty() && seen.insert(function.name).second)
      names.push_back(function.name);
  }
  return names;
}

}  // namespace lanescope
