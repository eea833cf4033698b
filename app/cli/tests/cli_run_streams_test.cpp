// The order of a program's streams and its host by `lanescope-cli run`: each mistake is reported, and its
// corrected program runs without a report.
#include "app/cli/tests/run_main.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

constexpr const char* kKernels = R"(#include <cstdio>
#include <fstream>
#include <thread>
#include <unistd.h>
__global__ void make(int* x) { x[threadIdx.x] = threadIdx.x; } __global__ void use(const int* x, int* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
__global__ void odd(int* x, int o) { x[2 * threadIdx.x + o] = o; }
)";

/// A program around these kernels, with streams s and t, an event e, and buffers a and b of 256 ints on the
/// device, h pinned, m managed and r of the host.
Outcome runStreams(const std::string& body, const std::string& flags = "cudaStreamDefault") {
  const ScratchFolder scratch;
  const std::string text =
      std::string(kKernels) +
      "int main() {\nint *a, *b, *h, *m, r[256]; cudaStream_t s, t; cudaEvent_t e;\n" +
      "cudaStreamCreateWithFlags(&s, " + flags + "); cudaStreamCreateWithFlags(&t, " + flags + ");\n" +
      "cudaEventCreate(&e); cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaMallocHost(&h, 1024);\n" +
      "cudaMallocManaged(&m, 1024); cudaMemset(a, 0, 1024); cudaMemset(b, 0, 1024); "
      "cudaDeviceSynchronize();\n" +
      body +
      "\ncudaDeviceSynchronize(); cudaMemcpy(r, b, 1024, cudaMemcpyDeviceToHost); printf(\"%d\\n\", r[77]);\n"
      "cudaStreamDestroy(s); cudaStreamDestroy(t); cudaEventDestroy(e); cudaFree(a); cudaFree(b); "
      "cudaFreeHost(h);\n"
      "cudaFree(m); }\n";
  return runCli({"run", scratch.write("p.cu", text)});
}

void expectInOrder(const std::string& body, const std::string& flags = "cudaStreamDefault") {
  EXPECT_EQ(reportOf(runStreams(body, flags)), "") << body;
}

TEST(CliStreams, TwoOfThemNeedAnEvent) {
  const std::string make = "make<<<1, 256, 0, s>>>(a);\n";
  const std::string use = "use<<<1, 256, 0, t>>>(a, b);";
  EXPECT_SAYS(reportOf(runStreams(make + use)));
  EXPECT_SAYS(reportOf(runStreams(make + "cudaEventRecord(e, t); cudaStreamWaitEvent(t, e);\n" + use)));
  EXPECT_SAYS(reportOf(runStreams("use<<<1, 256, 0, t>>>(a, b);\ncudaMemsetAsync(a, 0, 1024, s);")));
  expectInOrder(make + "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e);\n" + use);
  expectInOrder(make + "cudaEventRecord(e, s); cudaEventSynchronize(e);\n" + use);
  expectInOrder(make + "cudaEventRecord(e, s); while (cudaEventQuery(e) == cudaErrorNotReady) {}\n" + use);
  expectInOrder(make + "cudaStreamSynchronize(s);\n" + use);
  expectInOrder(make + "use<<<1, 256, 0, s>>>(a, b);");
}

TEST(CliStreams, TheDefaultStreamWaitsForBlockingOnes) {
  const std::string body = "make<<<1, 256, 0, s>>>(a);\nuse<<<1, 256>>>(a, b);\nmake<<<1, 256, 0, t>>>(b);";
  expectInOrder(body);
  EXPECT_SAYS(reportOf(runStreams(body, "cudaStreamNonBlocking")));
}

TEST(CliStreams, OnlyBytesThatBothTouchCount) {
  expectInOrder("odd<<<1, 128, 0, s>>>(b, 0); odd<<<1, 128, 0, t>>>(b, 1);");
  EXPECT_SAYS(reportOf(runStreams("odd<<<1, 128, 0, s>>>(b, 0); odd<<<1, 128, 0, t>>>(b, 2);")));
  expectInOrder("use<<<1, 128, 0, s>>>(a, b); use<<<1, 128, 0, t>>>(a, b + 128);");
}

