#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "sim/host/include/lanescope_api.h"

// Streams, events and graphs behind CUDA's opaque handles. Work is done at once, in the order of the calls,
// so that a stream keeps none; a stream that is being captured hands its work to a graph.

struct LanescopeGraphNode {
  enum class Kind { Kernel, Memcpy, Memset, Host, Graph, Empty } kind = Kind::Empty;
  std::function<cudaError_t()> work;
  bool isRoot = false;  ///< it has no predecessors
};

struct LanescopeGraph {
  std::vector<LanescopeGraphNode*> nodes;  ///< in the order of their creation, which their edges agree with
  std::vector<cudaStream_t> streams;       ///< the streams captured into it
};

struct LanescopeGraphExec {
  std::vector<LanescopeGraphNode> nodes;
  std::vector<const LanescopeGraphNode*> made;  ///< the graph's nodes, by which this instance's are changed
};

struct LanescopeStream {
  unsigned int flags = 0;
  int priority = 0;
  LanescopeGraph* captured = nullptr;  ///< that takes its work
};

struct LanescopeEvent {
  std::chrono::steady_clock::time_point time;
  bool isRecorded = false;
  bool isTiming = true;
  LanescopeGraph* captured = nullptr;  ///< the graph whose work comes before the event
};

namespace lanescope::host {

using NodeKind = LanescopeGraphNode::Kind;

/// The stream behind a handle, including cudaStreamPerThread; nullptr: the default one.
LanescopeStream* findStream(cudaStream_t stream);
/// The graph that a stream is captured into; nullptr: it is not.
LanescopeGraph* findGraph(cudaStream_t stream);
/// A new node of a graph.
cudaGraphNode_t addNode(LanescopeGraph& graph, NodeKind kind, std::function<cudaError_t()> work);

/// Does the work, or adds it to the graph that the stream is captured into.
template <class Work>
cudaError_t submit(cudaStream_t stream, NodeKind kind, Work work) {
  LanescopeGraph* const graph = findGraph(stream);
  if (graph == nullptr) return work();
  addNode(*graph, kind, std::move(work));
  return cudaSuccess;
}

/// A launch of a kernel by its function, with the current values of the arguments.
struct LaunchExtents {
  dim3 grid;
  dim3 block;
  std::size_t sharedBytes = 0;
};
std::function<cudaError_t()> keptLaunch(const void* function, const LaunchExtents& extents, void** arguments);
/// Sets elements of 1, 2 or 4 bytes, row by row.
cudaError_t fillElements(const cudaMemsetParams& parameters);

}  // namespace lanescope::host
