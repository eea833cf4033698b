#pragma once

#include "kernels/strategies/experiment.h"
#include "kernels/protocol/bench_rules.h"

/// The contents of a run of an experiment: pure rules, shared by the worker and its clients.
namespace lanescope {

/// The run of a request for an experiment: its N, block, type of element and cache state. Errors, one
/// sentence each: no experiment of that id, an N over 2^31.
Result<BenchRequest> makeBench(const ExperimentRequest& request);

/// Every kernel of the experiment, by the name of its recorded times (Variant::series). Errors: those of
/// makeVariants(), and a kernel that cannot be launched over the request's N.
Result<std::vector<Contender>> makeContenders(const Experiment& experiment, const BenchRequest& request);

/// `There is no experiment 'x'.`, and the valid ids.
Error noSuchExperiment(std::string_view id);

}  // namespace lanescope