TEST(CliStreams, PinnedMemoryIsNotTheHostsUntilItWaits) {
  const std::string copy = "cudaMemcpyAsync(h, a, 1024, cudaMemcpyDeviceToHost, s);\n";
  const std::string read = "r[0] = h[5]; printf(\"%d\\n\", r[0]);";
  EXPECT_SAYS(reportOf(runStreams(copy + read)));
  EXPECT_SAYS(reportOf(runStreams(copy + "cudaStreamSynchronize(t);\n" + read)));
  expectInOrder(copy + "cudaStreamSynchronize(s);\n" + read);
  // A copy to pageable memory is done when the call returns.
  expectInOrder("cudaMemcpyAsync(r, a, 1024, cudaMemcpyDeviceToHost, s);\nprintf(\"%d\\n\", r[5]);");
  const std::string send =
      "for (int i = 0; i < 256; ++i) h[i] = 1;\n"
      "cudaMemcpyAsync(a, h, 1024, cudaMemcpyHostToDevice, s);\n";
  EXPECT_SAYS(reportOf(runStreams(send + "h[3] = 2;")));
  expectInOrder(send + "printf(\"%d\\n\", h[3]);");  // both only read it
  expectInOrder(send + "cudaStreamSynchronize(s); h[3] = 2;");
}

TEST(CliStreams, MappedMemoryIsNotEither) {
  const std::string launch = "for (int i = 0; i < 256; ++i) h[i] = 1;\nuse<<<1, 256>>>(h, b);\n";
  EXPECT_SAYS(reportOf(runStreams(launch + "h[3] = 2;")));
  expectInOrder(launch + "cudaDeviceSynchronize(); h[3] = 2;");
  EXPECT_SAYS(reportOf(runStreams("make<<<1, 256, 0, s>>>(h);\nprintf(\"%d\\n\", h[3]);")));
}

TEST(CliStreams, ManagedMemoryOfNoKernelIsTheHosts) {
  const std::string launch = "make<<<1, 256, 0, s>>>(m);\n";
  EXPECT_SAYS(reportOf(runStreams(launch + "m[3] = 2;")));
  expectInOrder("make<<<1, 128, 0, s>>>(m);\ncudaStreamSynchronize(s); m[3] = 2;");
  expectInOrder("make<<<1, 256, 0, s>>>(a);\nm[3] = 2;");
}

TEST(CliStreams, TheOtherHalfOfABufferIsTheHosts) {
  const std::string copy =
      "char *p, *q; cudaMallocHost(&p, 16384); cudaMalloc(&q, 8192); cudaMemset(q, 1, 8192);\n"
      "cudaDeviceSynchronize(); cudaMemcpyAsync(p, q, 8192, cudaMemcpyDeviceToHost, s);\n";
  const std::string free = " cudaDeviceSynchronize(); cudaFreeHost(p); cudaFree(q);";
  const Outcome outcome = runStreams(copy +
                                     "FILE* f = fopen(\"/dev/zero\", \"rb\"); p[8192] = 1;\n"
                                     "printf(\"%zu\\n\", fread(p + 8192, 1, 8192, f)); fclose(f);" +
                                     free);
  EXPECT_TRUE(outcome.output.starts_with("8192\n")) << outcome.output;
  EXPECT_EQ(reportOf(outcome), "");
  EXPECT_SAYS(reportOf(runStreams(copy + "p[4096] = 1;" + free)));
}

