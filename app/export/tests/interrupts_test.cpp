#include "app/export/interrupts.h"

#include <condition_variable>
#include <mutex>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

/// What SIGTERM does at the moment.
void (*readHandler(int signal))(int) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

TEST(Interrupts, AskForAnEndInPlaceOfEnding) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto before = readHandler(signal);
    {
      const Interrupts interrupts;
      EXPECT_EQ(Interrupts::asked(), 0) << "one asked an earlier object";
      ::raise(signal);
      EXPECT_EQ(Interrupts::asked(), signal);
      ::raise(SIGINT);
      EXPECT_EQ(Interrupts::asked(), signal) << "the first counts";
    }
    EXPECT_EQ(readHandler(signal), before);
  }
}

TEST(Interrupts, WakeWhoWaits) {
  std::mutex mutex;
  std::condition_variable woken;
  int times = 0;
  {
    const Interrupts interrupts([&] {
      const std::scoped_lock lock(mutex);
      ++times;
      woken.notify_one();
    });
    for (int asked = 1; asked <= 2; ++asked) {
      ::raise(SIGTERM);
      std::unique_lock lock(mutex);
      EXPECT_TRUE(woken.wait_for(lock, std::chrono::minutes(1), [&] { return times == asked; }));
    }
  }
  EXPECT_EQ(times, 2) << "nobody is woken by the end";
}

TEST(Interrupts, LeaveAHangupThatIsIgnored) {
  const auto before = ::signal(SIGHUP, SIG_IGN);
  {
    const Interrupts interrupts;
    EXPECT_EQ(readHandler(SIGHUP), SIG_IGN);
    ::raise(SIGHUP);
    EXPECT_EQ(Interrupts::asked(), 0);
  }
  ::signal(SIGHUP, before);
}

}  // namespace
}  // namespace lanescope
