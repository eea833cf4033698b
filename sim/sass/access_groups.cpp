#include "sim/sass/access_groups.h"

#include <algorithm>
#include <climits>
#include <functional>

#include <fmt/format.h>

#include "sim/trace/step_accesses.h"

namespace lanescope {

std::vector<LoopPiece> findLoopPieces(const AccessGroup& group) {
  if (group.sites.size() != 1 || group.pieces.size() < 2) return {};
  if (std::ranges::any_of(group.machine, &MachineAccess::isPredicated)) return {};
  const AccessSite& site = *group.sites[0];
  const bool isPlain =
      std::ranges::all_of(group.machine, [&](const MachineAccess& one) { return one.bytes == site.bytes; });
  if (!isPlain && !site.isOneAddress) return {};
  const auto computeSize = [&](const CodePiece& one) {
    return isPlain ? one.piece.widths.size() : one.operations;
  };
  const std::uint64_t ofOne = computeSize(*std::ranges::min_element(group.pieces, {}, computeSize));
  std::vector<LoopPiece> pieces;
  for (const CodePiece& one : group.pieces) {
    if (ofOne == 0 || computeSize(one) % ofOne != 0) return {};
    pieces.push_back(one.piece);
    pieces.back().iterations = computeSize(one) / ofOne;
  }
  std::ranges::stable_sort(pieces, std::greater{}, &LoopPiece::iterations);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const bool isMultiple = pieces[i - 1].iterations % pieces[i].iterations == 0;
    if (!isMultiple || pieces[i - 1].iterations == pieces[i].iterations) return {};
  }
  if (pieces.back().widths.size() != 1) return {};
  return pieces;
}

std::string makeSentence(const std::vector<LoopPiece>& pieces) {
  std::vector<std::uint64_t> longer;
  unsigned widest = 0;
  unsigned least = UINT_MAX;
  for (const LoopPiece& piece : pieces) {
    if (piece.iterations > 1) longer.push_back(piece.iterations);
    widest = std::max(widest, *std::ranges::max_element(piece.widths));
    least = std::min(least, *std::ranges::min_element(piece.widths));
  }
  return fmt::format("Unrolled: {} or 1 iterations at a time{}.", fmt::join(longer, ", "),
                     widest == least ? "" : fmt::format(", in accesses of up to {} bits", widest * 8));
}

