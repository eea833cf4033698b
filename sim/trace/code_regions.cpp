#include "sim/trace/code_regions.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/base/source_text.h"
#include "sim/machine/compile/op_classes.h"
#include "sim/machine/compile/operands.h"

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

}  // namespace lanescope
