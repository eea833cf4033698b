#include "sim/sass/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "sim/sass/disassembly.h"
#include "sim/base/split.h"

namespace lanescope {
namespace {

std::string_view withoutPredicate(std::string_view sass) {
  const std::size_t begin = sass.find_first_not_of(" \t{");
  sass.remove_prefix(std::min(begin, sass.size()));
  if (!sass.starts_with('@')) return sass;
  const std::size_t blank = sass.find(' ');
  if (blank == std::string_view::npos) return {};
  sass.remove_prefix(blank);
  sass.remove_prefix(std::min(sass.find_first_not_of(' '), sass.size()));
  return sass;
}

struct AccessName {
  std::string_view name;
  StepKind kind;
  bool isResultUsed = false;
  bool isGeneric = false;
};
/// Opcodes of sm_50 and later (CUDA Binary Utilities, "Instruction Set Reference").
constexpr auto kAccesses = std::to_array<AccessName>({{"LDS", StepKind::SharedLoad},
                                                      {"LDSM", StepKind::SharedLoad},
                                                      {"STS", StepKind::SharedStore},
                                                      {"STSM", StepKind::SharedStore},
                                                      {"ATOMS", StepKind::SharedAtomic, true},
                                                      {"LDG", StepKind::GlobalLoad},
                                                      {"LDGSTS", StepKind::GlobalLoad},
                                                      {"LD", StepKind::GlobalLoad, false, true},
                                                      {"STG", StepKind::GlobalStore},
                                                      {"ST", StepKind::GlobalStore, false, true},
                                                      {"ATOMG", StepKind::GlobalAtomic, true},
                                                      {"ATOM", StepKind::GlobalAtomic, true, true},
                                                      {"RED", StepKind::GlobalAtomic},
                                                      {"REDG", StepKind::GlobalAtomic}});

unsigned toBytes(std::span<const std::string_view> modifiers) {
  static constexpr auto kWidths = std::to_array<std::pair<std::string_view, unsigned>>({{"U8", 1},
                                                                                        {"S8", 1},
                                                                                        {"U16", 2},
                                                                                        {"S16", 2},
                                                                                        {"64", 8},
                                                                                        {"F64", 8},
                                                                                        {"U64", 8},
                                                                                        {"S64", 8},
                                                                                        {"128", 16}});
  for (const std::string_view modifier : modifiers) {
    const auto found = std::ranges::find(kWidths, modifier, &std::pair<std::string_view, unsigned>::first);
    if (found != kWidths.end()) return found->second;
  }
  return 4;
}

/// True if an atomic's result goes into a register: its first operand after the predicates is not RZ.
bool givesResult(std::string_view sass, std::string_view opcode) {
  std::string_view operands =
      sass.substr(static_cast<std::size_t>(opcode.data() - sass.data()) + opcode.size());
  while (!operands.empty()) {
    const std::size_t comma = std::min(operands.find(','), operands.size());
    std::string_view operand = operands.substr(0, comma);
    operand.remove_prefix(std::min(operand.find_first_not_of(' '), operand.size()));
    if (!operand.starts_with('P')) return operand.starts_with('R') && !operand.starts_with("RZ");
    operands.remove_prefix(std::min(comma + 1, operands.size()));
  }
  return false;
}

}  // namespace

std::string_view parseOpcode(std::string_view sass) {
  const std::string_view rest = withoutPredicate(sass);
  return rest.substr(0, std::min(rest.find_first_of(" ;"), rest.size()));
}

std::optional<MachineAccess> parseAccess(std::string_view sass) {
  const std::string_view opcode = parseOpcode(sass);
  const std::vector<std::string_view> parts = splitAt('.', opcode);
  if (parts.empty()) return std::nullopt;
  const auto found = std::ranges::find(kAccesses, parts.front(), &AccessName::name);
  if (found == kAccesses.end()) return std::nullopt;
  MachineAccess access{found->kind, toBytes(std::span(parts).subspan(1)), false,
                       sass.find('@') < sass.find(parts.front()), found->isGeneric};
  access.isResultUsed = found->isResultUsed && givesResult(sass, opcode);
  return access;
}

bool isFloatingArithmetic(std::string_view opcode) {
  return std::ranges::any_of(std::array{"FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA"},
                             [opcode](const char* name) { return opcode.starts_with(name); });
}

Way parseWay(std::string_view sass) {
  const std::string_view opcode = parseOpcode(sass);
  const bool isConditional = sass.starts_with('@');
  const auto is = [opcode](std::string_view name) { return opcode.starts_with(name); };
  if (is("BRX") || is("JMX") || is("CALL") || is("JMP")) return {true, true, true};
  if (is("EXIT") || is("RET")) return {isConditional, false, true};
  if (!is("BRA")) return {};
  // `BRA P1, `(.L_x_4)` and `BRA.U !UP0, `(.L_x_4)` have their condition after the opcode.
  const std::size_t behind = static_cast<std::size_t>(opcode.data() - sass.data()) + opcode.size();
  const std::size_t label = std::min({sass.find("`(", behind), sass.find("0x", behind), sass.size()});
  const bool hasOperand =
      sass.substr(behind, label - behind).find_first_not_of(' ') != std::string_view::npos;
  return {isConditional || hasOperand, false, true};
}

namespace {

constexpr std::uint32_t kInstructionBytes = 16;  // of sm_70 and later

/// An address as an operand, and the position of its text.
struct AddressOperand {
  std::size_t at = 0;
  std::uint64_t address = 0;
};

/// The target in GPU memory of a branch, or of an instruction that prepares one: `@P0 BRA 0x7fcc0b7a6de0`.
std::optional<AddressOperand> addressIn(std::string_view sass) {
  constexpr std::array<std::string_view, 6> kLeading{"BRA", "BSSY", "CALL", "JMP", "WARPSYNC", "RET"};
  const std::string_view opcode = parseOpcode(sass);
  if (std::ranges::none_of(kLeading, [&](std::string_view one) { return opcode.starts_with(one); }))
    return std::nullopt;
  const std::size_t hex = sass.rfind("0x");
  if (hex == std::string_view::npos) return std::nullopt;
  AddressOperand operand{hex};
  const char* const end = sass.data() + sass.size();
  const auto [read, failure] = std::from_chars(sass.data() + hex + 2, end, operand.address, 16);
  if (failure != std::errc{} || read != end) return std::nullopt;
  return operand;
}

/// The address of the code in the GPU's memory: it ends with a branch to itself, which is never reached.
std::optional<std::uint64_t> findStart(const std::vector<MachineInstruction>& code) {
  const MachineInstruction& last = code.back();
  const auto operand = addressIn(last.sass);
  if (!operand || !last.sass.starts_with("BRA ") || operand->address < last.address) return std::nullopt;
  return operand->address - last.address;
}

/// Gives the instruction the target in the code that its address in the GPU's memory is.
void relocate(MachineInstruction& one, std::uint64_t start, std::size_t count) {
  const auto operand = addressIn(one.sass);
  if (!operand || operand->address < start || operand->address - start >= count * kInstructionBytes) return;
  const auto address = static_cast<std::uint32_t>(operand->address - start);
  one.sass = fmt::format("{}{:#x}", std::string_view(one.sass).substr(0, operand->at), address);
  if (parseOpcode(one.sass).starts_with("BRA")) one.target = address;
}

}  // namespace

std::optional<MachineCode> readMachineCode(const LaunchProfile& profile, const std::string& origin) {
  if (profile.instructions.empty()) return std::nullopt;
  MachineCode code{profile.kernel.kernel, {}, origin, true, false, {}};
  for (const ProfileInstruction& one : profile.instructions) {
    const auto address = static_cast<std::uint32_t>(code.instructions.size()) * kInstructionBytes;
    code.instructions.push_back({one.line, address, one.sass, false, one.counts.executed});
  }
  if (const auto start = findStart(code.instructions)) {
    for (MachineInstruction& one : code.instructions) relocate(one, *start, code.instructions.size());
    markFlow(code.instructions);
    code.knowsLoops = true;
  } else {
    for (MachineInstruction& one : code.instructions) one.isInLoop = true;  // for all that is known
  }
  return code;
}

}  // namespace lanescope
