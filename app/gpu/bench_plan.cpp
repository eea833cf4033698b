#include "app/gpu/bench_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "kernels/strategies/shape.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/listed.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

constexpr std::size_t kNamed = 4;  ///< strategies that one reason names

BenchRequest wholeRequest(const BenchPlan& plan, std::uint64_t n) {
  BenchRequest request;
  request.strategies = plan.strategies;
  request.n = n;
  request.block = plan.setting.block;
  request.cold = plan.setting.cache == CacheState::Cold;
  request.warm = !request.cold;
  request.scope = plan.setting.scope;
  request.type = plan.setting.type;
  request.maxSamples = plan.maxSamples;
  request.blocks = plan.blocks;
  return request;
}

/// True if that strategy of the plan can be timed at that size, whatever the number of blocks.
bool isPossible(const BenchPlan& plan, const std::string& id, std::uint64_t n) {
  BenchRequest alone = wholeRequest(plan, n);
  alone.strategies = {id};
  alone.blocks = 0;
  return static_cast<bool>(makeContenders(alone));
}

bool leavesNobody(const BenchPlan& plan, std::uint64_t n) {
  return !plan.strategies.empty() && std::ranges::none_of(plan.strategies, [&](const std::string& id) {
    return isPossible(plan, id, n);
  });
}

/// Why a strategy is left out, and of which of the plan's sizes.
struct Absence {
  std::string why;                     ///< `for being so slow`
  std::vector<std::uint64_t> sizes{};  ///< empty: of all, for a reason that does not depend on them
  std::uint64_t largest = 0;           ///< over 0: it is timed up to there
};

/// The reason why the setting excludes the strategy at every size; nullopt if the size decides.
std::optional<Absence> absenceOfAll(const BenchSetting& setting, const std::string& id) {
  const Strategy* strategy = findStrategy(id);
  if (strategy == nullptr && id != kCubId) return Absence{"for being unknown here"};
  if (strategy == nullptr)
    return setting.scope == Scope::Full ? std::nullopt : std::optional(Absence{"for being no single kernel"});
  if (!strategy->takes(setting.type))
    return Absence{"for not taking " + std::string(elementTypeName(setting.type))};
  if (setting.scope == Scope::Full && !strategy->reducesToOne())
    return Absence{"for not reducing to one value"};
  return std::nullopt;
}

std::vector<Absence> findAbsences(const BenchPlan& plan, const std::string& id) {
  if (auto absence = absenceOfAll(plan.setting, id)) return {*std::move(absence)};
  const Strategy* strategy = findStrategy(id);
  Absence slow{"for being so slow"};
  Absence unfit{"for not fitting blocks of " + counted(plan.setting.block, "thread")};
  for (const std::uint64_t n : plan.sizes) {
    if (strategy != nullptr && !isTimedAt(*strategy, n))
      slow.largest = strategy->largestN;
    else if (!isPossible(plan, id, n))
      unfit.sizes.push_back(n);
  }
  std::vector<Absence> absences;
  if (slow.largest > 0) absences.push_back(std::move(slow));
  if (!unfit.sizes.empty()) absences.push_back(std::move(unfit));
  return absences;
}

/// ` at N = 2^12, 2^14 and 2^16`, ` above N = 2^18`, or empty.
std::string whereText(const Absence& absence) {
  if (absence.largest > 0) return " above N = " + sizeText(absence.largest);
  std::vector<std::string> sizes;
  for (const std::uint64_t n : absence.sizes) sizes.push_back(sizeText(n));
  return sizes.empty() ? "" : " at N = " + listedBriefly(sizes, kNamed);
}

}  // namespace

BenchRequest makeRequest(const BenchPlan& plan, std::uint64_t n) {
  BenchRequest request = wholeRequest(plan, n);
  if (!leavesNobody(plan, n))
    std::erase_if(request.strategies, [&](const std::string& id) { return !isPossible(plan, id, n); });
  return request;
}

Result<std::vector<BenchRequest>> makeRequests(const BenchPlan& plan) {
  if (plan.sizes.empty()) return Error{"No N was chosen."};
  const auto isForNobody = [&](std::uint64_t n) { return leavesNobody(plan, n); };
  const bool isRefused = std::ranges::all_of(plan.sizes, isForNobody);
  std::vector<BenchRequest> requests;
  for (const std::uint64_t n : plan.sizes) {
    if (isForNobody(n) && !isRefused) continue;
    requests.push_back(makeRequest(plan, n));
    // All of them or none: a number of blocks may be right for a small N only.
    if (const auto chosen = makeContenders(requests.back()); !chosen) return chosen.error();
  }
  return requests;
}

std::string leftOutText(const BenchPlan& plan) {
  // By reason, then by place: the strategies that are left out, in the plan's order.
  std::map<std::string, std::map<std::pair<std::uint64_t, std::string>, std::vector<std::string>>> reasons;
  for (const std::string& id : plan.strategies) {
    for (const Absence& absence : findAbsences(plan, id))
      reasons[absence.why][{absence.largest, whereText(absence)}].push_back("'" + id + "'");
  }
  std::string text;
  for (const auto& [why, places] : reasons) {
    std::string who;
    for (const auto& [place, ids] : places)
      who += (who.empty() ? "" : "; ") + listedBriefly(ids, kNamed) + place.second;
    text += text.empty() ? "Left out " : " Left out ";
    text.append(why).append(": ").append(who).append(".");
  }
  return text;
}

}  // namespace lanescope
