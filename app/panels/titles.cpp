#include "app/panels/titles.h"

#include "app/panels/gpu_charts.h"

namespace lanescope {

std::string withTitles(std::string_view sentence) {
  std::string text;
  while (true) {
    const std::size_t open = sentence.find('\'');
    const std::size_t close = open == std::string_view::npos ? open : sentence.find('\'', open + 1);
    if (close == std::string_view::npos) return text.append(sentence);
    const std::string id(sentence.substr(open + 1, close - open - 1));
    const std::string title = contenderTitle(id);
    text.append(sentence.substr(0, open + 1));
    sentence.remove_prefix(open + 1);
    // If the text in quotes is not an id, its closing quote can be the opening quote of one: continue inside
    // it.
    if (title == id) continue;
    text += title;
    sentence.remove_prefix(id.size());
  }
}

}  // namespace lanescope
