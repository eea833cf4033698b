#include "sim/language/check/type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lanescope {
namespace {

struct ScalarInfo {
  std::string_view name;
  std::uint32_t size;
};

/// In the order of Type::Kind, Void to BF16.
constexpr std::array<ScalarInfo, 14> kScalars = {{{"void", 0},
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
                                                  {"double", 8},
                                                  {"half", 2},
                                                  {"__nv_bfloat16", 2}}};

/// Integers that are types of their own, with the kind of another one (C++20 [basic.fundamental] 6.8.2, and
/// the ABI of x86-64 for Linux).
constexpr std::array<std::pair<std::string_view, Type::Kind>, 7> kOwnIntegers = {
    {{"signed char", Type::Kind::I8},
     {"long", Type::Kind::I64},
     {"unsigned long", Type::Kind::U64},
     {"wchar_t", Type::Kind::I32},
     {"char8_t", Type::Kind::U8},
     {"char16_t", Type::Kind::U16},
     {"char32_t", Type::Kind::U32}}};

}  // namespace

std::string Type::name() const {
  if (isPointer()) {
    return fmt::format("{}{}{}*", elementIsConst ? "const " : "", elementIsVolatile ? "volatile " : "",
                       element->name());
  }
  if (isArray()) {
    return count == 0 ? element->name() + "[]" : fmt::format("{}[{}]", element->name(), count);
  }
  if (!structName.empty()) return structName;
  if (isGroup() && count == kAnyGroup) return "thread_group";
  if (isGroup() && count == kWholeGrid) return "grid_group";
  if (isGroup()) return count == 0 ? "thread_block" : fmt::format("thread_block_tile<{}>", count);
  return std::string(kScalars[static_cast<std::size_t>(kind)].name);
}

const Field* Type::field(std::string_view name) const {
  if (name.empty()) return nullptr;
  const auto found = std::ranges::find(fields, name, &Field::name);
  if (found != fields.end()) return &*found;
  const auto other = std::ranges::find(inherited, name, &Field::name);
  return other == inherited.end() ? nullptr : &*other;
}

