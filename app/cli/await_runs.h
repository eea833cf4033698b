#pragma once

#include <memory>

#include "app/gpu/worker_client.h"

namespace lanescope::cli {

/// Waits until the worker has finished its `runs` runs or has failed; returns its last view. Prints a line of
/// progress if stderr is a terminal. Control-C cancels the runs: see wasInterrupted().
std::shared_ptr<const WorkerView> awaitRuns(WorkerClient& client, std::size_t runs);

/// True if Control-C has cancelled the runs of awaitRuns().
bool wasInterrupted();

}  // namespace lanescope::cli
