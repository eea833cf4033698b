#include "sim/machine/compile/loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/source_text.h"
#include "sim/memory/address.h"

namespace lanescope {

const LocalVariable* localAt(const Bytecode& code, std::uint64_t address) {
  const FoundLocal found = findLocal(code, localIndex(address));
  return found.local < code.locals.size() ? &code.locals[found.local] : nullptr;
}

std::vector<Loop> loopsAround(const Bytecode& code, std::uint32_t pc) {
  std::vector<Loop> loops;
  for (std::uint32_t end = pc; end < code.code.size(); ++end) {
    const Instruction& i = code.code[end];
    if (i.op == Op::Jump && i.imm <= pc) loops.push_back({static_cast<std::uint32_t>(i.imm), end, i.site});
  }
  return loops;
}

std::optional<Loop> loopAround(const Bytecode& code, std::uint32_t low, std::uint32_t high) {
  const std::vector<Loop> loops = loopsAround(code, high);
  const auto found = std::ranges::find_if(loops, [low](const Loop& loop) { return loop.top <= low; });
  return found == loops.end() ? std::nullopt : std::optional(*found);
}

std::string loopsText(const SourceText& source, const Bytecode& code, const std::vector<Loop>& loops) {
  std::string text;
  for (const Loop& loop : loops) {
    text += fmt::format("{} on line {}", text.empty() ? " in the loop" : ", inside that",
                        source.findLine(code.sites[loop.site]));
  }
  return text;
}

}  // namespace lanescope
