#include "app/course/glossary.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "sim/base/words.h"

namespace lanescope {
namespace {

char lowerLetter(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

std::string inSmallLetters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), lowerLetter);
  return small;
}

std::string_view withoutBackticks(std::string_view form) {
  while (form.starts_with('`')) form.remove_prefix(1);
  while (form.ends_with('`')) form.remove_suffix(1);
  return form;
}

std::vector<std::string_view> formatList(std::string_view value) {
  std::vector<std::string_view> parts;
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    parts.push_back(trimmed(value.substr(0, comma)));
    value.remove_prefix(std::min(value.size(), comma + 1));
  }
  return parts;
}

/// One form of a term, as searched for.
struct Form {
  std::string text;
  const GlossaryEntry* entry = nullptr;
  bool isCode = false;
  bool isExact = false;  ///< capitals count

  /// True if the text begins with it, as whole words.
  bool begins(std::string_view at) const {
    if (at.size() < text.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char letter = at[i] == '\n' ? ' ' : at[i];
      if (letter != text[i] && (isExact || lowerLetter(letter) != lowerLetter(text[i]))) return false;
    }
    return at.size() == text.size() || !isOfName(at[text.size()]) || !isOfName(text.back());
  }
};

/// The entries, and their forms by the first word.
class Glossary {
 public:
  explicit Glossary(std::string_view text) {
    read(text);
    std::ranges::sort(entries_, {}, [](const GlossaryEntry& entry) { return sortKey(entry.term); });
    for (GlossaryEntry& entry : entries_) {
      add(entry, entry.term);
      for (std::string& form : entry.forms) {
        add(entry, form);
        form = withoutBackticks(form);
      }
    }
    for (auto& [word, forms] : forms_)
      std::ranges::sort(forms, std::greater<>(), [](const Form& form) { return form.text.size(); });
    for (GlossaryEntry& entry : entries_) link(entry);
  }

  std::span<const GlossaryEntry> entries() const { return entries_; }

  const GlossaryEntry* find(std::string_view wanted) const {
    const std::string name = inSmallLetters(withoutBackticks(trimmed(wanted)));
    const auto isIt = [&](std::string_view form) { return inSmallLetters(form) == name; };
    for (const GlossaryEntry& entry : entries_)
      if (isIt(entry.term)) return &entry;
    for (const GlossaryEntry& entry : entries_)
      if (std::ranges::any_of(entry.forms, isIt)) return &entry;
    return nullptr;
  }

