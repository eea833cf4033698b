#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// Initial values: of aggregates from lists, of members by a constructor, and copies member by member
// ([dcl.init] 9.4).
namespace lanescope::checker {

namespace {

/// Elements of an array that are copied one by one.
constexpr std::uint64_t kMaxCopied = 1024;
/// Elements of an array that are stored one by one: a thread's largest array.
constexpr std::uint64_t kMaxStored = 65536;

/// Nesting of default values of members.
constexpr int kMaxDefaultDepth = 32;

}  // namespace

/// A value of the type from a list in braces or brackets.
ExpressionPtr Checker::construct(const Type* type, const syntax::Expression& written) {
  const syntax::Expression& list = expandedPacks(written);
  if (type->isStruct()) {
    if (hasConstructors(type) || isCopyList(type, list))
      return constructed(type, readOperands(list, 0), list.span);
    if (type->isUnion && list.operands.size() > 1)
      fail(list.span, "a list for a union has one value", "give the first field's");
    if (type->isUnion && !list.operands.empty() && !type->fields.empty())
      return constructUnion(type, *list.operands[0], list.span);
    ExpressionPtr result = make(Kind::Make, type, list.span);
    if (!type->isUnion) constructInto(type, &list, list.span, result->operands);
    return result;
  }
  if (list.operands.size() > 1) {
    failTyping(list.span, fmt::format("{} values are given for one {}", list.operands.size(), type->name()),
               "give one value");
  }
  if (list.operands.empty()) return constant(type, 0, list.span);
  if (type->isFixed) {  // C++20 [dcl.init.list] 9.4.4/3.8
    ExpressionPtr given = value(*list.operands[0]);
    return given->type->isInteger() && !given->type->isEnum()
               ? convert(std::move(given), type)
               : convertImplicitly(std::move(given), type, list.span);
  }
  return listValue(*list.operands[0], type, list.span);
}

/// The value of a number in braces. Narrowing conversions ([dcl.init.list] 9.4.5/7), which compilers let pass
/// with a warning, leave a template out.
ExpressionPtr Checker::listValue(const syntax::Expression& node, const Type* type, SourceSpan span) {
  if (substitutions_ == 0 || !type->isArithmetic() || node.kind == SyntaxKind::List)
    return initialValue(node, type, span);
  Operand given = operand(node);
  const Type* const from = given.type;
  const bool isKnown = given.value != nullptr && given.value->kind == Kind::Constant;
  const auto takesAll = [&] {
    if (from->isFloating() || type->isFloating())
      return from->isFloating() && type->isFloating() && from->size <= type->size;
    if (type->kind == Type::Kind::Bool || from->kind == Type::Kind::Bool)
      return from->kind == Type::Kind::Bool;
    return from->isSigned() == type->isSigned() ? from->size <= type->size
                                                : type->isSigned() && from->size < type->size;
  };
  const auto takesValue = [&] {
    if (from->isFloating() || type->isFloating()) return type->isFloating();
    const std::int64_t number = constantValue(*from, given.value->bits);
    return constantValue(*type, constantBits(*type, number)) == number;
  };
  if (from != nullptr && from->isArithmetic() && !takesAll() && !(isKnown && takesValue()))
    failTyping(span, fmt::format("{} does not become {} in braces", from->name(), type->name()),
               "write a cast");
  return passed(std::move(given), type, span);
}

/// `Pair{other}`, `Pair(other)`, `float3(v)`: a copy, or a conversion to its base, unless the value is a
/// part.
bool Checker::isCopyList(const Type* type, const syntax::Expression& list) {
  if (list.operands.size() != 1) return false;
  const syntax::Expression& value = *list.operands[0];
  if (value.kind == SyntaxKind::List || value.kind == SyntaxKind::Designated) return false;
  const bool mayBePart =
      !type->fields.empty() && (type->fields[0].type->isStruct() || !type->fields[0].type->isArray());
  return mayBePart ? isOfType(value, type) : findClass(type) != nullptr;
}

/// True for a value of the type, which is kept for its use.
bool Checker::isOfType(const syntax::Expression& node, const Type* type) {
  if (node.kind == SyntaxKind::String) return false;
  Operand given = operand(node);
  const bool isIt = given.type != nullptr && isSameOrDerived(given.type, type);
  keep(node, std::move(given));
  return isIt;
}

/// True for the value of an aggregate's first part without braces around: of an array, or of a struct that it
/// does not convert to ([dcl.init.aggr] 9.4.2/13).
bool Checker::isElided(const Type* part, const syntax::Expression& given) {
  if (given.kind == SyntaxKind::List || isText(*part, given)) return false;
  if (part->isArray()) return true;
  if (!part->isStruct() || part->fields.empty() || hasConstructors(part) || given.kind == SyntaxKind::String)
    return false;
  Operand value = operand(given);
  const bool converts = conversion(value, part).exists();
  keep(given, std::move(value));
  return !converts;
}

/// A union is initialized by its first field.
ExpressionPtr Checker::constructUnion(const Type* type, const syntax::Expression& given, SourceSpan span) {
  if (given.kind == SyntaxKind::Designated)
    fail(span, "naming the field of a union is not simulated", "store to the field");
  std::uint32_t temporary = 0;
  ExpressionPtr cleared = hold("(temporary)", make(Kind::Make, type, span), span, temporary);
  const Type* const first = type->fields[0].type;
  if (first->isArray()) fail(span, "a list for a union of arrays is not simulated", "store the elements");
  ExpressionPtr value = initialValue(given, first, span);
  const BitRange& bits = type->fields[0].bits;
  if (bits.storage != nullptr) value = withBits(constant(bits.storage, 0, span), bits, std::move(value));
  const Type* const held = bits.storage != nullptr ? bits.storage : first;
  ExpressionPtr stored = setVariable(temporary, 0, held, std::move(value), span);
  return sequence(span, std::move(cleared), std::move(stored), wholeVariable(temporary, span));
}

/// Appends values that together are the leaves of the type. Parts that the list leaves out are zero.
void Checker::constructInto(const Type* type, const syntax::Expression* list, SourceSpan span,
                            Values& leaves) {
  spend(1, span);
  if (list != nullptr) list = &expandedPacks(*spelled(*type, list));
  const bool isList = list != nullptr && list->kind == SyntaxKind::List;
  if (list != nullptr && !isList && type->isArray())
    fail(span, "an array's values need their own braces", "write {…}");
  if (list != nullptr && (!isList || !isAggregate(type))) {
    leaves.push_back(listValue(*list, type, span));
  } else if (!isAggregate(type)) {
    leaves.push_back(type->isUnion      ? make(Kind::Make, type, span)
                     : type->isStruct() ? constructed(type, {}, span)
                                        : constant(type, 0, span));
  } else {
    std::size_t next = 0;
    constructParts(type, list, next, span, leaves);
    if (list != nullptr) refuseRest(*type, *list, next);
  }
}

/// True for an array and for a struct without constructors, whose parts a list gives one by one.
bool Checker::isAggregate(const Type* type) const {
  return type->isArray() || (type->isStruct() && !type->isUnion && !hasConstructors(type));
}

/// The value that a list gives for a part of a struct or an array. Null if it names another field.
const syntax::Expression* Checker::givenFor(const Type& type, std::size_t part,
                                            const syntax::Expression& list, std::size_t next) {
  const syntax::Expression& given = *list.operands[next];
  if (given.kind != SyntaxKind::Designated) return &given;
  if (type.isArray())
    fail(given.span, "only the fields of a struct can be named", "give the elements in order");
  return type.fields[part].name == given.text ? given.operands[0].get() : nullptr;
}

/// Refuses the values of a list from `next` on, for which the type has no part.
void Checker::refuseRest(const Type& type, const syntax::Expression& list, std::size_t next) {
  if (next >= list.operands.size()) return;
  const syntax::Expression& first = *list.operands[next];
  if (first.kind == SyntaxKind::Designated) {
    fail(first.span,
         type.field(first.text) == nullptr ? fmt::format("{} has no field '{}'", type.name(), first.text)
                                           : fmt::format("the field '{}' is named out of order", first.text),
         "name fields of the struct, in the order of their declaration");
  }
  const std::uint64_t count = type.isArray() ? type.count : type.fields.size();
  failTyping(list.span,
             fmt::format("{} values are given, but {} has {}", list.operands.size(), type.name(), count),
             "remove some");
}

/// Calls `use` with each part of an array or a struct, and the value that the list, which may be null, has
/// for it from `next` on. The values of an array within it can be without braces: `int m[2][2] = {1, 2, 3,
/// 4}`; those of a struct are left to `use`. `onlyGiven`: only parts with a value. `at`: where the whole
/// begins.
void Checker::eachPart(const Type& type, const syntax::Expression* list, std::size_t& next, std::uint32_t at,
                       bool onlyGiven, const std::function<void(const Part&)>& use) {
  const std::size_t all = list != nullptr ? list->operands.size() : 0;
  const std::uint64_t count = type.isArray() ? type.count
                              : type.isUnion ? std::min<std::size_t>(1, type.fields.size())
                                             : type.fields.size();
  const ClassInfo* const info = findClass(&type);
  for (std::size_t i = 0; i < count && (!onlyGiven || next < all); ++i) {
    Part part{.type = type.element, .offset = at};
    if (type.isArray()) {
      part.offset += static_cast<std::uint32_t>(i * part.type->size);
    } else {
      part.field = &type.fields[i];
      part.type = part.field->type;
      part.offset += part.field->offset;
      part.standard = info != nullptr ? info->defaultOf(i) : nullptr;
    }
    if (next < all) part.given = givenFor(type, i, *list, next);
    if (part.given == nullptr && onlyGiven) continue;
    part.isElided = part.given != nullptr && isElided(part.type, *part.given);
    if (part.isElided && part.type->isArray()) {
      eachPart(*part.type, list, next, part.offset, onlyGiven, use);
      continue;
    }
    if (part.given != nullptr && !part.isElided) ++next;
    use(part);
  }
}

/// The struct whose first values are the list's from `next` on.
ExpressionPtr Checker::elidedValue(const Part& part, const syntax::Expression& list, std::size_t& next) {
  if (part.type->isUnion) return constructUnion(part.type, *list.operands[next++], list.span);
  ExpressionPtr result = make(Kind::Make, part.type, list.span);
  constructParts(part.type, &list, next, list.span, result->operands);
  return result;
}

/// The leaves of an aggregate from a list's values, starting at `next`.
void Checker::constructParts(const Type* type, const syntax::Expression* list, std::size_t& next,
                             SourceSpan span, Values& leaves) {
  constexpr std::uint64_t kMostParts = 4096;    // before an aggregate within this one
  constexpr std::uint64_t kMostValues = 65536;  // of a thread's largest array
  if (leaves.size() > kMostParts || type->count > kMostValues)
    fail(span, "this value is too large to be simulated", "use a smaller array");
  std::optional<std::uint32_t> bitsAt;  // of the integer that bit-fields share
  eachPart(*type, list, next, 0, false, [&](const Part& part) {
    Values ofBits;
    Values& into = part.isBits() ? ofBits : leaves;
    if (part.isElided) {
      into.push_back(elidedValue(part, *list, next));
    } else if (part.given != nullptr && part.field != nullptr && part.field->isReference) {
      into.push_back(referenceTo(part.type, operand(*part.given)));
    } else if (part.given != nullptr) {
      constructInto(part.type, part.given, span, into);
    } else if (type->structName == "dim3") {  // parts that a dim3 leaves out are 1
      into.push_back(constant(part.type, 1, span));
    } else {
      constructDefault(*type, part, span, into);
    }
    if (!part.isBits()) return;
    const BitRange& bits = part.field->bits;
    if (bitsAt != part.offset) leaves.push_back(constant(bits.storage, 0, span));
    bitsAt = part.offset;
    leaves.back() = withBits(std::move(leaves.back()), bits, std::move(ofBits.front()));
  });
}

/// A field that a list leaves out: its default value, which sees the names of its class, or zero.
void Checker::constructDefault(const Type& type, const Part& part, SourceSpan span, Values& leaves) {
  if (part.standard == nullptr) return constructInto(part.type, nullptr, span, leaves);
  const Elsewhere elsewhere(*this, {findClass(&type)->scope});
  const Deeper deeper(defaultDepth_);
  if (defaultDepth_ > kMaxDefaultDepth) {
    fail(span, fmt::format("the default values of {} need each other", type.name()),
         "give one of them a number");
  }
  constructInto(part.type, part.standard, span, leaves);
}

/// The value of `T x = …`: converted to the type, or made of a list.
ExpressionPtr Checker::initialValue(const syntax::Expression& node, const Type* type, SourceSpan span) {
  return passed(operand(node), type, span);
}

// --- parts of objects, one by one ---

ExpressionPtr Checker::storeInto(Glvalue target, ExpressionPtr value, SourceSpan span) {
  const Type* const type = target.type;
  if (target.bits.storage != nullptr) return storeBits(std::move(target), std::move(value), span);
  if (target.isVariable) return setVariable(target.variable, target.offset, type, std::move(value), span);
  ExpressionPtr stored = make(Kind::Store, type, span, std::move(target.address), std::move(value));
  stored->isVolatile = target.isVolatile;
  return stored;
}

/// Stores the glvalue's initial value, an array's elements one by one. It comes from the list, or if that is
/// null from the type, as for an object declared without values.
void Checker::storeParts(Glvalue target, const syntax::Expression* list, SourceSpan span,
                         typed::Statement& into) {
  const Type* const type = target.type;
  if (list != nullptr) list = &expandedPacks(*spelled(*type, list));
  if (!type->isArray()) {
    ExpressionPtr value = list != nullptr           ? initialValue(*list, type, span)
                          : needsConstruction(type) ? constructed(type, {}, span)
                          : type->isStruct()        ? make(Kind::Make, type, span)
                                                    : constant(type, 0, span);
    into.body.push_back(expressionStatement(storeInto(std::move(target), std::move(value), span), span));
    return;
  }
  if (list != nullptr && list->kind != SyntaxKind::List)
    fail(span, "an array's values need their own braces", "write {…}");
  if (type->count > kMaxStored) {
    fail(span,
         fmt::format("an array of more than {} elements with values to begin with is not simulated",
                     kMaxStored),
         "set them in a loop");
  }
  std::size_t next = 0;
  eachPart(*type, list, next, 0, false, [&](const Part& part) {
    Glvalue place = this->part(makeCopy(target), {.type = part.type, .offset = part.offset}, span);
    if (!part.isElided)
      return storeParts(std::move(place), part.given, part.given != nullptr ? part.given->span : span, into);
    ExpressionPtr value = elidedValue(part, *list, next);
    into.body.push_back(expressionStatement(storeInto(std::move(place), std::move(value), span), span));
  });
  if (list != nullptr) refuseRest(*type, *list, next);
}

/// Copies or moves one glvalue to another of its type, an array's elements one by one. Parts with
/// constructors or assignments of their own are copied by these.
void Checker::copyParts(const Glvalue& from, const Glvalue& to, CopyBy by, bool isMove, SourceSpan span,
                        typed::Statement& into) {
  const auto add = [&](ExpressionPtr done) {
    into.body.push_back(expressionStatement(std::move(done), span));
  };
  if (to.type->isArray()) {
    if (to.type->count > kMaxCopied) {
      fail(span, fmt::format("a copy of an array of more than {} elements is not simulated", kMaxCopied),
           "copy them in a loop");
    }
    for (std::uint32_t i = 0; i < to.type->count; ++i) {
      const Field element{.type = to.type->element, .offset = i * to.type->element->size};
      copyParts(part(makeCopy(from), element, span), part(makeCopy(to), element, span), by, isMove, span,
                into);
    }
    return;
  }
  Operand given = asOperand(makeCopy(from));
  given.isMoved = isMove;
  if (by == CopyBy::Construction && isCopiedByCalls(to.type, by))
    return add(constructorCall(to.type, makeAddress(makeCopy(to)), formatList(std::move(given)), span));
  if (by == CopyBy::Assignment && isCopiedByCalls(to.type, by)) {
    std::vector<Operand> operands = formatList(asOperand(makeCopy(to)), std::move(given));
    return add(overloaded("operator=", operands, *callOf({}, span)));
  }
  ExpressionPtr value = makeValue(std::move(given));
  add(by == CopyBy::Assignment && isPolymorphic(to.type) ? storeObject(makeCopy(to), std::move(value), span)
                                                         : storeInto(makeCopy(to), std::move(value), span));
}

/// The body of a copy or move constructor or assignment that C++ writes: each base and field is copied as
/// such ([class.copy.ctor] 11.4.5.3/14, [class.copy.assign] 11.4.6/12). `other`: the parameter's variable.
void Checker::copyMembers(const syntax::Function& function, std::uint32_t other, typed::Statement& into) {
  const SourceSpan span = function.span;
  const CopyBy by = function.role == Role::Method ? CopyBy::Assignment : CopyBy::Construction;
  const bool isMove = function.parameters[0].type.isRvalue;
  const Type* const type = this_->type->element;
  Glvalue source{.address = wholeVariable(other, span), .type = type, .span = span};
  source.isConst = function.parameters[0].type.isConst;
  bool isMarked = by == CopyBy::Assignment || !isPolymorphic(type);
  for (const Field& field : type->fields) {
    if (field.name == kClassField) continue;
    if (!isMarked && !field.isBase) into.body.push_back(markClass(span));
    isMarked = isMarked || !field.isBase;
    Field held = field;
    held.isReference = false;
    copyParts(part(makeCopy(source), held, span), part(std::move(*thisOperand(span).glvalue), held, span), by,
              isMove && !field.isReference, span, into);
  }
  if (!isMarked) into.body.push_back(markClass(span));
  if (by == CopyBy::Construction) return;
  StatementPtr last = makeStatement(StatementKind::Return, span);
  last->expression = setVariable(resultVariable_, 0, returnType_, wholeVariable(this_->variable, span), span);
  into.body.push_back(std::move(last));
}

/// A copy of the glvalue of a variable, or of a place in the object of a constructor.
Glvalue Checker::makeCopy(const Glvalue& glvalue) {
  Glvalue result{.isVariable = glvalue.isVariable,
                 .variable = glvalue.variable,
                 .offset = glvalue.offset,
                 .type = glvalue.type,
                 .isConst = glvalue.isConst,
                 .span = glvalue.span,
                 .bits = glvalue.bits};
  if (glvalue.address != nullptr) result.address = makeCopy(*glvalue.address);
  return result;
}

ExpressionPtr Checker::makeCopy(const typed::Expression& node) {
  ExpressionPtr result = make(node.kind, node.type, node.span);
  result->index = node.index;
  result->scale = node.scale;
  result->bits = node.bits;
  for (const ExpressionPtr& operand : node.operands) result->operands.push_back(makeCopy(*operand));
  return result;
}

/// The statements of a constructor before its body: bases and fields in order.
void Checker::memberInitials(const syntax::Function& function, typed::Statement& into) {
  const Type* const type = this_->type->element;
  const ClassInfo& info = *findClass(type);
  const auto findInitial = [&](const Field& field) -> const syntax::MemberInitial* {
    for (const syntax::MemberInitial& initial : function.initials) {
      if (!field.isBase && initial.name.base == field.name) return &initial;
      const bool mayBeBase = field.isBase && type->field(initial.name.base) == nullptr;
      if (mayBeBase && resolve(initial.name) == field.type) return &initial;
    }
    return nullptr;
  };
  for (const syntax::MemberInitial& initial : function.initials) {
    if (type->field(initial.name.base) != nullptr) continue;
    const Type* const named = resolve(initial.name);
    if (named != type) continue;
    ExpressionPtr address = wholeVariable(this_->variable, initial.span);  // a delegating constructor
    into.body.push_back(expressionStatement(
        constructorCall(type, std::move(address), readOperands(*initial.value, 0), initial.span),
        initial.span));
    return;
  }
  bool isMarked = !isPolymorphic(type);
  for (std::size_t i = 0; i < type->fields.size(); ++i) {
    const Field& field = type->fields[i];
    if (field.name == kClassField) continue;
    if (!isMarked && !field.isBase) into.body.push_back(markClass(function.span));
    isMarked = isMarked || !field.isBase;
    const syntax::MemberInitial* const given = findInitial(field);
    if (given != nullptr && given->value == nullptr) continue;  // an inherited constructor made it
    initialField(field, given != nullptr ? given->value.get() : nullptr, info.defaultOf(i),
                 given != nullptr ? given->span : function.span, into);
  }
  if (!isMarked) into.body.push_back(markClass(function.span));
  for (const syntax::MemberInitial& initial : function.initials) {  // of anonymous unions
    const Field* const field = std::ranges::count(type->fields, initial.name.base, &Field::name) == 0
                                   ? type->field(initial.name.base)
                                   : nullptr;
    if (field != nullptr) initialField(*field, initial.value.get(), nullptr, initial.span, into);
  }
}

void Checker::initialField(const Field& field, const syntax::Expression* given,
                           const syntax::Expression* standard, SourceSpan span, typed::Statement& into) {
  if (given == nullptr && standard == nullptr && !needsConstruction(field.type)) return;
  Field held = field;
  held.isReference = false;
  Glvalue target = part(std::move(*thisOperand(span).glvalue), held, span);
  if (field.isReference) {
    const syntax::Expression* const source = given == nullptr          ? standard
                                             : given->operands.empty() ? nullptr
                                                                       : given->operands[0].get();
    if (source == nullptr) fail(span, "a reference needs what it refers to", "write : name(x)");
    into.body.push_back(expressionStatement(
        storeInto(std::move(target), referenceTo(field.type, operand(*source)), span), span));
    return;
  }
  storeParts(std::move(target), given != nullptr ? given : standard, span, into);
}

}  // namespace lanescope::checker
