#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/recording.h"
#include "kernels/protocol/protocol.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// How much one unit of a GPU, all SMs together, can do in a microsecond.
struct UnitRate {
  double perUs = 0;         ///< sectors, wavefronts or warp instructions; RateUnit::Launch: 0
  double us = 0;            ///< RateUnit::Launch: an empty kernel's time
  bool isMeasured = false;  ///< by the worker on such a GPU; else from a datasheet
  std::string source;       ///< the number's origin, one clause
};

/// The rates of a GPU, and the other data that a floor needs.
struct GpuRates {
  std::string id;   ///< `h200`
  std::string gpu;  ///< `NVIDIA H200`
  std::uint32_t sms = 0;
  std::uint64_t l2Bytes = 0;
  std::string computeCapability;  ///< `9.0`: it runs machine code for that
  std::string times;              ///< a recording of strategies' times on it, if one ships; a file's name
  std::string recording;          ///< of `lanescope-gpu rates` on such a GPU, if one ships; a file's name
  std::array<std::optional<UnitRate>, kRateUnits.size()> rates;

  /// nullptr if the rate is unknown.
  const UnitRate* find(RateUnit unit) const {
    const auto& rate = rates[static_cast<std::size_t>(unit)];
    return rate ? &*rate : nullptr;
  }
  void set(RateUnit unit, UnitRate rate) { rates[static_cast<std::size_t>(unit)] = std::move(rate); }
  /// Takes the rates that a worker measured, instead of the present ones.
  void receive(const Recording& recording);
};

/// Reads rates from a text such as assets/gpu_rates.json. Errors: one sentence with the fault and its place.
Result<std::vector<GpuRates>> parseGpuRates(std::string_view text);

/// The GPUs with rates that ship with the program: those of assets/gpu_rates.json, with the measurements of
/// each in the shipped recordings. Read once.
const std::vector<GpuRates>& shippedGpuRates();

/// The GPU of that id (`h200`) or name (`NVIDIA H200`), in any case. The error names the known ones.
Result<GpuRates> findGpuRates(std::string_view name);

/// The text of assets/gpu_rates.json, which the build carries.
std::string_view gpuRatesText();

}  // namespace lanescope
