#include "sim/trace/hazard_fix.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/diagnostic.h"
#include "sim/machine/compile/operations.h"

namespace lanescope {
namespace {

using RegionKind = CodeRegion::Kind;

bool startsWith(const SourceText& source, SourceSpan span, std::string_view word) {
  return source.slice(span).starts_with(word);
}

/// Loops, labels and switches also open scopes.
bool isCallSite(const SourceText& source, SourceSpan span) {
  const std::string_view text = source.slice(span);
  const auto is = [text](std::string_view word) { return text.starts_with(word); };
  return text.find('(') != std::string_view::npos && !is("for") && !is("while") && !is("do") && !is("switch");
}

/// The innermost region of that kind around an instruction, or nullptr.
CodeRegion* innermost(std::vector<CodeRegion>& regions, RegionKind kind, std::uint32_t pc) {
  const auto found = std::find_if(regions.rbegin(), regions.rend(), [&](const CodeRegion& region) {
    return region.kind == kind && region.holds(pc);
  });
  return found == regions.rend() ? nullptr : &*found;
}

bool mark(CodeRegion* region) {
  if (region == nullptr || region->isDivergent) return false;
  region->isDivergent = true;
  return true;
}

/// If only some threads leave a loop or an iteration of it, not all threads run the rest of it alike. A
/// thread that has left the kernel no longer counts.
bool markParked(const Bytecode& code, const SourceText& source, std::uint32_t pc,
                std::vector<CodeRegion>& regions) {
  if (code.code[pc].op != Op::Park || startsWith(source, code.sites[code.code[pc].site], "return"))
    return false;
  CodeRegion* const loop = innermost(regions, RegionKind::Loop, pc);
  const bool isPartial = loop != nullptr && std::ranges::any_of(regions, [&](const CodeRegion& region) {
                           return region.isDivergent && region.holds(pc) && region.first > loop->first;
                         });
  return isPartial && mark(loop);
}

/// The region that an instruction decides, or null.
CodeRegion* decidedBy(const Bytecode& code, std::uint32_t pc, std::vector<CodeRegion>& regions) {
  const Op op = code.code[pc].op;
  if (findClass(op) == OpClass::Loop) return innermost(regions, RegionKind::Loop, pc);
  if (op == Op::SwitchCase) return innermost(regions, RegionKind::Switch, pc);
  if (findClass(op) != OpClass::If) return nullptr;
  const auto found = std::ranges::find(regions, pc, &CodeRegion::first);
  return found == regions.end() ? nullptr : &*found;
}

/// Follows the values that differ among the threads of a block through the registers, until no new ones are
/// found.
class ThreadDependence {
 public:
  ThreadDependence(const Bytecode& code, const SourceText& source, std::vector<CodeRegion>& regions)
      : code_(code), source_(source), regions_(regions), varies_(code) {}

  void run() {
    do {
      hasChanged_ = false;
      pass();
    } while (hasChanged_);
  }

 private:
  void pass() {
    begin();
    for (std::uint32_t pc = 0; pc < code_.code.size(); ++pc) {
      if (const auto known = atTop_.find(pc); known != atTop_.end()) varies_.merge(known->second);
      const Instruction& i = code_.code[pc];
      const Operands operands = readOperands(i, code_);
      const bool variesHere = varies_.hasAny(operands.reads);
      if (CodeRegion* const region = decidedBy(code_, pc, regions_); region != nullptr && variesHere)
        hasChanged_ |= mark(region);
      hasChanged_ |= markParked(code_, source_, pc, regions_);
      varies_.set(operands.writes, i.op != Op::BlockBarrier && (variesHere || isOwn(i.op)));
      if (i.op == Op::Jump && i.imm <= pc) {
        RegisterMarks& top = atTop_.try_emplace(static_cast<std::uint32_t>(i.imm), code_).first->second;
        hasChanged_ |= top.merge(varies_);
      }
      for (const CodeRegion& region : regions_) {
        if (region.last == pc && region.isDivergent) leave(region);
      }
    }
  }
  /// Registers that only the threads in the region have written differ from there on.
  void leave(const CodeRegion& region) {
    for (std::uint32_t pc = region.first; pc <= region.last; ++pc) {
      if (keepsLanes(code_.code[pc].op)) varies_.set(readOperands(code_.code[pc], code_).writes, true);
    }
  }
  void begin() {
    varies_ = RegisterMarks(code_);
    for (const BuiltInRegister& builtIn : code_.builtIns) {
      using enum typed::BuiltIn;
      const auto which = builtIn.builtIn;
      if (which == ThreadX || which == ThreadY || which == ThreadZ || which == ThreadRank)
        varies_.set({builtIn.reg, 1}, true);
    }
    for (const LocalAddressRegister& local : code_.localAddresses) varies_.set({local.reg, 2}, true);
  }
  /// It differs among threads, regardless of its operands.
  static bool isOwn(Op op) {
    const OpClass group = findClass(op);
    return group == OpClass::Atomic || group == OpClass::Shuffle || group == OpClass::Vote ||
           op == Op::Clock || op == Op::FrameAddress || op == Op::Pop;
  }

