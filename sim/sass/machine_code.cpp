#include "sim/sass/machine_code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include "sim/base/words.h"

namespace lanescope {
namespace {

/// The tables of an ELF file, each read within its bounds.
class ElfFile {
 public:
  explicit ElfFile(std::span<const std::byte> bytes) : bytes_(bytes) {
    const auto header = read<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(Elf64_Shdr))
      return;
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
      const auto section = read<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return;
      sections_.push_back(*section);
    }
    names_ = header->e_shstrndx;
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  std::string sectionName(const Elf64_Shdr& section) const { return text(names_, section.sh_name); }

  std::span<const std::byte> readContent(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes_.size() ||
        section.sh_size > bytes_.size() - section.sh_offset)
      return {};
    return bytes_.subspan(static_cast<std::size_t>(section.sh_offset),
                          static_cast<std::size_t>(section.sh_size));
  }

  /// The elements of a table.
  template <class T>
  std::vector<T> table(const Elf64_Shdr& section) const {
    const auto content = readContent(section);
    std::vector<T> all(content.size() / sizeof(T));
    if (!all.empty()) std::memcpy(all.data(), content.data(), all.size() * sizeof(T));
    return all;
  }

  std::string text(std::size_t section, std::size_t at) const {
    if (section >= sections_.size()) return {};
    const auto content = readContent(sections_[section]);
    std::string name;
    for (; at < content.size() && content[at] != std::byte{0}; ++at) name += static_cast<char>(content[at]);
    return name;
  }

 private:
  template <class T>
  std::optional<T> read(std::uint64_t at) const {
    if (at > bytes_.size() || sizeof(T) > bytes_.size() - at) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

  std::span<const std::byte> bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;
};

std::string variableName(const std::string& symbol) {
  const std::string name = readableName(symbol);
  const std::size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

}  // namespace

CubinConstants readConstants(std::span<const std::byte> cubin, std::string_view symbol) {
  CubinConstants constants;
  const ElfFile file(cubin);
  std::size_t bank3 = SIZE_MAX;
  const Elf64_Shdr* symbolTable = nullptr;
  const Elf64_Shdr* addresses = nullptr;
  for (std::size_t i = 0; i < file.sections().size(); ++i) {
    const Elf64_Shdr& section = file.sections()[i];
    const std::string name = file.sectionName(section);
    if (name == ".nv.constant3") bank3 = i;
    if (section.sh_type == SHT_SYMTAB) symbolTable = &section;
    if (name == ".rela.nv.constant4") addresses = &section;
    if (name == ".nv.constant2." + std::string(symbol)) {
      const auto content = file.readContent(section);
      constants.literals.assign(content.begin(), content.end());
    }
  }
  if (symbolTable == nullptr) return constants;
  const auto symbols = file.table<Elf64_Sym>(*symbolTable);
  for (const Elf64_Sym& one : symbols) {
    if (one.st_shndx == bank3 && ELF64_ST_TYPE(one.st_info) == STT_OBJECT)
      constants.variables.push_back(
          {3, one.st_value, variableName(file.text(symbolTable->sh_link, one.st_name)), 0});
  }
  if (addresses == nullptr) return constants;
  for (const Elf64_Rela& one : file.table<Elf64_Rela>(*addresses)) {
    const std::size_t number = ELF64_R_SYM(one.r_info);
    if (number < symbols.size())
      constants.variables.push_back({4, one.r_offset,
                                     variableName(file.text(symbolTable->sh_link, symbols[number].st_name)),
                                     static_cast<std::uint64_t>(one.r_addend)});
  }
  return constants;
}

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

void bringToStart(MachineCode& code) {
  const auto start = code.instructions.empty() ? std::nullopt : findStart(code.instructions);
  code.knowsLoops = start.has_value();
  if (start) {
    for (MachineInstruction& one : code.instructions) relocate(one, *start, code.instructions.size());
    markFlow(code.instructions);
  } else {
    for (MachineInstruction& one : code.instructions) one.isInLoop = true;  // as far as is known
  }
}

}  // namespace lanescope
