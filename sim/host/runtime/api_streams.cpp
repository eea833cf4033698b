#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "sim/host/runtime/device.h"

// The CUDA runtime's streams and events.
namespace lanescope::host {

namespace {

cudaError_t waitedFor(const StreamOrder::Clock& clock) {
  device().synchronize(clock);
  return device().keep(cudaSuccess);
}

cudaError_t waitedFor(cudaStream_t stream) {
  if (findGraph(stream) != nullptr) return device().keep(cudaErrorStreamCaptureUnsupported);
  device().synchronizeStream(stream);
  return device().keep(cudaSuccess);
}

}  // namespace
}  // namespace lanescope::host

using namespace lanescope::host;  // NOLINT(google-build-using-namespace): the functions below are CUDA's

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  if (stream == nullptr) return device().keep(cudaErrorInvalidValue);
  *stream = std::make_unique<LanescopeStream>(LanescopeStream{flags, priority, nullptr}).release();
  device().numberOf(*stream);
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  const LanescopeStream* const own = findStream(stream);
  *flags = own == nullptr ? 0 : own->flags;
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const LanescopeStream* const own = findStream(stream);
  *priority = own == nullptr ? 0 : own->priority;
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (findStream(stream) == nullptr || stream == cudaStreamPerThread)
    return device().keep(cudaErrorInvalidResourceHandle);
  if (stream->captured != nullptr) std::erase(stream->captured->streams, stream);
  const std::unique_ptr<LanescopeStream> owned(stream);
  device().endStream(*owned);
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return waitedFor(stream); }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return waitedFor(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  LanescopeStream* const own = findStream(stream);
  if (event->captured != nullptr && own != nullptr && own->captured == nullptr) {
    own->captured = event->captured;
    event->captured->streams.push_back(own);
  }
  if (event->captured == nullptr) device().waitInStream(stream, event->clock);
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  const InStream in(stream);
  device().callHost([=] { callback(stream, device().sticky(), data); });
  return device().keep(cudaSuccess);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return submit(stream, NodeKind::Host, [=] {
    device().callHost([=] { function(data); });
    return device().keep(cudaSuccess);
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  auto created = std::make_unique<LanescopeEvent>();
  created->isTiming = (flags & cudaEventDisableTiming) == 0;
  *event = created.release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  event->captured = findGraph(stream);
  if (event->captured == nullptr) event->clock = device().clockOf(stream);
  event->time = std::chrono::steady_clock::now();
  event->isRecorded = true;
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event == nullptr ? device().keep(cudaErrorInvalidResourceHandle) : waitedFor(event->clock);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const bool isRight = milliseconds != nullptr && start != nullptr && end != nullptr && start->isRecorded &&
                       end->isRecorded && start->isTiming && end->isTiming;
  if (!isRight) return device().keep(cudaErrorInvalidResourceHandle);
  device().sayTimesAreSimulated();
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return device().keep(cudaSuccess);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return device().keep(cudaErrorInvalidResourceHandle);
  const std::unique_ptr<LanescopeEvent> owned(event);
  return device().keep(cudaSuccess);
}

namespace lanescope::host {
// The CUDA runtime's graphs: recorded by capturing streams or built node by node, and run node by node in the
// order of their creation.

LanescopeStream* findStream(cudaStream_t stream) {
  static thread_local LanescopeStream perThread;
  if (stream == cudaStreamPerThread) return &perThread;
  return stream == cudaStreamLegacy ? nullptr : stream;
}

LanescopeGraph* findGraph(cudaStream_t stream) {
  const LanescopeStream* const own = findStream(stream);
  return own == nullptr ? nullptr : own->captured;
}

cudaGraphNode_t addNode(LanescopeGraph& graph, NodeKind kind, std::function<cudaError_t()> work) {
  const bool isFirst = graph.nodes.empty();
  graph.nodes.push_back(
      std::make_unique<LanescopeGraphNode>(LanescopeGraphNode{kind, std::move(work), isFirst}).release());
  return graph.nodes.back();
}

namespace {

/// Adds a node that comes after `count` others.
cudaError_t addTo(cudaGraph_t graph, cudaGraphNode_t* node, NodeKind kind, std::size_t count,
                  std::function<cudaError_t()> work) {
  if (graph == nullptr || node == nullptr) return device().keep(cudaErrorInvalidValue);
  *node = addNode(*graph, kind, std::move(work));
  (*node)->isRoot = count == 0;
  return device().keep(cudaSuccess);
}

std::function<cudaError_t()> makeLaunch(const cudaKernelNodeParams& p) {
  return keptLaunch(p.func, {p.gridDim, p.blockDim, p.sharedMemBytes}, p.kernelParams);
}

cudaError_t runAll(const std::vector<LanescopeGraphNode>& nodes) {
  for (const LanescopeGraphNode& node : nodes) {
    if (const cudaError_t error = node.work(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

std::vector<LanescopeGraphNode> copyNodes(const LanescopeGraph& graph) {
  std::vector<LanescopeGraphNode> nodes;
  for (const LanescopeGraphNode* const node : graph.nodes) nodes.push_back(*node);
  return nodes;
}

/// New work for a node of an instance.
cudaError_t change(LanescopeGraphExec& exec, const LanescopeGraphNode* node, NodeKind kind,
                   std::function<cudaError_t()> work) {
  const auto found = std::ranges::find(exec.originals, node);
  if (found == exec.originals.end() || node->kind != kind) return device().keep(cudaErrorInvalidValue);
  exec.nodes[static_cast<std::size_t>(found - exec.originals.begin())].work = std::move(work);
  return device().keep(cudaSuccess);
}

cudaError_t list(const std::vector<LanescopeGraphNode*>& all, cudaGraphNode_t* nodes, size_t* count) {
  if (nodes != nullptr) std::copy_n(all.begin(), std::min(*count, all.size()), nodes);
  *count = all.size();
  return device().keep(cudaSuccess);
}

void endCapture(LanescopeGraph& graph) {
  for (const cudaStream_t stream : graph.streams) stream->captured = nullptr;
  graph.streams.clear();
}

}  // namespace
}  // namespace lanescope::host

using namespace lanescope::host;  // NOLINT(google-build-using-namespace): the functions below are CUDA's

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
  *graph = std::make_unique<LanescopeGraph>().release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return device().keep(cudaErrorInvalidValue);
  const std::unique_ptr<LanescopeGraph> owned(graph);
  endCapture(*owned);
  for (LanescopeGraphNode* const node : owned->nodes) const std::unique_ptr<LanescopeGraphNode> ended(node);
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return list(graph->nodes, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  std::vector<LanescopeGraphNode*> roots;
  std::ranges::copy_if(graph->nodes, std::back_inserter(roots), &LanescopeGraphNode::isRoot);
  return list(roots, nodes, count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  *type = static_cast<cudaGraphNodeType>(node->kind);
  return device().keep(cudaSuccess);
}
cudaError_t lanescopeAddDependencies(const cudaGraphNode_t* to, size_t count) {
  for (std::size_t n = 0; n < count; ++n) to[n]->isRoot = false;
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  cudaGraphCreate(clone, 0);
  for (const LanescopeGraphNode* const node : graph->nodes)
    addNode(**clone, node->kind, node->work)->isRoot = node->isRoot;
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                       size_t count, cudaGraph_t child) {
  return addTo(graph, node, NodeKind::Graph, count, [nodes = copyNodes(*child)] { return runAll(nodes); });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  if (node->kind != NodeKind::Kernel) return device().keep(cudaErrorInvalidValue);
  node->work = makeLaunch(*parameters);
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return change(*exec, node, NodeKind::Kernel, makeLaunch(*parameters));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return change(*exec, node, NodeKind::Memset, [p = *parameters] { return fillElements(p); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
  return change(*exec, node, NodeKind::Memcpy,
                [=] { return cudaMemcpyAsync(to, from, bytes, kind, nullptr); });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                   size_t count, const cudaKernelNodeParams* parameters) {
  return addTo(graph, node, NodeKind::Kernel, count, makeLaunch(*parameters));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                   size_t count, const cudaMemcpy3DParms* parameters) {
  return addTo(graph, node, NodeKind::Memcpy, count,
               [p = *parameters] { return cudaMemcpy3DAsync(&p, nullptr); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  return addTo(graph, node, NodeKind::Memcpy, count,
               [=] { return cudaMemcpyAsync(to, from, bytes, kind, nullptr); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                   size_t count, const cudaMemsetParams* parameters) {
  return addTo(graph, node, NodeKind::Memset, count, [p = *parameters] { return fillElements(p); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                 size_t count, const cudaHostNodeParams* parameters) {
  return addTo(graph, node, NodeKind::Host, count, [p = *parameters] {
    device().callHost([p] { p.fn(p.userData); });
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                  size_t count) {
  return addTo(graph, node, NodeKind::Empty, count, [] { return cudaSuccess; });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (exec == nullptr || graph == nullptr) return device().keep(cudaErrorInvalidValue);
  auto instance = std::make_unique<LanescopeGraphExec>();
  instance->nodes = copyNodes(*graph);
  instance->originals.assign(graph->nodes.begin(), graph->nodes.end());
  *exec = instance.release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, void*) {
  if (exec->nodes.size() != graph->nodes.size()) return device().keep(cudaErrorGraphExecUpdateFailure);
  for (std::size_t n = 0; n < exec->nodes.size(); ++n) exec->nodes[n] = *graph->nodes[n];
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  if (exec == nullptr) return device().keep(cudaErrorInvalidValue);
  const InStream in(stream);
  return device().keep(runAll(exec->nodes));
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const std::unique_ptr<LanescopeGraphExec> owned(exec);
  return device().keep(cudaSuccess);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  LanescopeStream* const own = findStream(stream);
  if (own == nullptr) return device().keep(cudaErrorStreamCaptureUnsupported);
  if (own->captured != nullptr) return device().keep(cudaErrorIllegalState);
  own->captured = std::make_unique<LanescopeGraph>().release();
  own->captured->streams.push_back(own);
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  LanescopeGraph* const captured = findGraph(stream);
  if (captured == nullptr) return device().keep(cudaErrorIllegalState);
  endCapture(*captured);
  *graph = captured;
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = findGraph(stream) != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return device().keep(cudaSuccess);
}
