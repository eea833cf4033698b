#include "app/cli/commands.h"

#include <algorithm>

#include "app/course/glossary.h"
#include "sim/base/json.h"

namespace lanescope::cli {
namespace {

constexpr std::size_t kLineWidth = 100;

/// The text in lines of at most kLineWidth bytes, each after two blanks.
std::string wrapped(std::string_view text) {
  std::string lines;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const bool isFirst = used == 0 || used + 1 + word.size() > kLineWidth;
    if (isFirst) {
      lines += used == 0 ? "  " : "\n  ";
      used = 2;
    } else {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += word.size();
  }
  return lines + "\n";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::vector<std::string> listLinks(const GlossaryEntry& entry) {
  std::vector<std::string> terms;
  for (const GlossaryEntry* other : entry.seeAlso) terms.push_back(other->term);
  return terms;
}

std::vector<std::string> listLessons(const GlossaryEntry& entry) {
  std::vector<std::string> ids;
  for (const Strategy* lesson : lessonsWith(entry)) ids.emplace_back(lesson->id);
  return ids;
}

using Entries = std::vector<const GlossaryEntry*>;

/// The entry of that term, or all of them for "". The error names entries that have the word in them.
Result<Entries> entriesFor(const std::string& term) {
  Entries entries;
  if (term.empty()) {
    for (const GlossaryEntry& entry : glossary()) entries.push_back(&entry);
    return entries;
  }
  if (const GlossaryEntry* entry = findEntry(term); entry != nullptr) return Entries{entry};
  std::vector<std::string> near;
  constexpr std::size_t kMostNear = 5;
  for (const GlossaryEntry* entry : searchGlossary(term)) {
    if (near.size() < kMostNear) near.push_back(entry->term);
  }
  return Error{"The glossary has no term '" + term + "'.",
               near.empty() ? "lanescope-cli glossary prints all terms." : "Near it: " + joined(near) + "."};
}

/// `lanescope.glossary/1`: the entries with their definitions, guides, links and lessons.
Report describe(const Entries& entries) {
  Report report("lanescope.glossary/1");
  report.add("terms", {});
  for (const GlossaryEntry* entry : entries) {
    const std::vector<std::string> links = listLinks(*entry);
    const std::vector<std::string> lessons = listLessons(*entry);
    report.add("terms", {{"term", entry->term},
                         {"forms", entry->forms},
                         {"definition", entry->definition},
                         {"programming_guide", entry->guide},
                         {"best_practices_guide", entry->practices},
                         {"see_also", links},
                         {"lessons", lessons}});
    if (entry != entries.front()) report.say();
    report.say(entry->term).print(wrapped(entry->definition));
    for (const std::string& source : entry->sources()) report.say("  " + source);
    if (!links.empty()) report.print(wrapped("See also: " + joined(links)));
    if (!lessons.empty() && entries.size() == 1) report.print(wrapped("Lessons: " + joined(lessons)));
  }
  return report;
}

struct GlossaryArguments {
  std::string term;
  bool json = false;
};

}  // namespace

Command addGlossaryCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("glossary", "Print what the terms of lessons and counters mean");
  const auto options = std::make_shared<GlossaryArguments>();
  command->add_option("term", options->term, "one term, as 'bank conflict' (default: all of them)");
  command->add_flag("--json", options->json, "print JSON");
  return {command, [options] {
            const auto entries = entriesFor(options->term);
            if (!entries) return refuse(entries.error(), kWrongUsage, options->json);
            return printed(describe(*entries), options->json);
          }};
}

}  // namespace lanescope::cli
