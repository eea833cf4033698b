#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/base/newest_job.h"
#include "app/launch/strategy_launch.h"
#include "kernels/strategies/catalogue.h"
#include "sim/memory/counters.h"
#include "sim/memory/machine_model.h"

namespace lanescope {

/// The figures of a strategy with N elements on a machine: the whole launch, simulated.
struct StrategyFigures {
  enum class State : std::uint8_t { Waiting, Done, Impossible } state = State::Waiting;
  std::string why;            ///< Impossible: one sentence
  std::uint64_t blocks = 0;   ///< of the launch
  std::uint32_t threads = 0;  ///< of a block
  std::uint32_t phases = 0;   ///< of block 0
  Counters counters;
  std::uint32_t errors = 0;    ///< hazards that may make the result wrong
  std::uint32_t warnings = 0;  ///< hazards that count on warps running in step
  std::string firstHazard;     ///< one sentence, or ""

  bool done() const { return state == State::Done; }
};

/// Simulates a strategy's launch over `n` elements of that type, with that operator if it has a choice, in as
/// few blocks as can share them. Never fails: the obstacle is the result's `why`.
StrategyFigures computeFigures(const Strategy& strategy, std::uint64_t n, const MachineModel& machine,
                               const ElementKind& kind = {}, const std::stop_token& stop = {});

/// Every strategy at one N on one machine, with one type of element and operator, simulated one after another
/// in the background. Known figures are kept. Nothing runs before show() is called. For one thread.
class StrategyTable {
 public:
  /// `wake` is called from another thread when poll() has something to take.
  explicit StrategyTable(std::function<void()> wake) : inbox_(std::make_shared<Inbox>(std::move(wake))) {}

  /// Asks for every strategy at that N; almost free if they are already there.
  void show(std::uint64_t n, const MachineModel& machine, const ElementKind& kind = {});
  /// Takes finished rows; true if there were any.
  bool poll();
  bool busy() const { return job_ && job_->busy(); }

  /// By strategy, in course order; empty before the first show().
  const std::vector<StrategyFigures>& rows() const { return rows_; }
  /// How many of them are known.
  std::size_t known() const;
  std::uint64_t n() const { return n_; }
  const MachineModel* machine() const { return machine_; }
  const ElementKind& kind() const { return kind_; }

 private:
  /// A strategy's index in the course, N, the machine's name, and the kind of elements.
  struct Key {
    std::size_t strategy = 0;
    std::uint64_t n = 0;
    std::string_view machine;
    ElementKind kind;
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
  };
  struct Wanted {
    std::vector<Key> keys;
  };
  /// The rows that the job has finished.
  struct Inbox {
    explicit Inbox(std::function<void()> wakes) : wake(std::move(wakes)) {}
    void put(const Key& key, StrategyFigures figures);
    std::function<void()> wake;
    std::mutex mutex;
    std::vector<std::pair<Key, StrategyFigures>> rows;
  };
  using Job = NewestJob<Wanted, std::monostate>;

  Key makeKey(std::size_t strategy) const;

  std::uint64_t n_ = 0;
  const MachineModel* machine_ = nullptr;
  ElementKind kind_;
  std::vector<StrategyFigures> rows_;
  std::map<Key, StrategyFigures> known_;
  std::shared_ptr<Inbox> inbox_;
  std::unique_ptr<Job> job_;
};

}  // namespace lanescope
