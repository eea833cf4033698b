#include "sim/base/json.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace lanescope {

Json parseJson(std::string_view text) { return Json::parse(text, nullptr, /*allow_exceptions=*/false); }

std::string jsonLine(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string jsonText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanescope
