#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json.h"

namespace lanescope {

/// The value, or null if there is none.
template <class Value>
Json valueIf(bool isKnown, const Value& value) {
  return isKnown ? Json(value) : Json(nullptr);
}

/// A column of a table as people read it.
struct ReportColumn {
  std::string heading;
  int width = 0;  ///< the least one, in characters; negative: its words begin at the left
};

/// Rows that people read as words in columns, and programs as objects.
class ReportTable {
 public:
  /// `gap`: blanks between columns; always two between words at the right and words at the left.
  explicit ReportTable(std::vector<ReportColumn> columns, int indent = 0, int gap = 1)
      : columns_(std::move(columns)), indent_(indent), gap_(gap) {}

  /// A row with one word per column; the last word of a shorter one is printed as it is.
  void row(std::vector<std::string> words) { lines_.push_back({std::move(words), false}); }
  /// A line between the rows, over all columns.
  void say(std::string text) { lines_.push_back({{std::move(text)}, true}); }

  /// Each column as wide as its widest word, under a line of headings if it has any; no line ends in blanks.
  std::string text() const;

 private:
  struct Line {
    std::vector<std::string> words;
    bool isSentence;
  };
  void add(std::string& text, const std::vector<std::string>& words,
           const std::vector<std::size_t>& widths) const;

  std::vector<ReportColumn> columns_;
  std::vector<Line> lines_;
  int indent_;
  int gap_;
};

/// What a command finds, for people and for programs: sentences and tables in the order in which they are
/// read, and fields with the names of a schema.
class Report {
 public:
  explicit Report(std::string_view schema) : fields_{{"schema", schema}} {}

  /// One line for people.
  Report& say(std::string_view line = {}) { return print(std::string(line) + "\n"); }
  /// The same, with its ends of lines.
  Report& print(std::string_view text) {
    text_ += text;
    return *this;
  }
  Report& print(const ReportTable& table) { return print(table.text()); }
  /// One field, or all fields of an object, for programs.
  Report& set(std::string_view id, Json value);
  Report& set(const Json& fields);
  /// One more entry of a field that is a list. A null adds none, and leaves an empty list if it is the first.
  Report& add(std::string_view list, Json entry);

  const std::string& text() const { return text_; }
  std::string json() const { return jsonText(fields_); }

 private:
  std::string text_;
  Json fields_;
};

/// The rows' fields in the order of a head such as `strategy,n,grid`, which becomes the first line; unknown
/// fields are empty.
std::string csvText(std::string_view head, const std::vector<Json>& rows);

}  // namespace lanescope
