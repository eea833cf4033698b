#include "app/launch/launch_form.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/launch/kernel_file.h"
#include "app/launch/strategy_launch.h"
#include "sim/base/counted.h"
#include "sim/memory/address.h"
#include "sim/memory/argument.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/machine_model.h"

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
std::string pointerSpec(const RawArguments& raw, const std::vector<std::byte>& bytes,
                        const std::string& element) {
  const auto address = computeValue<std::uint64_t>(bytes);
  const std::size_t buffer = bufferIndex(address);
  const auto type = parseArgument(element + ":zero:1");
  if (buffer >= raw.buffers.size() || !type) return std::string(kOfProgram);
  const std::uint64_t size = raw.buffers[buffer].size();
  const std::uint64_t rest = size - std::min(size, address & kOffsetMask);
  return fmt::format("{}: {} {}", kOfProgram, withCommas(rest / argumentTypeBytes(type->type)), element);
}

std::string specFor(const RawArguments& raw, const std::vector<std::byte>& bytes,
                    const KernelParameter* parameter) {
  if (parameter == nullptr || parameter->element.empty() || parameter->isStruct)
    return std::string(kOfProgram);
  if (parameter->isPointer) return pointerSpec(raw, bytes, parameter->element);
  return scalarSpec(bytes, parameter->element).value_or(std::string(kOfProgram));
}

}  // namespace

bool isOfProgram(std::string_view spec) { return spec.starts_with(kOfProgram); }

LaunchForm makeForm(std::shared_ptr<const CapturedLaunch> captured, const KernelSignature* signature) {
  LaunchForm form = makeForm(captured->launch);
  const RawArguments& raw = *captured->launch.raw;
  for (std::size_t i = 0; i < raw.parameters.size(); ++i) {
    const bool isKnown = signature != nullptr && i < signature->parameters.size();
    form.arguments.push_back(specFor(raw, raw.parameters[i], isKnown ? &signature->parameters[i] : nullptr));
  }
  form.captured = std::move(captured);
  return form;
}

Result<std::shared_ptr<const RawArguments>> rawArguments(const LaunchForm& form) {
  RawArguments raw = *form.captured->launch.raw;
  if (form.arguments.size() != raw.parameters.size()) {
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
          bufferBase(raw.buffers.size()) + argument->offset * argumentTypeBytes(argument->type);
      raw.buffers.push_back(std::move(bytes));
      bytes.assign(sizeof address, std::byte{});
      std::memcpy(bytes.data(), &address, sizeof address);
    }
    if (bytes.size() != raw.parameters[i].size()) {
      return Error{fmt::format("{} has {}, and the parameter {}.", form.arguments[i],
                               counted(bytes.size(), "byte"), withCommas(raw.parameters[i].size())),
                   fmt::format("Write {} for what the program gave.", kOfProgram)};
    }
    raw.parameters[i] = std::move(bytes);
  }
  return std::make_shared<const RawArguments>(std::move(raw));
}

