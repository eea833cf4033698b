#include "sim/memory/argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "sim/memory/size_text.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 36;

struct TypeInfo {
  std::string_view name;
  ArgumentType type;
  unsigned bytes;
};

constexpr std::array<TypeInfo, 13> kTypes = {{{"f32", ArgumentType::F32, 4},
                                              {"f64", ArgumentType::F64, 8},
                                              {"i32", ArgumentType::I32, 4},
                                              {"u32", ArgumentType::U32, 4},
                                              {"u8", ArgumentType::U8, 1},
                                              {"f32x4", ArgumentType::F32x4, 16},
                                              {"i8", ArgumentType::I8, 1},
                                              {"i16", ArgumentType::I16, 2},
                                              {"u16", ArgumentType::U16, 2},
                                              {"i64", ArgumentType::I64, 8},
                                              {"u64", ArgumentType::U64, 8},
                                              {"f16", ArgumentType::F16, 2},
                                              {"bf16", ArgumentType::BF16, 2}}};

const TypeInfo& infoOf(ArgumentType type) { return kTypes[static_cast<std::size_t>(type)]; }

template <class T>
std::optional<T> parseWhole(std::string_view text) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error badSpec(std::string_view spec, std::string_view why) {
  return {
      fmt::format("'{}' is no argument: {}.", spec, why),
      "Write TYPE:FILL:COUNT for a buffer (f32:hash:1024 or f32:hash:2^10) or TYPE=VALUE for a scalar "
      "(u32=7); types are "
      "f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 f32x4, fills zero hash hash1 ones iota factors least.",
      {}};
}

template <class T>
Result<Argument> wholeScalar(std::string_view spec, Argument argument, std::string_view value) {
  std::optional<T> whole = parseWhole<T>(value);
  if (const auto size = readSize(value); !whole && size && std::in_range<T>(*size))
    whole = static_cast<T>(*size);
  if (!whole) return badSpec(spec, fmt::format("'{}' is no whole number of {} bits", value, 8 * sizeof(T)));
  argument.integer = static_cast<std::uint64_t>(static_cast<std::int64_t>(*whole));
  return argument;
}

Result<Argument> parseScalar(std::string_view spec, Argument argument, std::string_view value) {
  switch (argument.type) {
    case ArgumentType::F16:
    case ArgumentType::BF16:
    case ArgumentType::F32:
    case ArgumentType::F64: {
      const auto real = parseWhole<double>(value);
      if (!real) return badSpec(spec, fmt::format("'{}' is no number", value));
      argument.real = *real;
      return argument;
    }
    case ArgumentType::I8: return wholeScalar<std::int8_t>(spec, argument, value);
    case ArgumentType::U8: return wholeScalar<std::uint8_t>(spec, argument, value);
    case ArgumentType::I16: return wholeScalar<std::int16_t>(spec, argument, value);
    case ArgumentType::U16: return wholeScalar<std::uint16_t>(spec, argument, value);
    case ArgumentType::I32: return wholeScalar<std::int32_t>(spec, argument, value);
    case ArgumentType::U32: return wholeScalar<std::uint32_t>(spec, argument, value);
    case ArgumentType::I64: return wholeScalar<std::int64_t>(spec, argument, value);
    case ArgumentType::U64: return wholeScalar<std::uint64_t>(spec, argument, value);
    case ArgumentType::F32x4: break;
  }
  return badSpec(spec, "f32x4 is for buffers");
}

}  // namespace

std::string_view argumentTypeName(ArgumentType type) { return infoOf(type).name; }
unsigned argumentTypeBytes(ArgumentType type) { return infoOf(type).bytes; }
std::uint64_t Argument::bytes() const { return isBuffer ? count * argumentTypeBytes(type) : 0; }

Result<Argument> parseArgument(std::string_view spec) {
  const std::size_t nameEnd = spec.find_first_of(":=");
  if (nameEnd == std::string_view::npos) return badSpec(spec, "it has neither ':' nor '='");
  Argument argument;
  bool known = false;
  for (const TypeInfo& info : kTypes) {
    if (info.name != spec.substr(0, nameEnd)) continue;
    argument.type = info.type;
    known = true;
  }
  if (!known) return badSpec(spec, fmt::format("the type '{}' is not known", spec.substr(0, nameEnd)));
  const std::string_view rest = spec.substr(nameEnd + 1);
  if (spec[nameEnd] == '=') return parseScalar(spec, argument, rest);

  argument.isBuffer = true;
  const std::size_t fillEnd = rest.find(':');
  if (fillEnd == std::string_view::npos) return badSpec(spec, "a buffer needs a fill and a count");
  const std::string_view fill = rest.substr(0, fillEnd);
  const auto* const fillName = std::ranges::find(kFillNames, fill);
  if (fillName == kFillNames.end()) return badSpec(spec, fmt::format("the fill '{}' is not known", fill));
  argument.fill = static_cast<Fill>(fillName - kFillNames.begin());
  const auto count = readSize(rest.substr(fillEnd + 1));
  if (!count || *count == 0)
    return badSpec(spec, fmt::format("'{}' is no count of elements", rest.substr(fillEnd + 1)));
  if (*count > kMostElements)
    return badSpec(spec, fmt::format("{} elements are more than the 2^36 that a buffer may have",
                                     rest.substr(fillEnd + 1)));
  argument.count = *count;
  return argument;
}

}  // namespace lanescope
