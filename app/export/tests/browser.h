#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/export/page/page_items.h"
#include "app/session/tests/scratch_folder.h"

/// A page looked at by Chromium, as its readers see it.
namespace lanescope::testing {

/// Chromium's command; empty where there is none. A snap sees no file in /tmp.
inline std::string findBrowser() {
  for (const char* const name : {"chromium", "google-chrome"}) {
    if (std::system(fmt::format("command -v {} | grep -q -v ^/snap", name).c_str()) == 0) return name;
  }
  return {};
}

/// What a step of a page is to show.
struct ExpectedStep {
  std::string address;            ///< `#step=13`
  std::string place;              ///< where it is, in words; empty: not compared
  std::vector<std::string> svgs;  ///< of array, warps, banks and source, in the light theme
};

/// Opens the page in Chromium, runs a script after the page's own and returns the text that it gives
/// `finish`.
inline std::string runInBrowser(const std::string& page, const std::string& script) {
  const ScratchFolder scratch;
  const std::size_t end = page.rfind("</body>");
  EXPECT_NE(end, std::string::npos);
  const std::string finish =
      "function finish(text) { const result = document.createElement('pre'); result.textContent = text; "
      "document.documentElement.replaceChildren(result); }\n";
  const std::string file = scratch.write(
      "page.html", page.substr(0, end) + "<script>" + finish + script + "</script>\n" + page.substr(end));
  const std::string profile = (scratch.path() / "profile").string();
  const std::string dump = (scratch.path() / "dump").string();
  const std::string command = fmt::format(
      "timeout 300 {} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
      "--user-data-dir='{}' --dump-dom 'file://{}' >'{}' 2>/dev/null </dev/null",
      findBrowser(), profile, file, dump);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string dom = readAll(dump);
  const std::size_t from = dom.find("<pre>");
  const std::size_t to = dom.find("</pre>");
  if (from == std::string::npos || to == std::string::npos) return "no result: " + dom.substr(0, 200);
  return dom.substr(from + 5, to - from - 5);
}

/// Goes to every step of the page and compares each shape and text with what is expected there.
/// Returns `N steps, M shapes`, or the first differences.
inline std::string compareInBrowser(const std::string& page, const std::vector<ExpectedStep>& steps) {
  std::string expected;
  for (const ExpectedStep& step : steps) {
    std::string svgs;
    for (const std::string& svg : step.svgs) svgs += (svgs.empty() ? "" : ",") + quotedForPage(svg);
    expected += fmt::format("{}[{},{},[{}]]", expected.empty() ? "" : ",\n", quotedForPage(step.address),
                            quotedForPage(step.place), svgs);
  }
  const auto file = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "app/export/tests/compare_page.js";
  return runInBrowser(page, "const expected = [" + expected + "];\n" + readAll(file));
}

}  // namespace lanescope::testing
