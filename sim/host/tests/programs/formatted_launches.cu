// Launches as editors format them, tasks that wait for the clock, and a graph of the thread's own stream.
#include <cstdio>
#include <vector>

__device__ void sleepFor(long long clocks) {
	const long long start = clock64();
	while (clock64() - start < clocks);
}

__global__ void task(int number, long long clocks)
{
	sleepFor(clocks);
	printf("task %d has waited\n", number);
}

template <int N>
__global__ void add(int* sum)
{
	atomicAdd(sum, N);
}

void runTasks(int count)
{
	for (int i = 0; i < count; i++)
		task << <1, 1, 0, cudaStreamPerThread >> > (i, 1'000'000'000LL);
}

void addOnStreams(int* sum, int count)
{
	cudaEvent_t begin;
	cudaEventCreate(&begin);
	cudaEventRecord(begin, cudaStreamPerThread);
	std::vector<cudaStream_t> streams(count);
	std::vector<cudaEvent_t> ends(count);
	for (int i = 0; i < count; i++) {
		cudaStreamCreate(&streams[i]);
		cudaEventCreate(&ends[i]);
		cudaStreamWaitEvent(streams[i], begin);
		add<4> << < dim3(2), dim3(8, 1 << 1), 0, streams[i] >> > (sum);
		cudaEventRecord(ends[i], streams[i]);
	}
	for (int i = 0; i < count; i++) {
		cudaStreamWaitEvent(cudaStreamPerThread, ends[i]);
		cudaStreamDestroy(streams[i]);
		cudaEventDestroy(ends[i]);
	}
	cudaEventDestroy(begin);
}

int main()
{
	runTasks(2);
	cudaDeviceSynchronize();

	int* sum;
	cudaMallocManaged(&sum, sizeof(int));
	*sum = 0;
	cudaGraph_t graph;
	cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal);
	addOnStreams(sum, 3);
	cudaStreamEndCapture(cudaStreamPerThread, &graph);
	cudaGraphExec_t exec;
	cudaGraphInstantiate(&exec, graph, 0);
	for (int i = 0; i < 2; i++) cudaGraphLaunch(exec, cudaStreamPerThread);
	cudaStreamSynchronize(cudaStreamPerThread);
	printf("sum %d of 768: %s\n", *sum, cudaGetErrorName(cudaGetLastError()));
	printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidPc), cudaGetErrorString(cudaErrorInvalidPc));
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
	cudaFree(sum);
	return 0;
}
