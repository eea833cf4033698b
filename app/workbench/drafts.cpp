#include "app/workbench/drafts.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "sim/base/counted.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

constexpr int kMostDrafts = 16;  ///< with a file each
constexpr std::uint64_t kMostDraftBytes = std::uint64_t{16} << 20U;
constexpr double kTypingPause = 0.7;
constexpr double kLongestTyping = 5;  ///< seconds of typing without a pause

/// As much of a document as brings its text and its launch back.
SavedSession saveText(const Session& session, const Document& document) {
  if (&document == session.editor().current()) return session.saved();
  SavedSession saved;
  if (document.strategy != nullptr) {
    saved.strategy = document.strategy->id;
  } else {
    saved.path = document.path;
    saved.original = std::string(document.original->text());
    saved.includes = document.includes;
  }
  saved.draft = {document.buffer.text(), document.form};
  saved.ran = {std::string(document.original->text()), document.form};
  saved.machine = defaultMachine(saved.n).name;
  return saved;
}

std::string nameOf(const SavedSession& saved) {
  if (saved.strategy.empty()) return fs::path(saved.path).filename().string();
  const Strategy* const strategy = findStrategy(saved.strategy);
  return strategy != nullptr ? std::string(strategy->file) : saved.strategy + ".cu";
}

std::string notKept(const Error& why) {
  return "The unsaved text is not kept for the next start: " + why.sentence();
}

/// Removes a file of texts; a sentence if that failed.
std::string removeTexts(Host& host, const fs::path& path) {
  if (host.remove(path)) return {};
  return "'" + path.string() + "' cannot be removed: its texts are offered again at the next start.";
}

/// Puts a text into the editor as it was, whatever its launch.
void restoreText(Session& session, SavedSession saved) {
  if (!saved.strategy.empty() && findStrategy(saved.strategy) == nullptr) {  // of another version
    saved.path = session.host()->absolutePath(nameOf(saved));
    saved.strategy.clear();
  }
  if (saved.strategy.empty() && !saved.ran.form) saved.ran.form.emplace();
  session.editor().restore(saved);
  Document& document = *session.editor().current();
  document.buffer.replaceAll(saved.draft.text);
  if (saved.draft.form || document.strategy != nullptr) document.form = saved.draft.form;
}

}  // namespace

Drafts::Drafts(ExecutorPtr executor, HostPtr host)
    : executor_(std::move(executor)),
      host_(std::move(host)),
      job_(executor_, [this](const Request& request, const std::stop_token&) {
        return store(*host_, own_.path, request.text);
      }) {
  const fs::path settings = host_->settingsPath();
  if (settings.empty()) return;
  const fs::path folder = settings.parent_path();
  host_->makeFolder(folder);
  for (int number = 1; number <= kMostDrafts; ++number) {
    const std::string name = "unsaved-" + std::to_string(number);
    const fs::path path = folder / (name + std::string(kSessionEnding));
    const bool isThere = host_->kindOf(path) == Host::FileKind::File;
    if (!isThere && !own_.path.empty()) continue;
    if (auto mark = host_->claim(folder / (name + ".lock"))) take({path, std::move(mark)});
  }
}

/// A place that belongs to no other window: an earlier one's texts, or room for this one's.
void Drafts::take(Place place) {
  // Another window can have written it, and ended, before the mark was free.
  if (host_->kindOf(place.path) != Host::FileKind::File) {
    if (own_.path.empty()) own_ = std::move(place);
    return;
  }
  const Result<std::string> text = host_->read(place.path, kMostDraftBytes);
  if (!text) return passOver(place, text.error());
  Result<SavedSession> saved = parseSession(*text);
  if (!saved) return passOver(place, saved.error());
  left_.push_back({std::move(place), std::move(saved).value()});
}

/// The file keeps its text under another name.
void Drafts::passOver(const Place& place, const Error& why) {
  fs::path aside = place.path;
  aside += ".unreadable";
  for (int number = 2; host_->kindOf(aside) != Host::FileKind::None; ++number) {
    aside = place.path;
    aside += ".unreadable." + std::to_string(number);
  }
  const bool isMoved = host_->rename(place.path, aside);
  say("An unsaved text cannot be opened: " + why.message + " It is kept as '" +
      (isMoved ? aside : place.path).string() + "'.");
}

