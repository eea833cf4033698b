#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/cli/commands.h"
#include "app/launch/kernel_signature.h"
#include "sim/base/counted.h"

namespace lanescope::cli {
namespace {

constexpr std::uint64_t kMostSuggested = std::uint64_t{1} << 20;  ///< elements

/// The kernel that a launch names, or the only one. Null if it is not known.
const KernelSignature* signatureOf(const std::vector<KernelSignature>& kernels, const std::string& asked) {
  if (asked.empty()) return kernels.size() == 1 ? kernels.data() : nullptr;
  const std::string plain = asked.substr(0, asked.find_first_of("<@"));
  const auto found = std::ranges::find(kernels, plain, &KernelSignature::name);
  const bool isOne = std::ranges::count(kernels, plain, &KernelSignature::name) == 1;
  return isOne ? &*found : nullptr;
}

/// `i32=1000` for the value `1000` of a parameter, `f32:ones:8` for `ones:8`; a whole argument stays.
std::string typed(const KernelParameter& parameter, const std::string& value) {
  if (parseArgument(value) || parameter.element.empty()) return value;
  return parameter.element + (parameter.isPointer ? ":" : "=") + value;
}

/// The number of the parameter that an argument names, as `n=1000` or `x:ones:8`; nullopt if it names none.
std::optional<std::size_t> namedBy(const std::string& argument, const KernelSignature& kernel) {
  const std::size_t end = argument.find_first_of("=:");
  if (end == std::string::npos || parseArgument(argument)) return std::nullopt;
  const auto found = std::ranges::find(kernel.parameters, argument.substr(0, end), &KernelParameter::name);
  if (found == kernel.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kernel.parameters.begin());
}

Error missing(const KernelSignature& kernel, const LaunchSpec& spec) {
  std::uint64_t count = 1024;
  const auto grid = spec.readGrid();
  const auto block = spec.readBlock();
  if (grid && block) count = std::clamp<std::uint64_t>(grid->count() * block->count(), 1, kMostSuggested);
  std::string parameters;
  std::string line;
  for (const KernelParameter& parameter : kernel.parameters) {
    parameters += (parameters.empty() ? "" : ", ") + parameter.declaration();
    const std::string suggested = parameter.suggestion(count);
    const bool isPlain = suggested.find_first_of("{} '\"") == std::string::npos;
    line += isPlain ? fmt::format(" --arg {}", suggested) : fmt::format(" --arg '{}'", suggested);
  }
  const std::size_t wanted = kernel.parameters.size();
  return {takesText(kernel.name, wanted, wanted, "argument", spec.arguments.size()) + ".",
          fmt::format("Its parameters are ({}). A line to copy:{}", parameters, line)};
}

}  // namespace

Result<std::vector<std::string>> argumentsOf(const LaunchSpec& spec,
                                             const std::shared_ptr<const SourceText>& source) {
  const ParsedText text(source);
  const std::vector<KernelSignature> kernels = findKernels(text);
  const KernelSignature* const kernel = signatureOf(kernels, spec.kernel);
  if (kernel == nullptr || !text.diagnostics.empty()) return spec.arguments;
  const std::size_t wanted = kernel->parameters.size();
  // An argument that is wrong in itself is refused first, by what reads it.
  const auto isRead = [&](const std::string& argument) {
    return parseArgument(argument).ok() || namedBy(argument, *kernel).has_value();
  };
  const bool hasGrid = spec.grid.empty() || spec.readGrid().ok();
  if (!hasGrid || !spec.readBlock() || !std::ranges::all_of(spec.arguments, isRead)) return spec.arguments;
  // A pack has as many parameters as the instance that is named says.
  const bool isInstance = spec.kernel.find('<') != std::string::npos && !spec.arguments.empty();
  if (spec.arguments.size() != wanted && isInstance) return spec.arguments;
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
    arguments[*number] =
        typed(kernel->parameters[*number], argument.substr(kernel->parameters[*number].name.size() + 1));
  }
  auto next = others.begin();
  for (std::string& argument : arguments) {
    if (argument.empty()) argument = *next++;
  }
  return arguments;
}

}  // namespace lanescope::cli
