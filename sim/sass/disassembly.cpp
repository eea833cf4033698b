#include "sim/sass/disassembly.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/words.h"
#include "kernels/protocol/take_line.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostListedInstructions = 1'000'000;

std::optional<std::uint32_t> numberIn(std::string_view text, int base) {
  std::uint32_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return failure == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// A place in a file, as comments name it.
struct FileLine {
  std::string_view file;
  std::uint32_t line = 0;
};

/// Takes `"FILE", line NUMBER` from the beginning of the text.
std::optional<FileLine> parseFileLine(std::string_view& text) {
  const std::size_t open = text.find('"');
  const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view file = text.substr(open + 1, close - open - 1);
  constexpr std::string_view kLine = ", line ";
  std::string_view rest = text.substr(close + 1);
  if (!rest.starts_with(kLine)) return std::nullopt;
  rest.remove_prefix(kLine.size());
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto number = numberIn(rest.substr(0, digits), 10);
  if (!number) return std::nullopt;
  text = rest.substr(digits);
  return FileLine{file, *number};
}

/// The name of a section or a function in a line that begins one: `.text.NAME:`, `Function : NAME`.
std::string_view functionBegunBy(std::string_view line) {
  if (line.starts_with(".text.") && line.ends_with(':')) return line.substr(6, line.size() - 7);
  constexpr std::string_view kFunction = "Function :";
  if (line.starts_with(kFunction)) return trimmed(line.substr(kFunction.size()));
  return {};
}

/// Reads one disassembly, line by line.
class Reader {
 public:
  explicit Reader(std::string_view textFile) : textFile_(textFile) {}

  void receive(std::string_view line) {
    if (const std::string_view name = functionBegunBy(line); !name.empty()) {
      finish();
      functions_.push_back({std::string(name), {}});
      line_ = 0;
    } else if (functions_.empty()) {
      return;
    } else if (line.starts_with("//##")) {
      parseComment(line);
    } else if ((line.starts_with(".L_") || line.starts_with('$')) && line.ends_with(':')) {
      pending_.emplace_back(line.substr(0, line.size() - 1));
    } else if (line.starts_with("/*")) {
      parseInstruction(line);
    }
  }

  std::vector<DisassembledFunction> finished() {
    finish();
    std::erase_if(functions_, [](const DisassembledFunction& one) { return one.instructions.empty(); });
    return std::move(functions_);
  }

 private:
  /// `//## File "F", line L inlined at "F", line L`: the first of a group is the innermost.
  void parseComment(std::string_view line) {
    if (!std::exchange(isInComments_, true)) line_ = 0;
    for (auto named = parseFileLine(line); named; named = parseFileLine(line)) {
      const std::size_t slash = named->file.rfind('/');
      const std::string_view name =
          slash == std::string_view::npos ? named->file : named->file.substr(slash + 1);
      if (line_ == 0 && name == textFile_) line_ = named->line;
    }
  }

  /// `/*0220*/  @!P2 LDS R4, [R7+UR4] ;`, in cuobjdump's form followed by its bytes.
  void parseInstruction(std::string_view line) {
    const std::size_t close = line.find("*/");
    const std::size_t end = line.find(';');
    if (close == std::string_view::npos || end == std::string_view::npos || end < close) return;
    const auto address = numberIn(line.substr(2, close - 2), 16);
    if (!address || functions_.back().instructions.size() >= kMostListedInstructions) return;
    isInComments_ = false;
    const std::string_view sass = trimmed(line.substr(close + 2, end - close - 2));
    functions_.back().instructions.push_back({line_, *address, std::string(sass)});
    for (const std::string& label : pending_) labels_.emplace(label, *address);
    pending_.clear();
  }

  /// The target of an instruction: `BRA `(.L_x_4)`, `@P0 BRA P1, `(.L_x_4)`, `BRA 0x1d0`, ``CALL `($slow)``.
  std::uint32_t findTarget(std::string_view sass) const {
    const std::string_view opcode = parseOpcode(sass);
    if (!opcode.starts_with("BRA") && !opcode.starts_with("CALL")) return kNoTarget;
    if (const std::size_t open = sass.find("`("); open != std::string_view::npos) {
      const std::size_t close = std::min(sass.find(')', open), sass.size());
      const auto found = labels_.find(sass.substr(open + 2, close - open - 2));
      return found == labels_.end() ? kNoTarget : found->second;
    }
    const std::size_t hex = sass.rfind("0x");
    if (hex == std::string_view::npos) return kNoTarget;
    return numberIn(trimmed(sass.substr(hex + 2)), 16).value_or(kNoTarget);
  }

  void finish() {
    if (!functions_.empty()) {
      std::vector<MachineInstruction>& all = functions_.back().instructions;
      for (MachineInstruction& one : all) one.target = findTarget(one.sass);
      markFlow(all);
    }
    labels_.clear();
    pending_.clear();
    isInComments_ = false;
  }

  std::string_view textFile_;
  std::vector<DisassembledFunction> functions_;
  std::map<std::string, std::uint32_t, std::less<>> labels_;
  std::vector<std::string> pending_;  ///< labels of the instruction that comes next
  std::uint32_t line_ = 0;
  bool isInComments_ = false;
};

void markCold(std::vector<MachineInstruction>& all) {
  std::map<std::uint32_t, std::size_t> byAddress;
  for (std::size_t i = 0; i < all.size(); ++i) byAddress.emplace(all[i].address, i);
  std::vector<bool> isReached(all.size(), false);
  std::vector<std::size_t> open;
  const auto reach = [&](std::size_t i) {
    if (i >= all.size() || isReached[i]) return;
    isReached[i] = true;
    open.push_back(i);
  };
  reach(0);
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    const Way way = parseWay(all[i].sass);
    if (way.isUnknown) return;  // it may lead anywhere
    if (way.goesOn) reach(i + 1);
    const auto target = byAddress.find(all[i].target);
    if (target != byAddress.end() && !parseOpcode(all[i].sass).starts_with("BRA.DIV")) reach(target->second);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].isCold = !isReached[i];
}

