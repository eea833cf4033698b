// What the distance of a warp's accesses costs beyond sectors, bytes of DRAM and requests to L2: the
// question that coalescing.cu leaves open. h200-distance.txt has what an H200 measured of it. One kernel, one
// machine code: every case reads one word of each of 2^24 units, each unit once, 32 units per warp
// instruction. A unit is a line of 128 bytes but in H. The units' addresses are computed from arguments.
//   nvcc -O3 -arch=native distance.cu -o distance && ./distance    median times, L2 flushed before each
//   ncu --cache-control all --metrics ... ./distance once          one launch of each, as in order.txt
// It needs 33 GiB of memory.
//
// near, far: every line of 2 GiB, or one line of 2^p: gap4 and gap8 (p = 1) of coalescing.cu.
// R, runs: 2^r adjacent lines are read, the rest of 2^(r+p) is skipped. The run from which on the time is
//   that of near is the unit that counts.
// J, jitter: which run of a period is read is a hash of its number. Faster only if the fixed address bits of
//   far burden some slices of L2 or channels of DRAM more than others.
// W, warps: every line, as in near, but the lines of a warp are 2^d lines apart, and warps that run at about
//   the same time read the lines in between.
// S, scatter: pieces of 4 KiB, each one warp's, in a scattered order over 2 to 32 GiB: the TLB's reach.
// H, halves: one sector of each 64 bytes; the two of a line by one warp, or by two (twice the requests).
// G: near, far and H under cudaLimitMaxL2FetchGranularity 32, 64 (the default) and 128.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t e = (call);                                      \
    if (e != cudaSuccess) {                                      \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

constexpr unsigned kLines = 1u << 24;  // loads of one lane in all, each of a unit of its own

// Where the t-th load goes, in units of 2^unit bytes.
struct Layout {
  unsigned unit = 7;     // log2 of the unit's bytes: 7 a line, 6 half of it
  unsigned run = 0;      // log2 of the units in a run
  unsigned period = 0;   // log2 of the runs' period in runs: 0 dense, 1 every second
  unsigned jitter = 0;   // 1: which run of a period is read depends on its number
  unsigned span = 0;     // log2 of the distance of a warp's lanes in loads
  unsigned scatter = 1;  // an odd number: the pieces' order
};

__global__ void loads(const char* in, float* out, Layout l) {
  const unsigned stride = gridDim.x * blockDim.x;
  float sum = 0;
  for (unsigned t = blockIdx.x * blockDim.x + threadIdx.x; t < kLines; t += stride) {
    const unsigned low = (1u << l.span) - 1;
    const unsigned window = t & ~((32u << l.span) - 1);
    unsigned u = window | (t % 32) << l.span | (t / 32 & low);  // W
    u = (u / 32 * l.scatter % (kLines / 32)) * 32 | u % 32;     // S
    const unsigned run = u >> l.run, inRun = u & ((1u << l.run) - 1);
    const unsigned pick = (run * 2654435761u >> 24) & ((1u << l.period) - 1) & (0u - l.jitter);
    const size_t place = (((size_t(run) << l.period) + pick) << l.run) + inRun;  // R, J
    sum += *reinterpret_cast<const float*>(in + (place << l.unit));
  }
  if (sum == 1.2345f) out[0] = sum;
}

struct Case {
  std::string name;
  Layout layout;
  int granularity = 0;  // cudaLimitMaxL2FetchGranularity, 0: as it is
};

static std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&all](std::string name, Layout l, int g = 0) { all.push_back({std::move(name), l, g}); };
  const auto layout = [](unsigned run, unsigned period) {
    Layout l;
    l.run = run;
    l.period = period;
    return l;
  };
  add("near", layout(0, 0));
  for (unsigned p = 1; p <= 4; ++p) add("far p=" + std::to_string(p), layout(0, p));
  for (unsigned p : {1u, 3u})
    for (unsigned r : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 8u, 10u, 12u, 13u, 14u, 15u, 17u})
      add("R p=" + std::to_string(p) + " run=" + std::to_string(128ull << r) + "B", layout(r, p));
  for (unsigned p : {1u, 2u, 3u})
    for (unsigned r : {0u, 3u}) {
      Layout l = layout(r, p);
      l.jitter = 1;
      add("J p=" + std::to_string(p) + " run=" + std::to_string(128u << r) + "B", l);
    }
  for (unsigned d : {1u, 2u, 3u, 4u, 6u, 9u, 11u, 12u, 13u, 14u, 15u, 17u, 19u}) {
    Layout l;
    l.span = d;
    add("W lanes " + std::to_string(128ull << d) + "B apart", l);
  }
  for (unsigned p = 0; p <= 4; ++p) {
    Layout l = layout(5, p);
    l.scatter = 2654435761u;
    add("S 4KiB pieces scattered over " + std::to_string(2u << p) + "GiB", l);
    l.scatter = 1;
    add("S 4KiB pieces in order over " + std::to_string(2u << p) + "GiB", l);
  }
  Layout half;
  half.unit = 6;
  add("H halves of a line in one warp", half);
  half.span = 1;
  add("H halves of a line in two warps", half);
  for (int g : {32, 64, 128}) {
    const std::string at = " granularity " + std::to_string(g);
    add("G near" + at, layout(0, 0), g);
    add("G far" + at, layout(0, 1), g);
    half.span = 0;
    add("G halves" + at, half, g);
  }
  return all;
}

int main(int argc, char** argv) {
  const bool once = argc > 1 && !strcmp(argv[1], "once");
  int sms;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const unsigned grid = 16 * sms, block = 256;
  size_t granularity = 0;
  CHECK(cudaDeviceGetLimit(&granularity, cudaLimitMaxL2FetchGranularity));
  char* in;
  float *out, *flush;
  const size_t bytes = size_t(kLines) * 128 * 16, flushBytes = 512u << 20;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, 256));
  CHECK(cudaMalloc(&flush, flushBytes));
  CHECK(cudaMemset(in, 0, bytes));
  const std::vector<Case> all = cases();
  const auto start = [&](const Case& c) {
    CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, c.granularity ? c.granularity : granularity));
    loads<<<grid, block>>>(in, out, c.layout);
  };
  if (once) {
    FILE* f = fopen("order.txt", "w");
    for (const Case& c : all) {
      start(c);
      CHECK(cudaDeviceSynchronize());
      fprintf(f, "%s\n", c.name.c_str());
    }
    fclose(f);
    return 0;
  }
  cudaEvent_t t0, t1;
  CHECK(cudaEventCreate(&t0));
  CHECK(cudaEventCreate(&t1));
  std::vector<std::vector<float>> us(all.size());
  for (int r = 0; r < 12; ++r)
    for (size_t i = 0; i < all.size(); ++i) {
      const Case& c = all[i];
      CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, c.granularity ? c.granularity : granularity));
      CHECK(cudaMemsetAsync(flush, r, flushBytes));
      CHECK(cudaEventRecord(t0));
      loads<<<grid, block>>>(in, out, c.layout);
      CHECK(cudaEventRecord(t1));
      CHECK(cudaEventSynchronize(t1));
      float ms;
      CHECK(cudaEventElapsedTime(&ms, t0, t1));
      if (r > 0) us[i].push_back(ms * 1000);
    }
  printf("# default L2 fetch granularity: %zu bytes\nkernel,median_us,min_us,max_us\n", granularity);
  for (size_t i = 0; i < all.size(); ++i) {
    std::sort(us[i].begin(), us[i].end());
    printf("%s,%.2f,%.2f,%.2f\n", all[i].name.c_str(), us[i][us[i].size() / 2], us[i].front(), us[i].back());
  }
}
