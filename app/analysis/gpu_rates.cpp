#include "app/analysis/gpu_rates.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/base/whole.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

/// A field of that type; nullptr if it is missing or of another type.
const Json* field(const Json& object, const char* key, bool (Json::*isType)() const noexcept) {
  const auto found = object.find(key);
  return found != object.end() && ((*found).*isType)() ? &*found : nullptr;
}

std::string textIn(const Json& object, const char* key) {
  const Json* const found = field(object, key, &Json::is_string);
  return found == nullptr ? std::string() : found->get<std::string>();
}

double numberIn(const Json& object, const char* key) {
  const Json* const found = field(object, key, &Json::is_number);
  return found == nullptr ? 0 : found->get<double>();
}

Result<UnitRate> parseRate(const Json& json, RateUnit unit, const std::string& where) {
  UnitRate rate{numberIn(json, "perUs"), numberIn(json, "us"), textIn(json, "origin") == "measured",
                textIn(json, "source")};
  const double value = unit == RateUnit::Launch ? rate.us : rate.perUs;
  if (value <= 0 || rate.source.empty()) return Error{where + " needs a rate above 0 and a 'source'."};
  if (!rate.isMeasured && textIn(json, "origin") != "datasheet")
    return Error{where + " needs an 'origin': measured or datasheet."};
  return rate;
}

Result<GpuRates> parseGpu(const Json& json) {
  GpuRates gpu;
  gpu.id = textIn(json, "id");
  gpu.gpu = textIn(json, "gpu");
  gpu.sms = toWhole<std::uint32_t>(numberIn(json, "sms"));
  gpu.l2Bytes = toWhole<std::uint64_t>(numberIn(json, "l2Bytes"));
  gpu.computeCapability = textIn(json, "computeCapability");
  gpu.times = textIn(json, "times");
  gpu.recording = textIn(json, "recording");
  const Json* const rates = field(json, "rates", &Json::is_object);
  if (gpu.id.empty() || gpu.gpu.empty() || gpu.sms == 0 || gpu.l2Bytes == 0 || rates == nullptr)
    return Error{"A GPU of the rates needs an 'id', 'gpu', 'sms', 'l2Bytes' and 'rates'."};
  for (const RateUnit unit : kRateUnits) {
    const std::string name(rateUnitName(unit));
    const auto found = rates->find(name);
    if (found == rates->end()) continue;
    auto rate = parseRate(*found, unit, "The rate '" + name + "' of '" + gpu.id + "'");
    if (!rate) return rate.error();
    gpu.set(unit, std::move(rate).value());
  }
  return gpu;
}

bool isSame(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

void GpuRates::receive(const Recording& recorded) {
  for (const WorkerMessage& message : recorded.messages) {
    const auto* rate = std::get_if<RateMessage>(&message);
    if (rate == nullptr || (rate->unit == RateUnit::Launch ? rate->us : rate->perUs) <= 0) continue;
    set(rate->unit,
        {rate->perUs, rate->us, true, "lanescope-gpu rates on " + recorded.title() + ": " + rate->how});
  }
}

Result<std::vector<GpuRates>> parseGpuRates(std::string_view text) {
  const Json json = parseJson(text);
  const Json* const list = json.is_object() ? field(json, "gpus", &Json::is_array) : nullptr;
  if (list == nullptr) return Error{"The rates of GPUs are not a JSON object with a list 'gpus'."};
  std::vector<GpuRates> gpus;
  for (const Json& one : *list) {
    auto gpu = parseGpu(one);
    if (!gpu) return gpu.error();
    gpus.push_back(std::move(gpu).value());
  }
  return gpus;
}

const std::vector<GpuRates>& shippedGpuRates() {
  static const std::vector<GpuRates> gpus = [] {
    auto parsed = parseGpuRates(gpuRatesText());
    std::vector<GpuRates> all = parsed ? std::move(parsed).value() : std::vector<GpuRates>();
    for (GpuRates& gpu : all) {
      if (gpu.recording.empty()) continue;
      const auto recording = loadRecording(recordingsFolder() / gpu.recording);
      if (recording) gpu.receive(*recording);
    }
    return all;
  }();
  return gpus;
}

Result<GpuRates> findGpuRates(std::string_view name) {
  std::string known;
  for (const GpuRates& gpu : shippedGpuRates()) {
    if (isSame(gpu.id, name) || isSame(gpu.gpu, name)) return gpu;
    known += (known.empty() ? "" : ", ") + gpu.id;
  }
  return Error{"The rates of a GPU '" + printable(name, 60) + "' are not known.", "Known: " + known + "."};
}

}  // namespace lanescope
