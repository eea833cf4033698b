#include "kernels/protocol/compiler_log.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "kernels/protocol/protocol.h"
#include "kernels/protocol/take_line.h"

namespace lanescope {
namespace {

constexpr std::size_t kIndent = 2;  // NVRTC indents the quoted line and its caret by two blanks
constexpr std::size_t kMessageBytes = 300;

/// Splits a line into severity and message: `error: …`, `warning #177-D: …`, `catastrophic error: …`.
std::optional<CompilerFinding> severityAndMessage(std::string_view text) {
  CompilerFinding finding;
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view severity = text.substr(0, colon);
  if (severity.starts_with("warning")) {
    finding.isError = false;
  } else if (!severity.starts_with("error") && !severity.starts_with("catastrophic error") &&
             !severity.starts_with("internal error")) {
    return std::nullopt;
  }
  finding.message = printable(text.substr(colon + 2), kMessageBytes);
  return finding;
}

/// Parses a line `FILE(LINE): SEVERITY: MESSAGE`; empty if it has another form.
std::optional<CompilerFinding> parseFinding(std::string_view line, std::string_view fileName) {
  const std::size_t close = line.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const std::size_t open = line.rfind('(', close);
  if (open == std::string_view::npos) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, failure] = std::from_chars(line.data() + open + 1, line.data() + close, number);
  if (failure != std::errc{} || end != line.data() + close) return std::nullopt;
  auto finding = severityAndMessage(line.substr(close + 3));
  if (finding && line.substr(0, open) == fileName) finding->line = number;
  return finding;
}

/// The column that a caret line points to, or 0.
std::uint32_t findColumn(std::string_view line) {
  const std::size_t caret = line.find_first_not_of(" \t");
  if (caret == std::string_view::npos || line.substr(caret) != "^" || caret < kIndent) return 0;
  return static_cast<std::uint32_t>(caret - kIndent + 1);
}

}  // namespace

std::vector<CompilerFinding> parseCompilerLog(std::string_view log, std::string_view fileName) {
  std::vector<CompilerFinding> findings;
  bool wantsColumn = false;
  while (!log.empty()) {
    const std::string_view line = splitLine(log);
    if (auto finding = parseFinding(line, fileName)) {
      findings.push_back(std::move(*finding));
      wantsColumn = true;
    } else if (const std::uint32_t column = findColumn(line); wantsColumn && column != 0) {
      if (findings.back().line != 0) findings.back().column = column;
      wantsColumn = false;
    }
  }
  std::stable_sort(findings.begin(), findings.end(), [](const CompilerFinding& a, const CompilerFinding& b) {
    return a.isError && !b.isError;
  });
  if (findings.size() > kMaxDiagnostics) findings.resize(kMaxDiagnostics);
  return findings;
}

}  // namespace lanescope
