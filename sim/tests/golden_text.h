#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

/// What the product says, pinned in one place: the folder `says` next to a test's source has one file per
/// suite, with a section per test. LANESCOPE_UPDATE_GOLDEN=1 writes anew the sections of the tests that run;
/// `./test
/// --update-golden` sets it.
///
///     [ATestsName]
///     - The first text that the test looks at.
///     - The second one,
///     | on two lines.
///     = 1, 2 times
///
/// The last line: the first text again, twice. Folders of absolute paths, and how long a run took, are left
/// out.
namespace lanescope::testing {

/// True if `text` is the next one in the section of the test that runs.
::testing::AssertionResult saysAsGolden(std::string_view text);

/// The lines of `text` that have two words or more, each once: of a picture what it says, without its
/// numbers.
std::string splitWords(std::string_view text);

/// True if LANESCOPE_UPDATE_GOLDEN is set: golden files are written and not compared.
bool updatesGolden();

/// `line 12:` with both sides; empty if the texts are equal.
std::string firstDifference(std::string_view golden, std::string_view now);

}  // namespace lanescope::testing

#define EXPECT_SAYS(text) EXPECT_TRUE(::lanescope::testing::saysAsGolden(text))
