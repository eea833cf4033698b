#include "app/gpu/sm_fit.h"

#include <fmt/format.h>

#include "app/gpu/gpu_session.h"
#include "sim/base/counted.h"
#include "sim/memory/address.h"

namespace lanescope {
namespace {

constexpr std::string_view kUsualCapability = "9.0";
constexpr std::string_view kMaker = "NVIDIA ";

std::string sharedSizeText(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  if (bytes % 1024 == 0) return fmt::format("{} KB", bytes / 1024);
  return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1024);
}

std::string mostText(std::uint64_t blocks) { return fmt::format("at most {}", blocks); }

}  // namespace

std::optional<SmFit> computeSmFit(const Launch& launch, const GpuSession& gpu) {
  if (launch.compiled == nullptr) return std::nullopt;
  SmFit fit;
  const auto& hello = gpu.data().hello();
  fit.limits = findSmLimits(hello ? std::string_view(hello->computeCapability) : kUsualCapability);
  if (fit.limits == nullptr) return std::nullopt;
  if (hello) fit.gpu = hello->gpu.starts_with(kMaker) ? hello->gpu.substr(kMaker.size()) : hello->gpu;
  const std::uint64_t fixed = launch.compiled->code.staticSharedBytes;
  fit.block.threads = launch.block.count();
  fit.block.sharedBytes =
      launch.dynamicSharedBytes > 0 ? dynamicSharedOffset(fixed) + launch.dynamicSharedBytes : fixed;
  const TextOutcome& outcome = gpu.text().outcome();
  const bool isOfText = outcome.compiled && launch.source != nullptr && outcome.block == launch.block &&
                        gpu.text().isAbout(launch.source->text());
  if (isOfText && outcome.compiled->registers > 0) fit.block.registers = outcome.compiled->registers;
  fit.occupancy = computeOccupancy(fit.block, *fit.limits);
  return fit;
}

std::string fitBrief(const SmFit& fit) {
  return fmt::format("{} fit on an SM, by rule", fit.occupancy.blocks());
}

std::string fitDetail(const SmFit& fit) {
  const SmLimits& limits = *fit.limits;
  const std::string where = fit.gpu.empty() ? "a GPU" : "the " + fit.gpu;
  std::string text =
      fmt::format("By rule, an SM of {} holds {} of these blocks at once.\n", where, fit.occupancy.blocks());
  text += fmt::format("Threads: {} per SM, {} per block: {}\n", withCommas(limits.threads),
                      withCommas(fit.block.threads), mostText(fit.occupancy.byThreads));
  text += fmt::format("Blocks: {} per SM\n", mostText(fit.occupancy.byBlocks));
  if (fit.occupancy.byShared) {
    text += fmt::format(
        "Shared memory: {} per SM, {} per block{}: {}\n", sharedSizeText(limits.sharedBytes),
        sharedSizeText(fit.block.sharedBytes),
        limits.reservedBytes > 0 ? " and " + sharedSizeText(limits.reservedBytes) + " reserved" : "",
        mostText(*fit.occupancy.byShared));
  }
  if (fit.occupancy.byRegisters) {
    text += fmt::format("Registers: {} per SM, {} per thread: {}\n", withCommas(limits.registers),
                        *fit.block.registers, mostText(*fit.occupancy.byRegisters));
  } else {
    text += "Registers: not known before the GPU's compiler has seen this text\n";
  }
  return text + fmt::format("Documented limits of compute capability {}; nothing here is measured.",
                            limits.capability);
}

}  // namespace lanescope
