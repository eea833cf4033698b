#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/course/question.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// Sorted numbers as parseNumbers() reads them: `0-7, 16`, `0, 8 ... 56`; `none` for an empty list.
std::string numbersText(std::span<const std::uint32_t> numbers);

/// A list of numbers: `0-7, 16`, `0,2,4`, `0-30 by 2`, `0, 2 ... 30`, `all`, `none`. Sorted, none twice;
/// `all` gives 0 to count - 1. Errors: nothing typed, text that is not a list, a range that goes backwards, a
/// number past 65535.
Result<std::vector<std::uint32_t>> parseNumbers(std::string_view text, std::uint32_t count);

/// How an answer was judged.
struct Verdict {
  bool right = false;
  std::string given;  ///< the answer, tidied
  std::string note;   ///< one sentence on the error; empty if the answer is right
};

/// Judges a typed answer. Lanes are compared as sets, a lane may be named by its thread too; a value is a
/// number (to seven digits) or, if takesSymbols(), a formula such as `a4+a12` in any order. Errors: an answer
/// that cannot be read, one sentence that gives the readable forms.
Result<Verdict> judge(const Question& question, std::string_view answer);

/// The lanes (or threads) that an answer names so far, for a picture; empty if it cannot be read.
std::vector<std::uint32_t> lanesNamed(const Question& question, std::string_view answer);

/// True if an answer may be a formula of the value's parts: false if one of them has no name to be typed.
bool takesSymbols(const Question& question);

/// The operator that a value's question names: a sum if the value joins nothing.
Provenance::Kind findJoiner(const Question& question);

}  // namespace lanescope
