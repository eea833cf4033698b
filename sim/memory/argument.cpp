#include "sim/memory/argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

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
      "f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 f32x4, fills zero hash hash1 ones iota factors least. "
      "A struct is struct:{width=i32:4,elements=f32:hash:16}.",
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

/// Reads one spec from its start to its end; the first Error ends it.
class SpecReader {
 public:
  explicit SpecReader(std::string_view spec) : spec_(spec), rest_(spec) {}

  Result<Argument> read() {
    auto argument = value(0, false);
    if (argument && !rest_.empty()) return bad(fmt::format("'{}' is too much", rest_));
    return argument;
  }

 private:
  static constexpr unsigned kMostNested = 16;
  static constexpr std::size_t kMostFields = 4096;

  Error bad(std::string_view why) const { return badSpec(spec_, why); }
  bool take(std::string_view text) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  /// Up to one of these characters, or to the end.
  std::string_view upTo(std::string_view ends) {
    const std::string_view text = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(text.size());
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }
  static const TypeInfo* typeNamed(std::string_view name) {
    const auto* const found = std::ranges::find(kTypes, name, &TypeInfo::name);
    return found == kTypes.end() ? nullptr : found;
  }

  Result<Argument> value(unsigned depth, bool isField);
  Result<Argument> structure(unsigned depth, bool isField);
  Result<Argument> field(unsigned depth);
  Result<Argument> filled(Argument argument, bool isField);
  Result<Argument> counted(Argument argument);

  std::string_view spec_;
  std::string_view rest_;
  std::size_t fields_ = 0;
};

Result<Argument> SpecReader::value(unsigned depth, bool isField) {
  if (take("struct:{") || (isField && take("{"))) return structure(depth + 1, isField);
  const std::string_view name = upTo(":=,}");
  if (rest_.empty() || (rest_[0] != ':' && rest_[0] != '='))
    return bad(isField ? fmt::format("the field '{}' has neither ':' nor '='", name)
                       : "it has neither ':' nor '='");
  const TypeInfo* const info = typeNamed(name);
  if (info == nullptr) return bad(fmt::format("the type '{}' is not known", name));
  Argument argument;
  argument.type = info->type;
  const bool isScalar = rest_[0] == '=';
  rest_.remove_prefix(1);
  if (isScalar) return parseScalar(spec_, argument, isField ? upTo(",}") : std::exchange(rest_, {}));
  return filled(std::move(argument), isField);
}

/// Behind `TYPE:`. A field's number is its value, and its fill needs no count where it is one of many.
Result<Argument> SpecReader::filled(Argument argument, bool isField) {
  const std::string_view fill = upTo(isField ? ":,}" : ":");
  const auto* const fillName = std::ranges::find(kFillNames, fill);
  const bool isCounted = rest_.starts_with(':');
  if (isField && !isCounted && fillName == kFillNames.end()) return parseScalar(spec_, argument, fill);
  if (!isField && !isCounted) return bad("a buffer needs a fill and a count");
  if (fillName == kFillNames.end()) return bad(fmt::format("the fill '{}' is not known", fill));
  argument.isBuffer = true;
  argument.fill = static_cast<Fill>(fillName - kFillNames.begin());
  return isCounted ? counted(std::move(argument)) : argument;
}

/// `:COUNT` or `:COUNT+OFFSET`.
Result<Argument> SpecReader::counted(Argument argument) {
  rest_.remove_prefix(1);
  const std::string_view text = upTo(",}");
  const std::size_t plus = text.find('+');
  const std::string_view countText = text.substr(0, plus);
  const auto count = readSize(countText);
  if (!count || *count == 0) return bad(fmt::format("'{}' is no count of elements", countText));
  if (*count > kMostElements)
    return bad(fmt::format("{} elements are more than the 2^36 that a buffer may have", countText));
  argument.count = *count;
  if (plus == std::string_view::npos) return argument;
  const auto offset = readSize(text.substr(plus + 1));
  if (!offset || *offset > *count)
    return bad(fmt::format("'{}' is no element from 0 to {}", text.substr(plus + 1), *count));
  argument.offset = *offset;
  return argument;
}

/// Behind the opening brace.
Result<Argument> SpecReader::structure(unsigned depth, bool isField) {
  if (depth > kMostNested) return bad(fmt::format("its braces are nested more than {} deep", kMostNested));
  Argument argument;
  argument.isStruct = true;
  while (!take("}")) {
    if (++fields_ > kMostFields) return bad(fmt::format("it has more than {} fields", kMostFields));
    if (rest_.empty() || (!argument.fields.empty() && !take(",")))
      return bad(rest_.empty() ? "a brace is not closed" : fmt::format("'{}' follows a field", rest_));
    auto next = field(depth);
    if (!next) return next.error();
    argument.fields.push_back(std::move(*next));
  }
  if (isField || !rest_.starts_with(':')) return argument;
  argument.isBuffer = true;
  return counted(std::move(argument));
}

/// `NAME=VALUE` or a value alone.
Result<Argument> SpecReader::field(unsigned depth) {
  std::string name;
  while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  const std::size_t end = rest_.find_first_of("=:,{}");
  const std::string_view word = rest_.substr(0, end);
  if (end != std::string_view::npos && rest_[end] == '=' && typeNamed(word) == nullptr) {
    name = word;
    rest_.remove_prefix(end + 1);
  }
  auto given = value(depth, true);
  if (!given) return given.error();
  given->name = std::move(name);
  return given;
}

}  // namespace

std::string_view argumentTypeName(ArgumentType type) { return infoOf(type).name; }
unsigned argumentTypeBytes(ArgumentType type) { return infoOf(type).bytes; }
std::uint64_t Argument::bytes() const { return isBuffer && !isStruct ? count * argumentTypeBytes(type) : 0; }

Result<Argument> parseArgument(std::string_view spec) { return SpecReader(spec).read(); }

namespace {

std::string fieldsText(const Argument& argument) {
  std::string text;
  for (const Argument& field : argument.fields) {
    text += text.empty() ? "" : ",";
    if (!field.name.empty()) text += field.name + "=";
    std::string value = specOf(field);
    const bool isScalar = !field.isBuffer && !field.isStruct;
    if (isScalar && !field.name.empty()) std::ranges::replace(value, '=', ':');
    text += value;
  }
  return "struct:{" + text + "}";
}

}  // namespace

std::string specOf(const Argument& argument) {
  std::string type = argument.isStruct ? fieldsText(argument) : std::string(infoOf(argument.type).name);
  if (argument.isBuffer) {
    const std::string_view fill = kFillNames[static_cast<std::size_t>(argument.fill)];
    std::string filled = argument.isStruct ? type : fmt::format("{}:{}", type, fill);
    if (argument.count == 0) return filled;
    const std::string offset = argument.offset == 0 ? "" : fmt::format("+{}", argument.offset);
    return fmt::format("{}:{}{}", filled, argument.count, offset);
  }
  if (argument.isStruct) return type;
  if (isFloating(argument.type)) return fmt::format("{}={}", type, argument.real);
  if (type.starts_with('i')) return fmt::format("{}={}", type, static_cast<std::int64_t>(argument.integer));
  return fmt::format("{}={}", type, argument.integer);
}

}  // namespace lanescope
