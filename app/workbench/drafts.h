#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/executor.h"
#include "app/base/host.h"
#include "app/base/newest_job.h"
#include "app/workbench/saved_state.h"
#include "app/workbench/session.h"

namespace lanescope {

/// The unsaved texts of one window, in a file beside the settings (`unsaved-1.lanescope`, in the form of a
/// session file): written at pauses in typing, removed once every text was saved or reset. What an earlier
/// window has left, however it ended, is offered. A file belongs to one window, which has its mark
/// (`unsaved-1.lock`). Times are in seconds of any clock. For one thread.
class Drafts {
 public:
  /// Takes a file for this window, and all that belong to no window any more. Without a folder of settings it
  /// keeps nothing.
  Drafts(ExecutorPtr executor, HostPtr host);

  /// Notes changes, and writes after a pause in them, or after 5 seconds without one.
  void sync(const Session& session, double now);
  /// The next sync() that is due; no value if none is.
  std::optional<double> due() const { return due_; }
  /// Writes what is not written yet, also what could not be, before it returns: the window ends.
  void flush(const Session& session);

  /// Which texts are offered, one sentence without a way out; empty if there are none.
  std::string offer() const;
  /// Opens the offered texts, as unsaved ones. Their file is removed once they are in this window's own.
  void open(Session& session, double now);
  /// Removes the offered texts.
  void discard();

  /// What could not be read, written or removed since the last call: a sentence or more, or "".
  std::string pollNews() { return std::exchange(news_, {}); }

 private:
  struct Place {
    std::filesystem::path path;
    std::shared_ptr<void> mark;
  };
  struct Left : Place {
    SavedSession texts;  ///< the first, and the others as its scenes
  };
  /// What the file is to hold; empty: there is to be none.
  struct Request {
    std::string text;
  };

  void take(Place place);
  void passOver(const Place& place, const Error& why);
  void write(const Session& session);
  std::optional<std::string> makeText(const Session& session);
  static std::string store(Host& host, const std::filesystem::path& path, const std::string& text);
  void wasStored(const std::string& problem);
  void say(std::string_view sentences);

  ExecutorPtr executor_;
  HostPtr host_;
  Place own_;
  std::vector<Left> left_;       ///< offered, the first one now
  std::vector<Place> replaced_;  ///< opened: removed once the own file has their texts
  std::uint64_t seen_ = 0;       ///< Editor::changes()
  std::optional<double> since_;  ///< of the first change that is not written
  std::optional<double> due_;
  bool hasFile_ = false;
  bool hasFailed_ = false;  ///< and it was said
  std::string news_;
  NewestJob<Request, std::string> job_;
};

}  // namespace lanescope