namespace {

/// A window's simulation shares the computer with its user.
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 28;
constexpr std::uint32_t kFirstThreads = 64;
/// The most memory for the trace of a program's launch: the size of its buffers is given.
constexpr std::uint64_t kMostOfProgram = 400'000'000;
constexpr const char* kNoProgramData =
    "The program's data is not here. Run the program again, and choose its launch.";

std::string gridFault(const LaunchForm& form) {
  const auto grid = form.readGrid();
  if (!grid) return grid.error().sentence();
  return grid->count() == 0 ? "A grid has at least 1 block." : "";
}

/// `signature`: bounds the block too, unless it is nullptr.
std::string blockFault(const LaunchForm& form, const KernelSignature* signature) {
  const auto block = form.readBlock();
  if (!block) return block.error().sentence();
  const bool fits = block->x <= kMaxBlockThreads && block->y <= kMaxBlockThreads && block->z <= kMaxBlockZ &&
                    block->count() > 0 && block->count() <= kMaxBlockThreads;
  if (!fits) return kBlockLimitsText;
  if (signature == nullptr || signature->mostThreads == 0 || block->count() <= signature->mostThreads)
    return "";
  return fmt::format("{} is compiled for at most {} threads per block: see its __launch_bounds__.",
                     signature->name, withCommas(signature->mostThreads));
}

std::string sharedFault(const LaunchForm& form) {
  const auto bytes = form.readDynamicShared();
  if (!bytes) return bytes.error().sentence();
  return *bytes <= kMaxSharedBytes
             ? ""
             : fmt::format("A block has at most {} bytes.", withCommas(kMaxSharedBytes));
}

/// A scalar may be a number alone: its type is the parameter's.
std::string completed(const std::string& spec, const KernelParameter* parameter) {
  const bool isNumber = parameter != nullptr && !parameter->isPointer && !parameter->element.empty() &&
                        !spec.empty() && spec.find_first_of(":=") == std::string::npos && !isOfProgram(spec);
  return isNumber ? parameter->element + "=" + spec : spec;
}

std::string argumentFault(const std::string& spec, const KernelParameter* parameter) {
  const auto argument = parseArgument(completed(spec, parameter));
  if (!argument) return argument.error().sentence();
  if (parameter == nullptr) return "";
  const std::string way = parameter->suggestion(kFirstThreads);
  const std::string hint = way.empty() ? "" : fmt::format(" Write {}, for instance.", way);
  const auto argumentNoun = [](bool isBuffer, bool isStruct) {
    return isBuffer ? "buffer" : isStruct ? "struct" : "scalar";
  };
  const std::string_view wanted = argumentNoun(parameter->isPointer, parameter->isStruct);
  const std::string_view found = argumentNoun(argument->isBuffer, argument->isStruct);
  if (wanted != found) return fmt::format("{} is a {}, not a {}.{}", parameter->name, wanted, found, hint);
  if (parameter->isStruct || argument->isStruct) return "";  // the launch checks its fields
  if (parameter->element.empty() || parameter->isOfTemplate) return "";
  const auto isReal = [](std::string_view type) { return type.starts_with('f') || type == "bf16"; };
  const auto bytes = [](std::string_view type) {
    if (type == "bf16") return type;  // no 16 bits of half
    return type == "f32x4" ? std::string_view("32") : type.substr(1);
  };
  const std::string_view type = argumentTypeName(argument->type);
  const bool fits = isReal(type) == isReal(parameter->element) &&
                    (!argument->isBuffer || bytes(type) == bytes(parameter->element));
  return fits ? "" : fmt::format("{} is {}, not {}.{}", parameter->name, parameter->type, type, hint);
}

std::string kernelFault(const LaunchForm& form, const KernelSignature* signature) {
  if (signature == nullptr) {
    return form.kernel.empty() ? "Choose a kernel: a function that begins with __global__ void."
                               : fmt::format("The text has no kernel named '{}'.", form.kernel);
  }
  const bool isTemplate = !signature->templateParameters.empty();
  if (isTemplate && form.templateArguments.empty()) {
    return fmt::format("{} is a template: give its arguments, as {}.", form.kernel,
                       signature->templateDefaults);
  }
  if (!isTemplate && !form.templateArguments.empty())
    return fmt::format("{} is not a template: leave this empty.", form.kernel);
  return "";
}

}  // namespace

const std::vector<std::string>& fillNames() {
  static const std::vector<std::string> kNames(kFillNames.begin(), kFillNames.end());
  return kNames;
}

std::string withFill(const std::string& spec, const std::string& fill) {
  const std::size_t begin = spec.find(':');
  const std::size_t end = begin == std::string::npos ? begin : spec.find(':', begin + 1);
  if (end == std::string::npos || spec.find('{') != std::string::npos) return spec;
  return spec.substr(0, begin + 1) + fill + spec.substr(end);
}

