#include "app/analysis/strategy_table.h"

#include <algorithm>
#include <exception>

#include "app/base/give_back_memory.h"
#include "app/launch/element_text.h"
#include "sim/trace/phase_bounds.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

StrategyFigures impossible(std::string why) {
  StrategyFigures figures;
  figures.state = StrategyFigures::State::Impossible;
  figures.why = std::move(why);
  return figures;
}

void countHazards(const HazardReport& report, StrategyFigures& figures) {
  for (const Hazard& hazard : report.hazards)
    ++(hazard.severity == HazardSeverity::Error ? figures.errors : figures.warnings);
  if (!report.hazards.empty()) figures.firstHazard = report.hazards.front().message;
}

StrategyFigures simulated(const Launch& launch) {
  PhaseCounter phases(launch.machine.warpSize);
  RunOptions options{.threads = 1, .listener = &phases};
  const Result<Run> run = runLaunch(launch, options);
  if (!run) return impossible(run.error().sentence());
  if (run->fault) return impossible(run->fault->error.sentence());
  StrategyFigures figures;
  figures.blocks = launch.grid.count();
  figures.threads = static_cast<std::uint32_t>(launch.block.count());
  figures.phases = phases.phases();
  figures.counters = run->simulation.counters;
  countHazards(*run->hazards, figures);
  figures.state = StrategyFigures::State::Done;
  return figures;
}

}  // namespace

StrategyFigures computeFigures(const Strategy& strategy, std::uint64_t n, const MachineModel& machine,
                               const ElementKind& kind, const std::stop_token& stop) {
  try {
    const auto text = changeElements(strategy, strategy.source, ElementType::Float, kind.type);
    if (!text) return impossible(text.error().sentence());
    const std::uint64_t blocks = fewestBlocks(strategy, n, machine, kind.type).value_or(1);
    Result<Launch> launch = makeLaunch(strategy, n, blocks, machine, kind.type, kind.op);
    if (!launch) return impossible(launch.error().sentence());
    launch->stop = stop;
    return simulated(*launch);
  } catch (const std::exception& failure) {
    return impossible(std::string("The simulation ended early: ") + failure.what() + ".");
  }
}

void StrategyTable::Inbox::put(const Key& key, StrategyFigures figures) {
  {
    const std::scoped_lock lock(mutex);
    rows.emplace_back(key, std::move(figures));
  }
  if (wake) wake();
}

/// A strategy without a choice of operators has the same figures for every operator.
StrategyTable::Key StrategyTable::makeKey(std::size_t strategy) const {
  Key key{strategy, n_, machine_->name, kind_};
  const std::vector<std::string>& operators = strategies()[strategy].operators;
  if (std::ranges::find(operators, kind_.op) == operators.end()) key.kind.op.clear();
  return key;
}

void StrategyTable::show(std::uint64_t n, const MachineModel& machine, const ElementKind& kind) {
  if (n == n_ && machine_ != nullptr && machine == *machine_ && kind == kind_) return;
  n_ = n;
  kind_ = kind;
  machine_ = &machine;
  rows_.assign(strategies().size(), {});
  Wanted wanted;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Key key = makeKey(i);
    const auto found = known_.find(key);
    if (found != known_.end()) {
      rows_[i] = found->second;
    } else {
      wanted.keys.push_back(key);
    }
  }
  if (!job_ && !wanted.keys.empty()) {
    const auto work = [inbox = inbox_](const Wanted& some, const std::stop_token& stop) {
      for (const Key& key : some.keys) {
        StrategyFigures figures =
            computeFigures(strategies()[key.strategy], key.n, *findMachine(key.machine), key.kind, stop);
        giveBackMemory();
        // A launch that was stopped gives no figures.
        if (stop.stop_requested()) break;
        inbox->put(key, std::move(figures));
      }
      return std::monostate{};
    };
    job_ = std::make_unique<Job>(work, inbox_->wake);
  }
  if (!wanted.keys.empty()) {
    job_->request(std::move(wanted));
  } else if (job_) {
    job_->cancel();
  }
}

bool StrategyTable::poll() {
  if (job_) job_->consume();  // before the rows: the last of them are in the inbox by then
  std::vector<std::pair<Key, StrategyFigures>> come;
  {
    const std::scoped_lock lock(inbox_->mutex);
    come.swap(inbox_->rows);
  }
  for (auto& [key, figures] : come) {
    if (machine_ != nullptr && key == makeKey(key.strategy)) rows_[key.strategy] = figures;
    known_.insert_or_assign(key, std::move(figures));
  }
  return !come.empty();
}

std::size_t StrategyTable::known() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows_, [](const StrategyFigures& row) { return row.state != StrategyFigures::State::Waiting; }));
}

}  // namespace lanescope
