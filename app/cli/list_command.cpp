#include <fmt/format.h>

#include "app/cli/commands.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/json.h"

namespace lanescope::cli {
namespace {

/// `lanescope.strategies/1`.
Report listStrategies() {
  Report report("lanescope.strategies/1");
  report.add("strategies", {}).add("machines", {});
  ReportTable table({{"", -1}, {"", -1}}, 0, 2);
  std::string_view chapter;
  for (const Strategy& strategy : strategies()) {
    report.add("strategies", {{"id", strategy.id},
                              {"title", strategy.title},
                              {"chapter", strategy.chapter},
                              {"summary", strategy.summary},
                              {"kernel", strategy.kernel},
                              {"elements_per_thread", strategy.elementsPerThread}});
    if (strategy.chapter != chapter)
      table.say(fmt::format("{}{}:", chapter.empty() ? "" : "\n", strategy.chapter));
    chapter = strategy.chapter;
    table.row({std::string(strategy.id), std::string(strategy.summary)});
  }
  table.say("\nmachines:");
  for (const MachineModel& machine : machinePresets()) {
    report.add("machines", {{"name", machine.name}, {"description", machine.description}});
    table.row({std::string(machine.name), std::string(machine.description)});
  }
  return report.print(table);
}

}  // namespace

Command addListCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("list", "List the strategies and the machines");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON");
  return {command, [json] { return printed(listStrategies(), *json); }};
}

}  // namespace lanescope::cli
