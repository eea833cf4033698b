#include "kernels/worker/channel.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "kernels/protocol/protocol.h"

namespace lanescope {
namespace {

constexpr std::size_t kMaxQueued = 1024;

/// The run of an item; 0 for none.
struct RunOf {
  std::uint64_t operator()(const Error& /*error*/) const { return 0; }
  template <class Request>
  std::uint64_t operator()(const Request& request) const {
    return request.run;
  }
};

}  // namespace

RequestQueue::RequestQueue(int descriptor)
    : descriptor_(descriptor), stop_(eventfd(0, EFD_CLOEXEC)), reader_([this] { readLoop(); }) {}

RequestQueue::~RequestQueue() {
  eventfd_write(stop_, 1);
  reader_.join();
  close(stop_);
}

void RequestQueue::readLoop() {
  LineReader lines(kMaxRequestBytes);
  const auto onLine = [this](std::string_view line, bool overlong) { receive(line, overlong); };
  const auto isOver = [this] {
    const std::lock_guard lock(mutex_);
    return ended_;
  };
  std::array<char, 4096> bytes{};
  std::array<pollfd, 2> waits{pollfd{descriptor_, POLLIN, 0}, pollfd{stop_, POLLIN, 0}};
  while (!isOver()) {
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) break;
    if (waits[1].revents != 0) break;
    if (waits[0].revents == 0) continue;
    const ssize_t count = read(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;
    lines.feed({bytes.data(), static_cast<std::size_t>(count)}, onLine);
  }
  receive(QuitRequest{});
}

void RequestQueue::receive(std::string_view line, bool overlong) {
  if (overlong)
    return receive(Error{"A request is longer than " + std::to_string(kMaxRequestBytes >> 10U) +
                         " KiB and was dropped."});
  const auto request = parseRequest(line);
  if (!request) return receive(request.error());
  std::visit([this](const auto& asked) { receive(asked); }, *request);
}

void RequestQueue::receive(const HelloRequest& hello) {
  if (const auto mismatch = protocolMismatch(hello)) receive(*mismatch);
}

void RequestQueue::receive(const QuitRequest& /*quit*/) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void RequestQueue::receive(const CancelRequest& cancel) {
  const std::lock_guard lock(mutex_);
  if (!cancel.run) {
    cancelled_ = asked_;
  } else if (asked_.contains(*cancel.run)) {
    cancelled_.insert(*cancel.run);
  }
}

void RequestQueue::receive(Item item) {
  const std::lock_guard lock(mutex_);
  if (queue_.size() >= kMaxQueued) return;
  if (const std::uint64_t run = std::visit(RunOf{}, item); run != 0) asked_.insert(run);
  queue_.push_back(std::move(item));
  changed_.notify_all();
}

std::optional<RequestQueue::Item> RequestQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !queue_.empty(); });
  if (ended_) return std::nullopt;
  auto item = std::move(queue_.front());
  queue_.pop_front();
  return item;
}

bool RequestQueue::cancelled(std::uint64_t run) const {
  const std::lock_guard lock(mutex_);
  return ended_ || cancelled_.contains(run);
}

void RequestQueue::finished(std::uint64_t run) {
  const std::lock_guard lock(mutex_);
  asked_.erase(run);
  cancelled_.erase(run);
}

}  // namespace lanescope
