#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace lanescope {

struct Type;

/// The place of a bit-field: bits of an unsigned integer at its field's offset.
struct BitRange {
  const Type* storage = nullptr;  ///< null: not a bit-field, or no integer of the struct's own holds it
  std::uint8_t first = 0;         ///< the least significant
  std::uint8_t count = 0;
  bool isBits = false;
};

/// A member of a struct or vector. A base and an anonymous union are fields without a name.
struct Field {
  std::string name{};
  const Type* type = nullptr;
  std::uint32_t offset = 0;  ///< bytes from the start
  bool isReference = false;  ///< a pointer in place of its target
  bool isBase = false;
  BitRange bits{};
  bool isConst = false;
  bool isMutable = false;
  bool isPrivate = false;
  std::uint32_t alignment = 0;  ///< of its alignas; 0: that of its type
};

/// The layout of a struct's fields.
struct Layout {
  std::uint32_t alignment = 0;  ///< least alignment; 0: that of the fields
  bool isUnion = false;
  bool isPlain = true;  ///< plain old data: a class that derives from it keeps the padding at its end
};

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
    F16,   ///< half
    BF16,  ///< __nv_bfloat16
    Pointer,
    Array,
    Struct,  ///< also the vectors: float4 has the fields x, y, z, w
    Group,   ///< of cooperative groups: count threads, 0 for the whole block, kAnyGroup for any group,
             ///< kWholeGrid for all blocks; element: its parent group
  };
  Kind kind = Kind::Void;
  std::uint32_t size = 0;            ///< bytes
  const Type* element = nullptr;     ///< Pointer, Array
  std::uint32_t alignment = 1;       ///< bytes
  std::uint64_t count = 0;           ///< Array; 0 for `extern __shared__ float s[]`
  std::uint64_t leaves = 1;          ///< the scalars in it, about as many as findLeaves() has
  bool elementIsConst = false;       ///< Pointer: its target is read-only
  bool elementIsVolatile = false;    ///< Pointer
  std::string structName;            ///< Struct, an enumeration, an integer that is a type of its own
  const Type* underlying = nullptr;  ///< of an enumeration or an integer of its own (long): the integer with
                                     ///< the same values, whose kind it has too
  const Type* promotion = nullptr;   ///< of an enumeration: what it becomes in an expression
  bool isScoped = false;             ///< an enumeration that converts to nothing
  bool isFixed = false;              ///< an enumeration whose underlying type the text gives
  std::vector<Field> fields;         ///< Struct
  std::vector<Field> inherited;      ///< Struct: those of the fields without a name, offsets from the start
  std::uint32_t dataSize = 0;        ///< Struct: its size as a base
  const Type* chunk = nullptr;       ///< Struct: the unsigned integer of its alignment
  bool isUnion = false;              ///< Struct: its fields share their bytes
  bool hasUnion = false;             ///< Struct, Array: it is or holds a union
  bool isPlain = true;               ///< Struct: as Layout has it
  bool isOfHost = false;             ///< Struct: a class of the C++ library; only its size is known
  bool isVector = false;             ///< Struct: moved by one access (CUDA's built-in vector types)

  bool isPointer() const { return kind == Kind::Pointer; }
  bool isArray() const { return kind == Kind::Array; }
  bool isFloating() const { return kind == Kind::F32 || kind == Kind::F64; }
  /// True for an enumeration, too, whose values are integers.
  bool isInteger() const { return kind >= Kind::Bool && kind <= Kind::U64; }
  bool isArithmetic() const { return isInteger() || isFloating(); }
  bool isEnum() const { return promotion != nullptr; }
  bool isSigned() const {
    return kind == Kind::I8 || kind == Kind::I16 || kind == Kind::I32 || kind == Kind::I64;
  }
  /// A floating type of 16 bits: converted implicitly as CUDA's classes are, and with its own operators.
  bool isHalf() const { return kind == Kind::F16 || kind == Kind::BF16; }
  /// half2 or __nv_bfloat162.
  bool isHalf2() const { return isVector && fields.size() == 2 && fields[0].type->isHalf(); }
  bool isStruct() const { return kind == Kind::Struct; }
  static constexpr std::uint64_t kAnyGroup = UINT64_MAX;       ///< thread_group
  static constexpr std::uint64_t kWholeGrid = UINT64_MAX - 1;  ///< grid_group
  bool isGroup() const { return kind == Kind::Group; }
  /// True for a scalar or pointer whose value takes two 32-bit registers.
  bool isWide() const { return size == 8 && !isStruct() && !isArray(); }
  /// True if a group of that type can be passed for this one.
  bool takesGroup(const Type& given) const {
    return isGroup() && given.isGroup() &&
           ((count == kAnyGroup && given.count != kWholeGrid) || count == given.count);
  }
  const Field* field(std::string_view name) const;
  /// As C++ writes it: `const float*`.
  std::string name() const;
};

/// True if a value of that scalar type takes 64 bits.
constexpr bool isWide(Type::Kind kind) {
  return kind == Type::Kind::I64 || kind == Type::Kind::U64 || kind == Type::Kind::F64 ||
         kind == Type::Kind::Pointer;
}

/// A scalar or pointer within a type, at its byte offset.
struct Leaf {
  const Type* type = nullptr;
  std::uint32_t offset = 0;
  std::string suffix;  ///< how it is reached: "", ".x", "[3].value"
};

/// The scalars in a type, in the order of their offsets. The list stops after `most` of them. A union has
/// those of its first field that covers every byte, else unsigned integers.
std::vector<Leaf> findLeaves(const Type& type, std::size_t most = SIZE_MAX);

class TypeTable {
 public:
  TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  const Type* scalar(Type::Kind kind) const { return scalars_[static_cast<std::size_t>(kind)]; }
  const Type* pointerTo(const Type* element, bool isConst, bool isVolatile);
  const Type* findArray(const Type* element, std::uint64_t count);
  /// A struct whose fields are still unknown, so that they may point to it. `complete` adds them.
  Type* incomplete(std::string name);
  /// Lays out the fields of a struct as C++ does (Itanium C++ ABI, 2.4), and removes bit-fields without a
  /// name.
  void complete(Type& type, std::vector<Field> fields, const Layout& layout) const;
  /// Assigns each bit-field the integer that it is part of. `firstBits` are the fields' places in the struct.
  void placeBits(Type& type, const std::vector<std::uint64_t>& firstBits) const;
  /// A class of the C++ library with that name. A kernel knows only its size in words of 64 bits.
  const Type* hostClass(const std::string& name, std::uint32_t words);
  /// A group of that many threads (0: the block), part of another group (null: of the block).
  const Type* makeGroup(std::uint64_t threads, const Type* parent = nullptr);
  /// An enumeration. Its values are those of the underlying type.
  Type* makeEnum(std::string name, const Type* underlying, const Type* promotion);
  /// The scalar of a normalised name (`unsigned char`), a vector (`float4`) or a struct of CUDA's headers, or
  /// nullptr.
  const Type* named(std::string_view name);

 private:
  std::vector<Field> headerFields(std::string_view name);

  std::deque<Type> types_;
  const Type* scalars_[14] = {};
  std::vector<const Type*> integers_;  ///< those that have the kind of another one
  std::map<std::tuple<const Type*, bool, bool>, const Type*> pointers_;
  std::map<std::pair<const Type*, std::uint64_t>, const Type*> arrays_;
  std::map<std::string, const Type*, std::less<>> vectors_;
  std::map<std::pair<std::uint64_t, const Type*>, const Type*> groups_;
};

}  // namespace lanescope
