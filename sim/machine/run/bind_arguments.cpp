#include "sim/machine/run/bind_arguments.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/memory/address.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/small_float.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostLeaves = 4096;

std::string fieldNames(const Type& type) {
  std::string names;
  for (const Field& field : type.fields) names += (names.empty() ? "" : ", ") + field.name;
  return names;
}

std::size_t partCount(const Type& type) {
  return type.isArray() ? static_cast<std::size_t>(type.count) : type.fields.size();
}

/// The part of a type that a list's entry fills, by its name or the entry's position.
std::optional<std::size_t> partFor(const Argument& entry, std::size_t place, const Type& type) {
  if (entry.name.empty()) return place;
  const auto field = std::ranges::find(type.fields, entry.name, &Field::name);
  if (field == type.fields.end()) return std::nullopt;
  return static_cast<std::size_t>(field - type.fields.begin());
}

}  // namespace

Result<std::vector<StructPart>> splitParts(const Argument& argument, const Type& type,
                                           const std::string& name) {
  const std::size_t count = partCount(type);
  const std::string noun = type.isArray() ? "element" : "field";
  if (std::ranges::any_of(type.fields, [](const Field& field) { return field.bits.isBits; }))
    return Error{fmt::format("'{}' has bit-fields, whose values a launch cannot give.", name),
                 "Let a kernel or a program set them."};
  if (argument.fields.size() != count || count > kMostLeaves) {
    const bool hasFields = type.isStruct() && count > 0 && count <= 16;
    return Error{
        fmt::format("'{}' is {}, which has {}, and {} given.", name, type.name(),
                    lanescope::counted(count, noun),
                    argument.fields.size() == 1 ? "1 is" : fmt::format("{} are", argument.fields.size())),
        hasFields ? fmt::format("Its fields are {}.", fieldNames(type))
                  : fmt::format("Give {} in braces, or one fill.", lanescope::counted(count, "value"))};
  }
  std::vector<StructPart> parts(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = partFor(argument.fields[i], i, type);
    if (!part) {
      return Error{fmt::format("'{}' has no field '{}'.", name, argument.fields[i].name),
                   type.isStruct() ? fmt::format("Its fields are {}.", fieldNames(type))
                                   : "It is an array: give its elements in order."};
    }
    if (parts[*part].value != nullptr) {
      return Error{fmt::format("The field '{}{}' is given twice.", name, parts[*part].suffix),
                   "Name every field, or none."};
    }
    const bool isArray = type.isArray();
    parts[*part] = {isArray ? type.element : type.fields[*part].type, &argument.fields[i],
                    isArray ? fmt::format("[{}]", *part) : "." + type.fields[*part].name};
  }
  return parts;
}

bool scalarFits(ArgumentType argumentType, const Type& wanted) {
  if (isFloating(argumentType)) return wanted.isFloating() || wanted.isHalf();
  return wanted.isInteger();
}

std::uint64_t scalarBits(const Argument& argument, const Type& type) {
  if (type.kind == Type::Kind::F16) return Half::rounded(argument.real).bits;
  if (type.kind == Type::Kind::BF16) return BFloat16::rounded(argument.real).bits;
  if (type.isFloating()) return floatingBits(type, argument.real);
  return constantBits(type, static_cast<std::int64_t>(argument.integer));
}

bool bufferFits(ArgumentType argumentType, const Type& wanted) {
  if (!wanted.isPointer()) return false;
  const std::uint32_t bytes = argumentType == ArgumentType::F32x4 ? 4 : argumentTypeBytes(argumentType);
  // A buffer of floats also serves float4* and structs made of floats.
  const std::vector<Leaf> leaves = findLeaves(*wanted.element, kMostLeaves);
  return !leaves.empty() && std::ranges::all_of(leaves, [&](const Leaf& leaf) {
    if (leaf.type->isHalf())
      return argumentType == (leaf.type->kind == Type::Kind::F16 ? ArgumentType::F16 : ArgumentType::BF16);
    return leaf.type->size == bytes && leaf.type->isFloating() == isFloating(argumentType) &&
           !leaf.type->isPointer();
  });
}

