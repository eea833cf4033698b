#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lanescope {

/// A half-open byte range [begin, end) of one SourceText.
struct SourceSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const SourceSpan&) const = default;
};

/// A place as shown to people: both start at 1; columns count bytes.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator==(const LineColumn&) const = default;
};

/// A file that a text includes: its path as in `#include "…"`, from the text's folder, and its content.
struct IncludedText {
  std::string path;  ///< with '/', without "./" and "..": `common/tile.h`
  std::string text;
  bool operator==(const IncludedText&) const = default;
};

/// The path of definitions from outside a text, which are read before it as for `-D`.
inline constexpr std::string_view kCommandLinePath = "<command-line>";

/// The definitions of `-D NAME` (1) and `-D NAME=VALUE`, as lines of #define in a file of the path
/// kCommandLinePath.
IncludedText commandLineDefinitions(const std::vector<std::string>& definitions);

/// A named, immutable text with an index of its lines, and the files that it includes.
class SourceText {
 public:
  SourceText() : SourceText("", "") {}
  SourceText(std::string name, std::string text, std::vector<IncludedText> includes = {});

  const std::vector<IncludedText>& includes() const { return includes_; }

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view slice(SourceSpan span) const;

  /// Number of lines, at least 1. A final newline does not begin another line.
  std::uint32_t lineCount() const { return static_cast<std::uint32_t>(lineStarts_.size()); }
  /// Text of a line (1-based) without its newline. Empty if out of range.
  std::string_view line(std::uint32_t number) const;
  /// Line and column of a byte offset; offsets past the end give the end.
  LineColumn place(std::uint32_t offset) const;
  std::uint32_t findLine(SourceSpan span) const { return place(span.begin).line; }

 private:
  std::string name_;
  std::string text_;
  std::vector<IncludedText> includes_;
  std::vector<std::uint32_t> lineStarts_;
};

/// A place in a file that the text includes, and its line.
struct HeaderPlace {
  std::string path;  ///< as in IncludedText
  LineColumn place;
  std::string line;
  std::uint32_t length = 0;  ///< bytes from there
};

/// A finding about a kernel text: the fault, its place, and a way out.
struct Diagnostic {
  std::string message;  ///< one sentence without a full stop
  std::string hint{};   ///< what to try; can be empty
  SourceSpan span{};
  bool isUnknownName = false;  ///< the message is about an unknown name
  bool isOfTyping = false;     ///< about types that C++ does not allow there, either
  bool isElsewhere = false;    ///< the name in quotes is declared, and defined in another file
  std::shared_ptr<const HeaderPlace> header{};  ///< if `span` is an #include: the place in its file, if known
};

/// `file:line:column: error: message`, the line, a caret under the span, and the hint.
std::string renderDiagnostic(const SourceText& source, const Diagnostic& diagnostic);

/// With a capital letter if it begins with a plain word, and a full stop.
std::string asSentence(std::string text);

/// Message and hint, each as a sentence: `'x' is not declared. Declare it, or mend its spelling.`
std::string makeSentences(const Diagnostic& diagnostic);

/// A failure at a boundary, in words that a person can act on.
struct Error {
  std::string message;  ///< one clear sentence; for a text that does not parse, the rendered list
  std::string hint{};   ///< the way out; can be empty
  std::vector<Diagnostic> diagnostics{};  ///< places in the kernel text, if there are any
  bool isOfRun = false;                   ///< the launch was valid, and the kernel failed at run time
  std::string summary{};  ///< of a rendered list: its length and the first diagnostic, in sentences

  /// Message and hint on one line, for a terminal or a status bar. For a rendered list, its summary.
  std::string sentence() const {
    if (!summary.empty()) return summary;
    return hint.empty() ? message : message + " " + hint;
  }
};

/// A value, or the Error that prevented it. Boundaries return it. Exceptions never cross them.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : content_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : content_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const T& value() const& { return std::get<0>(content_); }
  T& value() & { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

}  // namespace lanescope
