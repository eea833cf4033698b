#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace lanescope {

/// JSON as all programs read and write it: an object's fields stay in their order.
using Json = nlohmann::ordered_json;

/// What is not JSON gives a value that is_discarded().
Json parseJson(std::string_view text);
/// In one line, without its end. What is not UTF-8 becomes U+FFFD, as in jsonText().
std::string jsonLine(const Json& json);
/// For people, too: two blanks per level, and a line's end behind the last.
std::string jsonText(const Json& json);

}  // namespace lanescope

// Compiled once, in json.cpp.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
