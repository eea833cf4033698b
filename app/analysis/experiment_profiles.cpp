#include "app/analysis/experiment_profiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/analysis/recording.h"
#include "app/analysis/diagnosis.h"

namespace lanescope {

std::string limitClause(const LaunchProfile& profile) {
  const Diagnosis diagnosis = diagnose(profile, {});
  std::string clause;
  if (const UnitLoad* const unit = diagnosis.nearestUnit())
    clause = fmt::format("{} at {:.0f}% of {} peak", unit->name, unit->percent,
                         unit->metric == ProfileMetric::IssueSlots ? "their" : "its");
  const auto waits = [](const StallShare& one) { return one.reason.group != StallGroup::Issued; };
  const auto most = std::ranges::find_if(diagnosis.stalls, waits);
  if (most == diagnosis.stalls.end()) return clause;
  return clause + fmt::format("{}{:.0f}% of the warps' time: \"{}\"", clause.empty() ? "" : "; ",
                              100 * most->share, most->reason.words);
}

ExperimentProfiles readProfiles(const std::vector<Variant>& variants, const ProfileRecording& recording) {
  ExperimentProfiles profiles{recording.title(), {}};
  for (const Variant& variant : variants) {
    const std::uint64_t hash = variant.text == nullptr ? 0 : hashText(*variant.text);
    const auto found = std::ranges::find_if(recording.profiles, [&](const LaunchProfile& one) {
      return one.kernel.strategy == variant.series && one.kernel.textHash == hash;
    });
    const bool isPresent = found != recording.profiles.end();
    profiles.clauses.push_back(isPresent ? limitClause(*found) : "");
    if (isPresent && !found->date.empty()) profiles.source = recording.gpu.gpu + ", " + found->date;
  }
  return profiles;
}

Result<ProfileRecording> shippedExperimentProfiles() {
  const auto path = shippedExperimentProfileRecording();
  return path ? loadProfiles(*path) : path.error();
}

}  // namespace lanescope