void Drafts::say(std::string_view sentences) {
  if (!news_.empty() && !sentences.empty()) news_ += ' ';
  news_ += sentences;
}

void Drafts::sync(const Session& session, double now) {
  if (auto stored = job_.consume()) wasStored(*stored);
  const std::uint64_t changes = session.editor().changes();
  if (changes != std::exchange(seen_, changes)) {
    if (!since_) since_ = now;
    due_ = std::min(now + kTypingPause, *since_ + kLongestTyping);
  }
  if (!due_ || now < *due_) return;
  due_.reset();
  since_.reset();
  write(session);
}

/// No value if there is nothing to store; an empty text if the file is to be removed.
std::optional<std::string> Drafts::makeText(const Session& session) {
  const std::vector<const Document*> unsaved = session.editor().unsaved();
  if (unsaved.empty()) return hasFile_ || !replaced_.empty() ? std::optional(std::string()) : std::nullopt;
  SavedSession first = saveText(session, *unsaved.front());
  for (std::size_t i = 1; i < unsaved.size(); ++i) first.scenes.push_back(saveText(session, *unsaved[i]));
  std::string text = sessionText(first);
  if (!own_.path.empty() && text.size() <= kMostDraftBytes) return text;
  const char* const why = own_.path.empty()
                              ? "No file for unsaved texts could be claimed beside the settings."
                              : "It has more than 16 MiB.";
  wasStored(notKept({why, "Save it."}));
  return std::nullopt;
}

void Drafts::write(const Session& session) {
  if (auto text = makeText(session)) {
    hasFile_ = !text->empty();
    job_.request({std::move(*text)});
  }
}

/// A sentence if that failed.
std::string Drafts::store(Host& host, const fs::path& path, const std::string& text) {
  if (text.empty()) return removeTexts(host, path);
  const std::optional<Error> error = host.writeLasting(path, text);
  return error ? notKept(*error) : std::string();
}

void Drafts::wasStored(const std::string& problem) {
  const bool wasSaid = std::exchange(hasFailed_, !problem.empty());
  if (!problem.empty()) {
    hasFile_ = !own_.path.empty();  // there can be one
    if (!wasSaid) say(problem);
    return;
  }
  for (const Place& place : replaced_) say(removeTexts(*host_, place.path));
  replaced_.clear();
}

void Drafts::flush(const Session& session) {
  if (auto stored = job_.consume()) wasStored(*stored);
  const bool hasFailed = std::exchange(hasFailed_, false);  // said again if it fails again
  if (std::exchange(due_, std::nullopt) || session.editor().changes() != seen_ || hasFailed) write(session);
  while (job_.busy()) {
    if (auto stored = job_.consume()) {
      wasStored(*stored);
    } else if (!executor_->step()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

std::string Drafts::offer() const {
  if (left_.empty()) return {};
  const SavedSession& texts = left_.front().texts;
  const std::string name = "'" + nameOf(texts) + "'";
  const std::size_t more = texts.scenes.size();
  if (more == 0) return name + " was not saved when Lanescope ended.";
  return name + " and " + counted(more, "other text") + " were not saved when Lanescope ended.";
}

void Drafts::open(Session& session, double now) {
  if (left_.empty()) return;
  job_.cancel();  // its outcome says nothing of these texts
  Left left = std::move(left_.front());
  left_.erase(left_.begin());
  for (const SavedSession& other : left.texts.scenes) restoreText(session, other);
  left.texts.scenes.clear();
  if (session.restore(left.texts)) {  // its launch is not possible here: the text is
    restoreText(session, left.texts);
    session.run();
  }
  replaced_.push_back(std::move(left));
  due_ = since_ = now;
}

void Drafts::discard() {
  if (left_.empty()) return;
  say(removeTexts(*host_, left_.front().path));
  left_.erase(left_.begin());
}

}  // namespace lanescope
