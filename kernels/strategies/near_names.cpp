#include "kernels/strategies/near_names.h"

#include <algorithm>
#include <utility>

#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {

constexpr std::size_t kShown = 3;
constexpr std::size_t kLongestWord = 80;  ///< further letters cannot make a word any nearer
constexpr std::size_t kLeastPart = 3;
// A part of an id more often stands for that id than for another one of the same length.
constexpr std::size_t kLacking = 1;
constexpr std::size_t kSwapped = 2;
constexpr std::size_t kWrong = 4;

/// In the form of ids: small letters and dashes.
std::string plain(std::string_view word) {
  std::string text(word.substr(0, kLongestWord));
  for (char& letter : text) {
    if (letter == '_' || letter == ' ') letter = '-';
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

/// The cost of the edits that turn the word into the id, by the rows of Damerau's table.
std::size_t distance(std::string_view word, std::string_view id) {
  std::vector<std::size_t> older(id.size() + 1);
  std::vector<std::size_t> old(id.size() + 1);
  std::vector<std::size_t> row(id.size() + 1);
  for (std::size_t j = 0; j <= id.size(); ++j) old[j] = j * kLacking;
  for (std::size_t i = 1; i <= word.size(); ++i) {
    row[0] = i * kWrong;
    for (std::size_t j = 1; j <= id.size(); ++j) {
      const std::size_t replaced = old[j - 1] + (word[i - 1] == id[j - 1] ? 0 : kWrong);
      row[j] = std::min({old[j] + kWrong, row[j - 1] + kLacking, replaced});
      const bool isSwap = i > 1 && j > 1 && word[i - 1] == id[j - 2] && word[i - 2] == id[j - 1];
      if (isSwap) row[j] = std::min(row[j], older[j - 2] + kSwapped);
    }
    std::swap(older, old);
    std::swap(old, row);
  }
  return old[id.size()];
}

std::size_t computeCost(std::string_view word, std::string_view id) {
  const bool isPart = word.size() >= kLeastPart && id.find(word) != std::string_view::npos;
  return isPart ? std::size_t{word != id} : distance(word, id);
}

}  // namespace

std::vector<std::string_view> nearestStrategies(std::string_view word) {
  const std::string wanted = plain(word);
  std::vector<std::pair<std::size_t, std::string_view>> all;
  for (const Strategy& strategy : strategies())
    all.emplace_back(computeCost(wanted, strategy.id), strategy.id);
  std::ranges::stable_sort(all, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> nearest;
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i) nearest.push_back(all[i].second);
  return nearest;
}

std::string nearestStrategiesText(std::string_view word) {
  if (word.find_first_of("./") != std::string_view::npos)
    return "Look at the folder and the spelling; lanescope-cli list names the strategies.";
  std::string text = "The nearest strategies are ";
  const std::vector<std::string_view> nearest = nearestStrategies(word);
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    if (i > 0) text += i + 1 == nearest.size() ? " and " : ", ";
    text += nearest[i];
  }
  return text + "; lanescope-cli list names all " + std::to_string(strategies().size()) + ".";
}

}  // namespace lanescope
