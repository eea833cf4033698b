#include "app/analysis/report.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "app/base/system.h"

namespace lanescope {
namespace {

/// In characters: a byte within a character of UTF-8 does not count.
std::size_t countLetters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string csvValue(const Json& row, const std::string& id) {
  const auto field = row.find(id);
  if (field == row.end() || field->is_null()) return {};
  if (field->is_string()) return csvField(field->get_ref<const std::string&>());
  return field->is_number_float() ? fmt::format("{}", field->get<double>()) : field->dump();
}

}  // namespace

void ReportTable::add(std::string& text, const std::vector<std::string>& words,
                      const std::vector<std::size_t>& widths) const {
  text.append(static_cast<std::size_t>(indent_), ' ');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool isLeft = columns_[i].width < 0;
    if (i > 0) text.append(isLeft && columns_[i - 1].width >= 0 ? 2 : static_cast<std::size_t>(gap_), ' ');
    const bool isFree = i + 1 == words.size() && words.size() < columns_.size();
    const std::string blanks(isFree ? 0 : widths[i] - countLetters(words[i]), ' ');
    text += isLeft ? words[i] + blanks : blanks + words[i];
  }
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

std::string ReportTable::text() const {
  std::vector<std::string> headings;
  std::vector<std::size_t> widths;
  for (const ReportColumn& column : columns_) {
    headings.push_back(column.heading);
    widths.push_back(
        std::max(static_cast<std::size_t>(std::abs(column.width)), countLetters(column.heading)));
  }
  for (const Line& line : lines_) {
    const std::size_t count = line.words.size() - (line.words.size() < columns_.size() ? 1 : 0);
    for (std::size_t i = 0; !line.isSentence && i < count; ++i)
      widths[i] = std::max(widths[i], countLetters(line.words[i]));
  }
  std::string text;
  if (std::ranges::any_of(headings, [](const std::string& heading) { return !heading.empty(); }))
    add(text, headings, widths);
  for (const Line& line : lines_) {
    if (line.isSentence) {
      text += line.words.front() + "\n";
    } else {
      add(text, line.words, widths);
    }
  }
  return text;
}

Report& Report::set(std::string_view id, Json value) {
  fields_[std::string(id)] = std::move(value);
  return *this;
}

Report& Report::set(const Json& fields) {
  fields_.update(fields);
  return *this;
}

Report& Report::add(std::string_view list, Json entry) {
  Json& field = fields_[std::string(list)];
  if (field.is_null()) field = Json::array();
  if (!entry.is_null()) field.push_back(std::move(entry));
  return *this;
}

std::string csvText(std::string_view head, const std::vector<Json>& rows) {
  std::vector<std::string> ids;
  for (std::size_t at = 0; at <= head.size();) {
    const std::size_t end = std::min(head.find(',', at), head.size());
    ids.emplace_back(head.substr(at, end - at));
    at = end + 1;
  }
  std::string text = std::string(head) + "\n";
  for (const Json& row : rows) {
    for (const std::string& id : ids) text += (&id == &ids.front() ? "" : ",") + csvValue(row, id);
    text += "\n";
  }
  return text;
}

}  // namespace lanescope
