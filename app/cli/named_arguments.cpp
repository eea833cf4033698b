#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/commands.h"
#include "app/launch/kernel_signature.h"
#include "sim/base/counted.h"
#include "sim/base/words.h"

namespace lanescope::cli {
namespace {

constexpr std::uint64_t kMostSuggested = std::uint64_t{1} << 20;  ///< elements

Result<std::string> typed(const KernelParameter& parameter, const std::string& value, bool isField = false);

Error noField(const KernelParameter& structure, const std::string& name) {
  std::vector<std::string> fields;
  for (const KernelParameter& field : structure.fields) fields.push_back(field.name);
  return {fmt::format("{}, a {}, has no field {}.", structure.name, structure.type, name),
          fmt::format("Its fields are {}.", fmt::join(fields, ", "))};
}

/// `struct:{a=i32:1,b=f32:hash}` for the fields `{a=1,b=hash}` of a struct, and for what follows them. Error:
/// it has no field of such a name.
Result<std::string> typedFields(const KernelParameter& structure, std::string_view value) {
  const std::size_t close = value.rfind('}');
  if (close == std::string_view::npos) return std::string(value);
  std::string fields;
  std::size_t next = 0;
  for (const std::string& written : splitArguments(value.substr(1, close - 1))) {
    const std::size_t equals = std::min(written.find_first_of("={"), written.size());
    const std::string name =
        equals < written.size() && written[equals] == '=' ? written.substr(0, equals) : "";
    const auto named = std::ranges::find(structure.fields, name, &KernelParameter::name);
    if (!name.empty() && named == structure.fields.end()) return noField(structure, name);
    if (!name.empty()) next = static_cast<std::size_t>(named - structure.fields.begin());
    Result<std::string> field = name.empty() ? written : written.substr(equals + 1);
    if (next < structure.fields.size()) field = typed(structure.fields[next], *field, true);
    if (!field) return field;
    fields += (fields.empty() ? "" : ",") + (name.empty() ? "" : name + "=") + *field;
    ++next;
  }
  return "struct:{" + fields + "}" + std::string(value.substr(close + 1));
}

/// `i32=1000` for the value `1000` of a parameter, `f32:ones:8` for `ones:8`; a whole argument stays. A
/// field's value is behind a colon.
Result<std::string> typed(const KernelParameter& parameter, const std::string& value, bool isField) {
  if (parameter.isStruct && value.starts_with('{')) return typedFields(parameter, value);
  const bool isWhole = isField ? parseArgument("struct:{" + value + "}").ok() : parseArgument(value).ok();
  if (isWhole || parameter.element.empty()) return value;
  const bool isTruth = (value == "true" || value == "false") && parameter.element == "u8";
  const std::string number = !isTruth ? value : value == "true" ? "1" : "0";
  return parameter.element + (parameter.isPointer || isField ? ":" : "=") + number;
}

/// The number of the parameter that an argument names, as `n=1000` or `x:ones:8`; nullopt if it names none.
std::optional<std::size_t> namedBy(const std::string& argument, const KernelSignature& kernel) {
  const std::size_t end = argument.find_first_of("=:");
  if (end == std::string::npos || parseArgument(argument)) return std::nullopt;
  const auto found = std::ranges::find(kernel.parameters, argument.substr(0, end), &KernelParameter::name);
  if (found == kernel.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kernel.parameters.begin());
}

std::string parametersText(const KernelSignature& kernel) {
  std::string parameters;
  for (const KernelParameter& parameter : kernel.parameters)
    parameters += (parameters.empty() ? "" : ", ") + parameter.declaration();
  return parameters;
}

Error missing(const KernelSignature& kernel, const LaunchSpec& spec) {
  std::uint64_t count = 1024;
  const auto grid = spec.readGrid();
  const auto block = spec.readBlock();
  if (grid && block) count = std::clamp<std::uint64_t>(grid->count() * block->count(), 1, kMostSuggested);
  const std::size_t wanted = kernel.parameters.size();
  return {takesText(kernel.name, wanted, wanted, "argument", spec.arguments.size()) + ".",
          fmt::format("Its parameters are ({}). A line to copy:{}", parametersText(kernel),
                      argumentsText(kernel, count))};
}

/// For `size=8` if neither a type nor a parameter has that name. Empty for other mistakes.
std::optional<Error> unknownName(const std::string& argument, const KernelSignature& kernel) {
  const std::string name = argument.substr(0, argument.find_first_of("=:"));
  const bool isName = name.size() < argument.size() && !name.empty() && std::ranges::all_of(name, isOfName);
  if (!isName || name == "struct" || parseArgument(name + "=0") || parseArgument(name + ":zero:1"))
    return std::nullopt;
  return Error{fmt::format("'{}' begins with neither a type nor a parameter of {}.", argument, kernel.name),
               fmt::format("Its parameters are ({}); types are f32, i32, float, int and others.",
                           parametersText(kernel))};
}

}  // namespace

std::string argumentsText(const KernelSignature& kernel, std::uint64_t count) {
  std::string line;
  for (const KernelParameter& parameter : kernel.parameters) {
    const std::string suggested = parameter.suggestion(count);
    const bool isPlain = suggested.find_first_of("{} '\"") == std::string::npos;
    line += isPlain ? fmt::format(" --arg {}", suggested) : fmt::format(" --arg '{}'", suggested);
  }
  return line;
}

Result<std::vector<std::string>> argumentsOf(const LaunchSpec& spec,
                                             const std::shared_ptr<const SourceText>& source) {
  const ParsedText text(source);
  const std::optional<KernelSignature> kernel = findKernel(text, spec.kernel);
  if (!kernel || !text.diagnostics.empty()) return spec.arguments;
  const std::size_t wanted = kernel->parameters.size();
  // An argument that is wrong in itself is refused first, by what reads it.
  const auto isRead = [&](const std::string& argument) {
    return parseArgument(argument).ok() || namedBy(argument, *kernel).has_value();
  };
  const bool hasGrid = spec.grid.empty() || spec.readGrid().ok();
  if (!hasGrid || !spec.readBlock()) return spec.arguments;
  for (const std::string& argument : spec.arguments) {
    if (isRead(argument)) continue;
    if (auto unknown = unknownName(argument, *kernel)) return std::move(*unknown);
    return spec.arguments;
  }
  if (spec.arguments.size() != wanted) return missing(*kernel, spec);
  std::vector<std::string> arguments(wanted);
  std::vector<std::string> others;
  for (const std::string& argument : spec.arguments) {
    const auto number = namedBy(argument, *kernel);
    if (!number) {
      others.push_back(argument);
      continue;
    }
    if (!arguments[*number].empty())
      return Error{fmt::format("The argument {} is given twice.", kernel->parameters[*number].name),
                   "Give it once."};
    auto value =
        typed(kernel->parameters[*number], argument.substr(kernel->parameters[*number].name.size() + 1));
    if (!value) return value.error();
    arguments[*number] = std::move(value).value();
  }
  auto next = others.begin();
  for (std::string& argument : arguments) {
    if (argument.empty()) argument = *next++;
  }
  return arguments;
}

}  // namespace lanescope::cli
