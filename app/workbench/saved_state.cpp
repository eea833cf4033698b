#include "app/workbench/saved_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/launch/strategy_launch.h"
#include "app/workbench/session.h"
#include "sim/base/counted.h"
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
fs::path asidePath(const Host& host, const fs::path& path) {
  fs::path first = path;
  first += ".unreadable";
  fs::path aside = first;
  for (int number = 2; host.kindOf(aside) != Host::FileKind::None; ++number) {
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

std::string settingsText(const Settings& settings) {
  Json json;
  json["schema"] = kSettingsSchema;
  json["theme"] = settings.theme;
  json["scale"] = settings.scale;
  json["moves"] = settings.moves;
  json["speed"] = settings.speed;
  json["step_width"] = settings.stepWidth;
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
  receive(json, "step_width", settings.stepWidth);
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

Result<Settings> loadSettings(Host& host) {
  const fs::path path = host.settingsPath();
  if (path.empty() || host.kindOf(path) == Host::FileKind::None) return Settings{};
  const Result<std::string> text = host.read(path, UINT64_MAX);
  Result<Settings> settings = text ? parseSettings(*text) : Result<Settings>(text.error());
  if (settings) return settings;
  const fs::path aside = asidePath(host, path);
  const bool isAside = host.rename(path, aside);
  return Error{fmt::format("The settings in '{}' cannot be read.", path.string()),
               isAside
                   ? fmt::format("They are kept as '{}'; the app starts with its defaults.", aside.string())
                   : "The app starts with its defaults."};
}

std::optional<Error> saveSettings(Host& host, const Settings& settings) {
  const fs::path path = host.settingsPath();
  if (path.empty()) return Error{"There is no folder for the settings.", "Set HOME or XDG_CONFIG_HOME."};
  host.makeFolder(path.parent_path());
  return host.write(path, settingsText(settings));
}

std::string KeptSettings::keep(Host& host, const Settings& settings, bool isLast) {
  if (settings == stored_) return "";
  const std::optional<Error> error = saveSettings(host, settings);
  if (!error) stored_ = settings;
  const std::string sentence = error ? "The settings are not stored: " + error->sentence() : "";
  return std::exchange(said_, sentence) == sentence && !isLast ? "" : sentence;
}

namespace {

constexpr const char* kSessionSchema = "lanescope.session/1";

struct BadNumber {
  const char* entry;
};

Json formJson(const std::optional<LaunchForm>& form) {
  if (!form) return nullptr;
  return {{"kernel", form->kernel},
          {"template_arguments", form->templateArguments},
          {"grid", form->grid},
          {"block", form->block},
          {"dynamic_shared", form->dynamicShared},
          {"arguments", form->arguments}};
}

Json textJson(const SavedText& text) { return {{"text", text.text}, {"form", formJson(text.form)}}; }

std::optional<LaunchForm> formFrom(const Json& json) {
  if (json.is_null()) return std::nullopt;
  LaunchForm form;
  json.at("kernel").get_to(form.kernel);
  json.at("template_arguments").get_to(form.templateArguments);
  json.at("grid").get_to(form.grid);
  json.at("block").get_to(form.block);
  json.at("dynamic_shared").get_to(form.dynamicShared);
  json.at("arguments").get_to(form.arguments);
  return form;
}

SavedText textFrom(const Json& json) {
  return {json.at("text").get<std::string>(), formFrom(json.at("form"))};
}

/// A whole number that its type holds; anything else is reported with the entry's name.
template <class T>
void getWhole(const Json& json, const char* name, T& value) {
  const Json& at = json.at(name);
  const bool fits = at.is_number_unsigned()
                        ? std::in_range<T>(at.get<std::uint64_t>())
                        : at.is_number_integer() && std::in_range<T>(at.get<std::int64_t>());
  if (!fits) throw BadNumber{name};
  value = at.get<T>();
}

SavedWindow windowFrom(const Json& json) {
  SavedWindow window;
  window.layout = json.value("layout", window.layout);
  window.maximised = json.value("maximised", window.maximised);
  window.gpuIsOpen = json.value("gpu_is_open", window.gpuIsOpen);
  window.gpuPage = json.value("gpu_page", window.gpuPage);
  window.picks = json.value("picks", window.picks);
  return window;
}

SavedSession sceneFrom(const Json& json) {
  SavedSession session;
  json.at("strategy").get_to(session.strategy);
  json.at("path").get_to(session.path);
  json.at("original").get_to(session.original);
  // Sessions saved before the window read a file's headers have none.
  for (const Json& file : json.value("includes", Json::array()))
    session.includes.push_back({file.at("path").get<std::string>(), file.at("text").get<std::string>()});
  session.ran = textFrom(json.at("ran"));
  session.draft = textFrom(json.at("draft"));
  getWhole(json, "n", session.n);
  json.at("machine").get_to(session.machine);
  json.at("machine_chosen").get_to(session.machineChosen);
  getWhole(json, "blocks", session.blocks);
  getWhole(json, "block", session.block);
  getWhole(json.at("cursor"), "steps", session.steps);
  getWhole(json.at("cursor"), "wavefront", session.wavefront);
  json.at("grain").get_to(session.grain);
  json.at("speed").get_to(session.speed);
  for (const Json& line : json.at("breakpoints").at("lines")) {
    getWhole(Json{{"lines", line}}, "lines", session.lines.emplace_back());
  }
  json.at("breakpoints").at("conditions").get_to(session.conditions);
  getWhole(json.at("view"), "thread", session.thread);
  getWhole(json.at("view"), "warp", session.warp);
  json.at("view").at("mode").get_to(session.mode);
  // Sessions saved before a comparison was kept have none of these.
  if (json.at("view").contains("variable")) getWhole(json.at("view"), "variable", session.variable);
  session.compared = json.at("view").value("compared", session.compared);
  session.comparesWarps = json.at("view").value("compares_warps", session.comparesWarps);
  session.stepWidth = json.at("view").value("step_width", session.stepWidth);
  session.opensAtItsPlace = json.at("cursor").value("opens_at_its_place", false);
  if (json.contains("window")) session.window = windowFrom(json.at("window"));
  return session;
}

SavedSession sessionFrom(const Json& json) {
  SavedSession session = sceneFrom(json);
  for (const Json& scene : json.value("scenes", Json::array())) session.scenes.push_back(sceneFrom(scene));
  return session;
}

Json sceneJson(const SavedSession& session) {
  Json json;
  json["strategy"] = session.strategy;
  json["path"] = session.path;
  json["original"] = session.original;
  for (const IncludedText& file : session.includes)
    json["includes"].push_back({{"path", file.path}, {"text", file.text}});
  json["ran"] = textJson(session.ran);
  json["draft"] = textJson(session.draft);
  json["n"] = session.n;
  json["machine"] = session.machine;
  json["machine_chosen"] = session.machineChosen;
  json["blocks"] = session.blocks;
  json["block"] = session.block;
  json["cursor"] = {{"steps", session.steps}, {"wavefront", session.wavefront}};
  if (session.opensAtItsPlace) json["cursor"]["opens_at_its_place"] = true;
  json["grain"] = session.grain;
  json["speed"] = session.speed;
  json["breakpoints"] = {{"lines", session.lines}, {"conditions", session.conditions}};
  json["view"] = {{"thread", session.thread},       {"warp", session.warp},
                  {"variable", session.variable},   {"mode", session.mode},
                  {"compared", session.compared},   {"compares_warps", session.comparesWarps},
                  {"step_width", session.stepWidth}};
  if (session.window) {
    json["window"] = {{"layout", session.window->layout},
                      {"maximised", session.window->maximised},
                      {"gpu_is_open", session.window->gpuIsOpen},
                      {"gpu_page", session.window->gpuPage},
                      {"picks", session.window->picks}};
  }
  return json;
}

}  // namespace

std::string sessionText(const SavedSession& session) {
  Json json = sceneJson(session);
  json["schema"] = kSessionSchema;
  for (const SavedSession& scene : session.scenes) json["scenes"].push_back(sceneJson(scene));
  return jsonText(json);
}

Result<SavedSession> parseSession(const std::string& text) {
  const Json json = parseJson(text);
  const Json schema = json.is_object() ? json.value("schema", Json()) : Json();
  if (!schema.is_string()) return Error{"This is not a session file.", "Save one in Lanescope's window."};
  if (schema != kSessionSchema) {
    return Error{fmt::format("This session file has the schema '{}'; this version reads '{}'.",
                             schema.get<std::string>(), kSessionSchema),
                 "Open it with the version that saved it."};
  }
  try {
    return sessionFrom(json);
  } catch (const BadNumber& bad) {
    return Error{fmt::format("The session file is damaged: '{}' is not a number that fits.", bad.entry), ""};
  } catch (const Json::exception& failure) {
    // "[json.exception.type_error.302] type must be …": only the part after the bracket is shown.
    const std::string what = failure.what();
    const std::size_t bracket = what.find("] ");
    return Error{fmt::format("The session file is damaged: {}.",
                             bracket == std::string::npos ? what : what.substr(bracket + 2)),
                 ""};
  }
}

// Saves and restores the contents of a session file and of the next start.

namespace {

struct GrainName {
  Grain grain;
  std::string_view name;
};
constexpr std::array<GrainName, 4> kGrains{{{Grain::Phase, "phase"},
                                            {Grain::Line, "line"},
                                            {Grain::Instruction, "instruction"},
                                            {Grain::Wavefront, "wavefront"}}};

/// The selection of a session file, if all parts of it exist.
Result<Selection> makeSelection(const SavedSession& saved, KernelCache& kernels) {
  Selection selection;
  selection.strategy = saved.strategy.empty() ? nullptr : findStrategy(saved.strategy);
  selection.machine = findMachine(saved.machine);
  selection.n = saved.n;
  selection.blocks = saved.blocks;
  selection.block = saved.block;
  if (selection.strategy == nullptr && !saved.strategy.empty())
    return Error{"The session is about a strategy '" + saved.strategy + "', which is not here.", ""};
  if (!saved.compared.empty() && findStrategy(saved.compared) == nullptr)
    return Error{"The session compares with a strategy '" + saved.compared + "', which is not here.", ""};
  if (selection.strategy == nullptr && saved.path.empty())
    return Error{"The session file names neither a strategy nor a file.", ""};
  if (selection.strategy == nullptr && (!saved.ran.form || !saved.draft.form))
    return Error{"The session file has no launch for its kernel.", ""};
  if (selection.machine == nullptr)
    return Error{"The session is for the machine '" + saved.machine + "', which does not exist.", ""};
  if (saved.n == 0 || saved.n > kMostElements)
    return Error{"The session is over " + counted(saved.n, "element") + ", which cannot be launched.", ""};
  if (std::ranges::find(kGrains, saved.grain, &GrainName::name) == kGrains.end())
    return Error{
        "The session steps by '" + saved.grain + "', which is not phase, line, instruction or wavefront.",
        ""};
  if (selection.strategy == nullptr) {
    selection.blocks = 1;
    selection.block = 0;
  } else if (std::ranges::find(kBlockCounts, saved.blocks) == kBlockCounts.end() ||
             saved.block >= saved.blocks) {
    return Error{"The session has block " + std::to_string(saved.block) + " of " +
                     std::to_string(saved.blocks) + ", which are not offered.",
                 ""};
  }
  // The launch must be valid before any change is made for it.
  const auto source = std::make_shared<SourceText>("session.cu", plainText(saved.ran.text), saved.includes);
  const Result<Launch> launch =
      saved.ran.form
          ? bindLaunch(completed(*saved.ran.form, kernels.findKernels(source)), source, *selection.machine)
          : makeLaunch(*selection.strategy, selection.n, selection.blocks, *selection.machine);
  if (!launch) return launch.error();
  return selection;
}

void restoreStops(const SavedSession& saved, Stops& stops) {
  stops.clear();
  for (const std::uint32_t line : saved.lines) {
    if (!stops.hasLine(line)) stops.toggleLine(line);
  }
  for (std::size_t kind = 0; kind < kStopKinds; ++kind) {
    const auto one = static_cast<StopKind>(kind);
    if (std::ranges::find(saved.conditions, stopKindName(one)) != saved.conditions.end()) stops.toggle(one);
  }
}

}  // namespace

SavedSession Session::saved() const {
  SavedSession saved;
  const Document* document = editor_.current();
  if (document == nullptr) return saved;
  const Opened place = opened();
  saved.strategy = place.strategy;
  saved.path = place.file;
  if (document->strategy == nullptr) {
    saved.original = std::string(document->original->text());
    saved.includes = document->ran != nullptr ? document->ran->text().includes() : document->includes;
  }
  saved.ran = document->ran != nullptr
                  ? SavedText{std::string(document->ran->text().text()), document->ran->asked.form}
                  : SavedText{std::string(document->original->text()), document->form};
  saved.draft = {document->buffer.text(), document->form};
  saved.n = place.n;
  saved.machine = selection_.machine == nullptr ? "" : selection_.machine->name;
  saved.machineChosen = machineChosen_;
  saved.blocks = place.blocks;
  saved.block = selection_.block;
  if (const Replay* replay = player_.replay()) {
    saved.steps = replay->cursor().steps;
    saved.wavefront = replay->cursor().wavefront;
  }
  saved.grain = std::ranges::find(kGrains, player_.grain(), &GrainName::grain)->name;
  saved.speed = player_.speed();
  const Stops& stops = player_.stops();
  saved.lines.assign(stops.lines().begin(), stops.lines().end());
  for (std::size_t kind = 0; kind < kStopKinds; ++kind) {
    const auto one = static_cast<StopKind>(kind);
    if (stops.has(one)) saved.conditions.emplace_back(stopKindName(one));
  }
  if (comparison_.chosen() != nullptr) saved.compared = comparison_.chosen()->id;
  return saved;
}

Opened Session::opened() const {
  Opened opened;
  const Document* document = editor_.current();
  if (document == nullptr) return opened;
  if (document->strategy != nullptr) {
    opened.strategy = document->strategy->id;
  } else {
    opened.file = document->path;
  }
  opened.n = selection_.n;
  opened.chosenN = chosenN_;
  opened.blocks = selection_.blocks;
  if (machineChosen_ && selection_.machine != nullptr) opened.machine = selection_.machine->name;
  return opened;
}

bool Session::reopen(const Opened& opened) {
  const bool isFile = opened.strategy.empty();
  if (isFile && (opened.file.empty() || host_->kindOf(opened.file) != Host::FileKind::File)) return false;
  if (opened.n == 0 || opened.n > kMostElements) return false;
  Selection next;
  next.strategy = findStrategy(opened.strategy);
  next.n = opened.n;
  next.blocks = opened.blocks;
  next.machine = opened.machine.empty() ? &defaultMachine(opened.n) : findMachine(opened.machine);
  if (next.machine == nullptr) return false;
  if (!isFile &&
      (next.strategy == nullptr || !makeLaunch(*next.strategy, next.n, next.blocks, *next.machine)))
    return false;
  machineChosen_ = !opened.machine.empty();
  if (!isFile) {
    select(next, opened.chosenN);
    return true;
  }
  if (machineChosen_) selection_.machine = next.machine;
  openFile(opened.file);
  return true;
}

std::optional<Error> Session::restore(const SavedSession& saved) {
  Result<Selection> next = makeSelection(saved, *kernels_);
  if (!next) return next.error();
  next->document = editor_.restore(saved);
  machineChosen_ = saved.machineChosen;
  chosenN_ = saved.n;
  player_.setGrain(std::ranges::find(kGrains, saved.grain, &GrainName::name)->grain);
  if (saved.speed > 0) player_.setSpeed(saved.speed);
  restoreStops(saved, player_.stops());
  comparison_.choose(saved.compared.empty() ? nullptr : findStrategy(saved.compared));
  player_.pause();
  if (!saved.opensAtItsPlace) openAt_ = Cursor{saved.steps, saved.wavefront};
  request(*next, TextChoice::Draft);
  if (!error_.empty()) openAt_.reset();
  Document& document = *editor_.current();
  document.buffer.replaceAll(saved.draft.text);
  document.form = saved.draft.form;
  return std::nullopt;
}

}  // namespace lanescope
