#include "sim/sass/machine_run.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "sim/sass/machine_block.h"
#include "sim/machine/run/prepare.h"
#include "sim/memory/address.h"

namespace lanescope {
namespace {

/// The places of the parameters in constant bank 0 and of shared memory, for code of an architecture.
struct CodeLayout {
  std::string_view architectures;  ///< numbers, each between blanks
  std::size_t parameters;
  std::uint32_t sharedBegin;
};
constexpr auto kLayouts =
    std::to_array<CodeLayout>({{" 75 80 86 87 88 89 ", 0x160, 0}, {" 90 ", 0x210, 0x400}});
constexpr std::size_t kStackPlace = 0x28;
constexpr std::uint32_t kStackBytes = 0x10000;
constexpr std::size_t kMostParameterBytes = 4096;

/// The layout for `sm_90`, and for code without a name, which was recorded on a GPU of that; nullptr if
/// unknown.
const CodeLayout* findLayout(std::string_view architecture) {
  if (architecture.empty()) return &kLayouts.back();
  if (architecture.ends_with('a')) architecture.remove_suffix(1);
  const std::string number =
      " " + std::string(architecture.substr(std::min<std::size_t>(3, architecture.size()))) + " ";
  const auto found = std::ranges::find_if(kLayouts, [&](const CodeLayout& one) {
    return one.architectures.find(number) != std::string_view::npos;
  });
  return found == kLayouts.end() ? nullptr : &*found;
}

void put(std::vector<std::byte>& bytes, std::size_t place, const void* from, std::size_t count) {
  if (place + count <= bytes.size()) std::memcpy(bytes.data() + place, from, count);
}

/// Constant bank 0: extents, the stack, the parameters.
std::vector<std::byte> makeParameters(const Launch& launch, const PreparedLaunch& prepared,
                                      std::size_t place) {
  std::vector<std::byte> bytes(place + kMostParameterBytes);
  const std::array<std::uint32_t, 6> extents{launch.block.x, launch.block.y, launch.block.z,
                                             launch.grid.x,  launch.grid.y,  launch.grid.z};
  put(bytes, 0, extents.data(), sizeof extents);
  put(bytes, kStackPlace, &kStackBytes, sizeof kStackBytes);
  const Bytecode& code = prepared.code();
  std::size_t bits = 0;
  for (std::size_t p = 0; p < code.parameterTypes.size(); ++p) {
    const Type& type = *code.parameterTypes[p];
    place = (place + type.alignment - 1) / type.alignment * type.alignment;
    for (const Leaf& leaf : findLeaves(type)) {
      if (bits < prepared.parameterBits.size())
        put(bytes, place + leaf.offset, &prepared.parameterBits[bits], leaf.type->size);
      ++bits;
    }
    place += type.size;
  }
  return bytes;
}

/// Puts bytes at a place of a bank, which grows as it must.
void place(std::vector<std::byte>& bank, std::size_t at, const void* from, std::size_t count) {
  constexpr std::size_t kMostConstants = 64u << 10;
  if (at > kMostConstants || count > kMostConstants) return;
  bank.resize(std::max(bank.size(), (at + count + 3) / 4 * 4));
  put(bank, at, from, count);
}

/// All banks: 0 the parameters, 2 numbers of the code, 3 variables of __constant__, 4 addresses of others.
std::array<std::vector<std::byte>, 5> makeConstantBanks(const Launch& launch, const PreparedLaunch& prepared,
                                                        const CubinConstants& known,
                                                        const CodeLayout& layout) {
  std::array<std::vector<std::byte>, 5> banks;
  banks[0] = makeParameters(launch, prepared, layout.parameters);
  if (!known.literals.empty()) place(banks[2], 0, known.literals.data(), known.literals.size());
  const auto& symbols = prepared.code().symbols;
  const std::size_t first = prepared.parameterBits.size() - symbols.size();
  for (const ConstantVariable& one : known.variables) {
    const auto symbol = std::ranges::find(symbols, one.name, &typed::GlobalSymbol::name);
    if (symbol == symbols.end()) continue;
    const std::uint64_t address =
        prepared.parameterBits[first + static_cast<std::size_t>(symbol - symbols.begin())];
    const auto content = prepared.memory.buffer((address >> kOffsetBits) - 1);
    const std::uint64_t value = address + one.addend;
    if (one.bank == 3) place(banks[3], one.offset, content.data(), content.size());
    if (one.bank == 4) place(banks[4], one.offset, &value, sizeof value);
  }
  return banks;
}

}  // namespace

Result<MachineRun> runMachineCode(const Launch& launch, const MachineCode& code, std::uint64_t blocks,
                                  std::uint64_t mostIssued) {
  const CodeLayout* const layout = findLayout(code.architecture);
  if (layout == nullptr)
    return Error{"Machine code of " + code.architecture +
                 " is not executed here: where it has its parameters is not known."};
  if (launch.machine != machinePresets()[0])
    return Error{"Machine code is executed only as on an NVIDIA GPU."};
  auto program = makeProgram(code);
  if (!program) return program.error();
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  MachineRun run;
  run.instructions.resize(program->operations.size());
  MachineMemory memory(*prepared, launch.machine, layout->sharedBegin);
  const BlockConstants constants{
      {}, launch.block, launch.grid, makeConstantBanks(launch, *prepared, code.constants, *layout)};
  MachineBlock block(*program, memory, constants, run, mostIssued);
  for (std::uint64_t b = 0; b < std::min(blocks, launch.grid.count()); ++b) {
    if (auto done = block.runBlock(unlinear(b, launch.grid)); !done) return done.error();
  }
  run.dependsOnTime = memory.depends();
  for (std::size_t b = 0; b < prepared->memory.bufferCount(); ++b) {
    const auto bytes = std::as_const(prepared->memory).buffer(b);
    run.buffers.emplace_back(bytes.begin(), bytes.end());
  }
  return run;
}

}  // namespace lanescope
