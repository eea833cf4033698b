// Work in the background: when it is done, and for which caller.
#include "app/base/newest_job.h"

#include <semaphore>
#include <stop_token>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

using Job = NewestJob<int, int>;

// Who waits until a job is idle has its outcome: it is not idle between the work's end and that.
TEST(NewestJob, IsBusyUntilItsOutcomeIsTaken) {
  std::binary_semaphore finished{0};
  Job job(Job::Work([](int request, const std::stop_token& /*stop*/) { return 2 * request; }),
          [&] { finished.release(); });
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
  Job job(Job::PartWork([&](int request, const std::stop_token& /*stop*/, const Job::Deliver& deliver) {
            deliver(request);
            goesOn.acquire();
            return request + 1;
          }),
          [&] { finished.release(); });
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
  std::binary_semaphore finished{0};
  Job job(Job::Work([](int request, const std::stop_token& /*stop*/) { return request; }),
          [&] { finished.release(); });
  job.request(1);
  finished.acquire();
  job.cancel();
  EXPECT_FALSE(job.busy());
  EXPECT_FALSE(job.consume());
}

}  // namespace
}  // namespace lanescope
