#include "kernels/protocol/experiment_options.h"

namespace lanescope {

CLI::App* addExperimentCommand(CLI::App& app, ExperimentOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "experiment", "Time the kernels of shipped experiments, those of each in one interleaved run");
  command->add_option("id", options.ids, "experiments, by id (default: all of them)");
  command->add_option("--max-samples", options.maxSamples, "the most samples of a series (default 40)")
      ->check(CLI::Range(1u, 10000u));
  command->add_option("--record", options.record, "Also write the messages to FILE: a recording")
      ->type_name("FILE");
  return command;
}

Result<std::vector<ExperimentRequest>> makeExperimentRequests(const ExperimentOptions& options) {
  std::vector<std::string> ids = options.ids;
  if (ids.empty()) {
    for (const Experiment& experiment : experiments()) ids.push_back(experiment.id);
  }
  std::vector<ExperimentRequest> requests;
  for (const std::string& id : ids) {
    if (findExperiment(id) == nullptr) return noSuchExperiment(id);
    requests.push_back({requests.size() + 1, id, 0, options.maxSamples});
  }
  return requests;
}

}  // namespace lanescope