namespace {

/// A scalar of a struct, and how it is filled: in element e it has the value number e * `perElement` +
/// `place`.
struct FilledLeaf {
  const Type* type = nullptr;
  const Argument* value = nullptr;
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t perElement = 1;
  std::uint64_t place = 0;
};

/// How the scalars of a struct are filled.
class LeafFills {
 public:
  explicit LeafFills(const Type& element) : element_(element) {}

  std::optional<Error> add(const Argument& argument, const Type& type, std::uint64_t offset,
                           const std::string& name) {
    if (!argument.isStruct) return addFilled(argument, type, offset, name);
    if (argument.isBuffer && &type != &element_) return unfit(type, name);
    if (!type.isStruct() && !type.isArray()) return unfit(type, name);
    const auto parts = splitParts(argument, type, name);
    if (!parts) return parts.error();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const StructPart& part = (*parts)[i];
      const std::uint64_t at = type.isArray() ? i * type.element->size : type.fields[i].offset;
      if (auto error = add(*part.value, *part.type, offset + at, name + part.suffix)) return error;
    }
    return std::nullopt;
  }
  const std::vector<FilledLeaf>& leaves() const { return leaves_; }

 private:
  std::optional<Error> addFilled(const Argument& argument, const Type& type, std::uint64_t offset,
                                 const std::string& name) {
    const std::vector<Leaf> leaves = findLeaves(type, kMostLeaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      if (leaf.type->isPointer()) {
        return Error{fmt::format("'{}' is a pointer in a buffer of structs, which a launch here cannot give.",
                                 name + leaf.suffix),
                     "Run the whole program: lanescope-cli run."};
      }
      if (!scalarFits(argument.type, *leaf.type) || argument.count != 0 || leaves_.size() >= kMostLeaves)
        return unfit(*leaf.type, name + leaf.suffix);
      leaves_.push_back({leaf.type, &argument, offset + leaf.offset, leaves.size(), i});
    }
    return std::nullopt;
  }
  static Error unfit(const Type& type, const std::string& name) {
    return {fmt::format("The value given for '{}' does not fit {}.", name, type.name()),
            "A field of a buffer of structs is TYPE:FILL or TYPE=VALUE, as f32:hash."};
  }

  const Type& element_;
  std::vector<FilledLeaf> leaves_;
};

}  // namespace

std::uint64_t filledBits(const Argument& argument, const Type& type, std::uint64_t i) {
  if (!argument.isBuffer) return scalarBits(argument, type);
  Argument number;
  number.real = findElement(argument.type, argument.fill, i);
  number.integer = static_cast<std::uint64_t>(static_cast<std::int64_t>(number.real));
  return scalarBits(number, type);
}

Result<std::vector<std::byte>> structBytes(const Argument& argument, const Type& element,
                                           const std::string& name) {
  LeafFills fills(element);
  if (auto error = fills.add(argument, element, 0, name)) return *error;
  std::vector<std::byte> bytes(static_cast<std::size_t>(argument.count * element.size));
  for (std::uint64_t e = 0; e < argument.count; ++e) {
    for (const FilledLeaf& leaf : fills.leaves()) {
      const std::uint64_t bits = filledBits(*leaf.value, *leaf.type, e * leaf.perElement + leaf.place);
      std::memcpy(bytes.data() + e * element.size + leaf.offset, &bits, leaf.type->size);
    }
  }
  return bytes;
}

