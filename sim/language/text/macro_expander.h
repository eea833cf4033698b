#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/scanner.h"

namespace lanescope {

/// The most tokens of a text, before and after macros are replaced: what is made of them fits into 256 MB.
inline constexpr std::size_t kMaxTokens = 1u << 19;

struct Macro {
  bool takesArguments = false;
  bool isKept = false;      ///< a word that `#ifdef` finds, and whose uses stay
  bool isVariadic = false;  ///< its last parameter takes the remaining arguments with their commas
  std::vector<std::string_view> parameters{};
  std::vector<Token> body{};
};

/// Replaces macros by the rules of C++17 ([cpp.replace]): a macro's own name is not replaced in its result
/// (Prosser's algorithm with sets of names). Arguments are replaced before they are inserted, but `#` and
/// `##` work on them as written. GNU's `, ## __VA_ARGS__` drops the comma if nothing follows.
class MacroExpander {
 public:
  MacroExpander(const std::map<std::string_view, Macro>& macros, std::deque<std::string>& spellings)
      : macros_(macros), spellings_(spellings) {}

  /// Appends the tokens with their macros replaced. Tokens of a macro's body have the place of its use,
  /// arguments keep their own. A use that cannot be replaced stays unchanged, with a diagnostic in `faults`.
  void expand(std::span<const Token> in, std::vector<Token>& out, std::vector<Diagnostic>& faults);
  /// True after more uses or tokens than the limit: expand() then copies.
  bool isExhausted() const { return uses_ > kMaxUses || tokens_ > kMaxTokens * 3; }

 private:
  using Names = std::shared_ptr<const std::set<std::string_view>>;
  /// A token and the macros that it came from.
  struct Piece {
    Token token;
    Names from{};
  };
  using Pieces = std::vector<Piece>;                 ///< unread pieces, the next one last
  static constexpr std::size_t kMaxUses = 1u << 17;  ///< macros that use macros can produce any number

  void expandPieces(Pieces& rest, Pieces& out, int depth);
  bool isUse(const Token& token) const {
    if (token.kind != TokenKind::Identifier) return false;
    const auto found = macros_.find(token.text);
    return found != macros_.end() && !found->second.isKept;
  }
  void pull(Pieces& rest);
  void pullArguments(Pieces& rest);
  bool arguments(Pieces& rest, const Piece& name, const Macro& macro, std::vector<Pieces>& arguments,
                 Names& closing);
  Pieces substitute(const Piece& name, const Macro& macro, const std::vector<Pieces>& arguments, int depth);
  void optional(const Macro& macro, std::size_t& at, bool isPresent, std::vector<Token>& body) const;
  Piece toStringPiece(const Pieces& argument, SourceSpan span);
  void paste(Pieces& out, const Pieces& right);
  void refuseLength(SourceSpan span);
  void report(SourceSpan span, std::string message, std::string hint);

  const std::map<std::string_view, Macro>& macros_;
  std::deque<std::string>& spellings_;
  std::vector<Diagnostic>* faults_ = nullptr;
  std::span<const Token> unread_{};  ///< of expand(), behind the pieces that are read
  bool isRefused_ = false;           ///< that the limit is reached was reported
  std::size_t uses_ = 0;
  std::size_t tokens_ = 0;  ///< read, searched and made for uses, with the names that they came from
};

}  // namespace lanescope
