// Variables of one name are distinguished by their function, and by the current call.
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/tests/launches.h"
#include "sim/trace/replay.h"

namespace lanescope {
namespace {

constexpr const char* kTwoFunctions = R"(
__device__ int inner(int tid) {
  int twice = tid * 2;
  return twice;
}
__device__ int outer(int tid) {
  int more = inner(tid + 100);
  return more + tid;
}
__global__ void k(int* out) {
  int tid = threadIdx.x;
  for (int i = 0; i < 2; ++i) tid += i;
  int value = outer(tid + 10);
  out[threadIdx.x] = value + tid;
}
)";

constexpr const char* kTwoCalls = R"(
template <int K>
__device__ void add(int* s, int tid) {
  if (tid < K) s[tid] += K;
}
__global__ void k(int* out) {
  __shared__ int s[4];
  int tid = threadIdx.x;
  s[tid] = tid;
  add<2>(s, tid + 1);
  add<1>(s, tid);
  out[tid] = s[tid];
}
)";

std::shared_ptr<const Trace> makeTrace(const char* text) {
  auto trace = recordTrace(testing::launchText(text, 2, {"i32:zero:4"}));
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().sentence());
  return std::make_shared<const Trace>(std::move(*trace));
}

/// The labels in sight of thread 0 after a step.
std::vector<std::string> inSight(const Replay& replay) {
  std::vector<std::string> labels;
  const Trace& trace = replay.trace();
  for (const std::uint32_t index : variablesInSight(trace, 0, replay.state().lastStep[0])) {
    const TracedVariable& variable = trace.variables[index];
    if (replay.state().variables[index].set && variable.type != ValueType::Pointer)
      labels.push_back(variable.label);
  }
  return labels;
}

/// Goes behind the step whose text that is; false where there is none.
bool goBehind(Replay& replay, std::string_view text, int occurrence = 1) {
  const Trace& trace = replay.trace();
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    if (trace.launch.source->slice(trace.steps[i].span) != text || --occurrence > 0) continue;
    replay.seek(i + 1);
    return true;
  }
  return false;
}

bool has(const std::vector<std::string>& labels, std::string_view label) {
  return std::ranges::find(labels, label) != labels.end();
}

std::uint64_t computeValue(const Replay& replay, std::string_view label) {
  const auto& variables = replay.trace().variables;
  const auto found = std::ranges::find(variables, label, &TracedVariable::label);
  EXPECT_NE(found, variables.end()) << label;
  return found == variables.end()
             ? 0
             : replay.state().variables[static_cast<std::size_t>(found - variables.begin())].bits;
}

TEST(TracedVariables, OfOneNameHaveTheirFunctionsNamesBeforeThem) {
  Replay replay(makeTrace(kTwoFunctions));
  ASSERT_TRUE(goBehind(replay, "twice = tid * 2"));
  const std::vector<std::string> labels = inSight(replay);
  for (const char* label : {"tid", "value", "outer: tid", "inner: tid", "twice"})
    EXPECT_EQ(has(labels, label), std::string_view(label) != "value") << label;
  EXPECT_EQ(computeValue(replay, "tid"), 1U);
  EXPECT_EQ(computeValue(replay, "outer: tid"), 11U);
  EXPECT_EQ(computeValue(replay, "inner: tid"), 111U);
}

TEST(TracedVariables, OfAFunctionGoWhenTheWarpHasLeftIt) {
  Replay replay(makeTrace(kTwoFunctions));
  ASSERT_TRUE(goBehind(replay, "out[threadIdx.x]"));
  const std::vector<std::string> labels = inSight(replay);
  EXPECT_TRUE(has(labels, "tid"));
  EXPECT_TRUE(has(labels, "value"));
  EXPECT_FALSE(has(labels, "twice"));
  EXPECT_FALSE(has(labels, "outer: tid"));
}

TEST(TracedVariables, OfTwoCallsAreNeverInSightTogether) {
  Replay replay(makeTrace(kTwoCalls));
  EXPECT_EQ(replay.trace().kernelLine, 6U);
  ASSERT_TRUE(goBehind(replay, "tid < K", 1));
  EXPECT_TRUE(has(inSight(replay), "add<2>: tid"));
  EXPECT_FALSE(has(inSight(replay), "add<1>: tid"));
  EXPECT_EQ(computeValue(replay, "add<2>: tid"), 1U);
  ASSERT_TRUE(goBehind(replay, "tid < K", 2));
  EXPECT_FALSE(has(inSight(replay), "add<2>: tid"));
  EXPECT_TRUE(has(inSight(replay), "add<1>: tid"));
  const Trace& trace = replay.trace();
  const auto meant = variableNamed(trace, *replay.currentStep(), "tid");
  ASSERT_TRUE(meant);
  EXPECT_EQ(trace.variables[*meant].label, "add<1>: tid");
}

TEST(TracedVariables, OfInstancesHaveTheTemplateArgumentsAsTheTextHasThem) {
  const auto trace = makeTrace(R"(
enum Way { Up, Down };
template <class T, Way way, bool fast>
__device__ T turned(T value) {
  T result = way == Up ? value : -value;
  return fast ? result + 1 : result;
}
__global__ void k(int* out) {
  float x = turned<float, Up, true>(1.0f);
  int y = turned<int, Down, false>(2);
  out[threadIdx.x] = y + static_cast<int>(x);
}
)");
  for (const char* label : {"turned<float, Up, true>: result", "turned<int, Down, false>: result"})
    EXPECT_NE(std::ranges::find(trace->variables, label, &TracedVariable::label), trace->variables.end())
        << label;
}

TEST(TracedVariables, AreHiddenOnlyByOnesThatTheWarpHasReached) {
  Replay replay(makeTrace(R"(
__global__ void k(int* out) {
  int x = 1;
  out[0] = x;
  if (threadIdx.x < 2) {
    int x = 2;
    out[1] = x;
  }
}
)"));
  const std::vector<std::string> one{"x"};
  ASSERT_TRUE(goBehind(replay, "out[0]"));
  EXPECT_EQ(inSight(replay), one);
  ASSERT_TRUE(goBehind(replay, "out[1]"));
  EXPECT_EQ(inSight(replay), one);
}

TEST(TracedVariables, NoLabelMeansTwoOfAStrategy) {
  for (const Strategy& strategy : strategies()) {
    const auto launch = makeLaunch(strategy, 64, 1, *findMachine("nvidia"));
    if (!launch) continue;
    auto trace = recordTrace(*launch);
    ASSERT_TRUE(trace.ok()) << strategy.id;
    const auto shared = std::make_shared<const Trace>(std::move(*trace));
    Replay replay(shared);
    do {
      std::vector<std::string> labels = inSight(replay);
      std::ranges::sort(labels);
      EXPECT_EQ(std::ranges::adjacent_find(labels), labels.end()) << strategy.id;
    } while (replay.forward(Grain::Phase));
  }
}

}  // namespace
}  // namespace lanescope