namespace {

bool countsLanes(std::string_view opcode) {
  return opcode.starts_with("VOTE") || opcode.starts_with("REDUX") || opcode.starts_with("MATCH");
}

/// The kind that the text has on the line, if the space of the machine's pointer is unknown.
StepKind kindOnLine(const AccessGroups& groups, std::uint32_t line, const MachineAccess& access) {
  if (!access.isGeneric) return access.kind;
  const StepKind shared = access.kind == StepKind::GlobalLoad    ? StepKind::SharedLoad
                          : access.kind == StepKind::GlobalStore ? StepKind::SharedStore
                                                                 : StepKind::SharedAtomic;
  return groups.contains({line, shared}) ? shared : access.kind;
}

/// An access of machine code.
struct GroupedInstruction {
  const MachineInstruction* instruction;
  std::size_t number;
  MachineAccess access;
};

void add(AccessGroup& group, const GroupedInstruction& one) {
  const std::string& sass = one.instruction->sass;
  group.machine.push_back(one.access);
  group.instructions.push_back(
      (one.access.isPredicated ? sass.substr(0, sass.find(' ') + 1) : std::string()) +
      std::string(parseOpcode(sass)));
  group.numbers.push_back(one.number);
  group.isInLoop = group.isInLoop || one.instruction->isInLoop;
  group.outsideLoops += one.instruction->isInLoop ? 0 : 1;
}

/// Gives accesses of headers to the lines that have such an access in the text alone: all to the only one, or
/// one to each.
void addHeaders(AccessGroups& groups, const std::vector<GroupedInstruction>& ofHeaders) {
  std::map<StepKind, std::vector<const GroupedInstruction*>> byKind;
  for (const GroupedInstruction& one : ofHeaders) byKind[one.access.kind].push_back(&one);
  for (const auto& [kind, accesses] : byKind) {
    std::vector<AccessGroup*> callers;
    for (auto& [key, group] : groups) {
      if (key.second == kind && !group.sites.empty() && group.machine.empty()) callers.push_back(&group);
    }
    for (std::size_t i = 0; i < callers.size(); ++i) {
      callers[i]->isCertain = false;
      callers[i]->isDoubtful = callers.size() > 1 && callers.size() != accesses.size();
      for (std::size_t k = 0; k < accesses.size(); ++k) {
        if (callers.size() == 1 || callers[i]->isDoubtful || i == k) add(*callers[i], *accesses[k]);
      }
    }
  }
}

std::set<std::uint32_t> targetsIn(const MachineCode& code) {
  std::set<std::uint32_t> targets;
  for (const MachineInstruction& one : code.instructions) targets.insert(one.target);
  return targets;
}

/// By site, which of the machine's accesses takes it, if there are as many as the sites have texts or, beside
/// every site, a multiple of them.
std::vector<std::size_t> findTakers(const AccessGroup& group) {
  std::vector<std::string> texts;
  std::vector<std::size_t> takers;
  for (const AccessSite* site : group.sites) {
    const auto at = std::ranges::find(texts, site->text);
    takers.push_back(static_cast<std::size_t>(at - texts.begin()));
    if (at == texts.end()) texts.push_back(site->text);
  }
  const bool isFewer = group.copies() < group.sites.size();
  const bool isOneEach = isFewer ? group.copies() == texts.size()
                                 : texts.size() < group.sites.size() && group.copies() % texts.size() == 0;
  return isOneEach ? takers : std::vector<std::size_t>{};
}

/// Accesses that machine code may make together. Lines that have accesses only in the text form one plan if
/// other lines have accesses only in the machine code, else each is planned with the next line that has
/// machine accesses. Several accesses on one line are planned together if the machine code has fewer places.
void planTogether(AccessGroups& groups, StepKind kind, std::vector<MergePlan>& plans) {
  const auto add = [&](const std::vector<AccessGroup*>& parts) {
    MergePlan plan{kind, {}, {}, {}, {}};
    for (AccessGroup* const part : parts) {
      for (const AccessSite* site : part->sites) plan.sites.push_back(site->number);
      part->together = plans.size();
    }
    if (parts.size() == 1) plan.takers = findTakers(*parts[0]);
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
      if (group.copies() < group.sites.size() || !findTakers(group).empty()) add({&group});
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

std::optional<MachineAccess> parseGroupedAccess(std::string_view sass) {
  if (auto access = parseAccess(sass)) return access;
  const std::string_view opcode = parseOpcode(sass);
  const bool isPredicated = sass.starts_with('@');
  if (opcode.starts_with("BAR.SYNC") || opcode.starts_with("BAR.RED"))
    return MachineAccess{StepKind::BlockBarrier, 0, false, isPredicated, false};
  if (opcode.starts_with("SHFL")) return MachineAccess{StepKind::Shuffle, 0, true, isPredicated, false};
  return std::nullopt;
}

bool isPlainLoad(StepKind kind) { return kind == StepKind::SharedLoad || kind == StepKind::GlobalLoad; }
bool isPlainStore(StepKind kind) { return isWrite(kind) && !isAtomic(kind); }

bool AccessGroup::mixesWidths() const {
  const auto isWide = [&](unsigned bytes) {
    return std::ranges::all_of(sites, [bytes](const AccessSite* site) { return site->bytes < bytes; });
  };
  return std::ranges::any_of(pieces, [&](const CodePiece& piece) {
    const std::vector<unsigned>& widths = piece.piece.widths;
    return std::ranges::any_of(widths, isWide) && !std::ranges::all_of(widths, isWide);
  });
}

AccessGroups makeGroups(const std::vector<AccessSite>& sites, const MachineCode& code) {
  AccessGroups groups;
  for (const AccessSite& site : sites) {
    AccessGroup& group = groups[{site.line, site.kind}];
    group.sites.push_back(&site);
  }
  std::vector<GroupedInstruction> ofHeaders;
  std::map<AccessGroupKey, CodePiece> pieces;         // of the straight piece that is currently read
  std::map<std::uint32_t, std::uint64_t> operations;  // of its lines
  const auto endPiece = [&] {
    for (auto& [key, piece] : pieces) {
      piece.operations = operations[key.first];
      groups[key].pieces.push_back(std::move(piece));
    }
    pieces.clear();
    operations.clear();
  };
  const std::set<std::uint32_t> targets = targetsIn(code);
  bool isCertain = true;
  for (std::size_t number = 0; number < code.instructions.size(); ++number) {
    const MachineInstruction& one = code.instructions[number];
    const auto access = one.isCold ? std::nullopt : parseGroupedAccess(one.sass);
    isCertain = isCertain && (one.isCold || !parseWay(one.sass).ends) && !one.isInLoop;
    if (parseWay(one.sass).ends || targets.contains(one.address)) endPiece();
    if (isFloatingArithmetic(parseOpcode(one.sass))) ++operations[one.line];
    if (!access) continue;
    if (one.line == 0) {
      ofHeaders.push_back({&one, number, *access});
      continue;
    }
    const AccessGroupKey key{one.line, kindOnLine(groups, one.line, *access)};
    AccessGroup& group = groups[key];
    add(group, {&one, number, *access});
    group.isCertain = group.isCertain && isCertain && !access->isPredicated;
    CodePiece& piece = pieces[key];
    piece.piece.widths.push_back(access->bytes);
    piece.piece.isInLoop = one.isInLoop;
  }
  endPiece();
  addHeaders(groups, ofHeaders);
  return groups;
}

std::set<std::uint32_t> linesWithVotes(const MachineCode& code) {
  std::set<std::uint32_t> lines;
  for (const MachineInstruction& one : code.instructions) {
    if (one.line != 0 && countsLanes(parseOpcode(one.sass))) lines.insert(one.line);
  }
  return lines;
}

std::vector<MergePlan> makePlans(AccessGroups& groups) {
  std::vector<MergePlan> plans;
  const auto add = [&](StepKind kind,
                       const std::vector<std::pair<const AccessGroupKey, AccessGroup>*>& parts) {
    MergePlan plan{kind, {}, {}, {}, {}};
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
    } else if (group.copies() == 1 && group.sites.size() > 1 && group.machineBytes() > group.textBytes()) {
      add(entry.first.second, {&entry});  // as three words of four
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
  for (auto& [key, group] : groups) {
    if (group.plan || group.together || !isPlainLoad(key.second)) continue;
    std::vector<LoopPiece> pieces = findLoopPieces(group);
    if (pieces.empty()) continue;
    group.loop = plans.size();
    plans.push_back({key.second, {group.sites[0]->number}, {}, {}, std::move(pieces)});
  }
  return plans;
}

}  // namespace lanescope
