#include "sim/memory/argument.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 36;

struct TypeInfo {
  std::string_view name;
  ArgumentType type;
  unsigned bytes;
};

constexpr std::array kTypes = {
#define ARGUMENT(name, text, Element, count) TypeInfo{text, ArgumentType::name, sizeof(Element) * (count)},
#include "sim/memory/argument_types.def"
};

struct NameOfC {
  std::string_view name;
  std::string_view type;
};
constexpr auto kNamesOfC = std::to_array<NameOfC>({{"float", "f32"},
                                                   {"double", "f64"},
                                                   {"half", "f16"},
                                                   {"__half", "f16"},
                                                   {"bfloat16", "bf16"},
                                                   {"__nv_bfloat16", "bf16"},
                                                   {"bool", "u8"},
                                                   {"char", "i8"},
                                                   {"signed char", "i8"},
                                                   {"unsigned char", "u8"},
                                                   {"uchar", "u8"},
                                                   {"short", "i16"},
                                                   {"unsigned short", "u16"},
                                                   {"ushort", "u16"},
                                                   {"int", "i32"},
                                                   {"unsigned", "u32"},
                                                   {"unsigned int", "u32"},
                                                   {"uint", "u32"},
                                                   {"long", "i64"},
                                                   {"long long", "i64"},
                                                   {"unsigned long", "u64"},
                                                   {"unsigned long long", "u64"},
                                                   {"size_t", "u64"},
                                                   {"int8_t", "i8"},
                                                   {"uint8_t", "u8"},
                                                   {"int16_t", "i16"},
                                                   {"uint16_t", "u16"},
                                                   {"int32_t", "i32"},
                                                   {"uint32_t", "u32"},
                                                   {"int64_t", "i64"},
                                                   {"uint64_t", "u64"},
                                                   {"float4", "f32x4"}});

const TypeInfo& findInfo(ArgumentType type) { return kTypes[static_cast<std::size_t>(type)]; }

