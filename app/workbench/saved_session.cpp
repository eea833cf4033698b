#include "app/workbench/saved_session.h"

#include <fmt/format.h>

#include <utility>

#include "sim/base/json.h"

namespace lanescope {
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

SavedSession sessionFrom(const Json& json) {
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
  return session;
}

}  // namespace

std::string sessionText(const SavedSession& session) {
  Json json;
  json["schema"] = kSessionSchema;
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
  json["grain"] = session.grain;
  json["speed"] = session.speed;
  json["breakpoints"] = {{"lines", session.lines}, {"conditions", session.conditions}};
  json["view"] = {{"thread", session.thread},     {"warp", session.warp},
                  {"variable", session.variable}, {"mode", session.mode},
                  {"compared", session.compared}, {"compares_warps", session.comparesWarps}};
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

}  // namespace lanescope