namespace {

/// The place of a field's value in a spec.
struct FieldRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<FieldRange> fieldRanges(const std::string& spec) {
  std::vector<FieldRange> ranges;
  const std::size_t open = spec.find('{');
  if (!spec.starts_with("struct:{")) return ranges;
  std::size_t depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open; at < spec.size(); ++at) {
    if (spec[at] == '{') ++depth;
    if (spec[at] == '}') --depth;
    const bool ends = (spec[at] == ',' && depth == 1) || depth == 0;
    if (!ends) continue;
    const std::string_view text = std::string_view(spec).substr(begin, at - begin);
    const std::size_t name = text.find_first_of("=:{");
    const bool isNamed = name != std::string_view::npos && text[name] == '=' &&
                         text.find_first_of(":{", name) != std::string_view::npos;
    ranges.push_back({isNamed ? begin + name + 1 : begin, at});
    begin = at + 1;
    if (depth == 0) return ranges;
  }
  return {};
}

}  // namespace

std::vector<std::string> splitFields(const std::string& spec) {
  std::vector<std::string> fields;
  for (const FieldRange& range : fieldRanges(spec))
    fields.push_back(spec.substr(range.begin, range.end - range.begin));
  return fields;
}

std::string withField(const std::string& spec, std::size_t i, const std::string& text) {
  const std::vector<FieldRange> ranges = fieldRanges(spec);
  if (i >= ranges.size()) return spec;
  return spec.substr(0, ranges[i].begin) + text + spec.substr(ranges[i].end);
}

LaunchForm withElements(LaunchForm form, const Strategy& strategy, ElementType from, ElementType to) {
  const std::string before = std::string(argumentTypeName(toArgumentType(from))) + ":";
  for (std::size_t i = 0; i < form.arguments.size() && i < strategy.parameters.size(); ++i) {
    std::string& spec = form.arguments[i];
    if (isOfElements(strategy.parameters[i]) && spec.starts_with(before))
      spec = std::string(argumentTypeName(toArgumentType(to))) + ":" + spec.substr(before.size());
  }
  if (const auto bytes = readSize(form.dynamicShared); bytes && strategy.shared != SharedFloats::None)
    form.dynamicShared = std::to_string(*bytes / elementBytes(from) * elementBytes(to));
  return form;
}

LaunchForm withOperator(LaunchForm form, const Strategy& strategy, const std::string& op) {
  const std::string before = std::exchange(form.templateArguments, op);
  const std::string_view from = kFillNames[static_cast<std::size_t>(fillFor(before))];
  const std::string_view to = kFillNames[static_cast<std::size_t>(fillFor(op))];
  if (from == to) return form;
  for (std::size_t i = 0; i < form.arguments.size() && i < strategy.parameters.size(); ++i) {
    std::string& spec = form.arguments[i];
    if (strategy.parameters[i] == Parameter::In && spec == withFill(spec, std::string(from)))
      spec = withFill(spec, std::string(to));
  }
  return form;
}

std::string LaunchForm::kernelName() const {
  return templateArguments.empty() ? kernel : kernel + "<" + templateArguments + ">";
}

bool FormFaults::any() const {
  const auto isSaid = [](const std::string& fault) { return !fault.empty(); };
  return isSaid(kernel) || isSaid(grid) || isSaid(block) || isSaid(dynamicShared) ||
         std::ranges::any_of(arguments, isSaid);
}

namespace {

/// The columns and rows of a first block of two dimensions, of at most `most` threads.
std::pair<std::uint64_t, std::uint64_t> chooseTile(const KernelSignature& signature, std::uint64_t most) {
  std::uint64_t columns = signature.tileColumns;
  std::uint64_t rows = signature.tileRows;
  if (columns == 0 || rows == 0 || columns > kMaxBlockThreads / rows) columns = rows = KernelSignature::kTile;
  while (columns * rows > most) {
    std::uint64_t& larger = rows >= columns ? rows : columns;
    larger = (larger + 1) / 2;
  }
  return {columns, rows};
}

}  // namespace

