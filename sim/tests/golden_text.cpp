#include "sim/tests/golden_text.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace lanescope::testing {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;
using Sections = std::map<std::string, Texts>;

std::vector<std::string_view> readLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    lines.push_back(text.substr(0, end));
  lines.push_back(text);
  return lines;
}

std::string readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Sections parse(const std::string& file) {
  Sections sections;
  Texts* section = nullptr;
  for (const std::string_view line : readLines(file)) {
    const std::string rest(line.size() > 2 ? line.substr(2) : "");
    if (line.starts_with('[')) {
      section = &sections[std::string(line.substr(1, line.rfind(']') - 1))];
    } else if (section == nullptr || line.empty()) {
      continue;
    } else if (line[0] == '-') {
      section->push_back(rest);
    } else if (line[0] == '|' && !section->empty()) {
      section->back() += "\n" + rest;
    } else if (line[0] == '=') {
      std::size_t number = 0;
      std::size_t times = 1;
      std::sscanf(rest.c_str(), "%zu, %zu", &number, &times);
      if (number >= 1 && number <= section->size())
        section->insert(section->end(), std::min<std::size_t>(times, 100000),
                        std::string((*section)[number - 1]));
    }
  }
  return sections;
}

std::string written(const Texts& texts) {
  std::string file;
  for (std::size_t i = 0; i < texts.size();) {
    const auto first = static_cast<std::size_t>(std::ranges::find(texts, texts[i]) - texts.begin());
    if (first == i) {
      char mark = '-';
      for (const std::string_view line : readLines(texts[i++])) {
        file += line.empty() ? fmt::format("{}\n", mark) : fmt::format("{} {}\n", mark, line);
        mark = '|';
      }
      continue;
    }
    std::size_t times = 0;
    for (; i < texts.size() && texts[i] == texts[first]; ++i) ++times;
    file += times == 1 ? fmt::format("= {}\n", first + 1) : fmt::format("= {}, {} times\n", first + 1, times);
  }
  return file;
}

std::string written(const Sections& sections) {
  std::string file;
  for (const auto& [name, texts] : sections)
    file += fmt::format("{}[{}]\n{}", file.empty() ? "" : "\n", name, written(texts));
  return file;
}

/// `/tmp/x7Gk/a.cu` as `/…/a.cu`, and control characters and what is not UTF-8 as `\x07`.
std::string withoutFolders(std::string_view text) {
  const auto isName = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_.+-").find(c) != std::string_view::npos;
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins =
        i == 0 || std::string_view(" \n\t'\"(=:,`[").find(text[i - 1]) != std::string_view::npos;
    std::size_t slash = i;
    if (begins && text[i] == '/') {
      for (std::size_t at = i + 1; at < text.size() && isName(text[at]); ++at) {
        while (at < text.size() && isName(text[at])) ++at;
        if (at < text.size() && text[at] == '/')
          slash = at;
        else
          break;
      }
    }
    if (slash > i) {
      plain += "/…";
      i = slash;
    }
    const auto c = static_cast<unsigned char>(text[i++]);
    const auto follows = [&](std::size_t at) { return at < text.size() && (text[at] & 0xc0) == 0x80; };
    if (const int more = c >= 0xf0   ? 3
                         : c >= 0xe0 ? 2
                         : c >= 0xc2 ? 1
                                     : 0;
        c >= 0x80 && more > 0 && follows(i) && (more < 2 || follows(i + 1)) && (more < 3 || follows(i + 2))) {
      plain += text.substr(i - 1, 1 + static_cast<std::size_t>(more));
      i += static_cast<std::size_t>(more);
      continue;
    }
    if (c >= 0x80 || (c < 32 && c != '\n' && c != '\t'))
      plain += fmt::format("\\x{:02x}", c);
    else
      plain += static_cast<char>(c);
  }
  return plain;
}

/// What a run took, which is another time each time: `after 2.3 s` as `after … s`, and `  4.4 ms` as ` … ms`.
std::string withoutTimes(std::string text) {
  static const std::regex kSeconds("after [0-9.]+ s\\b");
  static const std::regex kMilliseconds(" *\\b[0-9][0-9.,]* ms\\b");
  if (text.find(" s") != std::string::npos) text = std::regex_replace(text, kSeconds, "after … s");
  if (text.find(" ms") != std::string::npos) text = std::regex_replace(text, kMilliseconds, " … ms");
  return text;
}

/// `Cases/Suite` and `Suite/0`, as GoogleTest names suites with parameters, as one file's name.
fs::path findFile(const ::testing::TestInfo& test) {
  std::string suite = test.test_suite_name();
  std::ranges::replace(suite, '/', '-');
  return fs::path(test.file()).parent_path() / "says" / (suite + ".txt");
}