namespace {

std::uint64_t roundedUp(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

void addLeaves(const Type& type, std::uint32_t offset, const std::string& suffix, std::size_t most,
               std::vector<Leaf>& leaves);

/// `.name`, or "" for a field without one.
std::string memberSuffix(const Field& field) { return field.name.empty() ? "" : "." + field.name; }

void addUnionLeaves(const Type& type, std::uint32_t offset, const std::string& suffix, std::size_t most,
                    std::vector<Leaf>& leaves) {
  for (const Field& field : type.fields) {
    if (field.bits.storage != nullptr) continue;
    std::vector<Leaf> own;
    addLeaves(*field.type, offset, suffix + memberSuffix(field), most, own);
    std::uint64_t bytes = 0;
    for (const Leaf& leaf : own) bytes += leaf.type->kind == Type::Kind::Bool ? 0 : leaf.type->size;
    if (bytes != type.size) continue;
    leaves.insert(leaves.end(), own.begin(), own.end());
    return;
  }
  for (std::uint32_t i = 0; i < type.size / type.chunk->size && leaves.size() < most; ++i)
    leaves.push_back({type.chunk, offset + i * type.chunk->size, fmt::format("{}[{}]", suffix, i)});
}

void addLeaves(const Type& type, std::uint32_t offset, const std::string& suffix, std::size_t most,
               std::vector<Leaf>& leaves) {
  if (type.isGroup() || type.kind == Type::Kind::Void) return;
  if (type.isUnion) {
    addUnionLeaves(type, offset, suffix, most, leaves);
  } else if (type.isStruct()) {
    const Field* before = nullptr;
    for (const Field& field : type.fields) {
      if (leaves.size() >= most) return;
      const Field* const last = std::exchange(before, &field);
      if (field.bits.storage != nullptr) {  // the shared integer of several fields is one leaf
        const bool isKnown = last != nullptr && last->bits.storage != nullptr && last->offset == field.offset;
        if (!isKnown)
          leaves.push_back({field.bits.storage, offset + field.offset, suffix + memberSuffix(field)});
        continue;
      }
      addLeaves(*field.type, offset + field.offset, suffix + memberSuffix(field), most, leaves);
    }
  } else if (type.isArray()) {
    for (std::uint64_t i = 0; i < type.count && leaves.size() < most; ++i) {
      addLeaves(*type.element, offset + static_cast<std::uint32_t>(i * type.element->size),
                fmt::format("{}[{}]", suffix, i), most, leaves);
    }
  } else {
    leaves.push_back({&type, offset, suffix});
  }
}

}  // namespace

std::vector<Leaf> findLeaves(const Type& type, std::size_t most) {
  std::vector<Leaf> leaves;
  addLeaves(type, 0, {}, most, leaves);
  return leaves;
}

TypeTable::TypeTable() {
  for (std::size_t i = 0; i < kScalars.size(); ++i) {
    Type& type = types_.emplace_back();
    type.kind = static_cast<Type::Kind>(i);
    type.size = kScalars[i].size;
    type.alignment = std::max(1u, type.size);
    scalars_[i] = &type;
  }
  for (const auto& [name, kind] : kOwnIntegers) {
    Type& type = types_.emplace_back(*scalar(kind));
    type.structName = name;
    type.underlying = scalar(kind);
    integers_.push_back(&type);
  }
}

Type* TypeTable::makeEnum(std::string name, const Type* underlying, const Type* promotion) {
  Type& type = types_.emplace_back(*underlying);
  type.structName = std::move(name);
  type.underlying = underlying;
  type.promotion = promotion;
  return &type;
}

const Type* TypeTable::hostClass(const std::string& name, std::uint32_t words) {
  if (const auto known = vectors_.find(name); known != vectors_.end()) return known->second;
  Type* const type = incomplete(name);
  complete(*type, {{"(bytes)", findArray(scalar(Type::Kind::U64), words)}}, {});
  type->isOfHost = true;
  return vectors_.emplace(name, type).first->second;
}

const Type* TypeTable::pointerTo(const Type* element, bool isConst, bool isVolatile) {
  const Type*& known = pointers_[{element, isConst, isVolatile}];
  if (known == nullptr) {
    Type& type = types_.emplace_back();
    type.kind = Type::Kind::Pointer;
    type.size = 8;
    type.alignment = 8;
    type.element = element;
    type.elementIsConst = isConst;
    type.elementIsVolatile = isVolatile;
    known = &type;
  }
  return known;
}

const Type* TypeTable::findArray(const Type* element, std::uint64_t count) {
  const Type*& known = arrays_[{element, count}];
  if (known == nullptr) {
    Type& type = types_.emplace_back();
    type.kind = Type::Kind::Array;
    type.size = static_cast<std::uint32_t>(element->size * count);
    type.alignment = element->alignment;
    type.element = element;
    type.count = count;
    type.leaves = element->leaves * count;
    type.hasUnion = element->hasUnion;
    known = &type;
  }
  return known;
}

Type* TypeTable::incomplete(std::string name) {
  Type& type = types_.emplace_back();
  type.kind = Type::Kind::Struct;
  type.size = 1;
  type.structName = std::move(name);
  return &type;
}

namespace {

bool isEmptyStruct(const Type& type) {
  return type.isStruct() && !type.isUnion &&
         std::ranges::all_of(type.fields, [](const Field& f) { return f.isBase && isEmptyStruct(*f.type); });
}

Type::Kind unsignedOf(std::uint64_t bytes) {
  return bytes == 8   ? Type::Kind::U64
         : bytes == 4 ? Type::Kind::U32
         : bytes == 2 ? Type::Kind::U16
                      : Type::Kind::U8;
}

std::uint32_t alignmentOf(const Field& field) { return std::max(field.type->alignment, field.alignment); }

using EmptyParts = std::set<std::pair<const Type*, std::uint32_t>>;

/// Empty structs in a struct, each with its offset: two of one type never share an address.
void addEmptyParts(const Type& type, std::uint32_t offset, EmptyParts& parts) {
  if (!type.isStruct()) return;
  if (isEmptyStruct(type)) parts.emplace(&type, offset);
  for (const Field& field : type.fields) addEmptyParts(*field.type, offset + field.offset, parts);
}

}  // namespace

void TypeTable::complete(Type& type, std::vector<Field> fields, const Layout& layout) const {
  std::uint64_t end = 0;
  std::uint64_t size = 0;
  std::uint32_t widest = 1;
  EmptyParts empty;           // of the bases
  std::uint64_t endBits = 0;  // behind the last bit-field
  std::vector<std::uint64_t> firstBits;
  const auto placeAt = [&](const Field& field, std::uint64_t offset) {
    if (empty.empty() && !field.isBase) return true;
    EmptyParts own;
    addEmptyParts(*field.type, static_cast<std::uint32_t>(offset), own);
    if (std::ranges::any_of(own, [&](const auto& part) { return empty.contains(part); })) return false;
    if (field.isBase) empty.merge(own);
    return true;
  };
  for (Field& field : fields) {
    firstBits.push_back(0);
    if (field.bits.isBits) {
      const std::uint64_t unit = 8 * std::uint64_t{field.type->size};
      if (layout.isUnion) endBits = 0;
      if (field.bits.count == 0 || endBits % unit + field.bits.count > unit)
        endBits = roundedUp(endBits, unit);
      firstBits.back() = endBits;
      endBits += field.bits.count;
      if (field.bits.count > 0) end = (endBits + 7) / 8;
      size = std::max(size, end);
      if (!field.name.empty()) widest = std::max(widest, alignmentOf(field));
      continue;
    }
    end = std::max(end, (endBits + 7) / 8);  // behind one of width 0
    const bool isEmptyBase = field.isBase && isEmptyStruct(*field.type);
    std::uint64_t offset = layout.isUnion || isEmptyBase ? 0 : roundedUp(end, alignmentOf(field));
    if (!layout.isUnion && !placeAt(field, offset)) {
      offset = roundedUp(end, alignmentOf(field));
      while (!placeAt(field, offset)) offset += alignmentOf(field);
    }
    field.offset = static_cast<std::uint32_t>(offset);
    const std::uint64_t bytes = isEmptyBase ? 0 : field.isBase ? field.type->dataSize : field.type->size;
    if (!isEmptyBase) end = std::max(end, offset + bytes);
    size = std::max(size, offset + (isEmptyBase ? 1 : bytes));
    endBits = 8 * end;
    widest = std::max(widest, alignmentOf(field));
    type.hasUnion = type.hasUnion || field.type->hasUnion;
  }
  type.isUnion = layout.isUnion;
  type.hasUnion = type.hasUnion || layout.isUnion;
  type.isPlain = layout.isPlain;
  type.alignment = std::max(widest, layout.alignment);
  type.size = static_cast<std::uint32_t>(roundedUp(std::max<std::uint64_t>(1, size), type.alignment));
  type.dataSize = layout.isPlain ? type.size : static_cast<std::uint32_t>(std::max<std::uint64_t>(1, end));
  type.chunk = scalar(unsignedOf(std::min(type.alignment, 8u)));
  type.fields = std::move(fields);
  placeBits(type, firstBits);
  type.leaves = type.isUnion ? type.size / type.chunk->size : 0;
  for (const Field& field : type.fields) type.leaves += type.isUnion ? 0 : field.type->leaves;
  for (const Field& field : type.fields) {
    if (!field.name.empty()) continue;
    for (const std::vector<Field>* const through : {&field.type->fields, &field.type->inherited}) {
      for (Field one : *through) {
        one.offset += field.offset;
        if (!one.name.empty()) type.inherited.push_back(std::move(one));
      }
    }
  }
}

void TypeTable::placeBits(Type& type, const std::vector<std::uint64_t>& firstBits) const {
  struct Unit {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
  };
  // The bytes of other fields before and behind each field, whose offsets ascend.
  std::vector<std::uint64_t> endBefore(type.fields.size(), 0);
  std::vector<std::uint64_t> beginBehind(type.fields.size(), type.size);
  const auto isOther = [&](const Field& field) { return !type.isUnion && !field.bits.isBits; };
  for (std::size_t i = 1; i < type.fields.size(); ++i) {
    const Field& other = type.fields[i - 1];
    endBefore[i] = endBefore[i - 1];
    if (isOther(other))
      endBefore[i] = std::max<std::uint64_t>(
          endBefore[i], other.offset + (other.isBase ? other.type->dataSize : other.type->size));
  }
  for (std::size_t i = type.fields.size(); i-- > 1;)
    beginBehind[i - 1] = isOther(type.fields[i]) ? type.fields[i].offset : beginBehind[i];
  std::vector<Unit> units(type.fields.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Field& field = type.fields[i];
    if (!field.bits.isBits || field.name.empty()) continue;
    const std::uint64_t first = firstBits[i] / 8;
    const std::uint64_t last = (firstBits[i] + field.bits.count - 1) / 8;
    for (std::uint64_t bytes = field.type->size; bytes > 0 && units[i].bytes == 0; bytes /= 2) {
      const Unit unit{first / bytes * bytes, bytes};
      const bool isFree = endBefore[i] <= unit.begin && unit.begin + bytes <= beginBehind[i];
      if (last < unit.begin + bytes && isFree) units[i] = unit;
    }
  }
  // Units that overlap are within each other, since each is aligned: the largest holds the bits of all of
  // them.
  std::vector<Unit*> held;
  for (Unit& unit : units) {
    if (unit.bytes > 0) held.push_back(&unit);
  }
  constexpr std::uint64_t kWidest = 8;
  for (std::size_t i = 0; i < held.size(); ++i) {
    Unit& unit = *held[i];
    const auto join = [&](const Unit& other) {
      if (other.bytes > unit.bytes && unit.begin >= other.begin && unit.begin < other.begin + other.bytes)
        unit = other;
    };
    for (std::size_t j = i; j-- > 0 && held[j]->begin + kWidest > unit.begin;) join(*held[j]);
    for (std::size_t j = i + 1; j < held.size() && held[j]->begin < unit.begin + kWidest; ++j) join(*held[j]);
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    Field& field = type.fields[i];
    if (units[i].bytes == 0) continue;
    field.offset = static_cast<std::uint32_t>(units[i].begin);
    field.bits.first = static_cast<std::uint8_t>(firstBits[i] - 8 * units[i].begin);
    field.bits.storage = scalar(unsignedOf(units[i].bytes));
  }
  std::erase_if(type.fields, [](const Field& field) { return field.bits.isBits && field.name.empty(); });
}

const Type* TypeTable::makeGroup(std::uint64_t threads, const Type* parent) {
  if (parent != nullptr && parent->count == 0) parent = nullptr;
  const Type*& known = groups_[{threads, parent}];
  if (known == nullptr) {
    Type& type = types_.emplace_back();
    type.kind = Type::Kind::Group;
    type.count = threads;
    type.element = parent;
    known = &type;
  }
  return known;
}

/// The fields of a struct of driver_types.h or curand_kernel.h. Empty for any other name.
std::vector<Field> TypeTable::headerFields(std::string_view name) {
  const Type* const size = scalar(Type::Kind::U64);
  if (name == "cudaPitchedPtr") {
    const Type* const pointer = pointerTo(scalar(Type::Kind::Void), false, false);
    return {{"ptr", pointer}, {"pitch", size}, {"xsize", size}, {"ysize", size}};
  }
  if (name == "cudaExtent") return {{"width", size}, {"height", size}, {"depth", size}};
  if (name == "cudaPos") return {{"x", size}, {"y", size}, {"z", size}};
  const Type* const word = scalar(Type::Kind::U32);
  std::vector<Field> fields;
  if (name == "curandStateXORWOW") fields = {{"d", word}, {"v", findArray(word, 5)}};
  if (name == "curandStatePhilox4_32_10")
    fields = {{"ctr", named("uint4")}, {"output", named("uint4")}, {"key", named("uint2")}, {"STATE", word}};
  if (fields.empty()) return fields;
  fields.push_back({"boxmuller_flag", scalar(Type::Kind::I32)});
  fields.push_back({"boxmuller_flag_double", scalar(Type::Kind::I32)});
  fields.push_back({"boxmuller_extra", scalar(Type::Kind::F32)});
  fields.push_back({"boxmuller_extra_double", scalar(Type::Kind::F64)});
  return fields;
}

const Type* TypeTable::named(std::string_view name) {
  // Size and alignment: CUDA Programming Guide, table "Alignment Requirements". Vectors of three have
  // the alignment of their element, the others that of their size, up to 16 bytes.
  static constexpr std::pair<std::string_view, Type::Kind> kBases[] = {
      {"char", Type::Kind::I8},      {"uchar", Type::Kind::U8},      {"short", Type::Kind::I16},
      {"ushort", Type::Kind::U16},   {"int", Type::Kind::I32},       {"uint", Type::Kind::U32},
      {"longlong", Type::Kind::I64}, {"ulonglong", Type::Kind::U64}, {"float", Type::Kind::F32},
      {"double", Type::Kind::F64},   {"half", Type::Kind::F16},      {"__nv_bfloat16", Type::Kind::BF16}};
  static constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
      {"__half", "half"},
      {"__half2", "half2"},
      {"nv_bfloat16", "__nv_bfloat16"},
      {"nv_bfloat162", "__nv_bfloat162"},
      {"bfloat162", "__nv_bfloat162"},
      {"cuFloatComplex", "float2"},
      {"cuComplex", "float2"},
      {"cuDoubleComplex", "double2"},
      {"curandState", "curandStateXORWOW"},
      {"curandState_t", "curandStateXORWOW"},
      {"curandStateXORWOW_t", "curandStateXORWOW"},
      {"curandStatePhilox4_32_10_t", "curandStatePhilox4_32_10"}};
  for (const auto& [other, own] : kOtherNames) {
    if (name == other) return named(own);
  }
  for (std::size_t i = 0; i < kScalars.size(); ++i) {
    if (kScalars[i].name == name) return scalars_[i];
  }
  const auto own = std::ranges::find(integers_, name, &Type::structName);
  if (own != integers_.end()) return *own;
  if (const auto known = vectors_.find(name); known != vectors_.end()) return known->second;
  if (name == "cg::coalesced_group") {  // the lanes that are in it
    Type* const type = incomplete("coalesced_group");
    complete(*type, {{"lanes", scalar(Type::Kind::U32)}}, {});
    return vectors_.emplace(name, type).first->second;
  }
  if (std::vector<Field> fields = headerFields(name); !fields.empty()) {
    Type* const type = incomplete(std::string(name));
    complete(*type, std::move(fields), {});
    return vectors_.emplace(name, type).first->second;
  }
  const bool isExtent = name == "dim3";
  const std::string_view word = isExtent ? "uint3" : name;
  if (word.size() < 2 || word.back() < '1' || word.back() > '4') return nullptr;
  const auto count = static_cast<std::uint32_t>(word.back() - '0');
  for (const auto& [base, kind] : kBases) {
    if (base != word.substr(0, word.size() - 1)) continue;
    if ((kind == Type::Kind::F16 || kind == Type::Kind::BF16) && count != 2) return nullptr;
    std::vector<Field> fields;
    for (std::uint32_t i = 0; i < count; ++i) fields.push_back({std::string(1, "xyzw"[i]), scalar(kind)});
    const std::uint32_t bytes = scalar(kind)->size * count;
    Type* const type = incomplete(std::string(name));
    complete(*type, std::move(fields), {count == 3 ? 0 : std::min(16u, bytes)});
    // Two accesses of 16 bytes if the vector is larger: ptxas has none wider.
    type->isVector = count != 3 && bytes <= 16;
    return vectors_.emplace(name, type).first->second;
  }
  return nullptr;
}

}  // namespace lanescope
