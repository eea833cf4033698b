#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace lanescope {

/// JSON in the form that all programs read and write: an object's fields stay in their order.
using Json = nlohmann::ordered_json;

/// Parses a text; one that is not JSON gives a value that is_discarded().
Json parseJson(std::string_view text);
/// In one line, without its end. Bytes that are not UTF-8 become U+FFFD, as in jsonText().
std::string jsonLine(const Json& json);
/// Readable: two spaces per level, and a newline at the end.
std::string jsonText(const Json& json);

}  // namespace lanescope

// Compiled once, in json.cpp.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
