#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/workbench/session.h"

/// Waiting for what a session does in the background.
namespace lanescope::testing {

/// Polls until `done` holds, for half a minute; returns whether it does.
template <class Done>
bool waitUntil(Session& session, Done done) {
  for (int i = 0; i < 6000; ++i) {
    session.poll();
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// Polls until nothing is under way.
inline bool settle(Session& session) {
  return waitUntil(session, [&] { return !session.busy() && !session.poll(); });
}

/// Polls until the simulation is done; returns whether there is a replay.
inline bool waitForTrace(Session& session) {
  return waitUntil(session, [&] { return !session.simulating(); }) && session.replay() != nullptr;
}

/// One that shows a strategy, with nothing under way, on the machine that is shown for n unless one is named.
/// Throws where there is no trace: the test then ends.
struct ShownSession : Session {
  ShownSession(std::string_view strategy, std::uint64_t n, std::string_view machine = {}) {
    select({findStrategy(strategy), n, machine.empty() ? &defaultMachine(n) : findMachine(machine)});
    if (!settle(*this) || replay() == nullptr)
      throw std::runtime_error(std::string(strategy) + " has no trace");
  }
};

}  // namespace lanescope::testing
