#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace lanescope {

/// A type of the subset. Types are interned in a TypeTable: equal types are the same object.
struct Type {
  enum class Kind : std::uint8_t {
    Void,
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    Pointer,
    Array
  };
  Kind kind = Kind::Void;
  std::uint32_t size = 0;          ///< bytes
  const Type* element = nullptr;   ///< Pointer, Array
  std::uint64_t count = 0;         ///< Array; 0 for `extern __shared__ float s[]`
  bool elementIsConst = false;     ///< Pointer: what it points to may not be stored to
  bool elementIsVolatile = false;  ///< Pointer

  bool isPointer() const { return kind == Kind::Pointer; }
  bool isArray() const { return kind == Kind::Array; }
  bool isFloating() const { return kind == Kind::F32 || kind == Kind::F64; }
  bool isInteger() const { return kind >= Kind::Bool && kind <= Kind::U64; }
  bool isArithmetic() const { return isInteger() || isFloating(); }
  bool isSigned() const {
    return kind == Kind::I8 || kind == Kind::I16 || kind == Kind::I32 || kind == Kind::I64;
  }
  /// True when a value takes two 32-bit registers.
  bool isWide() const { return size == 8; }
  /// As C++ writes it: `const float*`.
  std::string name() const;
};

class TypeTable {
 public:
  TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  const Type* scalar(Type::Kind kind) const { return scalars_[static_cast<std::size_t>(kind)]; }
  const Type* pointerTo(const Type* element, bool isConst, bool isVolatile);
  const Type* arrayOf(const Type* element, std::uint64_t count);
  /// The scalar of a normalised name (`unsigned char`), or nullptr.
  const Type* named(std::string_view name) const;

 private:
  std::deque<Type> types_;
  const Type* scalars_[12] = {};
  std::map<std::tuple<const Type*, bool, bool>, const Type*> pointers_;
  std::map<std::pair<const Type*, std::uint64_t>, const Type*> arrays_;
};

}  // namespace lanescope
