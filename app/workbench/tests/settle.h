#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/workbench/session.h"
#include "app/workbench/tests/memory_host.h"

/// Has a session do what it does in the background.
namespace lanescope::testing {

/// Steps and polls until `done` holds; false if it does not once nothing is left to do.
template <class Done>
bool waitUntil(Session& session, Done done) {
  do {
    session.poll();
    if (done()) return true;
  } while (session.executor()->step());
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

/// One with files in memory.
struct FileSession : Session {
  explicit FileSession(std::shared_ptr<MemoryHost> host = std::make_shared<MemoryHost>())
      : Session(std::make_shared<SteppedExecutor>(), {}, host), files(std::move(host)) {}
  /// Writes that file and opens it.
  void open(const std::string& name, const std::string& text) { openFile(files->put(name, text)); }

  std::shared_ptr<MemoryHost> files;
};

/// One that shows a strategy, with no job left, on the machine that is shown for n unless one is named.
/// Throws where there is no trace: the test then ends.
struct ShownSession : FileSession {
  ShownSession(std::string_view strategy, std::uint64_t n, std::string_view machine = {}) {
    select({findStrategy(strategy), n, machine.empty() ? &defaultMachine(n) : findMachine(machine)});
    if (!settle(*this) || player().replay() == nullptr)
      throw std::runtime_error(std::string(strategy) + " has no trace");
  }
};

}  // namespace lanescope::testing
