#pragma once

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/export/page.h"
#include "app/workbench/tests/scratch_folder.h"

/// Pages looked at by Chromium, as their readers see them.
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

/// A page, and a script that runs after the page's own and gives `finish` a text.
struct ScriptedPage {
  std::string page;
  std::string script;
};

/// Opens the pages in one Chromium, each in a frame of its own; the texts that their scripts give.
inline std::vector<std::string> runInBrowser(const std::vector<ScriptedPage>& pages) {
  const ScratchFolder scratch;
  const std::string finish =
      "function finish(text) { const result = document.createElement('pre'); result.textContent = text; "
      "document.documentElement.replaceChildren(result); }\n";
  std::string frames;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const auto& [page, script] = pages[p];
    const std::string name = fmt::format("page-{}.html", p);
    const std::size_t end = page.rfind("</body>");
    EXPECT_NE(end, std::string::npos);
    scratch.write(name,
                  page.substr(0, end) + "<script>" + finish + script + "</script>\n" + page.substr(end));
    frames += fmt::format("<iframe width=1280 height=720 src='{}'></iframe>\n", name);
  }
  const std::string file = scratch.write(
      "all.html",
      "<!doctype html><html><body>\n" + frames +
          "<script>onload = () => {\n"
          "  const results = Array.from(document.querySelectorAll('iframe'), (frame) => {\n"
          "    const result = frame.contentDocument.querySelector('pre');\n"
          "    return result ? result.textContent : 'no result: ' + frame.contentDocument.title;\n"
          "  });\n"
          "  const all = document.createElement('pre');\n"
          "  all.textContent = results.join('\\f');\n"
          "  document.documentElement.replaceChildren(all);\n"
          "};</script></body></html>\n");
  const std::string profile = (scratch.path() / "profile").string();
  const std::string dump = (scratch.path() / "dump").string();
  const std::string command = fmt::format(
      "timeout 600 {} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
      "--allow-file-access-from-files --user-data-dir='{}' --dump-dom 'file://{}' >'{}' 2>/dev/null "
      "</dev/null",
      findBrowser(), profile, file, dump);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string dom = readAll(dump);
  const std::size_t from = dom.find("<pre>");
  const std::size_t to = dom.find("</pre>");
  std::vector<std::string> results;
  if (from == std::string::npos || to == std::string::npos) {
    ADD_FAILURE() << "no result: " << dom.substr(0, 200);
  } else {
    std::istringstream joined(dom.substr(from + 5, to - from - 5));
    for (std::string result; std::getline(joined, result, '\f');) results.push_back(result);
  }
  results.resize(pages.size());
  return results;
}

/// A script that goes to every step of a page and compares each shape and text with what is expected there.
/// Its result: `N steps, M shapes`, or the first differences.
inline std::string comparisonWith(const std::vector<ExpectedStep>& steps) {
  std::string expected;
  for (const ExpectedStep& step : steps) {
    std::string svgs;
    for (const std::string& svg : step.svgs) svgs += (svgs.empty() ? "" : ",") + quotedForPage(svg);
    expected += fmt::format("{}[{},{},[{}]]", expected.empty() ? "" : ",\n", quotedForPage(step.address),
                            quotedForPage(step.place), svgs);
  }
  const auto file = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "app/export/tests/compare_page.js";
  return "const expected = [" + expected + "];\n" + readAll(file);
}

}  // namespace lanescope::testing
