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

/// The type that the name's base means, without its pointers and extents.
Symbol Checker::baseMeaning(const syntax::TypeName& name) {
  constexpr int kMostNested = 256;
  const Deeper deeper(typeDepth_);
  spend(1, name.span);
  if (typeDepth_ > kMostNested) {
    throw Exhausted{{fmt::format("{} needs too many other types to be simulated",
                                 name.base.empty() ? "this type" : name.base),
                     "use fewer, or end the recursion of its templates", at(name.span)}};
  }
  const auto plain = [](const Type* type) { return Symbol{.kind = Symbol::Kind::TypeName, .type = type}; };
  if (name.signature != nullptr) return plain(functionType(name));
  if (name.base == "cg::thread_block") return plain(kernel_.types->makeGroup(0));
  if (name.base == "cg::grid_group") return plain(kernel_.types->makeGroup(Type::kWholeGrid));
  if (name.base == "cg::thread_group") return plain(kernel_.types->makeGroup(Type::kAnyGroup));
  if (name.base == "cg::thread_block_tile") {
    if (!name.arguments || name.arguments->empty() || (*name.arguments)[0].value == nullptr) {
      fail(name.span, "thread_block_tile needs its size", "write thread_block_tile<32>");
    }
    const std::uint64_t threads = constantExtent(*(*name.arguments)[0].value);
    if (threads > 32 || (threads & (threads - 1)) != 0) {
      fail(name.span, "a tile has 1, 2, 4, 8, 16 or 32 threads", "write thread_block_tile<32>");
    }
    return plain(kernel_.types->makeGroup(threads));
  }
  Symbol result = name.of != nullptr ? declaredType(name) : namedType(name);
  for (const std::string& part : name.path) {
    const Symbol* const symbol = memberNamed(result.type, part);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::TypeName) {
      failTyping(name.span, fmt::format("{} has no type '{}' in it", result.type->name(), part),
                 "declare it in the struct");
    }
    result = *symbol;
  }
  return result;
}

/// The type for a name with its template arguments.
Symbol Checker::namedType(const syntax::TypeName& name) {
  Symbol result{.kind = Symbol::Kind::TypeName};
  if (name.hostWords > 0) {
    result.type = kernel_.types->hostClass(name.base, name.hostWords);
    return result;
  }
  const Symbol* const symbol = find(name);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Unchecked) throw CheckFault{};
  if (name.arguments != nullptr) {
    syntax::TypeName own = name;
    if (symbol != nullptr && symbol->templateName != nullptr) own.base = *symbol->templateName;
    if (const auto alias = aliasTemplates_.find(own.base); alias != aliasTemplates_.end())
      return aliasInstance(own, *alias->second);
    if (classTemplates_.contains(own.base)) {
      result.type = classInstance(own);
      return result;
    }
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::TypeName) {
    const ClassInfo* const info = findClass(symbol->type);
    if (info != nullptr) refuseFaulty(info->faults);
    return *symbol;
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Template) {
    fail(name.span, fmt::format("{} is a template: its arguments are missing", name.base),
         fmt::format("write {}<…>", name.base));
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Pack) failPack(name.base, name.span);
  result.type = kernel_.types->named(name.base);
  if (result.type == nullptr) {
    fail(name.span, fmt::format("the type '{}' is not in the subset that is simulated", name.base),
         "use bool, char, short, int, unsigned, long long, size_t, float, double, a vector such as float4, "
         "or a struct of this file");
  }
  return result;
}

