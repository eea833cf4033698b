// Variables at file scope: __device__, __constant__, and const arrays. Each is a buffer of the launch, which
// the kernel is given the address of as a parameter of its own.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "sim/language/check/checker_impl.h"
#include "sim/language/check/constant_folding.h"
#include "sim/language/check/reached_names.h"

namespace lanescope::checker {
namespace {

/// Of one variable at file scope; constant memory has 64 KiB (CUDA Programming Guide, "Technical
/// Specifications").
constexpr std::uint64_t kMaxSymbolBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxConstantBytes = 64 * 1024;

}  // namespace

/// Declares the variables that the kernel names before its body, so that they come in the file's order.
/// Those that only a class reaches follow where they are first used.
void Checker::declareSymbols(const syntax::Function& kernel) {
  const std::set<std::string_view> names = reachedNames(unit_, kernel);
  for (const syntax::FileItem& item : unit_.items) {
    if (item.constant == nullptr || !item.diagnostics.empty()) continue;
    for (const syntax::Declarator& declarator : item.constant->declarators) {
      const bool isSymbol =
          item.constant->isDevice || item.constant->isConstant || !declarator.extents.empty();
      if (isSymbol && !item.constant->isShared && names.contains(declarator.name)) find(declarator.name);
    }
  }
}

void Checker::declareSymbol(const syntax::Statement& node, const syntax::Declarator& declarator) {
  const Type* type = arrayType(node, declarator, kMaxSymbolBytes);
  if (type->kind == Type::Kind::Void) fail(declarator.span, "a variable cannot be void", "give it a type");
  if (node.isConstant && type->size > kMaxConstantBytes)
    fail(declarator.span, "more than the 64 KiB of constant memory", "use a smaller array");
  const bool isConst = node.isConstant || node.isConstexpr || node.type.isConst;
  typed::GlobalSymbol symbol;
  symbol.name = declarator.name;
  symbol.isConstant = node.isConstant;
  symbol.type = type;
  symbol.bytes.resize(type->size);
  if (declarator.initial != nullptr) fillBytes(*type, declarator.initial.get(), symbol.bytes);
  const Type* pointer = kernel_.types->pointerTo(type, isConst, false);
  symbol.variable = addVariable(declarator.name, pointer, declarator.span, true);
  declare(declarator.name, declarator.span,
          {Symbol::Kind::Variable, symbol.variable, pointer, 0, true, false});
  kernel_.symbols.push_back(std::move(symbol));
}

/// Writes the values of an initializer, which are constants, as they are in memory.
void Checker::fillBytes(const Type& type, const syntax::Expression* node, std::span<std::byte> bytes) {
  if (node == nullptr) return;
  const bool isList = node->kind == syntax::Expression::Kind::List;
  if (!type.isArray() && !(type.isStruct() && isList)) {
    const syntax::Expression* single = isList && node->operands.size() == 1 ? node->operands[0].get() : node;
    if (isList && node->operands.empty()) return;
    const ExpressionPtr value = fold(initialValue(*single, &type, node->span));
    std::vector<const typed::Expression*> parts{value.get()};
    if (value->kind == Kind::Make) {
      parts.clear();
      for (const ExpressionPtr& part : value->operands) parts.push_back(part.get());
    }
    const std::vector<Leaf> leaves = leavesOf(type);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i]->kind != Kind::Constant || i >= leaves.size())
        fail(node->span, "a variable at file scope begins with constants", "write numbers");
      std::memcpy(bytes.data() + leaves[i].offset, &parts[i]->bits, leaves[i].type->size);
    }
    return;
  }
  if (!isList) fail(node->span, "an array at file scope begins with values in braces", "write {…}");
  std::size_t next = 0;
  fillParts(type, *node, next, bytes);
  if (next < node->operands.size())
    fail(node->span, fmt::format("{} values are too many", node->operands.size()), "remove some");
}

/// The parts of an array or a struct from a list's values, `next` on; inner braces may be missing.
void Checker::fillParts(const Type& type, const syntax::Expression& list, std::size_t& next,
                        std::span<std::byte> bytes) {
  const std::size_t parts = type.isArray() ? type.count : type.fields.size();
  for (std::size_t i = 0; i < parts && next < list.operands.size(); ++i) {
    const Type& part = type.isArray() ? *type.element : *type.fields[i].type;
    const std::size_t at = type.isArray() ? i * part.size : type.fields[i].offset;
    const syntax::Expression& given = *list.operands[next];
    const bool isList = given.kind == syntax::Expression::Kind::List;
    const bool isFlat =
        !isList && (part.isArray() || (part.isStruct() && given.kind != syntax::Expression::Kind::Construct &&
                                       given.kind != syntax::Expression::Kind::Call));
    if (isFlat) {
      fillParts(part, list, next, bytes.subspan(at, part.size));
    } else {
      fillBytes(part, &given, bytes.subspan(at, part.size));
      ++next;
    }
  }
}

}  // namespace lanescope::checker
