#include "kernels/strategies/variant.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "kernels/strategies/front_matter.h"
#include "kernels/strategies/near_names.h"
#include "sim/base/size_text.h"

namespace lanescope {
namespace {

Error errorAtLine(const Experiment& experiment, std::size_t line, const std::string& what) {
  return Error{"experiments/" + experiment.file + ":" + std::to_string(line) + ": " + what};
}

/// The number of times that whole lines occur in a text, and the first place.
struct Occurrences {
  std::size_t count = 0;
  std::size_t at = 0;
};

Occurrences findOccurrences(const std::string& lines, const std::string& text) {
  Occurrences found;
  for (std::size_t at = text.find(lines); at != std::string::npos; at = text.find(lines, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    if (found.count++ == 0) found.at = at;
  }
  return found;
}

/// Builds one variant.
class VariantBuilder {
 public:
  VariantBuilder(const Experiment& experiment, std::vector<std::size_t> levels) : experiment_(experiment) {
    variant_.levels = std::move(levels);
    variant_.block = experiment.block;
    variant_.blocks = experiment.blocks;
    for (std::size_t f = 0; f < experiment.factors.size(); ++f) {
      variant_.name += (f == 0 ? "" : ", ") + findLevel(f).name;
    }
    variant_.series = experiment.id + ": " + variant_.name;
  }

  Result<Variant> build() {
    if (auto problem = findBase()) return *problem;
    std::string text(variant_.base->source);
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      for (const TextChange& change : findLevel(f).changes) {
        if (!applies(change)) continue;
        if (auto problem = replace(change, text)) return *problem;
      }
    }
    variant_.strategy = *variant_.base;
    variant_.text = std::make_shared<const std::string>(std::move(text));
    variant_.strategy.source = *variant_.text;
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      for (const LevelSetting& setting : findLevel(f).settings) {
        if (auto problem = apply(setting)) return *problem;
      }
    }
    return std::move(variant_);
  }

 private:
  using Problem = std::optional<Error>;

  const ExperimentLevel& findLevel(std::size_t factor) const {
    return experiment_.factors[factor].levels[variant_.levels[factor]];
  }

  Problem findBase() {
    std::string id = experiment_.strategy;
    std::size_t line = 1;
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      for (const LevelSetting& setting : findLevel(f).settings) {
        if (setting.key != "strategy") continue;
        id = setting.value;
        line = setting.line;
      }
    }
    variant_.base = findStrategy(id);
    if (variant_.base != nullptr) return std::nullopt;
    return errorAtLine(experiment_, line, "there is no strategy '" + id + "'. " + nearestStrategiesText(id));
  }

  bool holds(const std::string& condition) const {
    const std::size_t equals = condition.find('=');
    if (equals == std::string::npos) return condition == variant_.base->id;
    for (std::size_t f = 0; f < experiment_.factors.size(); ++f) {
      if (experiment_.factors[f].name == condition.substr(0, equals))
        return findLevel(f).name == condition.substr(equals + 1);
    }
    return false;
  }

  bool applies(const TextChange& change) const {
    return std::ranges::all_of(change.conditions, [&](const std::string& one) { return holds(one); });
  }

  Problem replace(const TextChange& change, std::string& text) const {
    const Occurrences found = findOccurrences(change.from, text);
    if (found.count != 1) {
      return errorAtLine(experiment_, change.line,
                         "its lines are in " + std::string(variant_.base->file) + " " +
                             std::to_string(found.count) + " times and must be there once.");
    }
    text.replace(found.at, change.from.size(), change.to);
    return std::nullopt;
  }

