#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "app/base/write_file.h"
#include "app/course/quiz.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

/// Without the marks for code and bold text; a `*` within code stays.
std::string plain(std::string_view markdown) {
  std::string text;
  bool isCode = false;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '`') {
      isCode = !isCode;
    } else if (!isCode && markdown.substr(i, 2) == "**") {
      ++i;
    } else {
      text += markdown[i];
    }
  }
  return text;
}

/// The right answer in full: a file has room for a long sum.
std::string rightAnswer(const Question& question) {
  const RightAnswer& right = question.right;
  const bool isSum = question.form == AnswerForm::Value && !right.symbols.empty();
  return isSum ? right.symbols + " = " + right.figure : right.text;
}

}  // namespace

std::string quizCsv(const std::vector<QuizRecord>& records) {
  std::string text =
      "number,strategy,n,machine,phase,instruction,kind,question,answer given,right answer,correct\n";
  std::size_t number = 0;
  for (const QuizRecord& record : records) {
    const Question& question = record.question;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", ++number, csvField(record.run.strategy),
                        record.run.n == 0 ? "" : std::to_string(record.run.n), csvField(record.run.machine),
                        csvField(record.phase), question.firstStep + 1, nameFor(question.kind),
                        csvField(plain(question.text)), csvField(record.given),
                        csvField(rightAnswer(question)), nameFor(record.outcome));
  }
  return text;
}

QuizSaving saveQuiz(const std::vector<QuizRecord>& records, const std::string& path, bool replace) {
  if (records.empty()) return {false, false, "There is nothing to save yet: answer a question first."};
  std::filesystem::path file(path);
  const char* home = std::getenv("HOME");
  if (path.starts_with("~/") && home != nullptr) file = std::filesystem::path(home) / path.substr(2);
  if (file.filename().empty()) return {false, false, "Type the file's name after the folder's."};
  if (file.extension().empty()) file += ".csv";
  std::error_code code;
  if (!replace && std::filesystem::exists(file, code))
    return {false, true,
            fmt::format("{} is there already: replace it, or type another name.", file.string())};
  if (const std::optional<Error> problem = writeFile(file, quizCsv(records)))
    return {false, false, problem->sentence()};
  return {true, false, fmt::format("Saved {} to {}.", counted(records.size(), "question"), file.string())};
}

}  // namespace lanescope
