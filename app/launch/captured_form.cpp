#include "app/launch/captured_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "sim/base/counted.h"
#include "sim/memory/address.h"
#include "sim/memory/argument_element.h"
#include "sim/memory/device_memory.h"

namespace lanescope {
namespace {

constexpr std::string_view kOfProgram = "program";

template <class T>
T computeValue(const std::vector<std::byte>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

/// The number of those bytes as a spec; nullopt if a spec cannot say it.
std::optional<std::string> scalarSpec(const std::vector<std::byte>& bytes, const std::string& element) {
  auto argument = parseArgument(element + "=0");
  if (!argument || argumentTypeBytes(argument->type) != bytes.size()) return std::nullopt;
  withElement(argument->type, [&]<class Element>(Element /*any*/) {
    const auto number = asNumber(computeValue<Element>(bytes));
    if constexpr (std::is_integral_v<Element>)
      argument->integer = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    else
      argument->real = static_cast<double>(number);
  });
  const std::string spec = formatSpec(*argument);
  const auto again = parseArgument(spec);
  if (!again || toBytes(*again) != bytes) return std::nullopt;
  return spec;
}

/// `program: 1,000 f32`.
std::string pointerSpec(const GivenArguments& given, const std::vector<std::byte>& bytes,
                        const std::string& element) {
  const auto address = computeValue<std::uint64_t>(bytes);
  const std::uint64_t buffer = (address >> kOffsetBits) - 1;
  const auto type = parseArgument(element + ":zero:1");
  if (buffer >= given.buffers.size() || !type) return std::string(kOfProgram);
  const std::uint64_t size = given.buffers[buffer].size();
  const std::uint64_t rest = size - std::min(size, address & kOffsetMask);
  return fmt::format("{}: {} {}", kOfProgram, withCommas(rest / argumentTypeBytes(type->type)), element);
}

std::string specFor(const GivenArguments& given, const std::vector<std::byte>& bytes,
                    const KernelParameter* parameter) {
  if (parameter == nullptr || parameter->element.empty() || parameter->isStruct)
    return std::string(kOfProgram);
  if (parameter->isPointer) return pointerSpec(given, bytes, parameter->element);
  return scalarSpec(bytes, parameter->element).value_or(std::string(kOfProgram));
}

}  // namespace

bool isOfProgram(std::string_view spec) { return spec.starts_with(kOfProgram); }

LaunchForm makeForm(std::shared_ptr<const CapturedLaunch> captured, const KernelSignature* signature) {
  Launch launch;
  launch.kernel = captured->kernel;
  launch.grid = captured->grid;
  launch.block = captured->block;
  launch.dynamicSharedBytes = captured->sharedBytes;
  LaunchForm form = makeForm(launch);
  const GivenArguments& given = *captured->given;
  for (std::size_t i = 0; i < given.parameters.size(); ++i) {
    const bool isKnown = signature != nullptr && i < signature->parameters.size();
    form.arguments.push_back(
        specFor(given, given.parameters[i], isKnown ? &signature->parameters[i] : nullptr));
  }
  form.captured = std::move(captured);
  return form;
}

Result<std::shared_ptr<const GivenArguments>> givenBy(const LaunchForm& form) {
  GivenArguments given = *form.captured->given;
  if (form.arguments.size() != given.parameters.size()) {
    return Error{"The program launches this kernel with another number of arguments.",
                 "Run the program again, and choose its launch."};
  }
  for (std::size_t i = 0; i < form.arguments.size(); ++i) {
    if (isOfProgram(form.arguments[i])) continue;
    const auto argument = parseArgument(form.arguments[i]);
    if (!argument) return argument.error();
    if (argument->isStruct) {
      return Error{"A struct of a program's launch stays as the program gave it.",
                   fmt::format("Write {} in its place.", kOfProgram)};
    }
    std::vector<std::byte> bytes = toBytes(*argument);
    if (argument->isBuffer) {
      const std::uint64_t address =
          bufferBase(given.buffers.size()) + argument->offset * argumentTypeBytes(argument->type);
      given.buffers.push_back(std::move(bytes));
      bytes.assign(sizeof address, std::byte{});
      std::memcpy(bytes.data(), &address, sizeof address);
    }
    if (bytes.size() != given.parameters[i].size()) {
      return Error{fmt::format("{} has {}, and the parameter {}.", form.arguments[i],
                               counted(bytes.size(), "byte"), withCommas(given.parameters[i].size())),
                   fmt::format("Write {} for what the program gave.", kOfProgram)};
    }
    given.parameters[i] = std::move(bytes);
  }
  return std::make_shared<const GivenArguments>(std::move(given));
}

}  // namespace lanescope
