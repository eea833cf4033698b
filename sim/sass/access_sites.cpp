#include "sim/sass/access_sites.h"

#include "sim/sass/access_observer.h"
#include "sim/machine/compile/op_classes.h"
#include "sim/machine/run/execution.h"

namespace lanescope {

AccessCost& AccessCost::operator+=(const AccessCost& other) {
  executions += other.executions;
  wavefronts += other.wavefronts;
  ideal += other.ideal;
  sectors += other.sectors;
  loads += other.loads;
  return *this;
}

Result<AccessReport> observeAccesses(const Launch& launch, const std::vector<MergePlan>& plans,
                                     std::uint64_t mostAccesses) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  if (prepared->code().meetsGrid) {
    return Error{"A kernel whose blocks wait for each other cannot be compared with its machine code.",
                 "Its blocks cannot be run one by one."};
  }
  const CompiledKernelPtr kernel = prepared->kernel;
  Execution execution(launch, std::move(*prepared));
  AccessObserver observer(*kernel, launch.machine, plans);
  OperationCounter operations(*kernel);
  const std::array<Observer*, 2> observers{&observer, &operations};
  AccessReport report;
  while (!execution.isOver() && observer.accesses() < mostAccesses) {
    execution.observe(observers);
    ++report.blocks;
  }
  if (execution.fault()) return execution.error();
  report.simulation = execution.consume();
  for (const Instruction& i : kernel->code.code) {
    if (isAccess(i.op) || isShuffle(i.op) || i.op == Op::BlockBarrier)
      report.idleLines.insert(kernel->lineOfSite[i.site]);
  }
  report.sites = observer.releaseSites();
  for (const AccessSite& site : report.sites) report.idleLines.erase(site.line);
  report.merged = observer.releaseMerged();
  report.operations = operations.consume();
  return report;
}

std::string_view accessName(StepKind kind) {
  switch (kind) {
    case StepKind::SharedLoad: return "shared load";
    case StepKind::SharedStore: return "shared store";
    case StepKind::SharedAtomic: return "shared atomic";
    case StepKind::GlobalLoad: return "global load";
    case StepKind::GlobalStore: return "global store";
    case StepKind::GlobalAtomic: return "global atomic";
    case StepKind::BlockBarrier: return "barrier";
    case StepKind::Shuffle: return "shuffle";
    default: return "instruction";
  }
}

}  // namespace lanescope
