#include "app/session/sass/access_groups.h"

#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// What an instruction is to a group: an access, a barrier of the block, a shuffle.
std::optional<MachineAccess> grouped(std::string_view sass) {
  if (auto access = accessOf(sass)) return access;
  const std::string_view opcode = opcodeOf(sass);
  const bool isPredicated = sass.starts_with('@');
  if (opcode.starts_with("BAR.SYNC") || opcode.starts_with("BAR.RED"))
    return MachineAccess{StepKind::BlockBarrier, 0, false, isPredicated, false};
  if (opcode.starts_with("SHFL")) return MachineAccess{StepKind::Shuffle, 0, true, isPredicated, false};
  return std::nullopt;
}

bool countsLanes(std::string_view opcode) {
  return opcode.starts_with("VOTE") || opcode.starts_with("REDUX") || opcode.starts_with("MATCH");
}

/// The kind that the text has on the line, where the machine's pointer is of an unknown space.
StepKind kindOnLine(const AccessGroups& groups, std::uint32_t line, const MachineAccess& access) {
  if (!access.isGeneric) return access.kind;
  const StepKind shared = access.kind == StepKind::GlobalLoad    ? StepKind::SharedLoad
                          : access.kind == StepKind::GlobalStore ? StepKind::SharedStore
                                                                 : StepKind::SharedAtomic;
  return groups.contains({line, shared}) ? shared : access.kind;
}

/// Accesses that machine code may make together: those of lines that it has none on, where it has some on
/// lines of the text without any, else with those of the next such line; and several on one line in fewer
/// places.
void planTogether(AccessGroups& groups, StepKind kind, std::vector<MergePlan>& plans) {
  const auto add = [&](const std::vector<AccessGroup*>& parts) {
    MergePlan plan{kind, {}, {}};
    for (AccessGroup* const part : parts) {
      for (const AccessSite* site : part->sites) plan.sites.push_back(site->number);
      part->together = plans.size();
    }
    plans.push_back(std::move(plan));
  };
  std::vector<AccessGroup*> orphans;
  std::vector<AccessGroup*> others;
  bool hasSurplus = false;
  for (auto& [key, group] : groups) {
    if (key.second != kind || group.plan) continue;
    if (group.sites.empty()) {
      hasSurplus = true;
    } else if (group.machine.empty()) {
      orphans.push_back(&group);
      others.push_back(&group);
    } else {
      if (group.copies() < group.sites.size()) add({&group});
      others.push_back(&group);
    }
  }
  if (orphans.empty()) return;
  if (hasSurplus) {
    for (AccessGroup* const one : orphans) one->isMoved = true;
    return add(orphans);
  }
  for (auto at = others.begin(); at != others.end(); ++at) {
    const auto next = std::next(at);
    const bool isPair =
        (*at)->machine.empty() && next != others.end() && !(*next)->machine.empty() && !(*next)->together;
    if (isPair) add({*at, *next});
  }
}

}  // namespace

bool isPlainLoad(StepKind kind) { return kind == StepKind::SharedLoad || kind == StepKind::GlobalLoad; }
bool isPlainStore(StepKind kind) { return isWrite(kind) && !isAtomic(kind); }

AccessGroups groupsOf(const std::vector<AccessSite>& sites, const MachineCode& code) {
  AccessGroups groups;
  for (const AccessSite& site : sites) {
    AccessGroup& group = groups[{site.line, site.kind}];
    group.sites.push_back(&site);
  }
  bool isCertain = true;
  for (const MachineInstruction& one : code.instructions) {
    const auto access = one.line == 0 || one.isCold ? std::nullopt : grouped(one.sass);
    isCertain = isCertain && (one.isCold || !wayOf(one.sass).ends) && !one.isInLoop;
    if (!access) continue;
    AccessGroup& group = groups[{one.line, kindOnLine(groups, one.line, *access)}];
    group.machine.push_back(*access);
    group.instructions.push_back(
        (access->isPredicated ? one.sass.substr(0, one.sass.find(' ') + 1) : std::string()) +
        std::string(opcodeOf(one.sass)));
    group.isInLoop = group.isInLoop || one.isInLoop;
    group.outsideLoops += one.isInLoop ? 0 : 1;
    group.isCertain = group.isCertain && isCertain && !access->isPredicated;
  }
  return groups;
}

std::set<std::uint32_t> linesWithVotes(const MachineCode& code) {
  std::set<std::uint32_t> lines;
  for (const MachineInstruction& one : code.instructions) {
    if (one.line != 0 && countsLanes(opcodeOf(one.sass))) lines.insert(one.line);
  }
  return lines;
}

std::vector<MergePlan> plansOf(AccessGroups& groups) {
  std::vector<MergePlan> plans;
  const auto add = [&](StepKind kind,
                       const std::vector<std::pair<const AccessGroupKey, AccessGroup>*>& parts) {
    MergePlan plan{kind, {}, {}};
    for (auto* const part : parts) {
      for (const AccessSite* site : part->second.sites) plan.sites.push_back(site->number);
      for (const MachineAccess& one : part->second.machine) plan.widths.push_back(one.bytes);
      part->second.plan = plans.size();
    }
    plans.push_back(std::move(plan));
  };
  std::map<StepKind, std::vector<std::pair<const AccessGroupKey, AccessGroup>*>> unbalanced;
  for (auto& entry : groups) {
    const AccessGroup& group = entry.second;
    if (!isPlainLoad(entry.first.second) && !isPlainStore(entry.first.second)) continue;
    if (group.textBytes() == group.machineBytes()) {
      if (group.isWider()) add(entry.first.second, {&entry});
    } else if (!group.sites.empty()) {
      unbalanced[entry.first.second].push_back(&entry);
    }
  }
  for (const auto& [kind, parts] : unbalanced) {
    unsigned text = 0;
    unsigned machine = 0;
    bool isWider = false;
    for (const auto* const part : parts) {
      text += part->second.textBytes();
      machine += part->second.machineBytes();
      isWider = isWider || (!part->second.machine.empty() && part->second.isWider());
    }
    if (text == machine && isWider) add(kind, parts);
  }
  for (const StepKind kind :
       {StepKind::SharedLoad, StepKind::SharedStore, StepKind::GlobalLoad, StepKind::GlobalStore})
    planTogether(groups, kind, plans);
  return plans;
}

}  // namespace lanescope