  const Bytecode& code_;
  const SourceText& source_;
  std::vector<CodeRegion>& regions_;
  RegisterMarks varies_;
  std::map<std::uint32_t, RegisterMarks>
      atTop_;  ///< by instruction: the marks that jumps back to it bring along
  bool hasChanged_ = false;
};

}  // namespace

std::vector<CodeRegion> findRegions(const SourceText& source, const Bytecode& code) {
  std::vector<CodeRegion> regions;
  std::vector<CodeRegion> open;
  for (std::uint32_t pc = 0; pc < code.code.size(); ++pc) {
    const Instruction& i = code.code[pc];
    const SourceSpan span = code.sites[i.site];
    const std::uint32_t line = source.findLine(span);
    if (findClass(i.op) == OpClass::If) open.push_back({RegionKind::If, pc, pc, pc, line, false});
    if (i.op == Op::ScopeBegin) open.push_back({RegionKind::Call, pc, pc, pc, line, false});
    if (i.op == Op::SwitchBegin) open.push_back({RegionKind::Switch, pc, pc, pc, line, false});
    if (i.op == Op::IfElse && !open.empty()) {
      open.back().middle = pc;
      open.back().line = line;
      if (!startsWith(source, span, "if")) open.back().kind = RegionKind::Operand;
    }
    // Its scope begins before the instruction that it jumps back to.
    if (i.op == Op::Jump && i.imm <= pc && i.imm > 0)
      regions.push_back({RegionKind::Loop, static_cast<std::uint32_t>(i.imm - 1), pc, pc, line, false});
    if (!closesScope(i.op) || open.empty()) continue;
    open.back().last = pc;
    if (open.back().kind != RegionKind::Call || isCallSite(source, span)) regions.push_back(open.back());
    open.pop_back();
  }
  std::ranges::sort(regions, [](const CodeRegion& a, const CodeRegion& b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  return regions;
}

void markDivergentInBlock(const Bytecode& code, const SourceText& source, std::vector<CodeRegion>& regions) {
  ThreadDependence(code, source, regions).run();
}

void markDivergentInWarp(const Bytecode& code, const SourceText& source, const std::vector<bool>& splits,
                         std::vector<CodeRegion>& regions) {
  for (std::uint32_t pc = 0; pc < code.code.size() && pc < splits.size(); ++pc) {
    if (splits[pc]) mark(decidedBy(code, pc, regions));
    markParked(code, source, pc, regions);
  }
}

// The advice: the place in the text for the missing barrier.

namespace {

bool orders(Op op, HazardScope scope) {
  return op == Op::BlockBarrier || (op == Op::WarpBarrier && scope == HazardScope::Warp);
}

bool anyBarrier(const Bytecode& code, std::uint32_t from, std::uint32_t to, HazardScope scope) {
  return std::any_of(code.code.begin() + from, code.code.begin() + to,
                     [scope](const Instruction& i) { return orders(i.op, scope); });
}

/// True if the value that one instruction loads is part of the value that the other stores, or decides if it
/// stores: followed through the registers in the order of the code.
bool flowsInto(const Bytecode& code, std::uint32_t load, std::uint32_t store) {
  if (load >= store) return false;
  RegisterMarks holds(code);
  holds.set(readOperands(code.code[load], code).writes, true);
  std::uint32_t guards = 0;  // open ifs that it decides
  std::uint32_t open = 0;
  for (std::uint32_t pc = load + 1; pc <= store; ++pc) {
    const Operands operands = readOperands(code.code[pc], code);
    const bool isRead = holds.hasAny(operands.reads);
    if (pc == store) return guards > 0 || holds.hasAny(std::span(operands.reads).subspan(1));
    const OpClass group = findClass(code.code[pc].op);
    if (group == OpClass::If && ++open > 0 && isRead && guards == 0) guards = open;
    if (code.code[pc].op == Op::IfEnd && open > 0 && open-- == guards) guards = 0;
    holds.set(operands.writes, isRead);
  }
  return false;
}

/// A conflict's load and store that belong to one thread's update.
struct UpdatePair {
  std::uint32_t load = 0;
  std::uint32_t store = 0;
};

std::optional<UpdatePair> findUpdate(const Finding& finding) {
  if (finding.kind == HazardKind::ReadAfterWrite) return UpdatePair{finding.later.pc, finding.earlier.pc};
  if (finding.kind == HazardKind::WriteAfterRead) return UpdatePair{finding.earlier.pc, finding.later.pc};
  return std::nullopt;
}

/// Finds the place for the barrier that a race within a block or a warp needs.
class BarrierAdvice {
 public:
  BarrierAdvice(const Launch& launch, const Bytecode& code, const std::vector<CodeRegion>& regions,
                const Finding& finding)
      : launch_(launch),
        code_(code),
        regions_(regions),
        finding_(finding),
        isOfWarp_(finding.scope == HazardScope::Warp),
        barrier_(isOfWarp_ ? "__syncwarp()" : "__syncthreads()"),
        low_(std::min(finding.earlier.pc, finding.later.pc)),
        high_(std::max(finding.earlier.pc, finding.later.pc)),
        loop_(loopAround(code, low_, high_)) {
    for (const CodeRegion& region : regions_) {
      if (isDivergent(region) && region.holds(low_) && region.holds(high_)) around_.push_back(&region);
    }
  }

  std::string text() const {
    const bool areWrites = finding_.kind == HazardKind::WriteAfterWrite;
    const bool isOneInstruction = areWrites && low_ == high_ && (!loop_ || finding_.inOneIteration);
    const bool isInDivergentLoop = std::ranges::any_of(around_, isLoop);
    if (finding_.isAtOnce || finding_.sameValue || isOneInstruction || (areWrites && isInDivergentLoop))
      return "Let one thread write it, give each its own element, or use an atomic.";
    if (isInDivergentLoop) return secondArray();
    if (!around_.empty() && loop_ && loop_->top > around_.front()->first)
      return ifIntoLoop() + second() + limit();
    if (isAtEndOfLoop()) {
      return fmt::format(
                 "Put {} at the end of the body of {}, so that each iteration waits for the previous one.",
                 barrier_, loopName()) +
             limit();
    }
    return (around_.empty() ? between() : outside()) + second() + limit();
  }

 private:
  static bool isLoop(const CodeRegion* region) { return region->kind == CodeRegion::Kind::Loop; }
  static bool isDivergent(const CodeRegion& region) {
    return region.isDivergent && region.kind != CodeRegion::Kind::Operand;
  }
  std::uint32_t lineAt(std::uint32_t pc) const {
    return launch_.source->findLine(code_.sites[code_.code[pc].site]);
  }
  bool isOneLine() const { return lineAt(low_) == lineAt(high_); }
  std::string loopName() const {
    return fmt::format("the loop on line {}", launch_.source->findLine(code_.sites[loop_->site]));
  }
  static std::string regionName(const CodeRegion& region) {
    switch (region.kind) {
      case CodeRegion::Kind::Loop: return fmt::format("the loop on line {}", region.line);
      case CodeRegion::Kind::Switch: return fmt::format("the switch on line {}", region.line);
      case CodeRegion::Kind::Call: return fmt::format("the call on line {}", region.line);
      default: return fmt::format("the if on line {}", region.line);
    }
  }
  /// `the if on line 5`, `the if on line 3 and the if on line 5`.
  std::string aroundText() const {
    std::string text;
    for (const CodeRegion* region : around_) text += (text.empty() ? "" : " and ") + regionName(*region);
    return text;
  }
  std::string allReach() const {
    return isOfWarp_ ? "all lanes of the warp must reach it" : "all threads of the block must reach it";
  }

  bool loopHasNone() const { return loop_ && !anyBarrier(code_, loop_->top, loop_->end, finding_.scope); }
  /// The race is only between different iterations.
  bool isAtEndOfLoop() const {
    if (!loop_) return false;
    return anyBarrier(code_, low_, high_, finding_.scope) ||
           (loopHasNone() && finding_.inTwoIterations && !finding_.inOneIteration);
  }
  /// The race is within one iteration and also between two.
  std::string second() const {
    if (!loopHasNone() || !finding_.inTwoIterations || !finding_.inOneIteration) return "";
    return fmt::format(
        " Put another at the end of the body of {}, so that each iteration waits for the previous one.",
        loopName());
  }

  std::string secondArray() const {
    const auto loop = std::ranges::find_if(around_, isLoop);
    return fmt::format(
        "Write to a second array in {}, and copy it back behind the loop, after {}: the threads do not all "
        "run the loop equally often, so that no barrier can be in it.",
        regionName(**loop), barrier_);
  }
  std::string ifIntoLoop() const {
    const std::string place =
        isAtEndOfLoop() ? "at the end of the loop's body"
        : isOneLine()   ? fmt::format("between the reading and the writing of line {}", lineAt(low_))
                        : fmt::format("between line {} and line {}", lineAt(low_), lineAt(high_));
    return fmt::format("Move {} into {}, around what the body does, and put {} {}, outside the if: {}.",
                       aroundText(), loopName(), barrier_, place, allReach());
  }
  /// Both sides are in an if that not all threads run.
  std::string outside() const {
    const CodeRegion& inner = *around_.back();
    if (isOneLine()) {
      const std::string line = inner.line == lineAt(low_) ? "" : fmt::format("line {} and ", lineAt(low_));
      return fmt::format(
          "Split {}{}: declare a variable before the if, read into it in the if, then {} outside the if, "
          "then write in a second if; {}.",
          line, aroundText(), barrier_, allReach());
    }
    const bool isElse = inner.kind == CodeRegion::Kind::If && low_ < inner.middle && high_ > inner.middle;
    if (isElse && around_.size() == 1) {
      return fmt::format("Make two ifs of {} and its else, with {} between them: {}.", aroundText(), barrier_,
                         allReach());
    }
    return fmt::format(
        "Split {} in two between line {} and line {}, with {} between the two, and declare before them what "
        "both use: {}.",
        aroundText(), lineAt(low_), lineAt(high_), barrier_, allReach());
  }

  /// The outermost region around one side, and not the other, that a barrier must be outside of.
  const CodeRegion* findPart(std::uint32_t side, std::uint32_t other) const {
    const auto found = std::ranges::find_if(regions_, [&](const CodeRegion& region) {
      const bool matters = isDivergent(region) || region.kind == CodeRegion::Kind::Loop ||
                           region.kind == CodeRegion::Kind::Call;
      return matters && region.holds(side) && !region.holds(other);
    });
    return found == regions_.end() ? nullptr : &*found;
  }
  std::string between() const {
    const CodeRegion* const first = findPart(low_, high_);
    const CodeRegion* const then = findPart(high_, low_);
    const auto isCall = [](const CodeRegion* region) {
      return region != nullptr && region->kind == CodeRegion::Kind::Call;
    };
    if (isOneLine() && !isCall(first) && !isCall(then)) {
      const bool isStoreFirst = finding_.kind == HazardKind::ReadAfterWrite && finding_.earlier.pc == low_;
      return isStoreFirst ? fmt::format("Split line {}: write, then {}, then read.", lineAt(low_), barrier_)
                          : fmt::format("Split line {}: read into a variable, then {}, then write.",
                                        lineAt(low_), barrier_);
    }
    if (isCall(first) && isCall(then) && first->line == then->line)
      return fmt::format("Put {} between the two calls on line {}.", barrier_, first->line);
    std::string from = fmt::format("line {}", lineAt(low_));
    if (first != nullptr) from = (isCall(first) ? "" : "the end of ") + regionName(*first);
    const std::string to = then == nullptr ? fmt::format("line {}", lineAt(high_)) : regionName(*then);
    return fmt::format("Put {} between {} and {}.", barrier_, from, to);
  }

  /// True if the place is in an if: then perhaps only one warp is meant to pass there.
  bool isInIf() const {
    const std::uint32_t low = around_.empty() ? low_ : around_.front()->first;
    const std::uint32_t high = around_.empty() ? high_ : around_.front()->last;
    return std::ranges::any_of(regions_, [&](const CodeRegion& region) {
      return region.kind == CodeRegion::Kind::If && region.holds(low) && region.holds(high) &&
             region.first < low;
    });
  }
  /// The limit of a fix for the active warp: a barrier of the warp, at a place that all threads of a larger
  /// block would reach.
  std::string limit() const {
    if (!isOfWarp_ || isInIf()) return "";
    if (launch_.block.count() > launch_.machine.warpSize) {
      return " That is enough while both threads are of one warp, as here: if more warps of the block take "
             "part, it takes __syncthreads().";
    }
    return fmt::format(
        " That is enough while both threads are of one warp: in a block of more than {} threads it takes "
        "__syncthreads() if they are not.",
        launch_.machine.warpSize);
  }

  const Launch& launch_;
  const Bytecode& code_;
  const std::vector<CodeRegion>& regions_;
  const Finding& finding_;
  bool isOfWarp_;
  std::string barrier_;
  std::uint32_t low_;
  std::uint32_t high_;
  std::optional<Loop> loop_;
  std::vector<const CodeRegion*>
      around_;  ///< the ones around both sides that not all threads run; outermost first
};

}  // namespace

std::optional<std::uint32_t> lostUpdateAt(const PreparedLaunch& prepared, const Finding& finding) {
  const auto update = findUpdate(finding);
  if (!update || !flowsInto(prepared.code(), update->load, update->store)) return std::nullopt;
  return update->store;
}

HazardFixes::HazardFixes(const Launch& launch, const PreparedLaunch& prepared,
                         const std::vector<bool>& splits)
    : launch_(launch),
      prepared_(prepared),
      ofBlock_(findRegions(*launch.source, prepared.code())),
      ofWarp_(ofBlock_) {
  markDivergentInBlock(prepared.code(), *launch.source, ofBlock_);
  markDivergentInWarp(prepared.code(), *launch.source, splits, ofWarp_);
}

/// On one line, the read first: as in `a[i] = a[i + 1]`.
bool HazardFixes::isReadThenWritten(const Finding& finding) const {
  const auto update = findUpdate(finding);
  const auto lineAt = [&](std::uint32_t pc) {
    return launch_.source->findLine(prepared_.code().sites[prepared_.code().code[pc].site]);
  };
  return update && update->load < update->store && lineAt(update->load) == lineAt(update->store);
}

std::string HazardFixes::of(const Finding& finding) const {
  const bool areWrites = finding.kind == HazardKind::WriteAfterWrite;
  const bool oneIsAtomic =
      finding.earlier.kind == AccessKind::Atomic || finding.later.kind == AccessKind::Atomic;
  if (finding.scope == HazardScope::Grid) {
    if (oneIsAtomic) return "Make the other access atomic too, or move it into a separate launch.";
    if (areWrites) return "Give each block an element of its own, or use an atomic.";
    if (isReadThenWritten(finding))
      return "Write to a second array, or read in one launch and write in another.";
    return "Split the kernel there into two launches, or hand the data over with __threadfence() and an "
           "atomic whose result the reading block looks at.";
  }
  const std::vector<CodeRegion>& regions = finding.scope == HazardScope::Warp ? ofWarp_ : ofBlock_;
  return BarrierAdvice(launch_, prepared_.code(), regions, finding).text();
}

}  // namespace lanescope