// The system would answer EFAULT, and the program would not learn why.
TEST(CliStreams, ACallThatUsesMemoryInFlightWorksAndIsReported) {
  const std::string set =
      "int* p; cudaMallocManaged(&p, 16384); for (int i = 0; i < 4096; ++i) p[i] = 7;\n"
      "FILE* f = fopen(\"/dev/null\", \"w\"); FILE* z = fopen(\"/dev/zero\", \"r\");\n"
      "std::ifstream in(\"/dev/zero\"); setvbuf(z, nullptr, _IONBF, 0); long got = 0;\n"
      "make<<<1, 1024, 0, s>>>(p); make<<<1, 1024, 0, s>>>(p + 1024);\n";
  const std::string end =
      "\nprintf(\"%ld %d\\n\", got, p[5]); cudaDeviceSynchronize(); fclose(f); fclose(z); cudaFree(p);";
  const auto check = [&](const std::string& call, const std::string& result) {
    const Outcome outcome = runStreams(set + call + end);
    EXPECT_TRUE(outcome.output.starts_with(result + "\n")) << call << outcome.output << outcome.complaint;
    return reportOf(outcome);
  };
  EXPECT_SAYS(check("got = read(fileno(z), p, 16384);", "16384 0"));
  EXPECT_SAYS(check("got = write(fileno(f), p + 64, 8192);", "8192 5"));
  EXPECT_SAYS(check("got = fread(p, 4, 4096, z);", "4096 0"));
  EXPECT_SAYS(check("got = fwrite(p, 4, 4096, f);", "4096 5"));
  EXPECT_SAYS(check("in.read((char*)p, 16384); got = in.gcount();", "16384 0"));
  EXPECT_EQ(check("got = read(fileno(z), p + 2048, 8192); cudaDeviceSynchronize();", "8192 5"), "");
  EXPECT_EQ(check("cudaStreamSynchronize(s); got = read(fileno(z), p, 16384);", "16384 0"), "");
}

TEST(CliStreams, AVolumeIsCopiedInItsStream) {
  const std::string copy =
      "cudaMemcpy3DParms c{}; c.srcPtr = make_cudaPitchedPtr(a, 256, 256, 4);\n"
      "c.dstPtr = make_cudaPitchedPtr(h, 256, 256, 4); c.extent = make_cudaExtent(256, 4, 1);\n"
      "c.kind = cudaMemcpyDeviceToHost; cudaMemcpy3DAsync(&c, s);\n";
  EXPECT_SAYS(reportOf(runStreams(copy + "printf(\"%d\\n\", h[3]);")));
  expectInOrder(copy + "cudaStreamSynchronize(s); printf(\"%d\\n\", h[3]);");
}

TEST(CliStreams, HostThreadsHaveStreamsOfTheirOwn) {
  const std::string work = "] { for (int i = 0; i < 300; ++i) {\n";
  expectInOrder(
      "std::thread one([=" + work +
      "make<<<1, 256, 0, s>>>(a); cudaMemsetAsync(a, 0, 1024, s); } cudaStreamSynchronize(s); });\n" +
      "std::thread two([=" + work +
      "make<<<1, 256, 0, t>>>(b); cudaMemsetAsync(b, 0, 1024, t); } cudaStreamSynchronize(t); });\n" +
      "one.join(); two.join();");
}

// Launches are watched for two seconds in all; then their parameters tell what they may touch.
TEST(CliStreams, LaterLaunchesAreGuessed) {
  const std::string launches =
      "int *n, *big; cudaMallocManaged(&n, 1024); cudaMalloc(&big, 1 << 20); n[0] = 1;\n"
      "for (auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2500);\n"
      "     std::chrono::steady_clock::now() < end;) { make<<<1, 1024, 0, s>>>(big); }\n"
      "cudaDeviceSynchronize();\nmake<<<1, 256, 0, s>>>(m);\n";
  const Outcome outcome = runStreams(launches + "n[0] = 2; make<<<1, 128, 0, t>>>(m + 128);\nm[3] = 2;\n" +
                                     "cudaDeviceSynchronize(); cudaFree(n); cudaFree(big);");
  expectSays(outcome, "order of streams and host: not looked for in ");
  EXPECT_SAYS(reportOf(outcome));
}