/// Other processes wait as long as it lives.
class Lock {
 public:
  explicit Lock(const fs::path& path)
      : file_(
            ::open((fs::temp_directory_path() / fmt::format("lanescope-golden-{}.lock", ::getuid())).c_str(),
                   O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
    fs::create_directories(path.parent_path());
    ::flock(file_, LOCK_EX);
  }
  ~Lock() { ::close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

/// Changes a file of sections in one move; without sections there is none.
template <class Change>
void change(const fs::path& path, const Change& what) {
  const Lock lock(path);
  const std::string before = readAll(path);
  Sections sections = parse(before);
  what(sections);
  if (sections.empty()) {
    fs::remove(path);
  } else if (const std::string now = written(sections); now != before) {
    const fs::path draft = path.string() + ".new";
    std::ofstream(draft, std::ios::binary) << now;
    fs::rename(draft, path);
  }
}

std::set<std::string> testsOf(const ::testing::TestSuite& suite) {
  std::set<std::string> names;
  for (int i = 0; i < suite.total_test_count(); ++i) names.insert(suite.GetTestInfo(i)->name());
  return names;
}

/// The texts of the test that runs.
class Recorder : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo& test) override {
    said_.clear();
    golden_.clear();
    if (!fs::exists(findFile(test))) return;
    Sections sections = parse(readAll(findFile(test)));
    golden_ = std::move(sections[test.name()]);
  }

  void OnTestEnd(const ::testing::TestInfo& test) override {
    if (test.result()->Failed() || test.result()->Skipped()) return;
    if (updatesGolden()) {
      update(test);
    } else if (said_.size() < golden_.size()) {
      ADD_FAILURE() << findFile(test).string() << " has " << golden_.size() << " texts of " << test.name()
                    << ", it says " << said_.size() << ". If that is meant: ./test --update-golden";
    }
  }

  ::testing::AssertionResult add(std::string_view text) {
    const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    if (test == nullptr) return ::testing::AssertionFailure() << "no test runs";
    said_.push_back(withoutTimes(withoutFolders(text)));
    if (updatesGolden()) return ::testing::AssertionSuccess();
    const std::string how = fmt::format("\nin {}, [{}], text {}. If that is meant: ./test --update-golden",
                                        findFile(*test).string(), test->name(), said_.size());
    if (said_.size() > golden_.size())
      return ::testing::AssertionFailure() << "no such text so far" << how << "\n" << said_.back();
    const std::string difference = firstDifference(golden_[said_.size() - 1], said_.back());
    if (difference.empty()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << difference << how;
  }

 private:
  void update(const ::testing::TestInfo& test) {
    if (said_ == golden_) return;
    change(findFile(test), [&](Sections& sections) {
      if (said_.empty())
        sections.erase(test.name());
      else
        sections[test.name()] = said_;
    });
  }

  Texts said_;
  Texts golden_;
};

/// One per program, in the hands of GoogleTest.
Recorder& recorder() {
  static Recorder* const kRecorder = [] {
    auto* const made = new Recorder;
    ::testing::UnitTest::GetInstance()->listeners().Append(made);
    return made;
  }();
  return *kRecorder;
}
[[maybe_unused]] const Recorder& kFromTheBeginning = recorder();

}  // namespace

::testing::AssertionResult saysAsGolden(std::string_view text) { return recorder().add(text); }

std::string splitWords(std::string_view text) {
  std::vector<std::string_view> kept;
  for (const std::string_view line : readLines(text)) {
    int words = 0;
    std::size_t letters = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      if (i < line.size() && std::isalpha(static_cast<unsigned char>(line[i])) != 0) {
        ++letters;
        continue;
      }
      if (letters >= 2) ++words;
      letters = 0;
    }
    if (words >= 2 && std::ranges::find(kept, line) == kept.end()) kept.push_back(line);
  }
  return fmt::format("{}", fmt::join(kept, "\n"));
}

bool updatesGolden() { return std::getenv("LANESCOPE_UPDATE_GOLDEN") != nullptr; }

std::string firstDifference(std::string_view golden, std::string_view now) {
  const std::vector<std::string_view> expected = readLines(golden);
  const std::vector<std::string_view> found = readLines(now);
  for (std::size_t line = 0; line < std::max(expected.size(), found.size()); ++line) {
    const std::string_view a = line < expected.size() ? expected[line] : "(none)";
    const std::string_view b = line < found.size() ? found[line] : "(none)";
    if (a != b) return fmt::format("line {}:\n  golden: {}\n  now:    {}", line + 1, a, b);
  }
  return {};
}

// In every program that says something: no section, and no file, is of a test that is no longer there.
TEST(GoldenTexts, EverySectionIsOfATest) {
  std::set<fs::path> folders;
  for (int i = 0; i < ::testing::UnitTest::GetInstance()->total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *::testing::UnitTest::GetInstance()->GetTestSuite(i);
    if (suite.total_test_count() == 0) continue;
    const fs::path path = findFile(*suite.GetTestInfo(0));
    folders.insert(path.parent_path());
    if (!fs::exists(path)) continue;
    const std::set<std::string> tests = testsOf(suite);
    const auto isGone = [&](const auto& section) { return !tests.contains(section.first); };
    if (updatesGolden()) change(path, [&](Sections& sections) { std::erase_if(sections, isGone); });
    for (const auto& section : parse(readAll(path)))
      EXPECT_FALSE(isGone(section)) << path << ": [" << section.first
                                    << "] is no test's. ./test --update-golden removes it";
  }
  for (const fs::path& folder : folders) {
    if (!fs::exists(folder)) continue;
    std::string sources;
    for (const auto& entry : fs::directory_iterator(folder.parent_path())) {
      if (entry.path().extension() == ".cpp") sources += readAll(entry.path());
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".txt") continue;
      const std::string name = entry.path().stem().string();
      // `Cases-Suite` or `Suite-0`, if it has parameters.
      const std::size_t dash = name.find('-');
      const auto isNamed = [&](const std::string& suite) {
        return sources.find("(" + suite + ",") != std::string::npos;
      };
      const bool isOfASuite = isNamed(name.substr(0, dash)) || isNamed(name.substr(dash + 1));
      if (updatesGolden() && !isOfASuite)
        fs::remove(entry.path());
      else
        EXPECT_TRUE(isOfASuite) << entry.path() << " is of no suite. ./test --update-golden removes it";
    }
  }
}

}  // namespace lanescope::testing
