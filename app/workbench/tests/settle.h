#pragma once

#include <stdexcept>
#include <string>

#include "app/workbench/session.h"

/// Has a session do what it does in the background.
namespace lanescope::testing {

/// Steps and polls until `done` holds; false if it does not once nothing is left to do.
template <class Done>
bool waitUntil(Session& session, Done done) {
  do {
    session.poll();
    if (done()) return true;
  } while (session.executor().step());
  return false;
}

/// Polls until no job is left.
inline bool settle(Session& session) {
  return waitUntil(session, [&] { return !session.busy() && !session.poll(); });
}

/// Polls until the simulation is done; returns whether there is a replay.
inline bool waitForTrace(Session& session) {
  return waitUntil(session, [&] { return !session.simulating(); }) && session.player().replay() != nullptr;
}

/// One that shows a strategy, with no job left, on the machine that is shown for n unless one is named.
/// Throws where there is no trace: the test then ends.
struct ShownSession : Session {
  ShownSession(std::string_view strategy, std::uint64_t n, std::string_view machine = {}) {
    select({findStrategy(strategy), n, machine.empty() ? &defaultMachine(n) : findMachine(machine)});
    if (!settle(*this) || player().replay() == nullptr)
      throw std::runtime_error(std::string(strategy) + " has no trace");
  }
};

}  // namespace lanescope::testing
