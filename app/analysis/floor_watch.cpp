#include "app/analysis/floor_watch.h"

#include <exception>
#include <utility>

#include "app/base/give_back_memory.h"
#include "app/analysis/edited_comparison.h"

namespace lanescope {
namespace {

std::string_view toText(const FloorQuery& query) {
  return query.text == nullptr ? std::string_view() : query.text->text();
}

/// In the job's thread.
Result<FloorReport> makeReport(const FloorRequest& request, const std::stop_token& stop) {
  try {
    FloorRequest wanted = request;
    wanted.query.stop = stop;
    if (wanted.launch) wanted.launch->stop = stop;
    auto report = wanted.strategy != nullptr ? floorReport(*wanted.strategy, wanted.query, wanted.profile)
                                             : floorReport(*wanted.launch, wanted.query);
    giveBackMemory();
    return report;
  } catch (const std::exception& failure) {
    return Error{std::string("The floors were not counted: ") + failure.what() + "."};
  }
}

}  // namespace

bool FloorRequest::isSame(const FloorRequest& other) const {
  if (strategy != other.strategy || profile != other.profile ||
      launch.has_value() != other.launch.has_value())
    return false;
  if (launch && !sameLaunch(*launch, *other.launch)) return false;
  return query.n == other.query.n && query.threads == other.query.threads &&
         query.cache == other.query.cache && query.gpu.id == other.query.gpu.id &&
         toText(query) == toText(other.query);
}

void FloorWatch::show(FloorRequest request) {
  if (asked_ && asked_->isSame(request)) return;
  if (!job_) job_ = std::make_unique<Job>(makeReport, wake_);
  asked_ = std::move(request);
  report_.reset();
  problem_.clear();
  job_->request(*asked_);
}

bool FloorWatch::poll() {
  if (!job_) return false;
  auto come = job_->consume();
  if (!come) return false;
  if (*come) {
    report_ = std::move(*come).value();
  } else {
    problem_ = come->error().sentence();
  }
  return true;
}

}  // namespace lanescope
