#pragma once

#include "kernels/strategies/experiment.h"
#include "kernels/worker/bench_rules.h"

/// What a run of an experiment times: pure rules, shared by the worker and by whoever asks it.
namespace lanescope {

/// The run that a request for an experiment makes: its N, block, type of element and cache state. Errors, one
/// sentence each: no experiment of that id, an N over 2^31.
Result<BenchRequest> benchOf(const ExperimentRequest& request);

/// Every kernel of the experiment, by the name that its times are recorded under (Variant::series). Errors:
/// those of variantsOf(), and a kernel that cannot be launched over the request's N.
Result<std::vector<Contender>> contendersOf(const Experiment& experiment, const BenchRequest& request);

/// `There is no experiment 'x'.`, and the ids that there are.
Error noSuchExperiment(std::string_view id);

}  // namespace lanescope
