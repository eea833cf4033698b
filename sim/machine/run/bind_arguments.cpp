#include "sim/machine/run/bind_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/base/counted.h"
#include "sim/machine/run/struct_elements.h"
#include "sim/memory/address.h"

namespace lanescope {

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
                           symbol.bytes.size(), bytes),
               "Give as many or fewer."};
}

Error wrongNumber(const Bytecode& code, std::size_t wanted, std::size_t given) {
  std::string signature;
  for (std::size_t i = 0; i < wanted; ++i) {
    signature += fmt::format("{}{} {}", signature.empty() ? "" : ", ", code.parameterTypes[i]->name(),
                             parameterName(code, i));
  }
  return {takesText(code.kernelName, wanted, wanted, "argument", given) + ".",
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
  Result<bool> bindValue(const Argument& given, const Type& type, const std::string& name);
  Result<bool> bindParts(const Argument& given, const Type& type, const std::string& name);
  Result<bool> bindFilled(const Argument& given, const Type& type, const std::string& name);
  Result<bool> bindPointer(const Argument& given, const Type& type, const std::string& name);
  Result<bool> fillStructs();
  Result<bool> fillSymbols();
  Result<bool> fillMembers();
  Result<bool> room(std::uint64_t count, std::uint64_t size);
  Error mismatch(const Argument& given, const Type& type, const std::string& name) const;

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
    const Argument& given = launch_.arguments[argument_];
    const Type& type = *code_.parameterTypes[argument_];
    const std::string name = parameterName(code_, argument_);
    if (!given.isBuffer) {
      if (auto done = bindValue(given, type, name); !done) return done;
      continue;
    }
    if (!type.isPointer()) return mismatch(given, type, name);
    if (given.isStruct) {
      structs_.push_back({bound_.buffers.size(), &given, type.element});
    } else if (!bufferFits(given.type, type)) {
      return mismatch(given, type, name);
    }
    const std::uint64_t size = given.isStruct ? type.element->size : argumentTypeBytes(given.type);
    bound_.parameterBits.push_back(bufferBase(bound_.buffers.size()) + given.offset * size);
    bound_.buffers.push_back({name, type.element});
  }
  return true;
}

Result<bool> Binder::bindValue(const Argument& given, const Type& type, const std::string& name) {
  if (type.isPointer()) return bindPointer(given, type, name);
  if (type.isStruct() || type.isArray()) return bindParts(given, type, name);
  if (given.isStruct || given.isBuffer || !scalarFits(given.type, type)) return mismatch(given, type, name);
  bound_.parameterBits.push_back(scalarBits(given, type));
  return true;
}

Result<bool> Binder::bindParts(const Argument& given, const Type& type, const std::string& name) {
  if (type.isArray() && !given.isStruct && given.count == 0) return bindFilled(given, type, name);
  if (!given.isStruct || given.isBuffer) return mismatch(given, type, name);
  const auto parts = splitParts(given, type, name);
  if (!parts) return parts.error();
  for (const StructPart& part : *parts) {
    if (auto done = bindValue(*part.value, *part.type, name + part.suffix); !done) return done;
  }
  return true;
}

/// An array whose elements all have one value, or the values of a fill.
Result<bool> Binder::bindFilled(const Argument& given, const Type& type, const std::string& name) {
  std::uint64_t place = 0;
  for (const Leaf& leaf : findLeaves(type)) {
    if (leaf.type->isPointer() || !scalarFits(given.type, *leaf.type))
      return mismatch(given, *leaf.type, name + leaf.suffix);
    bound_.parameterBits.push_back(filledBits(given, *leaf.type, place++));
  }
  return true;
}

/// A pointer in a struct; a whole number 0 is a null pointer.
Result<bool> Binder::bindPointer(const Argument& given, const Type& type, const std::string& name) {
  const bool isNull = !given.isBuffer && !given.isStruct && !isFloating(given.type) && given.integer == 0;
  if (isNull) {
    bound_.parameterBits.push_back(0);
    return true;
  }
  const bool fits = given.isBuffer && (given.isStruct || bufferFits(given.type, type));
  if (!fits || given.count == 0) return mismatch(given, type, name);
  const std::uint64_t size = given.isStruct ? type.element->size : argumentTypeBytes(given.type);
  bound_.parameterBits.push_back(bufferBase(firstMember_ + members_.size()) + given.offset * size);
  members_.push_back({argument_, &given, name, &type});
  return true;
}

Error Binder::mismatch(const Argument& given, const Type& type, const std::string& name) const {
  const std::string kind = given.isBuffer ? "buffer" : given.isStruct ? "struct" : "scalar";
  const std::string what =
      given.isStruct ? kind : fmt::format("{} of {}", kind, argumentTypeName(given.type));
  const std::string example = makeExample(type);
  return {fmt::format("Argument {} is a {}{}, but {} '{}' is {}.", argument_, what,
                      given.isBuffer && given.isStruct ? " of structs" : "",
                      name.find_first_of(".[") == std::string::npos ? "the parameter" : "its field", name,
                      type.name()),
          example.empty() ? "Give the matching type." : fmt::format("Write {}, for instance.", example)};
}

Result<bool> Binder::room(std::uint64_t count, std::uint64_t size) {
  const std::uint64_t left = launch_.limits.memoryBytes - std::min(launch_.limits.memoryBytes, usedBytes_);
  if (count > left / std::max<std::uint64_t>(size, 1)) {
    return Error{
        fmt::format("The buffers need more than the limit of {} MiB.", launch_.limits.memoryBytes >> 20),
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
      const std::vector<std::byte> given = value.bytes.empty() ? toBytes(value.argument) : value.bytes;
      if (value.offset > content.size() || given.size() > content.size() - value.offset)
        return tooLarge(symbol, value.offset + given.size());
      std::ranges::copy(given, content.begin() + static_cast<std::ptrdiff_t>(value.offset));
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
