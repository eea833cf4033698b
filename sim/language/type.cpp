#include "sim/language/type.h"

#include <fmt/format.h>

#include <array>

namespace lanescope {
namespace {

struct ScalarInfo {
  std::string_view name;
  std::uint32_t size;
};

/// By Type::Kind, Void to F64.
constexpr std::array<ScalarInfo, 12> kScalars = {{{"void", 0},
                                                  {"bool", 1},
                                                  {"char", 1},
                                                  {"unsigned char", 1},
                                                  {"short", 2},
                                                  {"unsigned short", 2},
                                                  {"int", 4},
                                                  {"unsigned", 4},
                                                  {"long long", 8},
                                                  {"unsigned long long", 8},
                                                  {"float", 4},
                                                  {"double", 8}}};

}  // namespace

std::string Type::name() const {
  if (isPointer()) {
    return fmt::format("{}{}{}*", elementIsConst ? "const " : "", elementIsVolatile ? "volatile " : "",
                       element->name());
  }
  if (isArray()) {
    return count == 0 ? element->name() + "[]" : fmt::format("{}[{}]", element->name(), count);
  }
  return std::string(kScalars[static_cast<std::size_t>(kind)].name);
}

TypeTable::TypeTable() {
  for (std::size_t i = 0; i < kScalars.size(); ++i) {
    Type& type = types_.emplace_back();
    type.kind = static_cast<Type::Kind>(i);
    type.size = kScalars[i].size;
    scalars_[i] = &type;
  }
}

const Type* TypeTable::pointerTo(const Type* element, bool isConst, bool isVolatile) {
  const Type*& known = pointers_[{element, isConst, isVolatile}];
  if (known == nullptr) {
    Type& type = types_.emplace_back();
    type.kind = Type::Kind::Pointer;
    type.size = 8;
    type.element = element;
    type.elementIsConst = isConst;
    type.elementIsVolatile = isVolatile;
    known = &type;
  }
  return known;
}

const Type* TypeTable::arrayOf(const Type* element, std::uint64_t count) {
  const Type*& known = arrays_[{element, count}];
  if (known == nullptr) {
    Type& type = types_.emplace_back();
    type.kind = Type::Kind::Array;
    type.size = static_cast<std::uint32_t>(element->size * count);
    type.element = element;
    type.count = count;
    known = &type;
  }
  return known;
}

const Type* TypeTable::named(std::string_view name) const {
  for (std::size_t i = 0; i < kScalars.size(); ++i) {
    if (kScalars[i].name == name) return scalars_[i];
  }
  return nullptr;
}

}  // namespace lanescope
