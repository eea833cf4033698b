// A graph built node by node: a child graph, its roots and types, a clone, and new parameters for an instance; a
// memory pool of the program's own, limits, and the window of a stream in the L2 cache.
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t error = (call);                                                            \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
  } while (0)

__global__ void add(int* values, int amount, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += amount;
}

const int n = 64;

cudaKernelNodeParams parametersOf(void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)add;
  parameters.gridDim = dim3(2);
  parameters.blockDim = dim3(32);
  parameters.kernelParams = arguments;
  return parameters;
}

int first(const int* device) {
  int value;
  CHECK(cudaMemcpy(&value, device, sizeof(int), cudaMemcpyDeviceToHost));
  return value;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  int* values;
  CHECK(cudaMallocFromPoolAsync(&values, n * sizeof(int), pool, stream));
  CHECK(cudaStreamSynchronize(stream));

  cudaGraph_t graph, child, clone;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));
  int amount = 5, count = n;
  void* arguments[] = {&values, &amount, &count};
  cudaKernelNodeParams kernel = parametersOf(arguments);
  cudaGraphNode_t inChild, clear, nested, last;
  CHECK(cudaGraphAddKernelNode(&inChild, child, nullptr, 0, &kernel));
  cudaMemsetParams zero = {};
  zero.dst = values;
  zero.elementSize = 4;
  zero.width = n;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));
  CHECK(cudaGraphAddChildGraphNode(&nested, graph, &clear, 1, child));
  CHECK(cudaGraphAddKernelNode(&last, graph, &nested, 1, &kernel));

  size_t nodes = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  std::vector<cudaGraphNode_t> each(nodes);
  CHECK(cudaGraphGetNodes(graph, each.data(), &nodes));
  int types[6] = {};
  for (cudaGraphNode_t node : each) {
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    ++types[type];
  }
  printf("%zu nodes, %zu root: %d kernel, %d memset, %d graph\n", nodes, roots, types[cudaGraphNodeTypeKernel],
         types[cudaGraphNodeTypeMemset], types[cudaGraphNodeTypeGraph]);

  cudaGraphExec_t exec, ofClone;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphInstantiate(&ofClone, clone, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("after a launch %d\n", first(values));
  amount = 100;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, last, &kernel));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("with another amount %d\n", first(values));
  CHECK(cudaGraphLaunch(ofClone, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("of the clone %d\n", first(values));

  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  size_t heap;
  CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  cudaStreamAttrValue window = {};
  window.accessPolicyWindow.base_ptr = values;
  window.accessPolicyWindow.num_bytes = n * sizeof(int);
  window.accessPolicyWindow.hitRatio = 1.0f;
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window));
  CHECK(cudaCtxResetPersistingL2Cache());
  printf("heap %zu MiB\n", heap >> 20);

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(ofClone));
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(child));
  CHECK(cudaFreeAsync(values, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolDestroy(pool));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
