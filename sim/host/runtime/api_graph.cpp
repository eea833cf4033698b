// The CUDA runtime's graphs: recorded by capturing streams or built node by node, and done node by node in
// the order in which they were made.
#include <algorithm>
#include <memory>

#include "sim/host/runtime/device.h"
#include "sim/host/runtime/streams.h"

namespace lanescope::host {

LanescopeStream* streamOf(cudaStream_t stream) {
  static thread_local LanescopeStream perThread;
  if (stream == cudaStreamPerThread) return &perThread;
  return stream == cudaStreamLegacy ? nullptr : stream;
}

LanescopeGraph* graphOf(cudaStream_t stream) {
  const LanescopeStream* const own = streamOf(stream);
  return own == nullptr ? nullptr : own->captured;
}

cudaGraphNode_t addNode(LanescopeGraph& graph, NodeKind kind, std::function<cudaError_t()> work) {
  graph.edges += graph.nodes.empty() ? 0 : 1;
  graph.nodes.push_back(
      std::make_unique<LanescopeGraphNode>(LanescopeGraphNode{kind, std::move(work)}).release());
  return graph.nodes.back();
}

namespace {

cudaError_t addTo(cudaGraph_t graph, cudaGraphNode_t* node, NodeKind kind,
                  std::function<cudaError_t()> work) {
  if (graph == nullptr || node == nullptr) return device().keep(cudaErrorInvalidValue);
  *node = addNode(*graph, kind, std::move(work));
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
  if (nodes != nullptr) std::copy_n(graph->nodes.begin(), std::min(*count, graph->nodes.size()), nodes);
  *count = graph->nodes.size();
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams* parameters) {
  const cudaKernelNodeParams& p = *parameters;
  return addTo(graph, node, NodeKind::Kernel,
               keptLaunch(p.func, {p.gridDim, p.blockDim, p.sharedMemBytes}, p.kernelParams));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                   const cudaMemcpy3DParms* parameters) {
  return addTo(graph, node, NodeKind::Memcpy, [p = *parameters] { return cudaMemcpy3D(&p); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                     void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return addTo(graph, node, NodeKind::Memcpy,
               [=] { return cudaMemcpyAsync(to, from, bytes, kind, nullptr); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                   const cudaMemsetParams* parameters) {
  return addTo(graph, node, NodeKind::Memset, [p = *parameters] { return fillElements(p); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                 const cudaHostNodeParams* parameters) {
  return addTo(graph, node, NodeKind::Host, [p = *parameters] {
    device().synchronize();
    p.fn(p.userData);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t) {
  return addTo(graph, node, NodeKind::Empty, [] { return cudaSuccess; });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (exec == nullptr || graph == nullptr) return device().keep(cudaErrorInvalidValue);
  auto made = std::make_unique<LanescopeGraphExec>();
  for (const LanescopeGraphNode* const node : graph->nodes) made->nodes.push_back(*node);
  *exec = made.release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, void*) {
  if (exec->nodes.size() != graph->nodes.size()) return device().keep(cudaErrorGraphExecUpdateFailure);
  for (std::size_t n = 0; n < exec->nodes.size(); ++n) exec->nodes[n] = *graph->nodes[n];
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
  if (exec == nullptr) return device().keep(cudaErrorInvalidValue);
  for (const LanescopeGraphNode& node : exec->nodes) {
    if (const cudaError_t error = node.work(); error != cudaSuccess) return error;
  }
  return device().keep(cudaSuccess);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const std::unique_ptr<LanescopeGraphExec> owned(exec);
  return device().keep(cudaSuccess);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  LanescopeStream* const own = streamOf(stream);
  if (own == nullptr) return device().keep(cudaErrorStreamCaptureUnsupported);
  if (own->captured != nullptr) return device().keep(cudaErrorIllegalState);
  own->captured = std::make_unique<LanescopeGraph>().release();
  own->captured->streams.push_back(own);
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  LanescopeGraph* const captured = graphOf(stream);
  if (captured == nullptr) return device().keep(cudaErrorIllegalState);
  endCapture(*captured);
  *graph = captured;
  return device().keep(cudaSuccess);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = graphOf(stream) != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return device().keep(cudaSuccess);
}
