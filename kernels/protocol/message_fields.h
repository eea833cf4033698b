#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "sim/base/json.h"

/// The two directions for a message's fields: a FieldWriter and a FieldReader have the same functions, so
/// that one description (describe() in protocol.cpp) serves both.
namespace lanescope {

/// The largest whole number that every JSON reader keeps exactly.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53U;

/// The step of parseMessage() after a line's JSON is parsed.
Result<WorkerMessage> readMessage(const Json& object);

/// The rule for a field's presence.
enum class Presence : std::uint8_t {
  Required,
  Later,     ///< always written; messages of earlier versions lack it, which keeps the old value
  WhereSet,  ///< written unless it is zero; zero if it is missing
};

/// Bounds of a whole number; the bounds of its type hold as well.
struct Within {
  std::uint64_t low = 0;
  std::uint64_t high = kMaxCount;
};

/// Appends fields in their order.
class FieldWriter {
 public:
  explicit FieldWriter(Json& object) : object_(object) {}

  template <class Integer>
  void integer(const char* key, Integer value, Within /*bounds*/ = {}, Presence presence = {}) {
    if (presence != Presence::WhereSet || value != 0) object_[key] = value;
  }
  void run(std::uint64_t run) { object_["run"] = run; }
  void run(const std::optional<std::uint64_t>& run) {
    if (run) object_["run"] = *run;
  }
  void number(const char* key, double value, double /*low*/, double /*high*/, Presence presence = {}) {
    if (presence != Presence::WhereSet || value > 0) object_[key] = value;
  }
  /// To a thousandth: finer than CUDA's events, and half as long on the line.
  void thousandths(const char* key, double value, double /*high*/) {
    object_[key] = std::isfinite(value) ? std::round(value * 1000.0) / 1000.0 : 0.0;
  }
  /// Null if JSON cannot write it: NaN and infinity.
  void numberOrNull(const char* key, double value) {
    object_[key] = std::isfinite(value) ? Json(value) : Json(nullptr);
  }
  void boolean(const char* key, bool value, Presence presence = {}) {
    if (presence != Presence::WhereSet || value) object_[key] = value;
  }
  void text(const char* key, const std::string& value, std::size_t /*limit*/) { object_[key] = value; }
  void code(const char* key, const std::string& value, std::size_t /*limit*/) { object_[key] = value; }
  /// Written printable and cut to `limit` bytes; the mark of a cut may be added to that.
  void sentence(const char* key, const std::string& value, std::size_t limit) {
    object_[key] = printable(value, limit);
  }
  template <class Enum, class Name, std::size_t count>
  void word(const char* key, Enum value, const std::array<Enum, count>& /*all*/, Name nameOf,
            Presence presence = {}) {
    if (presence != Presence::WhereSet || value != Enum{}) object_[key] = nameOf(value);
  }
  void texts(const char* key, const std::vector<std::string>& values, std::size_t /*count*/,
             std::size_t /*limit*/) {
    object_[key] = values;
  }
  void extent(const char* key, const std::array<std::uint32_t, 3>& value) { object_[key] = value; }
  /// Bytes, as two hexadecimal digits each.
  void bytes(const char* key, const std::vector<std::byte>& value, std::size_t /*limit*/) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * value.size());
    for (const std::byte byte : value) {
      hex += kDigits[std::to_integer<unsigned>(byte) >> 4U];
      hex += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    object_[key] = std::move(hex);
  }
  /// 64 bits, as 16 hexadecimal digits.
  void hash(const char* key, std::uint64_t value) {
    std::vector<std::byte> big;
    for (unsigned shift = 64; shift > 0;) big.push_back(static_cast<std::byte>(value >> (shift -= 8)));
    bytes(key, big, 8);
  }
  /// Whole numbers by name; null if not set.
  void counters(const char* key, const std::vector<MeasuredCounter>& values, std::size_t /*count*/) {
    Json& list = object_[key] = Json::object();
    for (const MeasuredCounter& counter : values)
      list[counter.name] = counter.value ? Json(*counter.value) : Json(nullptr);
  }
  /// Numbers by name, to a thousandth; null if not set.
  void metrics(const char* key, const std::vector<MeasuredMetric>& values, std::size_t /*count*/) {
    Json& list = object_[key] = Json::object();
    for (const MeasuredMetric& metric : values) {
      const bool isPresent = metric.value && std::isfinite(*metric.value);
      list[metric.name] = isPresent ? Json(std::round(*metric.value * 1000.0) / 1000.0) : Json(nullptr);
    }
  }
  /// Samples by reason; left out if there are none.
  void stalls(const char* key, const std::vector<StallCount>& values, std::size_t count,
              std::size_t /*limit*/) {
    if (values.empty()) return;
    Json& list = object_[key] = Json::object();
    for (std::size_t i = 0; i < std::min(count, values.size()); ++i) {
      list[values[i].reason] = values[i].samples;
    }
  }
  /// Objects, the first `count`; `describe` visits the fields of each.
  template <class Item, class Describe>
  void list(const char* key, const std::vector<Item>& items, std::size_t count, Describe describe) {
    Json& list = object_[key] = Json::array();
    for (std::size_t i = 0; i < std::min(count, items.size()); ++i) {
      FieldWriter writer(list.emplace_back(Json::object()));
      describe(writer, items[i]);
    }
  }
  /// Conditions between fields are checked only by the reader.
  void require(const char* /*key*/, bool /*holds*/, const char* /*wanted*/) {}

