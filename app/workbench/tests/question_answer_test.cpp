// Answers as they are typed.
#include "app/course/questions.h"
#include "sim/tests/golden_text.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers upTo(std::uint32_t last, std::uint32_t stride = 1) {
  Numbers numbers;
  for (std::uint32_t n = 0; n <= last; n += stride) numbers.push_back(n);
  return numbers;
}

TEST(NumberLists, AreReadInEveryForm) {
  const std::vector<std::pair<const char*, Numbers>> cases{
      {"0-3, 16", {0, 1, 2, 3, 16}},
      {"0,2,4", {0, 2, 4}},
      {" 4 2 0 2 ", {0, 2, 4}},
      {"0\u20133", {0, 1, 2, 3}},
      {"0..3", {0, 1, 2, 3}},
      {"0, 2 ... 8", {0, 2, 4, 6, 8}},
      {"0, 2 \u2026 8", {0, 2, 4, 6, 8}},
      {"1, 3, 5 ... 9", {1, 3, 5, 7, 9}},
      {"0-8 by 4", {0, 4, 8}},
      {"0-8 step 4, 1", {0, 1, 4, 8}},
      {"1 and 3", {1, 3}},
      {"none", {}},
      {"All", {0, 1, 2, 3}},
      {"7", {7}},
      {"0 to 2", {0, 1, 2}},
      {"0-8/2", {0, 2, 4, 6, 8}},
      {"5; 6", {5, 6}},
  };
  for (const auto& [text, numbers] : cases) {
    const auto read = parseNumbers(text, 4);
    ASSERT_TRUE(read) << text << ": " << read.error().sentence();
    EXPECT_EQ(*read, numbers) << text;
  }
}

TEST(NumberLists, WhatIsNoneIsSaidInOneSentence) {
  for (const char* text : {"", "  ", "x", "1,,x", "7-3", "-3", "1-", "0-8 by 0", "...", "... 7",
                           "99999999999", "70000", "1.5", "0-7 by", "none 3", "4294967297"}) {
    const auto read = parseNumbers(text, 32);
    ASSERT_FALSE(read) << text;
    EXPECT_TRUE(read.error().sentence().ends_with('.') && read.error().sentence().size() > 10) << text;
    EXPECT_EQ(read.error().sentence().find('\n'), std::string::npos);
  }
}

TEST(NumberLists, AreWrittenSoThatTheyAreReadBack) {
  EXPECT_EQ(numbersText(Numbers{}), "none");
  EXPECT_EQ(numbersText(upTo(31)), "0-31");
  EXPECT_EQ(numbersText(upTo(62, 2)), "0, 2 ... 62");
  EXPECT_EQ(numbersText(Numbers{0, 1}), "0, 1");
  EXPECT_EQ(numbersText(Numbers{0, 1, 2, 8}), "0-2, 8");
  // Every set of ten numbers.
  for (std::uint32_t mask = 0; mask < 1024; ++mask) {
    Numbers numbers;
    for (std::uint32_t bit = 0; bit < 10; ++bit) {
      if ((mask >> bit & 1U) != 0) numbers.push_back(bit);
    }
    const auto read = parseNumbers(numbersText(numbers), 10);
    ASSERT_TRUE(read) << numbersText(numbers);
    EXPECT_EQ(*read, numbers) << numbersText(numbers);
  }
}

Question lanesQuestion(Numbers right) {
  Question question;
  question.form = AnswerForm::Lanes;
  question.ofWarp = true;
  question.warp = 1;
  question.warpSize = question.choices = 32;
  question.right.lanes = std::move(right);
  return question;
}

TEST(Judging, LanesAreASetAndTheWrongOnesAreNamed) {
  const Question question = lanesQuestion({0, 2, 4});
  EXPECT_TRUE(judge(question, "4, 2,0")->right);
  EXPECT_TRUE(judge(question, "32, 34, 36")->right);  // by their threads
  EXPECT_EQ(judge(question, "4, 2,0")->answer, "0, 2, 4");
  const Verdict wrong = judge(question, "0, 3, 4").value();
  EXPECT_FALSE(wrong.right);
  EXPECT_SAYS(wrong.note);
  EXPECT_FALSE(judge(question, "none")->right);
  EXPECT_TRUE(judge(lanesQuestion({}), "none")->right);
  const auto beyond = judge(question, "64");
  ASSERT_FALSE(beyond);
  EXPECT_SAYS(beyond.error().sentence());
  EXPECT_FALSE(judge(question, ""));
  EXPECT_EQ(lanesNamed(question, "0-1, 34"), (Numbers{0, 1, 2}));
  EXPECT_TRUE(lanesNamed(question, "0-").empty());
}

TEST(Judging, Numbers) {
  Question question;
  question.form = AnswerForm::Number;
  question.right.number = 4;
  EXPECT_TRUE(judge(question, " 4 ")->right);
  EXPECT_SAYS(judge(question, "3")->note);
  EXPECT_SAYS(judge(question, "5")->note);
  for (const char* text : {"", "four", "4.0", "-4", "4 passes", "99999999999999999999999"})
    EXPECT_FALSE(judge(question, text)) << text;
}

