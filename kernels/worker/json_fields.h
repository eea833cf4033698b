#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "sim/language/diagnostic.h"

namespace lanescope {

/// Whole numbers that every JSON reader keeps.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 53U;

/// To a thousandth: finer than CUDA's events, and half as long on the line.
inline double thousandths(double value) {
  return std::isfinite(value) ? std::round(value * 1000.0) / 1000.0 : 0.0;
}

/// Reads the fields of one JSON object, strictly, and keeps the first thing that is wrong.
class JsonFields {
 public:
  using Json = nlohmann::json;

  explicit JsonFields(const Json& object) : object_(object) {}

  /// The first problem, as one sentence; nothing while every field was right.
  const std::optional<Error>& problem() const { return problem_; }

  /// A whole number within [low, high].
  template <class Integer>
  void integer(const char* key, Integer& out, Integer low = 0,
               Integer high = std::numeric_limits<Integer>::max()) {
    const Json* field = find(key);
    if (field == nullptr) return;
    if (!field->is_number_unsigned()) return fail(key, "a whole number of 0 or more");
    const auto value = field->get<std::uint64_t>();
    if (value < low || value > high) {
      return fail(key, "from " + std::to_string(low) + " to " + std::to_string(high));
    }
    out = static_cast<Integer>(value);
  }

  /// A finite number within [low, high].
  void number(const char* key, double& out, double low, double high) {
    const Json* field = find(key);
    if (field == nullptr) return;
    if (!field->is_number()) return fail(key, "a number");
    const auto value = field->get<double>();
    if (!std::isfinite(value) || value < low || value > high) return fail(key, "a number in range");
    out = value;
  }

  /// A number, or null for one that JSON cannot write (NaN, infinity).
  void numberOrNull(const char* key, double& out) {
    const Json* field = find(key);
    if (field == nullptr) return;
    if (field->is_null()) {
      out = std::numeric_limits<double>::quiet_NaN();
    } else if (field->is_number()) {
      out = field->get<double>();
    } else {
      fail(key, "a number or null");
    }
  }

  void boolean(const char* key, bool& out) {
    const Json* field = find(key);
    if (field == nullptr) return;
    if (!field->is_boolean()) return fail(key, "true or false");
    out = field->get<bool>();
  }

  /// A string of at most `limit` bytes.
  void text(const char* key, std::string& out, std::size_t limit) {
    const Json* field = find(key);
    if (field == nullptr) return;
    const auto* value = field->get_ptr<const std::string*>();
    if (value == nullptr) return fail(key, "a string");
    if (value->size() > limit) return fail(key, "at most " + std::to_string(limit) + " bytes long");
    out = *value;
  }

  bool has(const char* key) const {
    const auto field = object_.find(key);
    return field != object_.end() && !field->is_null();
  }

  /// The field, or nullptr, which is a problem.
  const Json* find(const char* key) {
    const auto field = object_.find(key);
    if (field != object_.end()) return &*field;
    if (!problem_) problem_ = Error{"The field '" + std::string(key) + "' is missing.", {}, {}};
    return nullptr;
  }

  void fail(const char* key, const std::string& wanted) {
    if (!problem_) problem_ = Error{"The field '" + std::string(key) + "' must be " + wanted + ".", {}, {}};
  }

 private:
  const Json& object_;
  std::optional<Error> problem_;
};

/// The number of the run that a message is of.
inline void readRun(JsonFields& fields, std::uint64_t& run) {
  fields.integer<std::uint64_t>("run", run, 1, kMaxCount);
}

}  // namespace lanescope