 private:
  Json& object_;
};

/// Reads fields, strictly, and keeps the first error.
class FieldReader {
 public:
  explicit FieldReader(const Json& object) : object_(object) {}

  /// The first problem, as one sentence; empty if every field so far was valid.
  const std::optional<Error>& problem() const { return problem_; }

  template <class Integer>
  void integer(const char* key, Integer& value, Within bounds = {}, Presence presence = {}) {
    const Json* field = find(key, presence);
    if (field == nullptr) return;
    if (!field->is_number_unsigned()) return fail(key, "a whole number of 0 or more");
    const auto read = field->get<std::uint64_t>();
    const std::uint64_t high = std::min<std::uint64_t>(bounds.high, std::numeric_limits<Integer>::max());
    if (read < bounds.low || read > high)
      return fail(key, "from " + std::to_string(bounds.low) + " to " + std::to_string(high));
    value = static_cast<Integer>(read);
  }
  void run(std::uint64_t& run) { integer("run", run, {1}); }
  void run(std::optional<std::uint64_t>& run) {
    if (find("run", Presence::WhereSet) != nullptr) integer("run", run.emplace(), {1});
  }
  void number(const char* key, double& value, double low, double high, Presence presence = {}) {
    const Json* field = find(key, presence);
    if (field == nullptr) return;
    if (!field->is_number()) return fail(key, "a number");
    const auto read = field->get<double>();
    if (!std::isfinite(read) || read < low || read > high) return fail(key, "a number in range");
    value = read;
  }
  void thousandths(const char* key, double& value, double high) {
    number(key, value, 0, high);
    value = std::round(value * 1000.0) / 1000.0;
  }
  void numberOrNull(const char* key, double& value) {
    const Json* field = find(key);
    if (field == nullptr) return;
    if (!field->is_null() && !field->is_number()) return fail(key, "a number or null");
    value = field->is_null() ? std::numeric_limits<double>::quiet_NaN() : field->get<double>();
  }
  void boolean(const char* key, bool& value, Presence presence = {}) {
    const Json* field = find(key, presence);
    if (field == nullptr) return;
    if (!field->is_boolean()) return fail(key, "true or false");
    value = field->get<bool>();
  }
  /// Without control characters, as printable(): it will be shown.
  void text(const char* key, std::string& value, std::size_t limit, Presence presence = {}) {
    code(key, value, limit, presence);
    value = printable(value, limit);
  }
  /// As it is.
  void code(const char* key, std::string& value, std::size_t limit, Presence presence = {}) {
    const Json* field = find(key, presence);
    if (field == nullptr) return;
    const auto* read = field->get_ptr<const std::string*>();
    if (read == nullptr) return fail(key, "a string");
    if (read->size() > limit) return fail(key, "at most " + std::to_string(limit) + " bytes long");
    value = *read;
  }
  void sentence(const char* key, std::string& value, std::size_t limit) { text(key, value, 2 * limit); }
  template <class Enum, class Name, std::size_t count>
  void word(const char* key, Enum& value, const std::array<Enum, count>& all, Name nameOf,
            Presence presence = {}) {
    std::string read;
    text(key, read, 100, presence);
    if (find(key, Presence::WhereSet) == nullptr) return;
    std::string names;
    for (const Enum one : all) {
      if (read == nameOf(one)) {
        value = one;
        return;
      }
      names += (names.empty() ? "" : one == all.back() ? " or " : ", ") + std::string(nameOf(one));
    }
    fail(key, names);
  }
  void texts(const char* key, std::vector<std::string>& values, std::size_t count, std::size_t limit) {
    const Json* field = find(key);
    if (field == nullptr) return;
    const auto isText = [limit](const Json& entry) {
      const auto* text = entry.get_ptr<const std::string*>();
      return text != nullptr && text->size() <= limit;
    };
    if (!field->is_array() || field->size() > count || !std::all_of(field->begin(), field->end(), isText))
      return fail(key, "a list of at most " + std::to_string(count) + " strings");
    values = field->get<std::vector<std::string>>();
    for (std::string& value : values) value = printable(value, limit);
  }
  void extent(const char* key, std::array<std::uint32_t, 3>& value) {
    const Json* field = find(key);
    if (field == nullptr) return;
    const auto isPart = [](const Json& part) {
      return part.is_number_unsigned() && part.get<std::uint64_t>() - 1 < 0x7fffffffU;
    };
    if (!field->is_array() || field->size() != value.size() ||
        !std::all_of(field->begin(), field->end(), isPart))
      return fail(key, "three whole numbers of 1 or more");
    value = field->get<std::array<std::uint32_t, 3>>();
  }
  void bytes(const char* key, std::vector<std::byte>& value, std::size_t limit) {
    std::string hex;
    code(key, hex, 2 * limit);
    if (hex.size() % 2 != 0) return fail(key, "two digits per byte");
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      std::uint8_t byte = 0;
      const char* const end = hex.data() + i + 2;
      const auto [read, failure] = std::from_chars(hex.data() + i, end, byte, 16);
      if (failure != std::errc{} || read != end) return fail(key, "hexadecimal");
      value.push_back(std::byte{byte});
    }
  }
  void hash(const char* key, std::uint64_t& value) {
    std::vector<std::byte> big;
    bytes(key, big, 8);
    if (big.size() != 8) return fail(key, "16 hexadecimal digits");
    for (const std::byte byte : big) value = value << 8U | std::to_integer<std::uint64_t>(byte);
  }
  void counters(const char* key, std::vector<MeasuredCounter>& values, std::size_t count) {
    measured(key, values, count, &Json::is_number_unsigned, "an object of names and whole numbers");
  }
  void metrics(const char* key, std::vector<MeasuredMetric>& values, std::size_t count) {
    measured(key, values, count, &Json::is_number, "an object of names and numbers");
  }
  void stalls(const char* key, std::vector<StallCount>& values, std::size_t count, std::size_t limit) {
    const Json* field = find(key, Presence::WhereSet);
    if (field == nullptr) return;
    const auto isCount = [](const Json& value) { return value.is_number_unsigned(); };
    if (!field->is_object() || field->size() > count || !std::all_of(field->begin(), field->end(), isCount))
      return fail(key, "an object of reasons and whole numbers");
    for (const auto& [reason, samples] : field->items()) {
      if (reason.size() > limit) return fail(key, "an object of reasons of at most 40 bytes");
      values.push_back({printable(reason, limit), samples.get<std::uint64_t>()});
    }
    std::ranges::sort(values, [](const StallCount& a, const StallCount& b) {
      return std::tie(b.samples, a.reason) < std::tie(a.samples, b.reason);
    });
  }
  template <class Item, class Describe>
  void list(const char* key, std::vector<Item>& items, std::size_t count, Describe describe) {
    const Json* field = find(key);
    if (field == nullptr) return;
    if (!field->is_array() || field->size() > count ||
        !std::all_of(field->begin(), field->end(), [](const Json& entry) { return entry.is_object(); }))
      return fail(key, "a list of at most " + std::to_string(count) + " objects");
    for (const Json& entry : *field) {
      FieldReader reader(entry);
      describe(reader, items.emplace_back());
      if (reader.problem() && !problem_) problem_ = reader.problem();
    }
  }
  void require(const char* key, bool holds, const char* wanted) {
    if (!holds) fail(key, wanted);
  }

 private:
  /// Values by their names; those that were not measured are null.
  template <class Measured>
  void measured(const char* key, std::vector<Measured>& values, std::size_t count,
                bool (Json::*isValue)() const noexcept, const char* wanted) {
    const Json* field = find(key);
    if (field == nullptr) return;
    const auto fits = [isValue](const Json& value) { return value.is_null() || (value.*isValue)(); };
    if (!field->is_object() || field->size() > count || !std::all_of(field->begin(), field->end(), fits))
      return fail(key, wanted);
    for (const auto& [name, value] : field->items()) {
      values.push_back({printable(name), std::nullopt});
      if (!value.is_null()) value.get_to(values.back().value.emplace());
    }
    std::ranges::sort(values, {}, &Measured::name);
  }

  /// The field; nullptr if it is missing, which is a problem if it is required.
  const Json* find(const char* key, Presence presence = {}) {
    const auto field = object_.find(key);
    const bool isPresent = field != object_.end();
    if (isPresent && (presence == Presence::Required || !field->is_null())) return &*field;
    if (presence == Presence::Required && !problem_)
      problem_ = Error{"The field '" + std::string(key) + "' is missing."};
    return nullptr;
  }

  void fail(const char* key, const std::string& wanted) {
    if (!problem_) problem_ = Error{"The field '" + std::string(key) + "' must be " + wanted + "."};
  }

  const Json& object_;
  std::optional<Error> problem_;
};

}  // namespace lanescope
