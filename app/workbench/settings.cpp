#include "app/workbench/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "app/base/write_file.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPanels = 32;
constexpr std::size_t kMostVisited = 1000;
constexpr int kLeastSide = 320;  ///< of a window
constexpr int kMostSide = 16384;
constexpr double kLeastShare = 0.02;  ///< of a row or column of panels
constexpr const char* kSettingsSchema = "lanescope.settings/1";

fs::path readFolder(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? fs::path() : fs::path(value);
}

/// Takes an entry of that range; any other value leaves the default.
void receive(const Json& json, const char* name, double low, double high, double& value) {
  const auto at = json.find(name);
  if (at == json.end() || !at->is_number()) return;
  const double read = at->get<double>();
  if (std::isfinite(read) && read >= low && read <= high) value = read;
}

/// A whole number of that range; any other value leaves the default.
template <class Number>
void readWholeNumber(const Json& json, const char* name, Number low, Number high, Number& value) {
  const auto at = json.find(name);
  if (at == json.end() || !at->is_number_integer()) return;
  const auto read = at->get<std::int64_t>();
  if (read >= static_cast<std::int64_t>(low) && read <= static_cast<std::int64_t>(high))
    value = static_cast<Number>(read);
}

void receive(const Json& json, const char* name, bool& value) {
  if (const auto at = json.find(name); at != json.end() && at->is_boolean()) value = *at;
}

void receive(const Json& json, const char* name, std::string& value) {
  if (const auto at = json.find(name); at != json.end() && at->is_string()) value = *at;
}

void receive(const Json& json, Opened& opened) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32U;
  receive(json, "strategy", opened.strategy);
  receive(json, "file", opened.file);
  readWholeNumber(json, "n", std::uint64_t{1}, kMost, opened.n);
  readWholeNumber(json, "chosen_n", std::uint64_t{1}, kMost, opened.chosenN);
  readWholeNumber(json, "blocks", std::uint64_t{1}, kMost, opened.blocks);
  receive(json, "machine", opened.machine);
}

/// An unused name beside `path`: `settings.json.unreadable`, then `settings.json.unreadable.2`.
fs::path asidePath(const fs::path& path) {
  fs::path first = path;
  first += ".unreadable";
  fs::path aside = first;
  std::error_code failure;
  for (int number = 2; fs::exists(fs::symlink_status(aside, failure)); ++number) {
    aside = first;
    aside += "." + std::to_string(number);
  }
  return aside;
}

}  // namespace

void Settings::remember(const std::string& path) {
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

bool Settings::hasVisited(std::string_view lesson) const {
  return std::ranges::find(visited, lesson) != visited.end();
}

void Settings::visit(std::string_view lesson) {
  if (!hasVisited(lesson)) visited.emplace_back(lesson);
}

fs::path settingsPath() {
  fs::path folder = readFolder("XDG_CONFIG_HOME");
  // Paths there must be absolute (XDG Base Directory Specification).
  if (folder.is_relative()) folder.clear();
  if (folder.empty() && !readFolder("HOME").empty()) folder = readFolder("HOME") / ".config";
  return folder.empty() ? fs::path() : folder / "lanescope" / "settings.json";
}

std::string settingsText(const Settings& settings) {
  Json json;
  json["schema"] = kSettingsSchema;
  json["theme"] = settings.theme;
  json["scale"] = settings.scale;
  json["moves"] = settings.moves;
  json["speed"] = settings.speed;
  json["lesson_card"] = settings.lessonCard;
  json["layout"] = settings.layout;
  json["panels"] = settings.panels;
  json["gpu_open"] = settings.gpuIsOpen;
  json["recent"] = settings.recent;
  json["visited"] = settings.visited;
  const Opened& opened = settings.opened;
  json["opened"] = {{"strategy", opened.strategy}, {"file", opened.file},     {"n", opened.n},
                    {"chosen_n", opened.chosenN},  {"blocks", opened.blocks}, {"machine", opened.machine}};
  json["width"] = settings.width;
  json["height"] = settings.height;
  return jsonText(json);
}

Result<Settings> parseSettings(const std::string& text) {
  const Json json = parseJson(text);
  if (!json.is_object() || json.value("schema", Json()) != kSettingsSchema) {
    return Error{fmt::format("These are not settings of this version ('{}').", kSettingsSchema), ""};
  }
  Settings settings;
  receive(json, "theme", settings.theme);
  receive(json, "scale", 0.5, 4, settings.scale);
  receive(json, "moves", 0, 10, settings.moves);
  receive(json, "speed", 0.01, 100, settings.speed);
  receive(json, "lesson_card", settings.lessonCard);
  receive(json, "layout", settings.layout);
  receive(json, "gpu_open", settings.gpuIsOpen);
  if (const auto at = json.find("opened"); at != json.end() && at->is_object()) receive(*at, settings.opened);
  readWholeNumber(json, "width", kLeastSide, kMostSide, settings.width);
  readWholeNumber(json, "height", kLeastSide, kMostSide, settings.height);
  if (const auto at = json.find("panels"); at != json.end() && at->is_object()) {
    for (const auto& [panel, share] : at->items()) {
      if (!share.is_number() || settings.panels.size() >= kMostPanels) continue;
      const double read = share.get<double>();
      if (read >= kLeastShare && read <= 1) settings.panels[panel] = read;
    }
  }
  if (const auto at = json.find("recent"); at != json.end() && at->is_array()) {
    for (const Json& path : *at) {
      if (path.is_string() && settings.recent.size() < kMostRecent) settings.recent.push_back(path);
    }
  }
  if (const auto at = json.find("visited"); at != json.end() && at->is_array()) {
    for (const Json& id : *at) {
      if (id.is_string() && settings.visited.size() < kMostVisited)
        settings.visit(id.get_ref<const std::string&>());
    }
  }
  return settings;
}

Result<Settings> loadSettings(const fs::path& path) {
  std::error_code failure;
  if (path.empty() || !fs::exists(path, failure)) return Settings{};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  Result<Settings> settings = parseSettings(content.str());
  if (file && settings) return settings;
  const fs::path aside = asidePath(path);
  fs::rename(path, aside, failure);
  return Error{fmt::format("The settings in '{}' cannot be read.", path.string()),
               failure
                   ? "The app starts with its defaults."
                   : fmt::format("They are kept as '{}'; the app starts with its defaults.", aside.string())};
}

std::optional<Error> saveSettings(const fs::path& path, const Settings& settings) {
  if (path.empty()) return Error{"There is no folder for the settings.", "Set HOME or XDG_CONFIG_HOME."};
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  return writeFile(path, settingsText(settings));
}

}  // namespace lanescope