  std::vector<TermUse> uses(std::string_view text, bool isCode) const {
    std::vector<TermUse> found;
    for (std::size_t at = 0; at < text.size();) {
      if (!isOfName(text[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < text.size() && isOfName(text[end])) ++end;
      if (const Form* form = formAt(text, at, end, isCode); form != nullptr) {
        end = at + form->text.size();
        found.push_back({at, end, form->entry});
      }
      at = end;
    }
    return found;
  }

 private:
  static std::string sortKey(std::string_view term) {
    std::string key = inSmallLetters(term);
    std::erase(key, '_');
    return key;
  }

  void read(std::string_view text) {
    std::string definition;
    const auto end = [&] {
      if (!entries_.empty()) entries_.back().definition = std::string(trimmed(definition));
      definition.clear();
    };
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      if (line.starts_with("## ")) {
        end();
        entries_.push_back({.term = std::string(withoutBackticks(trimmed(line.substr(3))))});
      } else if (!entries_.empty() && !(definition.empty() && readKey(line))) {
        definition.append(line).append("\n");
      }
    }
    end();
  }

  /// True if the line, before a definition, is a key or empty.
  bool readKey(std::string_view line) {
    if (line.empty()) return true;
    GlossaryEntry& entry = entries_.back();
    const std::size_t colon = line.find(": ");
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = colon == std::string_view::npos ? "" : trimmed(line.substr(colon + 1));
    if (key == "also") {
      for (const std::string_view form : formatList(value)) entry.forms.emplace_back(form);
    } else if (key == "guide") {
      entry.guide = value;
    } else if (key == "practices") {
      entry.practices = value;
    } else if (key == "see") {
      see_[entry.term] = value;
    } else {
      return false;
    }
    return true;
  }

  void add(const GlossaryEntry& entry, std::string_view form) {
    Form added{.text = std::string(withoutBackticks(form)), .entry = &entry, .isCode = form.starts_with('`')};
    added.isExact = std::ranges::any_of(
        added.text, [](char letter) { return letter == '_' || (letter >= 'A' && letter <= 'Z'); });
    std::size_t word = 0;
    while (word < added.text.size() && isOfName(added.text[word])) ++word;
    if (word == 0)
      throw std::invalid_argument("The glossary's form '" + added.text + "' begins with no word.");
    forms_[inSmallLetters(std::string_view(added.text).substr(0, word))].push_back(std::move(added));
  }

  void link(GlossaryEntry& entry) {
    for (const std::string_view name : formatList(see_[entry.term])) {
      const GlossaryEntry* other = find(name);
      if (other == nullptr || other == &entry)
        throw std::invalid_argument("The glossary's entry '" + entry.term + "' points to '" +
                                    std::string(name) + "', which is not another entry.");
      entry.seeAlso.push_back(other);
    }
    entry.blocks = parseMarkdown(entry.definition);
    entry.definition.clear();
    for (const MarkdownBlock& block : entry.blocks) {
      if (!entry.definition.empty()) entry.definition += '\n';
      for (const MarkdownRun& run : block.runs) entry.definition += run.text;
    }
  }

  const Form* formAt(std::string_view text, std::size_t at, std::size_t end, bool isCode) const {
    const auto forms = forms_.find(inSmallLetters(text.substr(at, end - at)));
    if (forms == forms_.end()) return nullptr;
    for (const Form& form : forms->second) {
      // Short names are everywhere in code: one counts only if it is the whole text.
      constexpr std::size_t kShort = 2;
      if (isCode && form.text.size() <= kShort && form.text != text) continue;
      if (form.isCode == isCode && form.begins(text.substr(at))) return &form;
    }
    return nullptr;
  }

  std::vector<GlossaryEntry> entries_;
  std::unordered_map<std::string, std::string_view> see_;  ///< by term: the term it points to
  std::unordered_map<std::string, std::vector<Form>> forms_;
};

const Glossary& theGlossary() {
  static const Glossary kGlossary(glossaryText());
  return kGlossary;
}

/// How well an entry fits a search: the less the better; 3: not at all.
int computeRank(const GlossaryEntry& entry, std::string_view words) {
  const auto has = [&](std::string_view text) {
    return inSmallLetters(text).find(words) != std::string::npos;
  };
  if (inSmallLetters(entry.term).starts_with(words)) return 0;
  if (has(entry.term) || std::ranges::any_of(entry.forms, has)) return 1;
  return has(entry.definition) ? 2 : 3;
}

using Lessons = std::vector<const Strategy*>;

std::unordered_map<const GlossaryEntry*, Lessons> readLessons() {
  std::unordered_map<const GlossaryEntry*, Lessons> all;
  for (const Strategy& strategy : strategies()) {
    for (const MarkdownBlock& block : parseMarkdown(strategy.lesson)) {
      for (const MarkdownRun& run : block.runs) {
        for (const TermUse& use : termsIn(run.text, run.style == MarkdownRun::Style::Code)) {
          Lessons& lessons = all[use.entry];
          if (lessons.empty() || lessons.back() != &strategy) lessons.push_back(&strategy);
        }
      }
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> GlossaryEntry::sources() const {
  std::vector<std::string> lines;
  if (!guide.empty()) lines.push_back("CUDA C++ Programming Guide: " + guide);
  if (!practices.empty()) lines.push_back("CUDA C++ Best Practices Guide: " + practices);
  return lines;
}

std::span<const GlossaryEntry> glossary() { return theGlossary().entries(); }

const GlossaryEntry* findEntry(std::string_view form) { return theGlossary().find(form); }

std::vector<const GlossaryEntry*> searchGlossary(std::string_view words) {
  const std::string wanted = inSmallLetters(trimmed(words));
  std::vector<const GlossaryEntry*> found;
  constexpr int kRanks = 3;
  for (int rank = 0; rank < kRanks; ++rank) {
    for (const GlossaryEntry& entry : glossary()) {
      if (computeRank(entry, wanted) == rank) found.push_back(&entry);
    }
  }
  return found;
}

std::vector<TermUse> termsIn(std::string_view text, bool isCode) { return theGlossary().uses(text, isCode); }

void markTerms(std::vector<MarkdownBlock>& blocks) {
  std::set<const GlossaryEntry*> seen;
  for (MarkdownBlock& block : blocks) {
    block.terms.clear();
    if (block.kind == MarkdownBlock::Kind::Code) continue;
    for (std::size_t run = 0; run < block.runs.size(); ++run) {
      const bool isCode = block.runs[run].style == MarkdownRun::Style::Code;
      for (const TermUse& use : termsIn(block.runs[run].text, isCode)) {
        if (seen.insert(use.entry).second) block.terms.push_back({run, use.begin, use.end, use.entry});
      }
    }
    if (block.kind == MarkdownBlock::Kind::Heading) seen.clear();
  }
}

std::span<const Strategy* const> lessonsWith(const GlossaryEntry& entry) {
  static const std::unordered_map<const GlossaryEntry*, Lessons> kLessons = readLessons();
  const auto at = kLessons.find(&entry);
  return at == kLessons.end() ? std::span<const Strategy* const>() : at->second;
}

}  // namespace lanescope