LaunchForm formFor(const KernelSignature& signature) {
  LaunchForm form;
  form.kernel = signature.name;
  form.templateArguments = signature.templateDefaults;
  const std::uint64_t most = signature.mostThreads == 0 ? kMaxBlockThreads : signature.mostThreads;
  std::uint64_t threads = std::min<std::uint64_t>(kFirstThreads, most);
  std::uint64_t side = kFirstThreads;  // the value for whole numbers
  std::uint64_t count = kFirstThreads;
  if (signature.dimensions == 1) {
    form.block = std::to_string(threads);
    form.grid = signature.readsBlocks ? std::to_string((count + threads - 1) / threads) : "1";
  } else if (signature.dimensions == 2) {
    const auto [columns, rows] = chooseTile(signature, most);
    threads = columns * rows;
    side = (signature.readsBlocks ? 2 : 1) * std::max(columns, rows);
    count = side * side;
    form.block = fmt::format("{},{}", columns, rows);
    form.grid = signature.readsBlocks ? fmt::format("{},{}", side / columns, side / rows) : "1";
  } else {
    form.block = threads == kFirstThreads ? "4,4,4" : std::to_string(threads);
    side = 4;
  }
  if (signature.hasDynamicShared) {
    const std::uint64_t floats =
        signature.dimensions == 1 ? threads : 2 * threads;  // a product has two tiles
    form.dynamicShared = std::to_string(floats * sizeof(float));
  }
  for (const KernelParameter& parameter : signature.parameters)
    form.arguments.push_back(parameter.suggestion(count, side));
  return form;
}

LaunchForm completed(LaunchForm form, const std::vector<KernelSignature>& kernels) {
  const KernelSignature* const signature = findSignature(kernels, form.kernel);
  for (std::size_t i = 0; signature != nullptr && i < form.arguments.size(); ++i) {
    if (i < signature->parameters.size())
      form.arguments[i] = completed(form.arguments[i], &signature->parameters[i]);
  }
  return form;
}

LaunchForm makeForm(const Launch& launch) {
  LaunchForm form;
  static_cast<LaunchSpec&>(form) = makeSpec(launch);
  const std::size_t bracket = launch.kernel.find('<');
  form.kernel.resize(std::min(bracket, form.kernel.size()));
  if (bracket != std::string::npos && launch.kernel.ends_with('>'))
    form.templateArguments = launch.kernel.substr(bracket + 1, launch.kernel.size() - bracket - 2);
  return form;
}

const KernelSignature* findSignature(const std::vector<KernelSignature>& kernels, const std::string& name) {
  const auto found = std::ranges::find(kernels, name, &KernelSignature::name);
  return found == kernels.end() ? nullptr : &*found;
}

FormFaults checkForm(const LaunchForm& form, const KernelSignature* signature) {
  FormFaults faults;
  faults.kernel = kernelFault(form, signature);
  faults.grid = gridFault(form);
  faults.block = blockFault(form, signature);
  faults.dynamicShared = sharedFault(form);
  for (std::size_t i = 0; i < form.arguments.size(); ++i) {
    if (isOfProgram(form.arguments[i])) {
      faults.arguments.emplace_back(form.captured != nullptr ? "" : kNoProgramData);
      continue;
    }
    const bool known = signature != nullptr && i < signature->parameters.size();
    faults.arguments.push_back(argumentFault(form.arguments[i], known ? &signature->parameters[i] : nullptr));
  }
  return faults;
}

Result<Launch> bindLaunch(const LaunchForm& form, std::shared_ptr<const SourceText> source,
                          const MachineModel& machine) {
  for (std::string fault : {gridFault(form), blockFault(form, nullptr), sharedFault(form)}) {
    if (!fault.empty()) return Error{std::move(fault), ""};
  }
  Launch launch;
  launch.source = std::move(source);
  launch.machine = machine;
  launch.limits.memoryBytes = kMostMemory;
  launch.limits.warpInstructions = kMostInstructions;
  LaunchSpec spec = form;
  spec.kernel = form.kernelName();
  if (form.captured != nullptr) {
    auto raw = rawArguments(form);
    if (!raw) return raw.error();
    launch.raw = std::move(*raw);
    launch.isCooperative = form.captured->launch.isCooperative;
    launch.limits.traceBytes = kMostOfProgram;
    spec.arguments.clear();
  } else if (std::ranges::any_of(form.arguments, isOfProgram)) {
    return Error{kNoProgramData, ""};
  }
  return bindLaunch(spec, std::move(launch));
}

}  // namespace lanescope
