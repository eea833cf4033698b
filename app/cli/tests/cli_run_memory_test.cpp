// A program's memory by `lanescope-cli run`: addresses that a kernel must not use, and bytes that were never
// written. Each mistake is reported, and its corrected program runs without a report.
#include "app/cli/tests/run_main.h"
#include "sim/tests/golden_text.h"

namespace lanescope::cli {
namespace {

Outcome runProgram(const std::string& text, const std::string& define = "") {
  const ScratchFolder scratch;
  std::vector<std::string> arguments{"run", scratch.write("p.cu", "#include <cstdio>\n" + text)};
  if (!define.empty()) arguments.push_back("-D" + define);
  return runCli(arguments);
}

void expectSilent(const std::string& text, const std::string& define = "") {
  EXPECT_EQ(reportOf(runProgram(text, define)), "");
}

/// A program around a kernel `k` of 64 threads over `in` and `out` of 64 floats.
std::string overFloats(const std::string& body, const std::string& copy = "cudaMemset(a, 0, 256);") {
  return "__global__ void k(const float* in, float* out, int n) { int i = threadIdx.x; " + body + " }\n" +
         "int main() { float *a, *b, h[64] = {}; cudaMalloc(&a, 256); cudaMalloc(&b, 256);\n" + copy + "\n" +
         "k<<<1, 64>>>(a, b, 64);\ncudaDeviceSynchronize(); cudaFree(a); cudaFree(b); return h[0]; }\n";
}

TEST(CliAddresses, ANegativeIndexIsOne) {
  EXPECT_SAYS(reportOf(runProgram(overFloats("out[i] = in[i - 2];"))));
  EXPECT_SAYS(reportOf(runProgram(overFloats("out[n - 65 - i] = in[i];"))));
  expectSilent(overFloats("out[i] = i < 2 ? 0 : in[i - 2];"));
}

TEST(CliAddresses, AnIndexThatWrappedIsTold) {
  EXPECT_SAYS(reportOf(runProgram(overFloats("out[i] = in[threadIdx.x - 1];"))));
  EXPECT_SAYS(reportOf(runProgram(overFloats("out[i] = in[(i + 70000) * 70000];"))));
  EXPECT_SAYS(reportOf(runProgram(overFloats("for (unsigned j = n - 1; j >= 0; --j) out[i] += in[j];"))));
  EXPECT_SAYS(reportOf(runProgram(
      overFloats("for (int j = i + 2147483000; j < 2147483640; j += blockDim.x) out[j - 2147483000] = 1;"))));
  // The sum is not where the index comes from.
  EXPECT_SAYS(
      reportOf(runProgram(overFloats("int big = 2147483647 + i; out[i] = big; out[i + n * n] = 1;"))));
  expectSilent(overFloats("long long j = (long long)i * 70000; out[i] = j < 64 ? in[j] : 0;"));
}

TEST(CliAddresses, APointerOfTheHostIsOne) {
  const std::string kernel =
      "struct S { int* p; };\n__global__ void k(int* p) { p[threadIdx.x] = 1; }\n"
      "__global__ void l(S s) { s.p[threadIdx.x] = 1; }\n__device__ int g[4];\n";
  const auto told = [&](const std::string& body) {
    return reportOf(runProgram(kernel + "int main() {\n" + body + "\ncudaDeviceSynchronize(); }\n"));
  };
  EXPECT_SAYS(told("int h[4]; k<<<1, 4>>>(h);"));
  EXPECT_SAYS(told("int* h = new int[4]; k<<<1, 4>>>(h);"));
  EXPECT_SAYS(told("S s{new int[4]}; l<<<1, 4>>>(s);"));
  EXPECT_SAYS(told("k<<<1, 4>>>(g);"));
  EXPECT_SAYS(told("k<<<1, 4>>>(nullptr);"));
  EXPECT_EQ(told("int* d; cudaGetSymbolAddress((void**)&d, g); k<<<1, 4>>>(d);"), "");
}

TEST(CliAddresses, FreedMemoryIsTheFirstThingSaid) {
  const std::string kernel = "__global__ void k(int* p) { p[threadIdx.x] += 1; }\n";
  EXPECT_SAYS(reportOf(runProgram(kernel + "int main() { int* d;\ncudaMalloc(&d, 64); cudaMemset(d, 0, 64);\n"
                                           "cudaFree(d);\nk<<<1, 4>>>(d); cudaDeviceSynchronize(); }\n")));
}

TEST(CliAddresses, CopiesOfTheWrongKindAreToldOf) {
  const std::string begin =
      "__constant__ float w[4];\nint main() { float h[4] = {1, 2, 3, 4}, g[4] = {}, *a, *b;\n"
      "cudaMalloc(&a, 16); cudaMalloc(&b, 16); cudaMemcpy(a, h, 16, cudaMemcpyHostToDevice);\n";
  const std::string end =
      "\ncudaMemcpy(g, b, 16, cudaMemcpyDeviceToHost); printf(\"%g\\n\", g[3]);\n"
      "cudaFree(a); cudaFree(b); }\n";
  // As measured on an H200: within the device the copy is done, and from host to host it is not.
  for (const char* const kind : {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"}) {
    const Outcome outcome =
        runProgram(begin + "printf(\"%d\\n\", cudaMemcpy(b, a, 16, " + kind + "));" + end);
    EXPECT_EQ(outcome.output, "0\n4\n");
    EXPECT_SAYS(reportOf(outcome));
  }
  const Outcome ofHost = runProgram(
      "int main() { float h[4] = {1, 2, 3, 4}, g[4] = {};\n"
      "printf(\"%d %g\\n\", cudaMemcpy(g, h, 16, cudaMemcpyHostToDevice), g[3]); }\n");
  EXPECT_EQ(ofHost.output, "1 0\n");
  EXPECT_SAYS(reportOf(
      runProgram(begin + "cudaMemcpy(w, h, 16, cudaMemcpyHostToDevice); cudaMemset(b, 0, 16);" + end)));
  EXPECT_SAYS(reportOf(
      runProgram(begin + "cudaMemcpy(g, w, 16, cudaMemcpyDeviceToHost); cudaMemset(b, 0, 16);" + end)));
  expectSilent(begin + "cudaMemcpyToSymbol(w, h, 16); cudaMemcpy(b, a, 16, cudaMemcpyDeviceToDevice);" + end);
}

TEST(CliAddresses, TheHostPastTheEndOfManagedMemory) {
  const std::string begin = "int main() { int* a;\ncudaMallocManaged(&a, 4096);\nfor (int i = 0; i < ";
  const std::string end = "; ++i) a[i] = i;\nprintf(\"%d\\n\", a[1000]); cudaFree(a); }\n";
  const Outcome outcome = runProgram(begin + "2000" + end);
  EXPECT_EQ(outcome.output, "1000\n");
  EXPECT_SAYS(reportOf(outcome));
  expectSilent(begin + "1024" + end);
}

TEST(CliUnwritten, AKernelReadsWhatWasNeverWritten) {
  EXPECT_SAYS(reportOf(runProgram(overFloats("out[i] += in[i];"))));
  EXPECT_SAYS(reportOf(runProgram(overFloats("if (in[i] > 0) out[i] = 1;", ""))));
  EXPECT_SAYS(reportOf(runProgram(overFloats("atomicAdd(&out[i % 4], in[i]);"))));
  expectSilent(overFloats("out[i] = in[i]; out[i] += 1;"));
  expectSilent(overFloats("out[i] += in[i];", "cudaMemset(a, 0, 256); cudaMemset(b, 0, 256);"));
}

// A variable that another value has by then, and a store that runs again.
TEST(CliUnwritten, AnotherValueIsNoMistake) {
  expectSilent(overFloats("float v = out[i]; out[i] = v; v = in[i]; out[i] = v; out[i] += 1;"));
  expectSilent(overFloats("float v = out[i]; if (i < n) v = in[i]; out[i] = v + 1;"));
  expectSilent(overFloats("float v = out[i]; float w = i < n ? 1.0f : v; out[i] = w + 1;"));
  expectSilent(
      overFloats("float v = out[i]; for (int j = 0; j < 2; ++j) { out[i] = v; v = in[i]; } out[i] += 1;"));
  EXPECT_SAYS(
      reportOf(runProgram(overFloats("float v; if (i < n) v = out[i]; else v = 0; out[i] = v + 1;"))));
}

// A choice uses only the value that is taken, lane by lane.
TEST(CliUnwritten, OnlyTheValueTakenCounts) {
  for (const std::string body :
       {"float w = i < n ? in[i] : v; out[i] = w + 1;", "float w = i < n ? 1.0f : v; out[i] = w + 1;",
        "float w = i < n ? in[i] : v * 2; out[i] = w + 1;", "out[i] = i < n ? in[i] : v; out[i] += 1;",
        "if (i >= n) out[i] = v + 1;", "float w; if (i < n) w = in[i]; else w = v; out[i] = w + 1;",
        "if (i >= n) return; v = 1; out[i] = v + 1;", "if (i < n) return; out[i] = v + 1;",
        "float s = 0; for (int j = 0; j < n; ++j) s += j < n ? in[j] : v; out[i] = s;",
        "for (int j = 0; j < 2; ++j) { if (j == i / 32) v = in[i]; } out[i] = v + 1;",
        "v = __shfl_sync(~0u, i < n ? in[i] : v, i ^ 1); out[i] = v + 1;"})
    expectSilent(overFloats("float v = out[i]; " + body));
  const auto told = [](const std::string& body) {
    return reportOf(runProgram(overFloats("float v = out[i]; " + body)));
  };
  EXPECT_SAYS(told("float w = i < 40 ? in[i] : v; out[i] = w + 1;"));
  EXPECT_SAYS(told("float w = i == 63 ? v : 1.0f; out[i] = w + 1;"));
  EXPECT_SAYS(told("if (i != 7) v = in[i]; out[i] = v + 1;"));
  EXPECT_SAYS(told("if (i < 50) return; out[i] = v + 1;"));
  EXPECT_SAYS(told("float s = 0; for (int j = 0; j < n; ++j) s += in[j]; if (i == 9) s += v; out[i] = s;"));
  // The copy's target is not written, either.
  EXPECT_SAYS(told("out[i] = i < 8 ? in[i] : v; out[i] += 1;"));
}

TEST(CliUnwritten, AnExchangeReadsOnlyForItsResult) {
  expectSilent(overFloats("atomicExch(&out[i], in[i]); out[i] += 1;"));
  EXPECT_SAYS(reportOf(runProgram(overFloats("out[i] = atomicExch(&out[i], in[i]) + 1;"))));
}

TEST(CliUnwritten, TheMistakeIsNamed) {
  const auto copies = [](const std::string& bytes) {
    return overFloats("out[i] = 2 * in[i];",
                      "float* p = h; cudaMemcpy(a, h, " + bytes + ", cudaMemcpyHostToDevice); p[0] = 0;");
  };
  EXPECT_SAYS(reportOf(runProgram(copies("64"))));
  EXPECT_SAYS(reportOf(runProgram(copies("sizeof p"))));
  expectSilent(copies("sizeof h"));
  const std::string grid =
      "__global__ void fill(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) "
      "a[i] = i; }\n"
      "__global__ void twice(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) "
      "a[i] *= 2; }\n"
      "int main() { const int n = 1000; float* a, h[n]; cudaMalloc(&a, 4 * n);\nfill<<<BLOCKS, 256>>>(a, "
      "n);\n"
      "#ifdef KERNEL\ntwice<<<(n + 255) / 256, 256>>>(a, n);\n#endif\n"
      "cudaMemcpy(h, a, 4 * n, cudaMemcpyDeviceToHost);\nprintf(\"%g\\n\", h[5]); cudaFree(a); }\n";
  EXPECT_SAYS(reportOf(runProgram("#define BLOCKS n / 256\n" + grid)));
  EXPECT_SAYS(reportOf(runProgram("#define BLOCKS n / 256\n#define KERNEL\n" + grid)));
  expectSilent("#define BLOCKS (n + 255) / 256\n" + grid);
  expectSilent("#define BLOCKS (n + 255) / 256\n#define KERNEL\n" + grid);
}

// Padding between fields, an element of a vector and the other half of a buffer are copied along, and only
// their use is reported.
TEST(CliUnwritten, ACopyCarriesItAlong) {
  const std::string program =
      "struct P { char c; double d; };\nstruct alignas(16) Q { float x, y, z; };\n"
      "__global__ void make(P* p, Q* q, float4* v) { int i = threadIdx.x; p[i].c = 1; p[i].d = 2; q[i].x = "
      "q[i].y = 1; "
      "q[i].z = 3; v[i].x = v[i].y = v[i].z = 1; }\n"
      "__global__ void move(P* p, Q* q, float4* v) { int i = threadIdx.x; p[i + 32] = p[i]; q[i + 32] = "
      "q[i]; "
      "v[i + 32] = v[i]; }\n"
      "__global__ void use(P* p, Q* q, float4* v, float* o) { int i = threadIdx.x; P a = p[i + 32]; Q b = "
      "q[i + 32]; "
      "float4 c = v[i + 32];\no[i] = a.c + a.d + b.x + b.y + b.z + c.x + c.y + c.z;\n"
      "#ifdef W\no[i] += c.w;\n#endif\n}\n"
      "int main() { P* p; Q* q; float4* v; float *o, h[32]; cudaMalloc(&p, 64 * sizeof(P)); "
      "cudaMalloc(&q, 64 * sizeof(Q)); cudaMalloc(&v, 64 * sizeof(float4)); cudaMalloc(&o, 128);\n"
      "make<<<1, 32>>>(p, q, v); move<<<1, 32>>>(p, q, v); use<<<1, 32>>>(p, q, v, o);\n"
      "cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); printf(\"%g\\n\", h[3]);\n"
      "cudaFree(p); cudaFree(q); cudaFree(v); cudaFree(o); }\n";
  expectSilent(program);
  EXPECT_SAYS(reportOf(runProgram(program, "W")));
  const std::string half =
      "__global__ void half(int* a) { a[threadIdx.x] = 1; }\n"
      "__global__ void use(const int* a, int* o) { o[threadIdx.x] = a[threadIdx.x] + 1; }\n"
      "int main() { int *a, *b, *o, h[64]; cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMalloc(&o, 256);\n"
      "half<<<1, 32>>>(a); cudaMemcpy(b, a, 256, cudaMemcpyDeviceToDevice); use<<<1, THREADS>>>(b, o);\n"
      "cudaMemcpy(h, o, 4 * THREADS, cudaMemcpyDeviceToHost); cudaFree(a); cudaFree(b); cudaFree(o); }\n";
  expectSilent("#define THREADS 32\n" + half);
  EXPECT_SAYS(reportOf(runProgram("#define THREADS 64\n" + half)));
}

TEST(CliUnwritten, ManagedAndPitchedMemoryToo) {
  const std::string managed =
      "__global__ void add(int* a, int* s) { s[threadIdx.x] += a[threadIdx.x]; }\n"
      "int main() { int *a, *s; cudaMallocManaged(&a, 128); cudaMallocManaged(&s, 128);\n"
      "for (int i = 0; i < 32; ++i) a[i] = i;\n#ifdef ZERO\nfor (int i = 0; i < 32; ++i) s[i] = 0;\n#endif\n"
      "add<<<1, 32>>>(a, s); cudaDeviceSynchronize(); printf(\"%d\\n\", s[5]); cudaFree(a); cudaFree(s); }\n";
  EXPECT_SAYS(reportOf(runProgram(managed)));
  expectSilent(managed, "ZERO");
  const std::string pitched =
      "__global__ void sum(char* a, size_t pitch, float* o) { float s = 0; for (int x = 0; x < 37; ++x) "
      "s += ((float*)(a + threadIdx.x * pitch))[x]; o[threadIdx.x] = s; }\n"
      "int main() { char* a; size_t pitch; float *o, m[20][37] = {}; cudaMallocPitch(&a, &pitch, 148, 20); "
      "cudaMalloc(&o, 80);\ncudaMemcpy2D(a, pitch, m, 148, 148, ROWS, cudaMemcpyHostToDevice);\n"
      "sum<<<1, 20>>>(a, pitch, o); cudaDeviceSynchronize(); cudaFree(a); cudaFree(o); }\n";
  EXPECT_SAYS(reportOf(runProgram("#define ROWS 19\n" + pitched)));
  expectSilent("#define ROWS 20\n" + pitched);
}

}  // namespace
}  // namespace lanescope::cli