/// The type that is written, with const, volatile and the reference: references to references collapse
/// ([dcl.ref] 9.3.4.3/6), and const does not apply to them ([dcl.ref] 9.3.4.3/1).
Symbol Checker::meaning(const syntax::TypeName& name) {
  Symbol result = baseMeaning(name);
  const bool hasPointers = name.pointers > 0 || name.extents != nullptr;
  if (result.isReference && name.isOfTarget) result.isReference = result.isRvalue = false;
  if (result.isReference && hasPointers)
    failTyping(name.span, "there are no pointers to references, and no arrays of them",
               "remove the reference");
  if (!result.isReference) {
    result.isConst = result.isConst || name.isConst;
    result.isVolatile = result.isVolatile || name.isVolatile;
  }
  for (std::uint32_t i = 0; i < name.pointers; ++i) {
    result.type = kernel_.types->pointerTo(result.type, result.isConst, result.isVolatile);
    result.isConst = (name.constPointers >> i & 1) != 0;
    result.isVolatile = (name.volatilePointers >> i & 1) != 0;
  }
  if (name.extents != nullptr) result.type = withArray(result.type, name, result.isConst);
  if (name.arrayPointers > 0) result.isConst = result.isVolatile = false;
  refuseNested(result.type, name.span);
  if (name.isReference) {
    if (result.type->kind == Type::Kind::Void)
      failTyping(name.span, "there are no references to void", "remove the reference");
    result.isRvalue = name.isRvalue && (!result.isReference || result.isRvalue);
    result.isReference = true;
  }
  return result;
}

/// What a function returns, in the scopes of its types.
Symbol Checker::returned(const syntax::Function& function) {
  syntax::TypeName written = function.returnType;
  written.isReference = function.returnsReference;
  return meaning(written);
}

/// The type where a reference has no place.
const Type* Checker::resolve(const syntax::TypeName& name) {
  const Symbol result = meaning(name);
  if (result.isReference)
    fail(name.span, "a reference has no place here", "references are for parameters and variables");
  return result.type;
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
  const Symbol meant = meaning(parameter.type);
  const Type* const type = meant.type;
  if (type->kind == Type::Kind::Void)
    failTyping(parameter.span, "a parameter cannot be void", "give it a type");
  if (meant.isReference && !parameter.type.isReference)
    fail(parameter.span, "a parameter that is a reference by its template's argument is not simulated",
         "write & behind its type");
  if (meant.isReference) return pointerTo(meant);
  return type->isArray() ? pointerTo(type->element, meant.isConst) : type;
}

/// The type that a decltype means ([dcl.type.decltype] 9.2.9.5): of a name that of what it names, of another
/// expression with the reference that its value category gives.
Symbol Checker::declaredType(const syntax::TypeName& name) {
  const syntax::Expression& node = *name.of;
  const Operand of = operand(node);
  if (of.type == nullptr) fail(name.span, "decltype takes an expression", "write one");
  Symbol result{.kind = Symbol::Kind::TypeName, .type = of.ownType(), .isConst = of.refersToConst()};
  result.isVolatile = of.glvalue && of.glvalue->isVolatile;
  result.isReference = of.isObject();
  result.isRvalue = result.isReference && !of.isLvalue();
  const bool isMember = node.kind == SyntaxKind::Member;
  if (name.isOfValue || (node.kind != SyntaxKind::Name && !isMember)) return result;
  const Symbol* const symbol = isMember ? nullptr : find(node);
  const Field* const field = isMember ? fieldNamed(node) : nullptr;
  result.isReference =
      symbol != nullptr ? symbol->isReference && !symbol->isBinding : field != nullptr && field->isReference;
  result.isRvalue = result.isReference && symbol != nullptr && symbol->isRvalue;
  if (result.isReference) return result;
  if (symbol != nullptr && symbol->kind == Symbol::Kind::Field) result.isConst = symbol->isConst;
  if (field != nullptr) result.isConst = field->isConst;
  return result;
}

/// The field of `a.x`, `p->x`. Null for another member.
const Field* Checker::fieldNamed(const syntax::Expression& node) {
  const Type* type = operand(*node.operands[0]).ownType();
  if (type != nullptr && node.arrow && type->isPointer()) type = type->element;
  if (type == nullptr || !type->isStruct()) return nullptr;
  const Field* const own = type->field(node.text);
  const auto base = std::ranges::find(type->inherited, node.text, &Field::name);
  return own != nullptr || base == type->inherited.end() ? own : &*base;
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