namespace {

/// The argument type of a scalar type.
ArgumentType toArgumentType(const Type& type) {
  switch (type.kind) {
    case Type::Kind::I8: return ArgumentType::I8;
    case Type::Kind::Bool:
    case Type::Kind::U8: return ArgumentType::U8;
    case Type::Kind::I16: return ArgumentType::I16;
    case Type::Kind::U16: return ArgumentType::U16;
    case Type::Kind::U32: return ArgumentType::U32;
    case Type::Kind::I64: return ArgumentType::I64;
    case Type::Kind::U64: return ArgumentType::U64;
    case Type::Kind::F32: return ArgumentType::F32;
    case Type::Kind::F64: return ArgumentType::F64;
    case Type::Kind::F16: return ArgumentType::F16;
    case Type::Kind::BF16: return ArgumentType::BF16;
    default: return ArgumentType::I32;
  }
}

Argument exampleFor(const Type& type, bool isElement, std::uint64_t count);

Argument exampleOfParts(const Type& type, bool isElement, std::uint64_t count) {
  Argument example{.isStruct = true};
  for (std::size_t i = 0; i < partCount(type); ++i) {
    const bool isArray = type.isArray();
    Argument field = exampleFor(isArray ? *type.element : *type.fields[i].type, isElement, count);
    if (!isArray) field.name = type.fields[i].name;
    example.fields.push_back(std::move(field));
  }
  return example;
}

/// `isElement`: a part of a buffer's elements.
Argument exampleFor(const Type& type, bool isElement, std::uint64_t count) {
  if (type.isArray() && type.element->isArithmetic()) return exampleFor(*type.element, true, count);
  if (type.isStruct() || type.isArray()) return exampleOfParts(type, isElement, count);
  Argument example;
  const std::vector<Leaf> leaves = findLeaves(type.isPointer() ? *type.element : type, kMostLeaves);
  example.type = leaves.empty() ? ArgumentType::I32 : toArgumentType(*leaves[0].type);
  if (type.isPointer() && !leaves.empty() && !bufferFits(example.type, type))
    example = exampleOfParts(*type.element, true, count);
  example.isBuffer = type.isPointer() || isElement;
  example.fill = Fill::Hash;
  example.count = type.isPointer() ? count : 0;
  example.real = 1;
  example.integer = 1;
  return example;
}

/// True if a buffer for it would have pointers in its elements, as the nodes of a list, which no launch can
/// give.
bool needsPointersInBuffer(const Type& type) {
  const auto isPointer = [](const Leaf& leaf) { return leaf.type->isPointer(); };
  const auto hasPointers = [&](const Type& element) {
    return std::ranges::any_of(findLeaves(element, kMostLeaves), isPointer);
  };
  if (type.isPointer()) return hasPointers(*type.element);
  return std::ranges::any_of(findLeaves(type, kMostLeaves), [&](const Leaf& leaf) {
    return isPointer(leaf) && hasPointers(*leaf.type->element);
  });
}

}  // namespace

Argument exampleArgument(const Type& type, std::uint64_t count) {
  constexpr std::size_t kMostParts = 256;
  const Type& whole = type.isPointer() ? *type.element : type;
  if (findLeaves(whole, kMostParts + 1).size() > kMostParts || needsPointersInBuffer(type)) return {};
  return exampleFor(type, false, count);
}

std::string makeExample(const Type& type) {
  const Argument example = exampleArgument(type, 64);
  const bool fits = type.isPointer() ? example.isBuffer : example.isStruct == type.isStruct();
  return fits ? formatSpec(example) : "";
}

double sumOfElements(std::span<const std::byte> bytes, const Type& element) {
  const std::vector<Leaf> leaves = findLeaves(element, kMostLeaves);
  double sum = 0;
  for (std::size_t at = 0; element.size > 0 && at + element.size <= bytes.size(); at += element.size) {
    for (const Leaf& leaf : leaves) {
      if (!leaf.type->isPointer())
        sum += computeSum(bytes.subspan(at + leaf.offset, leaf.type->size), toArgumentType(*leaf.type));
    }
  }
  return sum;
}

std::string parameterName(const Bytecode& code, std::size_t parameter) {
  const std::string& name = code.variables[code.parameters[parameter]].name;
  const std::vector<Leaf> leaves = findLeaves(*code.parameterTypes[parameter], 1);
  return leaves.empty() ? name : name.substr(0, name.size() - std::min(name.size(), leaves[0].suffix.size()));
}

