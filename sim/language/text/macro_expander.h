#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope {

/// Tokens that a text may have, and grow to by its macros.
inline constexpr std::size_t kMaxTokens = 1u << 20;

struct Macro {
  bool takesArguments = false;
  bool isVariadic = false;  ///< its last parameter takes what is left, commas too
  std::vector<std::string_view> parameters{};
  std::vector<Token> body{};
};

/// Replaces macros as C++17 has it ([cpp.replace]): a macro's own name is not replaced in what it gave
/// (Prosser's algorithm with sets of names), arguments are replaced before they are put in, `#` and `##` work
/// on them as written. GNU's `, ## __VA_ARGS__` drops the comma where nothing follows.
class MacroExpander {
 public:
  MacroExpander(const std::map<std::string_view, Macro>& macros, std::deque<std::string>& made)
      : macros_(macros), made_(made) {}

  /// Appends the tokens with their macros replaced. What a macro brings has the place of its use, its
  /// arguments keep theirs. A use that cannot be replaced stays as it is, with a diagnostic in `faults`.
  void expand(std::span<const Token> in, std::vector<Token>& out, std::vector<Diagnostic>& faults);
  /// True after more uses or tokens than a text may have: expand() then copies.
  bool isExhausted() const { return uses_ > kMaxUses || tokens_ > kMaxTokens * 4; }

 private:
  using Names = std::shared_ptr<const std::set<std::string_view>>;
  /// A token and the macros that it came from.
  struct Piece {
    Token token;
    Names from{};
  };
  using Pieces = std::vector<Piece>;                 ///< what is still to be read is last to first
  static constexpr std::size_t kMaxUses = 1u << 17;  ///< macros that use macros can ask for any number

  void expandPieces(Pieces& rest, Pieces& out, int depth);
  bool arguments(Pieces& rest, const Piece& name, const Macro& macro, std::vector<Pieces>& arguments,
                 Names& closing);
  Pieces substitute(const Piece& name, const Macro& macro, const std::vector<Pieces>& arguments, int depth);
  void optional(const Macro& macro, std::size_t& at, bool isThere, std::vector<Token>& body) const;
  Piece stringOf(const Pieces& argument, SourceSpan span);
  void paste(Pieces& out, const Pieces& right);
  void report(SourceSpan span, std::string message, std::string hint);

  const std::map<std::string_view, Macro>& macros_;
  std::deque<std::string>& made_;
  std::vector<Diagnostic>* faults_ = nullptr;
  std::size_t uses_ = 0;
  std::size_t tokens_ = 0;
};

}  // namespace lanescope