// Their memory is protected while it is in flight, also between two launches.
TEST(CliStreams, AThreadOfTheHostThatReadsTooEarlyIsOnlyTold) {
  const Outcome outcome = runStreams(
      "int* n; cudaMallocManaged(&n, 1 << 20); volatile bool isDone = false; long sum = 0;\n"
      "std::thread reader([&] { while (!isDone) for (int i = 0; i < 1 << 18; i += 1024)\n"
      "    sum += ((volatile int*)n)[i]; });\n"
      "for (int i = 0; i < 2000; ++i) { make<<<1, 1024, 0, s>>>(n + 1024 * (i % 256));\n"
      "  if (i % 3 == 0) cudaDeviceSynchronize(); }\n"
      "isDone = true; reader.join(); cudaDeviceSynchronize(); cudaFree(n);");
  EXPECT_EQ(outcome.status, 0) << outcome.complaint;
  EXPECT_EQ(outcome.output, "0\n");
}

TEST(CliStreams, SaysWhatIsTooMuchToFollow) {
  const ScratchFolder scratch;
  const std::string path = scratch.write("p.cu", R"(#include <cstdio>
__global__ void other(char* x) { x[2 * (blockIdx.x * blockDim.x + threadIdx.x)] = 1; }
__global__ void pages(int* x) { x[2048 * blockIdx.x + threadIdx.x] = 1; }
int main(int argc, char**) {
  char* bytes; int* x; const int most = 1024 + argc - 1;
  cudaMallocManaged(&bytes, 1 << 18); cudaMallocManaged(&x, size_t(8192) * most);
  other<<<64 + argc - 1, 1024>>>(bytes);
  cudaDeviceSynchronize();
  pages<<<most, 1024>>>(x);
  cudaDeviceSynchronize();
  cudaFree(bytes); cudaFree(x);
}
)");
  EXPECT_EQ(runCli({"run", path}).complaint.find("not looked for"), std::string::npos);
  const Outcome more = runCli({"run", path, "more"});
  expectSays(more, "order of streams and host: not looked for in 1 launch\n");
  expectSays(more, "early use by the host: not looked for in 1 range of pages, as too many were in flight\n");
}

TEST(CliStreams, AHostFunctionOfAGraphMayNotCall) {
  const Outcome outcome = runStreams(
      "static int error = 0; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphExec_t x;\n"
      "cudaHostNodeParams p{}; p.fn = [](void*) { error = cudaDeviceSynchronize(); };\n"
      "cudaGraphAddHostNode(&n, g, nullptr, 0, &p); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s);\n"
      "printf(\"%s\\n\", cudaGetErrorName((cudaError_t)error)); cudaGraphExecDestroy(x); "
      "cudaGraphDestroy(g);");
  EXPECT_TRUE(outcome.output.starts_with("cudaErrorNotPermitted\n")) << outcome.output << outcome.complaint;
}

TEST(CliStreams, AHostFunctionHasItsTurn) {
  const std::string begin =
      "static int sum = 0; cudaMemcpyAsync(h, a, 1024, cudaMemcpyDeviceToHost, s);\n"
      "cudaLaunchHostFunc(s, [](void* p) { sum = ((int*)p)[3]; ((int*)p)[3] = 7; }, h);\n";
  expectInOrder(begin + "cudaStreamSynchronize(s); printf(\"%d\\n\", h[3]);");
  EXPECT_SAYS(reportOf(runStreams(begin + "printf(\"%d\\n\", h[3]);")));
}

TEST(CliStreams, AllocationsAndFreesOfStreamsAreWork) {
  const std::string allocate = "int* d; cudaMallocAsync(&d, 1024, s);\n";
  EXPECT_SAYS(reportOf(runStreams(allocate + "make<<<1, 256, 0, s>>>(d); cudaFreeAsync(d, t);")));
  EXPECT_SAYS(reportOf(
      runStreams(allocate + "make<<<1, 256, 0, t>>>(d); cudaStreamSynchronize(t); cudaFreeAsync(d, s);")));
  expectInOrder(allocate + "make<<<1, 256, 0, s>>>(d); cudaFreeAsync(d, s);");
  expectInOrder(allocate +
                "cudaEventRecord(e, s); cudaStreamWaitEvent(t, e); make<<<1, 256, 0, t>>>(d); "
                "cudaEventRecord(e, t); cudaStreamWaitEvent(s, e); cudaFreeAsync(d, s);");
}

}  // namespace
}  // namespace lanescope::cli