TEST(Judging, AValueIsANumberOrASumInAnyOrder) {
  Question question;
  question.form = AnswerForm::Value;
  question.right.value = 57;
  question.right.symbols = "a4+a12+a12";
  for (const char* text : {"57", " 57.0", "5.7e1", "a12+a4+a12", "A12 + a12 + a4"})
    EXPECT_TRUE(judge(question, text)->right) << text;
  EXPECT_SAYS(judge(question, "58")->note);
  EXPECT_EQ(judge(question, "a4+a12")->note, "Missing: a12.");
  EXPECT_SAYS(judge(question, "a4+a12+a13+a12")->note);
  for (const char* text : {"", "a", "a4+", "+a4", "57 apples", "nan", "inf", "0x39", "a4-a12"})
    EXPECT_FALSE(judge(question, text)) << text;
  question.right.symbols = "max(a0, a4)";
  EXPECT_TRUE(judge(question, "max(a0,a4)")->right);
  EXPECT_FALSE(judge(question, "a0+a4")->right);
  question.right.value = 1.0 / 3;
  EXPECT_TRUE(judge(question, "0.3333333")->right);
  EXPECT_FALSE(judge(question, "0.3334")->right);
}

TEST(Judging, AFormulaIsRightWhereItHasTheSameValue) {
  Question question;
  question.form = AnswerForm::Value;
  question.right.value = 6;
  const auto isRight = [&](const std::string& symbols, const std::string& typed) {
    question.right.symbols = symbols;
    const auto verdict = judge(question, typed);
    EXPECT_TRUE(verdict) << typed << ": " << (verdict ? "" : verdict.error().sentence());
    return verdict && verdict->right;
  };
  for (const char* typed :
       {"(a0-a1)*(a2-a3)", "(a0-a1)x(a2-a3)", "(a0-a1)\u00d7(a2-a3)", "(A0 - A1) * (A2 - A3)",
        "(a2-a3)*(a0-a1)", "a0*a2-a0*a3-a1*a2+a1*a3", "(a1\u2212a0)*(a3-a2)"})
    EXPECT_TRUE(isRight("(a0-a1)\u00d7(a2-a3)", typed)) << typed;
  for (const char* typed : {"(a0-a1)*(a2+a3)", "(a0-a1)*(a3-a2)", "(a0-a1)*(a2-a4)", "(a0-a1)",
                            "(a0-a1)*(a2-a3", "(a0-a1)*a2-a3", "a0*a2"})
    EXPECT_FALSE(isRight("(a0-a1)\u00d7(a2-a3)", typed)) << typed;
  EXPECT_TRUE(isRight("(a0-a1)", "a0-a1"));
  EXPECT_FALSE(isRight("(a0-a1)", "a1-a0"));
  EXPECT_TRUE(isRight("a0+a4", "(a4+a0)"));
  EXPECT_TRUE(isRight("a0\u00d7b0+a1\u00d7b1", "a1*b1+b0*a0"));
  EXPECT_FALSE(isRight("a0\u00d7b0+a1\u00d7b1", "a1*b0+a0*b1"));
  EXPECT_TRUE(isRight("min(max(a0, a1), a2+a3)", "min(a3+a2, max(a1,a0))"));
  EXPECT_FALSE(isRight("min(max(a0, a1), a2+a3)", "max(min(a0, a1), a2+a3)"));
  EXPECT_TRUE(isRight("(a0-(a1-a2))", "a0-a1+a2"));
  EXPECT_TRUE(isRight("f(a0, a1+a2)", "f(a0,a2+a1)"));
  EXPECT_FALSE(isRight("f(a0, a1)", "f(a1, a0)"));
  EXPECT_FALSE(isRight("(a0-a1)", std::string(5000, '(') + "a0-a1" + std::string(5000, ')')));
}

TEST(Judging, WhereSomethingHasNoNameANumberIsAskedFor) {
  Question question;
  question.form = AnswerForm::Value;
  question.right.value = 6;
  question.right.symbols = "(a0+a4)\u00d7\u2026";
  EXPECT_FALSE(takesSymbols(question));
  for (const char* typed : {"(a0+a4)*0.5", "(a0+a4)x...", "a0+a4", "(a0+a4)\u00d7\u2026"}) {
    const auto verdict = judge(question, typed);
    ASSERT_FALSE(verdict) << typed;
    EXPECT_SAYS(verdict.error().sentence());
  }
  EXPECT_TRUE(judge(question, "6")->right);
  EXPECT_FALSE(judge(question, "7")->right);
  question.right.symbols = "(a0+a4)\u00d7a2";
  EXPECT_TRUE(takesSymbols(question));
  question.form = AnswerForm::Number;
  EXPECT_FALSE(takesSymbols(question));
}

TEST(Judging, YesAndNo) {
  Question question;
  question.form = AnswerForm::YesNo;
  question.right.yes = true;
  EXPECT_TRUE(judge(question, "Yes")->right);
  EXPECT_TRUE(judge(question, " y")->right);
  EXPECT_FALSE(judge(question, "no")->right);
  EXPECT_FALSE(judge(question, "perhaps"));
}

TEST(Formulas, NameWhatOtherBlocksLeft) {
  EXPECT_EQ(areSameFormula("partials[0]+a1*2", "2*a1+partials[0]"), true);
  EXPECT_EQ(areSameFormula("partials[0]+a1", "partials[1]+a1"), false);
  EXPECT_EQ(areSameFormula("partials[0]", "sums[0]"), false);
  EXPECT_EQ(areSameFormula("min(partials[0],b1)", "min(b1,partials[0])"), true);
  for (const char* broken : {"partials[", "partials[x]", "partials[0", "[0]"})
    EXPECT_FALSE(areSameFormula(broken, "a0")) << broken;
}

}  // namespace
}  // namespace lanescope
