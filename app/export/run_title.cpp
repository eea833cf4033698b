#include "app/export/run_title.h"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/pictures/base/scene_builder.h"
#include "app/workbench/text_buffer.h"
#include "app/launch/launch_form.h"
#include "app/launch/strategy_launch.h"

namespace lanescope {
namespace {

/// Letters and digits in lower case, everything else as one dash.
std::string plainName(std::string_view text) {
  std::string name;
  for (const char letter : text) {
    const bool isUpper = letter >= 'A' && letter <= 'Z';
    if (isUpper || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
      name += static_cast<char>(isUpper ? letter - 'A' + 'a' : letter);
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

/// `max` of `reduce<max>`; empty without template arguments.
std::string_view templateArguments(std::string_view kernel) {
  const std::size_t bracket = kernel.find('<');
  if (bracket == std::string_view::npos || !kernel.ends_with('>')) return {};
  return kernel.substr(bracket + 1, kernel.size() - bracket - 2);
}

/// The differences of the launch from the strategy's own, if it has one.
void addLaunch(const LaunchForm& now, const std::optional<LaunchForm>& own, std::vector<std::string>& parts) {
  if (now.grid != "1") parts.push_back("grid " + now.grid);
  parts.push_back("block " + now.block);
  const bool hasShared = own ? now.dynamicShared != own->dynamicShared : now.dynamicShared != "0";
  if (hasShared) parts.push_back(now.dynamicShared + " bytes of dynamic shared memory");
  std::vector<std::string> data;
  for (std::size_t i = 0; i < now.arguments.size(); ++i) {
    if (!own || i >= own->arguments.size() || now.arguments[i] != own->arguments[i])
      data.push_back(now.arguments[i]);
  }
  if (!data.empty()) parts.push_back(fmt::format("data {}", fmt::join(data, " ")));
}

}  // namespace

RunTitle titleOfRun(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks, const Launch& launch,
                    const TextFacts& facts, const Dim3* traced) {
  const ElementType type = facts.element;
  const bool isEdited = !facts.isOwn;
  // Its own launch for that type and operator; the operator is named unless it is the strategy's first.
  const std::string op = findKind(launch, &strategy).op;
  const auto ownLaunch = makeLaunch(strategy, n, blocks, launch.machine, type, op);
  std::optional<LaunchForm> own;
  if (ownLaunch) own = makeForm(*ownLaunch);
  const LaunchForm form = makeForm(launch);
  const bool isOwnLaunch = own && form.grid == own->grid && form.block == own->block &&
                           form.dynamicShared == own->dynamicShared && form.arguments == own->arguments;
  const bool isOtherElement = type != ElementType::Float;
  const std::string arguments(templateArguments(launch.kernel));
  const bool isOtherKernel = own && form.kernel != own->kernel && !form.kernel.empty();
  const bool isOtherTemplate =
      !op.empty() || (!arguments.empty() && (!own || arguments != own->templateArguments));

  std::vector<std::string> parts;
  if (isOtherKernel) parts.push_back("kernel " + form.kernel);
  if (isOtherElement) parts.emplace_back(elementTypeName(type));
  if (isOtherTemplate) parts.push_back(strategy.operators.empty() ? "<" + arguments + ">" : arguments);
  const std::string name = fmt::format("{}{}", strategy.id, isEdited ? "-edited" : "");
  RunTitle title;
  title.isOwn = isOwnLaunch && parts.empty() && !isEdited;
  if (isOwnLaunch) {
    parts.push_back(fmt::format("N = {}", n));
  } else {
    addLaunch(form, own, parts);
  }
  const std::string before = plainName(fmt::format("{}", fmt::join(parts, " ")));
  if (launch.grid.count() > 1 && traced == nullptr && isOwnLaunch)
    parts.push_back(counted(launch.grid.count(), "block"));
  if (launch.grid.count() > 1 && traced != nullptr) {
    const std::uint64_t number =
        traced->x + std::uint64_t{launch.grid.x} * (traced->y + std::uint64_t{launch.grid.y} * traced->z);
    parts.push_back(fmt::format("block {} of {}", number + 1, launch.grid.count()));
  }
  title.text = fmt::format("{}{}, {} on {}", strategy.title, isEdited ? " (edited)" : "",
                           fmt::join(parts, ", "), launch.machine.name);
  title.name = title.isOwn ? fmt::format("{}-n{}", strategy.id, n) : name + "-" + before;
  return title;
}

RunTitle titleOfFile(const Launch& launch, std::string_view kernelName, std::string_view original) {
  const bool isEdited = !original.empty() && plainText(original) != plainText(launch.source->text());
  RunTitle title;
  title.text = fmt::format("{}{}, {} per block, on {}", kernelName, isEdited ? " (edited)" : "",
                           counted(launch.block.count(), "thread"), launch.machine.name);
  title.name = plainName(kernelName) + (isEdited ? "-edited" : "");
  title.isOwn = !isEdited;
  return title;
}

}  // namespace lanescope