template <class T>
std::optional<T> parseWhole(std::string_view text) {
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The text between quotes, with a message about it. This library does not use fmt: sim/CMakeLists.txt says
/// why.
std::string quoted(std::string_view text, std::string_view said) {
  return "'" + std::string(text) + "'" + std::string(said);
}

Error badSpec(std::string_view spec, std::string_view why) {
  return {quoted(spec, " is not an argument: ") + std::string(why) + ".",
          "Write TYPE:FILL:COUNT for a buffer (f32:hash:1024 or f32:hash:2^10) or TYPE=VALUE for a scalar "
          "(u32=7, int=7); types are those of C, or f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 f32x4, "
          "fills zero hash hash1 ones "
          "iota factors least. A struct is struct:{width=i32:4,elements=f32:hash:16}.",
          {}};
}

template <class T>
Result<Argument> wholeScalar(std::string_view spec, Argument argument, std::string_view value) {
  std::optional<T> whole = parseWhole<T>(value);
  if (const auto size = readSize(value); !whole && size && std::in_range<T>(*size))
    whole = static_cast<T>(*size);
  if (!whole)
    return badSpec(spec,
                   quoted(value, " is not a whole number of " + std::to_string(8 * sizeof(T)) + " bits"));
  argument.integer = static_cast<std::uint64_t>(static_cast<std::int64_t>(*whole));
  return argument;
}

Result<Argument> parseScalar(std::string_view spec, Argument argument, std::string_view value) {
  if (argument.type == ArgumentType::F32x4) return badSpec(spec, "f32x4 is for buffers");
  return withElement(argument.type, [&]<class Element>(Element /*any*/) -> Result<Argument> {
    if constexpr (std::is_integral_v<Element>) return wholeScalar<Element>(spec, argument, value);
    const auto real = parseWhole<double>(value);
    if (!real) return badSpec(spec, quoted(value, " is not a number"));
    argument.real = *real;
    return argument;
  });
}

/// Reads one spec from start to end, up to the first Error.
class SpecReader {
 public:
  explicit SpecReader(std::string_view spec) : spec_(spec), rest_(spec) {}

  Result<Argument> read() {
    auto argument = value(0, false);
    if (argument && !rest_.empty()) return bad(quoted(rest_, " is too much"));
    return argument;
  }

 private:
  static constexpr unsigned kMostNested = 16;
  static constexpr std::size_t kMostFields = 4096;

  Error bad(std::string_view why) const { return badSpec(spec_, why); }
  bool receive(std::string_view text) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  /// The text up to one of these characters, or to the end.
  std::string_view upTo(std::string_view ends) {
    const std::string_view text = rest_.substr(0, rest_.find_first_of(ends));
    rest_.remove_prefix(text.size());
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }
  static const TypeInfo* typeNamed(std::string_view name) {
    const auto* const ofC = std::ranges::find(kNamesOfC, name, &NameOfC::name);
    if (ofC != kNamesOfC.end()) name = ofC->type;
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
  if (receive("struct:{") || (isField && receive("{"))) return structure(depth + 1, isField);
  const std::string_view name = upTo(":=,}");
  if (rest_.empty() || (rest_[0] != ':' && rest_[0] != '='))
    return bad((isField ? "the field " + quoted(name, "") : "it") + " has neither ':' nor '='");
  const TypeInfo* const info = typeNamed(name);
  if (info == nullptr) return bad("the type " + quoted(name, " is not known"));
  Argument argument{.type = info->type};
  const bool isScalar = rest_[0] == '=';
  rest_.remove_prefix(1);
  if (isScalar) return parseScalar(spec_, argument, isField ? upTo(",}") : std::exchange(rest_, {}));
  return filled(std::move(argument), isField);
}

/// Reads the text behind `TYPE:`. A field's number is its value. The fill of a field needs no count if it is
/// one of many.
Result<Argument> SpecReader::filled(Argument argument, bool isField) {
  const std::string_view fill = upTo(isField ? ":,}" : ":");
  const auto* const fillName = std::ranges::find(kFillNames, fill);
  const bool isCounted = rest_.starts_with(':');
  if (isField && !isCounted && fillName == kFillNames.end()) return parseScalar(spec_, argument, fill);
  if (!isField && !isCounted) return bad("a buffer needs a fill and a count");
  if (fillName == kFillNames.end()) return bad("the fill " + quoted(fill, " is not known"));
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
  if (!count || *count == 0) return bad(quoted(countText, " is not a count of elements"));
  if (*count > kMostElements)
    return bad(std::string(countText) + " elements are more than the 2^36 that a buffer may have");
  argument.count = *count;
  if (plus == std::string_view::npos) return argument;
  const auto offset = readSize(text.substr(plus + 1));
  if (!offset || *offset > *count)
    return bad(quoted(text.substr(plus + 1), " is not an element from 0 to " + std::to_string(*count)));
  argument.offset = *offset;
  return argument;
}

/// Reads the fields behind the opening brace.
Result<Argument> SpecReader::structure(unsigned depth, bool isField) {
  if (depth > kMostNested)
    return bad("its braces are nested more than " + std::to_string(kMostNested) + " deep");
  Argument argument{.isStruct = true};
  while (!receive("}")) {
    if (++fields_ > kMostFields) return bad("it has more than " + std::to_string(kMostFields) + " fields");
    if (rest_.empty() || (!argument.fields.empty() && !receive(",")))
      return bad(rest_.empty() ? "a brace is not closed" : quoted(rest_, " follows a field"));
    auto next = field(depth);
    if (!next) return next.error();
    argument.fields.push_back(std::move(*next));
  }
  if (isField || !rest_.starts_with(':')) return argument;
  argument.isBuffer = true;
  return counted(std::move(argument));
}

/// `NAME=VALUE`, or only a value.
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

std::string_view argumentTypeName(ArgumentType type) { return findInfo(type).name; }
unsigned argumentTypeBytes(ArgumentType type) { return findInfo(type).bytes; }
std::uint64_t Argument::bytes() const { return isBuffer && !isStruct ? count * argumentTypeBytes(type) : 0; }

Result<Argument> parseArgument(std::string_view spec) { return SpecReader(spec).read(); }

namespace {

std::string fieldsText(const Argument& argument) {
  std::string text;
  for (const Argument& field : argument.fields) {
    text += text.empty() ? "" : ",";
    if (!field.name.empty()) text += field.name + "=";
    std::string value = formatSpec(field);
    const bool isScalar = !field.isBuffer && !field.isStruct;
    if (isScalar && !field.name.empty()) std::ranges::replace(value, '=', ':');
    text += value;
  }
  return "struct:{" + text + "}";
}

/// The fewest digits that give the value again, with an exponent if it would be long.
std::string shortest(double value) {
  const double size = std::abs(value);
  const bool isPlain = size == 0 || (size >= 1e-4 && size < 1e16);
  std::array<char, 32> text{};
  const auto format = isPlain ? std::chars_format::fixed : std::chars_format::scientific;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, format).ptr};
}

}  // namespace

std::string formatSpec(const Argument& argument) {
  std::string type = argument.isStruct ? fieldsText(argument) : std::string(findInfo(argument.type).name);
  if (argument.isBuffer) {
    const std::string_view fill = kFillNames[static_cast<std::size_t>(argument.fill)];
    std::string filled = argument.isStruct ? type : type + ":" + std::string(fill);
    if (argument.count == 0) return filled;
    const std::string offset = argument.offset == 0 ? "" : "+" + std::to_string(argument.offset);
    return filled + ":" + std::to_string(argument.count) + offset;
  }
  if (argument.isStruct) return type;
  if (isFloating(argument.type)) return type + "=" + shortest(argument.real);
  if (type.starts_with('i')) return type + "=" + std::to_string(static_cast<std::int64_t>(argument.integer));
  return type + "=" + std::to_string(argument.integer);
}

}  // namespace lanescope
