#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/source_text.h"

namespace lanescope {

/// A finding about a kernel text: the fault, its place, and a way out.
struct Diagnostic {
  std::string message;  ///< one sentence without a full stop
  std::string hint{};   ///< what to try; can be empty
  SourceSpan span{};
  bool isUnknownName = false;  ///< the message is about an unknown name
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
