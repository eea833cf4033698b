// Work in the background: when it is done, and for which caller.
#include "app/base/newest_job.h"

#include <memory>
#include <semaphore>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

using Job = NewestJob<int, int>;

int twice(int request, const std::stop_token& /*stop*/) { return 2 * request; }

// A caller that waits until a job is idle has its outcome: it is not idle between the work's end and that.
TEST(NewestJob, IsBusyUntilItsOutcomeIsTaken) {
  std::binary_semaphore finished{0};
  Job job(std::make_shared<ThreadExecutor>([&] { finished.release(); }), Job::Work(twice));
  EXPECT_FALSE(job.busy());
  job.request(21);
  EXPECT_TRUE(job.busy());
  finished.acquire();
  EXPECT_TRUE(job.busy());
  EXPECT_EQ(job.consume(), 42);
  EXPECT_FALSE(job.busy());
  EXPECT_FALSE(job.consume());
}

TEST(NewestJob, APartLeavesItBusy) {
  std::counting_semaphore<2> finished{0};
  std::binary_semaphore goesOn{0};
  Job job(std::make_shared<ThreadExecutor>([&] { finished.release(); }),
          Job::PartWork([&](int request, const std::stop_token& /*stop*/, const Job::Deliver& deliver) {
            deliver(request);
            goesOn.acquire();
            return request + 1;
          }));
  job.request(1);
  finished.acquire();
  EXPECT_EQ(job.consume(), 1);
  EXPECT_TRUE(job.busy());
  goesOn.release();
  finished.acquire();
  EXPECT_TRUE(job.busy());
  EXPECT_EQ(job.consume(), 2);
  EXPECT_FALSE(job.busy());
}

TEST(NewestJob, WhatIsCanceledIsNeitherBusyNorTaken) {
  const auto executor = std::make_shared<SteppedExecutor>();
  Job job(executor, Job::Work(twice));
  job.request(1);
  EXPECT_TRUE(executor->step());
  job.cancel();
  EXPECT_FALSE(job.busy());
  EXPECT_FALSE(job.consume());
}

TEST(NewestJob, TheNewestRequestIsTheOneThatIsDone) {
  std::vector<int> done;
  const auto executor = std::make_shared<SteppedExecutor>();
  Job job(executor, Job::Work([&](int request, const std::stop_token&) {
            done.push_back(request);
            return request;
          }));
  job.request(1);
  job.request(2);
  while (executor->step()) {
  }
  EXPECT_EQ(done, std::vector<int>{2});
  EXPECT_EQ(job.consume(), 2);
}

TEST(NewestJob, ANewRequestStopsTheOneInProgress) {
  const auto executor = std::make_shared<SteppedExecutor>();
  Job* self = nullptr;
  bool wasStopped = false;
  Job job(executor, Job::PartWork([&](int request, const std::stop_token& stop, const Job::Deliver& deliver) {
            deliver(request);
            if (request == 1) self->request(2);
            if (request == 1) wasStopped = stop.stop_requested();
            return 10 * request;
          }));
  self = &job;
  job.request(1);
  EXPECT_TRUE(executor->step());
  EXPECT_TRUE(wasStopped);
  EXPECT_FALSE(job.consume()) << "nobody has asked for 1 any more";
  EXPECT_TRUE(executor->step());
  EXPECT_EQ(job.consume(), 20);
}

TEST(SteppedExecutor, DelaysDecideTheOrder) {
  int wakes = 0;
  const auto executor = std::make_shared<SteppedExecutor>([&] { ++wakes; });
  EXPECT_FALSE(executor->step());
  Job slow(executor, Job::Work(twice), std::chrono::milliseconds(500));
  Job fast(executor, Job::Work(twice), std::chrono::milliseconds(20));
  slow.request(1);
  fast.request(2);
  EXPECT_TRUE(executor->step());
  EXPECT_EQ(fast.consume(), 4);
  EXPECT_FALSE(slow.consume());
  fast.request(3);
  EXPECT_TRUE(executor->step()) << "20 ms later is before the slow one";
  EXPECT_EQ(fast.consume(), 6);
  EXPECT_TRUE(executor->step());
  EXPECT_EQ(slow.consume(), 2);
  EXPECT_FALSE(executor->step());
  EXPECT_EQ(wakes, 3);
}

}  // namespace
}  // namespace lanescope