  Problem apply(const LevelSetting& setting) {
    const auto number = [&](auto& value) -> Problem {
      const auto read = readSize(setting.value);
      if (!read || *read == 0)
        return errorAtLine(experiment_, setting.line, "'" + setting.value + "' is not a size.");
      value = static_cast<std::remove_reference_t<decltype(value)>>(*read);
      return std::nullopt;
    };
    if (setting.key == "strategy") return std::nullopt;
    if (setting.key == "block") return number(variant_.block);
    if (setting.key == "blocks") return number(variant_.blocks);
    if (setting.key == "out-elements") return number(variant_.outElements);
    if (setting.key == "work") return readWork(setting);
    try {
      readHeadEntry(setting.key, setting.value, variant_.strategy);
    } catch (const std::invalid_argument& failure) {
      return errorAtLine(experiment_, setting.line, failure.what());
    }
    return std::nullopt;
  }

  Problem readWork(const LevelSetting& setting) {
    constexpr std::array<std::pair<std::string_view, HostWork>, 4> kWorks{
        {{"copy-pageable", HostWork::CopyPageable},
         {"copy-pinned", HostWork::CopyPinned},
         {"cpu-one-thread", HostWork::CpuOneThread},
         {"cpu-all-threads", HostWork::CpuAllThreads}}};
    for (const auto& [name, work] : kWorks) {
      if (setting.value != name) continue;
      variant_.work = work;
      return std::nullopt;
    }
    return errorAtLine(experiment_, setting.line, "'" + setting.value + "' is not work of the host.");
  }

  const Experiment& experiment_;
  Variant variant_;
};

/// The levels of variant `index`.
std::vector<std::size_t> listLevels(const Experiment& experiment, std::size_t index) {
  std::vector<std::size_t> levels(experiment.factors.size());
  for (std::size_t f = levels.size(); f-- > 0;) {
    const std::size_t count = experiment.factors[f].levels.size();
    levels[f] = index % count;
    index /= count;
  }
  return levels;
}

/// A condition is a strategy of this experiment, or one of its levels: any other would never hold.
std::optional<Error> checkConditions(const Experiment& experiment) {
  const auto isKnown = [&](const std::string& condition) {
    if (condition.find('=') == std::string::npos) return findStrategy(condition) != nullptr;
    return std::ranges::any_of(experiment.factors, [&](const ExperimentFactor& factor) {
      return std::ranges::any_of(factor.levels, [&](const ExperimentLevel& level) {
        return condition == factor.name + "=" + level.name;
      });
    });
  };
  for (const ExperimentFactor& factor : experiment.factors) {
    for (const ExperimentLevel& level : factor.levels) {
      for (const TextChange& change : level.changes) {
        const auto unknown = std::ranges::find_if_not(change.conditions, isKnown);
        if (unknown != change.conditions.end())
          return errorAtLine(experiment, change.line,
                             "'" + *unknown + "' is neither a strategy nor FACTOR=LEVEL.");
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<StrategyShape> Variant::shape(std::uint64_t n, std::uint32_t sms, ElementType type) const {
  constexpr std::uint32_t kWarpSize = 32;
  const std::uint64_t mostBlocks = ownMostBlocks(strategy, n, block, sms);
  auto shape = shapeOfThreads(strategy, n, block, mostBlocks, kWarpSize, type, blocks);
  if (shape && outElements > 0) shape->outElements = outElements;
  return shape;
}

Result<std::vector<Variant>> makeVariants(const Experiment& experiment) {
  if (auto problem = checkConditions(experiment)) return *problem;
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < experiment.variantCount(); ++i) {
    auto variant = VariantBuilder(experiment, listLevels(experiment, i)).build();
    if (!variant) return variant.error();
    variants.push_back(std::move(variant).value());
  }
  return variants;
}

std::vector<Effect> listEffects(const Experiment& experiment) {
  std::vector<Effect> effects;
  std::size_t stride = experiment.variantCount();
  for (std::size_t f = 0; f < experiment.factors.size(); ++f) {
    const std::size_t count = experiment.factors[f].levels.size();
    stride /= count;
    for (std::size_t i = 0; i < experiment.variantCount(); ++i) {
      const std::size_t level = i / stride % count;
      if (level > 0) effects.push_back({f, level, i - level * stride, i});
    }
  }
  return effects;
}

}  // namespace lanescope
