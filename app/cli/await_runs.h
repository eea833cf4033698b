#pragma once

#include <memory>

#include "app/session/gpu/worker_client.h"

namespace lanescope::cli {

/// Waits until the worker has done its `runs` runs or has failed; returns its last view. A line of progress
/// on a terminal's stderr. Control-C cancels the runs: see wasInterrupted().
std::shared_ptr<const WorkerView> awaitRuns(WorkerClient& client, std::size_t runs);

/// Whether Control-C has cancelled what awaitRuns() waited for.
bool wasInterrupted();

}  // namespace lanescope::cli
