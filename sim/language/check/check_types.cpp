#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_evaluation.h"

// The types that names mean, with arrays and enumerations, and the constants in them.
namespace lanescope::checker {

Symbol Checker::typeSymbol(const syntax::TypeName& name) {
  const Type* const type = resolve(name);
  return {.kind = Symbol::Kind::TypeName, .type = type, .isConst = isConstType(name)};
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
  return pointerTo(type, isConstType(name));
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

/// The operand of the decltype that the name is, and if it stands for a reference ([dcl.type.decltype]
/// 9.2.9.5).
Operand Checker::declaredOperand(const syntax::TypeName& name, bool& isReference) {
  Operand of = operand(*name.of);
  if (of.type == nullptr) fail(name.span, "decltype takes an expression", "write one");
  isReference = of.isLvalue();
  if (name.isOfValue) return of;
  if (name.of->kind == SyntaxKind::Member) isReference = false;
  if (name.of->kind == SyntaxKind::Name) {
    const Symbol* const symbol = find(*name.of);
    isReference = symbol != nullptr && symbol->kind == Symbol::Kind::Variable && symbol->isReference;
  }
  return of;
}

// --- arrays ---

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;  ///< of an array behind a pointer

}  // namespace

const Type* Checker::findArray(const Type* element, const std::vector<syntax::ExpressionPtr>& extents) {
  const Type* type = element;
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
    const std::uint64_t count = constantExtent(**extent);
    if (count >= kMostBytes || count * type->size >= kMostBytes)
      fail((*extent)->span, "this array is too large to be simulated", "use a smaller extent");
    type = kernel_.types->findArray(type, count);
  }
  return type;
}

/// The array, or pointer to one, that the name has by its base and its `*`.
const Type* Checker::withArray(const Type* element, const syntax::TypeName& name, bool isConst) {
  const Type* type = findArray(element, *name.extents);
  for (std::uint32_t i = 0; i < name.arrayPointers; ++i)
    type = kernel_.types->pointerTo(type, i == 0 && isConst, i == 0 && name.isVolatile);
  return type;
}

/// The type with the extents of its declarator; `[]` counts the initial values.
const Type* Checker::arrayType(const syntax::Statement& node, const syntax::Declarator& declarator,
                               std::uint64_t mostBytes) {
  const Type* type = resolve(syntax::findType(node.type, declarator));
  if (type->size == 0) fail(declarator.span, "an array needs elements with a size", "use float or int");
  for (std::size_t i = declarator.extents.size(); i-- > 0;) {
    std::uint64_t count = 0;
    if (declarator.extents[i] != nullptr) {
      count = constantExtent(*declarator.extents[i]);
    } else if (i == 0 && declarator.initial != nullptr) {
      const auto& values =
          expandedPacks(*spelled(*kernel_.types->findArray(type, 0), declarator.initial.get())).operands;
      const bool isFlat =
          !values.empty() && values[0]->kind != SyntaxKind::List && !isText(*type, *values[0]);
      std::uint64_t row = 1;  // int m[][2] = {1, 2, 3, 4}
      for (const Type* part = type; isFlat && part->isArray(); part = part->element) row *= part->count;
      count = (values.size() + row - 1) / row;
    }
    if (count == 0)
      fail(declarator.span,
           node.isShared ? "a static shared array needs its extent" : "an array needs its extent",
           "write the number of elements");
    if (count > mostBytes || count * type->size > mostBytes) {
      fail(declarator.span,
           node.isShared                 ? "more shared memory than a block can have"
           : mostBytes == kMaxLocalBytes ? "more local memory than a simulated thread has"
                                         : "more memory than a variable at file scope has here",
           mostBytes < 1u << 20 ? fmt::format("{} KiB are the most", mostBytes / 1024)
                                : fmt::format("{} MiB are the most", mostBytes >> 20));
    }
    type = kernel_.types->findArray(type, count);
  }
  return type;
}

// --- enumerations and constants ---

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
  const Elsewhere elsewhere(*this, scopesWith({}));
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

/// For a constant expression of C++: the value that constexpr functions give, once they are run. Otherwise
/// the expression unchanged.
ExpressionPtr Checker::asConstant(ExpressionPtr value) {
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

}  // namespace lanescope::checker
