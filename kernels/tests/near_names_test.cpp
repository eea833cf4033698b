// What is offered in place of a word that is no strategy.
#include "kernels/strategies/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

std::string nearest(std::string_view word) { return std::string(nearestStrategies(word).front()); }

TEST(NearNames, AMistypedIdIsFound) {
  for (const Strategy& strategy : strategies()) {
    const std::string id(strategy.id);
    EXPECT_EQ(nearest(id), id);
    std::string capitals = id;
    for (char& letter : capitals) letter = static_cast<char>(std::toupper(letter));
    std::ranges::replace(capitals, '-', '_');
    EXPECT_EQ(nearest(capitals), id);
  }
  EXPECT_EQ(nearest("baselin"), "baseline");
  EXPECT_EQ(nearest("shufle"), "shuffle");
  EXPECT_EQ(nearest("buttrefly"), "butterfly");
  EXPECT_EQ(nearest("basekine"), "baseline");
  EXPECT_EQ(nearest("conflict"), "no-bank-conflict");
  EXPECT_EQ(nearest("bank-conflict"), "no-bank-conflict");
}

TEST(NearNames, AnyWordHasThree) {
  for (const std::string& word : {std::string(), std::string("x"), std::string(100000, 'q')}) {
    const auto three = nearestStrategies(word);
    ASSERT_EQ(three.size(), 3U);
    EXPECT_NE(three[0], three[1]);
    EXPECT_NE(three[1], three[2]);
  }
}

TEST(NearNames, AreASentenceThatNamesTheWayOut) {
  const std::string text = nearestStrategiesText("baselin");
  EXPECT_SAYS(text);
  EXPECT_NE(text.find(" and "), std::string::npos);
  EXPECT_TRUE(text.ends_with("; lanescope-cli list names all " + std::to_string(strategies().size()) + "."))
      << text;
  EXPECT_EQ(nearestStrategiesText("my.cu").find("nearest"), std::string::npos) << "it is a file's name";
}

}  // namespace
}  // namespace lanescope
