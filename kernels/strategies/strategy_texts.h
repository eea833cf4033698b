#pragma once

#include <span>
#include <string_view>

namespace lanescope {

/// The files of one strategy, as the build embedded them.
struct StrategyText {
  std::string_view id;
  std::string_view kernel;
  std::string_view file;
  std::string_view source;
  std::string_view lesson;  ///< with its front matter
};

/// In the order of their file names.
std::span<const StrategyText> strategyTexts();

}  // namespace lanescope