namespace {

Error unknownSymbol(const Bytecode& code, const std::string& name) {
  std::string known;
  for (const typed::GlobalSymbol& symbol : code.symbols) {
    if (!symbol.isText) known += (known.empty() ? "" : ", ") + symbol.name;
  }
  return Error{fmt::format("The kernel uses no variable '{}' at file scope.", name),
               known.empty() ? "It uses none." : "It uses " + known + "."};
}

Error tooLarge(const typed::GlobalSymbol& symbol, std::uint64_t bytes) {
  return Error{fmt::format("The variable '{}' has {} bytes, and {} are given for it.", symbol.name,
                           symbol.type->size, bytes),
               "Give as many or fewer."};
}

Error wrongNumber(const Bytecode& code, std::size_t wanted, std::size_t count) {
  std::string signature;
  for (std::size_t i = 0; i < wanted; ++i) {
    signature += fmt::format("{}{} {}", signature.empty() ? "" : ", ", code.parameterTypes[i]->name(),
                             parameterName(code, i));
  }
  return {takesText(code.kernelName, wanted, wanted, "argument", count) + ".",
          fmt::format("Its parameters are ({}).", signature)};
}

/// A buffer of structs, whose layout only the kernel's type gives.
struct StructBuffer {
  std::size_t buffer = 0;
  const Argument* argument = nullptr;
  const Type* element = nullptr;
};

/// A buffer that a struct argument points to.
struct MemberBuffer {
  std::size_t argument = 0;  ///< the struct's
  const Argument* value = nullptr;
  std::string name;
  const Type* pointer = nullptr;
};

class Binder {
 public:
  Binder(const Launch& launch, const Bytecode& code) : launch_(launch), code_(code) {}
  Result<BoundArguments> bind();

 private:
  Result<bool> bindParameters(std::size_t wanted);
  Result<bool> bindValue(const Argument& argument, const Type& type, const std::string& name);
  Result<bool> bindParts(const Argument& argument, const Type& type, const std::string& name);
  Result<bool> bindFilled(const Argument& argument, const Type& type, const std::string& name);
  Result<bool> bindPointer(const Argument& argument, const Type& type, const std::string& name);
  Result<bool> fillStructs();
  Result<bool> fillSymbols();
  Result<bool> fillMembers();
  Result<bool> room(std::uint64_t count, std::uint64_t size);
  Error mismatch(const Argument& argument, const Type& type, const std::string& name) const;