/// Template arguments without the suffixes that compilers write: `64` for `64u`.
std::string withoutSuffixes(std::string_view name) {
  std::string plain;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const bool isSuffix = std::string_view("uUlL").find(name[at]) != std::string_view::npos && at > 0 &&
                          name[at - 1] >= '0' && name[at - 1] <= '9' && name.find('<') < at;
    if (!isSuffix) plain += name[at];
  }
  return plain;
}

/// The same without blanks, for a comparison.
std::string plainArguments(std::string_view name) {
  std::string plain = withoutSuffixes(name);
  std::erase(plain, ' ');
  return plain;
}

}  // namespace

std::vector<DisassembledFunction> parseDisassembly(std::string_view text, std::string_view textFile) {
  Reader reader(textFile);
  while (!text.empty()) reader.receive(trimmed(splitLine(text)));
  return reader.finished();
}

void markFlow(std::vector<MachineInstruction>& instructions) {
  markCold(instructions);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const MachineInstruction& branch = instructions[i];
    // A branch to itself after the kernel's end is never executed.
    if (branch.isCold || branch.target == kNoTarget || branch.target >= branch.address) continue;
    for (std::size_t k = i + 1; k-- > 0 && instructions[k].address >= branch.target;)
      instructions[k].isInLoop = true;
  }
}

std::string readableName(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || plain == nullptr) return symbol;
  std::string_view name = plain.get();
  int depth = 0;  // in template arguments, which may contain parentheses
  std::size_t begin = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == '<') ++depth;
    if (name[at] == '>') --depth;
    if (depth == 0 && name[at] == ' ') begin = at + 1;  // after the type of the result
    if (depth == 0 && name[at] == '(') return withoutSuffixes(name.substr(begin, at - begin));
  }
  return std::string(name);
}

const DisassembledFunction* findKernel(const std::vector<DisassembledFunction>& functions,
                                       std::string_view kernel) {
  const std::string_view base = kernel.substr(0, kernel.find('<'));
  const std::string wanted = plainArguments(kernel);
  const DisassembledFunction* found = nullptr;
  unsigned sameName = 0;
  for (const DisassembledFunction& one : functions) {
    const std::string name = readableName(one.symbol);
    if (plainArguments(name) == wanted) return &one;
    if (std::string_view(name).substr(0, name.find('<')) != base) continue;
    found = &one;
    ++sameName;
  }
  return sameName == 1 ? found : nullptr;
}

}  // namespace lanescope