  const Launch& launch_;
  const Bytecode& code_;
  BoundArguments bound_;
  std::size_t argument_ = 0;     ///< that is bound
  std::size_t firstMember_ = 0;  ///< buffer
  std::uint64_t usedBytes_ = 0;
  std::vector<StructBuffer> structs_;
  std::vector<MemberBuffer> members_;
};

Result<BoundArguments> Binder::bind() {
  const std::size_t wanted = code_.parameters.size() - code_.symbols.size();
  if (launch_.arguments.size() != wanted) return wrongNumber(code_, wanted, launch_.arguments.size());
  const auto plain = static_cast<std::size_t>(std::ranges::count_if(launch_.arguments, &Argument::isBuffer));
  firstMember_ = plain + code_.symbols.size();
  if (const auto done = bindParameters(wanted); !done) return done.error();
  for (std::size_t s = 0; s < code_.symbols.size(); ++s) {
    bound_.parameterBits.push_back(bufferBase(bound_.buffers.size()));
    const VariableRegister& variable = code_.variables[code_.parameters[wanted + s]];
    bound_.buffers.push_back({.name = variable.name,
                              .element = variable.type->element,
                              .isConstantMemory = code_.symbols[s].isConstant});
  }
  countWork(launch_.work, &WorkCount::fillings);
  auto memory = DeviceMemory::create(launch_.arguments, launch_.limits.memoryBytes);
  if (!memory) return memory.error();
  bound_.memory = std::move(*memory);
  for (const Argument& argument : launch_.arguments) usedBytes_ += argument.bytes();
  if (const auto done = fillStructs(); !done) return done.error();
  if (const auto done = fillSymbols(); !done) return done.error();
  if (const auto done = fillMembers(); !done) return done.error();
  return std::move(bound_);
}

Result<bool> Binder::bindParameters(std::size_t wanted) {
  for (argument_ = 0; argument_ < wanted; ++argument_) {
    const Argument& argument = launch_.arguments[argument_];
    const Type& type = *code_.parameterTypes[argument_];
    const std::string name = parameterName(code_, argument_);
    if (!argument.isBuffer) {
      if (auto done = bindValue(argument, type, name); !done) return done;
      continue;
    }
    if (!type.isPointer()) return mismatch(argument, type, name);
    if (argument.isStruct) {
      structs_.push_back({bound_.buffers.size(), &argument, type.element});
    } else if (!bufferFits(argument.type, type)) {
      return mismatch(argument, type, name);
    }
    const std::uint64_t size = argument.isStruct ? type.element->size : argumentTypeBytes(argument.type);
    bound_.parameterBits.push_back(bufferBase(bound_.buffers.size()) + argument.offset * size);
    bound_.buffers.push_back({name, type.element});
  }
  return true;
}

Result<bool> Binder::bindValue(const Argument& argument, const Type& type, const std::string& name) {
  if (type.isPointer()) return bindPointer(argument, type, name);
  if (type.isStruct() || type.isArray()) return bindParts(argument, type, name);
  if (argument.isStruct || argument.isBuffer || !scalarFits(argument.type, type))
    return mismatch(argument, type, name);
  bound_.parameterBits.push_back(scalarBits(argument, type));
  return true;
}

Result<bool> Binder::bindParts(const Argument& argument, const Type& type, const std::string& name) {
  if (type.isArray() && !argument.isStruct && argument.count == 0) return bindFilled(argument, type, name);
  if (!argument.isStruct || argument.isBuffer) return mismatch(argument, type, name);
  const auto parts = splitParts(argument, type, name);
  if (!parts) return parts.error();
  for (const StructPart& part : *parts) {
    if (auto done = bindValue(*part.value, *part.type, name + part.suffix); !done) return done;
  }
  return true;
}

/// An array whose elements all have one value, or the values of a fill.
Result<bool> Binder::bindFilled(const Argument& argument, const Type& type, const std::string& name) {
  std::uint64_t place = 0;
  for (const Leaf& leaf : findLeaves(type)) {
    if (leaf.type->isPointer() || !scalarFits(argument.type, *leaf.type))
      return mismatch(argument, *leaf.type, name + leaf.suffix);
    bound_.parameterBits.push_back(filledBits(argument, *leaf.type, place++));
  }
  return true;
}

/// A pointer in a struct; a whole number 0 is a null pointer.
Result<bool> Binder::bindPointer(const Argument& argument, const Type& type, const std::string& name) {
  const bool isNull =
      !argument.isBuffer && !argument.isStruct && !isFloating(argument.type) && argument.integer == 0;
  if (isNull) {
    bound_.parameterBits.push_back(0);
    return true;
  }
  const bool fits = argument.isBuffer && (argument.isStruct || bufferFits(argument.type, type));
  if (!fits || argument.count == 0) return mismatch(argument, type, name);
  const std::uint64_t size = argument.isStruct ? type.element->size : argumentTypeBytes(argument.type);
  bound_.parameterBits.push_back(bufferBase(firstMember_ + members_.size()) + argument.offset * size);
  members_.push_back({argument_, &argument, name, &type});
  return true;
}

Error Binder::mismatch(const Argument& argument, const Type& type, const std::string& name) const {
  const std::string kind = argument.isBuffer ? "buffer" : argument.isStruct ? "struct" : "scalar";
  const std::string what =
      argument.isStruct ? kind : fmt::format("{} of {}", kind, argumentTypeName(argument.type));
  const std::string example = makeExample(type);
  return {fmt::format("Argument {} is a {}{}, but {} '{}' is {}.", argument_, what,
                      argument.isBuffer && argument.isStruct ? " of structs" : "",
                      name.find_first_of(".[") == std::string::npos ? "the parameter" : "its field", name,
                      type.name()),
          example.empty() ? "Give the matching type." : fmt::format("Write {}, for instance.", example)};
}

Result<bool> Binder::room(std::uint64_t count, std::uint64_t size) {
  const std::uint64_t most = std::min<std::uint64_t>(launch_.limits.memoryBytes, SIZE_MAX);
  const std::uint64_t left = most - std::min(most, usedBytes_);
  if (count > left / std::max<std::uint64_t>(size, 1)) {
    return Error{fmt::format("The buffers need more than the limit of {} MiB.", most >> 20),
                 "Choose smaller buffers."};
  }
  usedBytes_ += count * size;
  return true;
}

Result<bool> Binder::fillStructs() {
  for (const StructBuffer& each : structs_) {
    if (auto fits = room(each.argument->count, each.element->size); !fits) return fits;
    auto bytes = structBytes(*each.argument, *each.element, bound_.buffers[each.buffer].name);
    if (!bytes) return bytes.error();
    bound_.memory.replace(each.buffer, std::move(*bytes));
  }
  return true;
}

/// Fills the buffers of the variables at file scope, behind those of the arguments.
Result<bool> Binder::fillSymbols() {
  for (const SymbolValue& value : launch_.symbols) {
    const auto named = std::ranges::find(code_.symbols, value.name, &typed::GlobalSymbol::name);
    if (named == code_.symbols.end()) return unknownSymbol(code_, value.name);
  }
  for (std::size_t s = 0; s < code_.symbols.size(); ++s) {
    const typed::GlobalSymbol& symbol = code_.symbols[s];
    std::vector<std::byte> content = symbol.bytes;
    content.resize(symbol.type->size);
    for (const typed::SymbolAddress& address : symbol.addresses) {
      const std::uint64_t bits = bufferBase(firstMember_ - code_.symbols.size() + address.symbol) +
                                 static_cast<std::uint64_t>(address.offset);
      std::memcpy(content.data() + address.at, &bits, sizeof bits);
    }
    for (const SymbolValue& value : launch_.symbols) {
      if (value.name != symbol.name) continue;
      if (value.bytes.empty() && value.argument.isStruct)
        return Error{fmt::format("The variable '{}' cannot be given as a struct.", symbol.name),
                     "Give its numbers as TYPE:FILL:COUNT, or let the text initialize it."};
      if (value.bytes.empty() && value.argument.isBuffer && value.argument.bytes() > content.size())
        return tooLarge(symbol, value.argument.bytes());
      const std::vector<std::byte> bytes = value.bytes.empty() ? toBytes(value.argument) : value.bytes;
      if (value.offset > content.size() || bytes.size() > content.size() - value.offset)
        return tooLarge(symbol, value.offset + bytes.size());
      std::ranges::copy(bytes, content.begin() + static_cast<std::ptrdiff_t>(value.offset));
    }
    bound_.memory.append(std::move(content), launch_.arguments.size() + s);
  }
  return true;
}

Result<bool> Binder::fillMembers() {
  for (const MemberBuffer& member : members_) {
    const Argument& value = *member.value;
    const Type& element = *member.pointer->element;
    const std::uint64_t size = value.isStruct ? element.size : argumentTypeBytes(value.type);
    if (auto fits = room(value.count, size); !fits) return fits;
    auto bytes = value.isStruct ? structBytes(value, element, member.name) : toBytes(value);
    if (!bytes) return bytes.error();
    bound_.memory.append(std::move(*bytes), member.argument);
    bound_.buffers.push_back({member.name, &element, true, member.pointer->elementIsConst});
  }
  return true;
}

}  // namespace

Result<BoundArguments> bindArguments(const Launch& launch, const Bytecode& code) {
  return Binder(launch, code).bind();
}

}  // namespace lanescope
