#include "sim/language/text/macro_expander.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/counted.h"
#include "sim/language/text/scanner.h"

namespace lanescope {
namespace {

/// Nesting of arguments. Limits the stack.
constexpr int kMaxArgumentDepth = 64;
/// The most macros in the chain that a token came from.
constexpr std::size_t kMaxChain = 256;

}  // namespace

void MacroExpander::report(SourceSpan span, std::string message, std::string hint) {
  if (faults_->size() < kMostFaults) faults_->push_back({std::move(message), std::move(hint), span});
}

void MacroExpander::refuseLength(SourceSpan span) {
  if (isExhausted() && std::exchange(isRefused_, true)) return;
  report(span, "macros make this text too long to be simulated", "write the text without them");
}

void MacroExpander::expand(std::span<const Token> in, std::vector<Token>& out,
                           std::vector<Diagnostic>& faults) {
  faults_ = &faults;
  unread_ = in;
  while (!unread_.empty()) {
    if (!isUse(unread_.front())) {
      out.push_back(unread_.front());
      unread_ = unread_.subspan(1);
      continue;
    }
    Pieces rest;
    Pieces done;
    pull(rest);
    expandPieces(rest, done, 0);
    for (const Piece& piece : done) out.push_back(piece.token);
  }
}

/// The next unread token becomes the last piece.
void MacroExpander::pull(Pieces& rest) {
  if (unread_.empty()) return;
  rest.insert(rest.begin(), Piece{unread_.front()});
  unread_ = unread_.subspan(1);
}

/// Adds unread tokens up to the end of the arguments that begin with the next piece.
void MacroExpander::pullArguments(Pieces& rest) {
  int depth = 0;
  const auto closes = [&](const Token& token) {
    depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
    return depth == 0;
  };
  for (auto piece = rest.rbegin(); piece != rest.rend(); ++piece) {
    if (closes(piece->token)) return;
  }
  std::size_t count = 0;
  while (count < unread_.size() && !closes(unread_[count])) ++count;
  count = std::min(count + 1, unread_.size());
  tokens_ += count;
  Pieces more;
  more.reserve(count + rest.size());
  for (std::size_t i = count; i > 0; --i) more.push_back({unread_[i - 1]});
  more.insert(more.end(), rest.begin(), rest.end());
  rest = std::move(more);
  unread_ = unread_.subspan(count);
}

void MacroExpander::expandPieces(Pieces& rest, Pieces& out, int depth) {
  while (!rest.empty()) {
    Piece piece = std::move(rest.back());
    rest.pop_back();
    ++tokens_;
    const auto found = isUse(piece.token) ? macros_.find(piece.token.text) : macros_.end();
    const bool isOwn = piece.from != nullptr && piece.from->contains(piece.token.text);
    if (depth == 0 && rest.empty() && found != macros_.end() && found->second.takesArguments) pull(rest);
    const bool isUse = found != macros_.end() && !isOwn &&
                       (!found->second.takesArguments || (!rest.empty() && rest.back().token.is("(")));
    if (!isUse || isExhausted()) {
      out.push_back(std::move(piece));
      continue;
    }
    const Macro& macro = found->second;
    ++uses_;
    if (isExhausted() || depth > kMaxArgumentDepth || (piece.from && piece.from->size() > kMaxChain)) {
      refuseLength(piece.token.span);
      out.push_back(std::move(piece));
      continue;
    }
    std::vector<Pieces> given;
    Names closing = piece.from;
    if (macro.takesArguments && depth == 0) pullArguments(rest);
    if (macro.takesArguments && !arguments(rest, piece, macro, given, closing)) {
      out.push_back(std::move(piece));
      continue;
    }
    // The macros that the result came from: the macro itself, and those that both the use's name and its
    // closing bracket came from.
    std::set<std::string_view> names;
    if (piece.from && closing)
      std::ranges::set_intersection(*piece.from, *closing, std::inserter(names, names.end()));
    names.insert(piece.token.text);
    const Names from = std::make_shared<const std::set<std::string_view>>(std::move(names));
    Pieces pieces = substitute(piece, macro, given, depth);
    tokens_ += pieces.size();
    if (isExhausted()) refuseLength(piece.token.span);
    if (!pieces.empty()) pieces.front().token.isSpaced = piece.token.isSpaced;
    std::map<const void*, Names> joined;
    for (auto one = pieces.rbegin(); one != pieces.rend(); ++one) {
      Names& both = joined[one->from.get()];
      if (both == nullptr) {
        std::set<std::string_view> all = *from;
        if (one->from) all.insert(one->from->begin(), one->from->end());
        tokens_ += all.size();
        both = std::make_shared<const std::set<std::string_view>>(std::move(all));
      }
      rest.push_back({one->token, both});
    }
  }
}

/// Takes the arguments of a use off the pieces, starting at its bracket. False, and nothing taken, if they do
/// not fit or never end.
bool MacroExpander::arguments(Pieces& rest, const Piece& name, const Macro& macro,
                              std::vector<Pieces>& arguments, Names& closing) {
  int depth = 0;
  std::size_t at = rest.size();
  arguments.emplace_back();
  while (at > 0) {
    const Piece& piece = rest[--at];
    ++tokens_;
    if (piece.token.is("(") && ++depth == 1) continue;
    if (piece.token.is(")") && --depth == 0) {
      closing = piece.from;
      break;
    }
    const bool isLast = macro.isVariadic && arguments.size() == macro.parameters.size();
    if (depth == 1 && piece.token.is(",") && !isLast) {
      arguments.emplace_back();
    } else {
      arguments.back().push_back(piece);
    }
  }
  if (depth != 0) {
    report(name.token.span, fmt::format("the use of the macro {} has no ')'", name.token.text),
           "close the bracket");
    return false;
  }
  const std::size_t wanted = macro.parameters.size();
  if (wanted == 0 && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  if (macro.isVariadic && arguments.size() + 1 == wanted) arguments.emplace_back();
  if (arguments.size() != wanted) {
    report(
        name.token.span,
        takesText("the macro " + std::string(name.token.text), wanted, wanted, "argument", arguments.size()),
        "see its #define");
    return false;
  }
  rest.resize(at);
  return true;
}

MacroExpander::Pieces MacroExpander::substitute(const Piece& name, const Macro& macro,
                                                const std::vector<Pieces>& arguments, int depth) {
  const auto parameterAt = [&](const Token& token) {
    tokens_ += macro.parameters.size() / 8;
    const auto found = std::ranges::find(macro.parameters, token.text);
    return token.kind == TokenKind::Identifier ? static_cast<std::size_t>(found - macro.parameters.begin())
                                               : macro.parameters.size();
  };
  std::vector<Token> body;
  for (std::size_t i = 0; i < macro.body.size(); ++i) {
    if (macro.isVariadic && macro.body[i].is("__VA_OPT__")) {
      optional(macro, i, !arguments.back().empty(), body);
    } else {
      body.push_back(macro.body[i]);
    }
  }
  Pieces out;
  const std::size_t none = macro.parameters.size();
  for (std::size_t i = 0; i < body.size() && !isExhausted(); ++i) {
    const bool hasNext = i + 1 < body.size();
    if (macro.takesArguments && body[i].is("#") && hasNext && parameterAt(body[i + 1]) < none) {
      out.push_back(toStringPiece(arguments[parameterAt(body[++i])], name.token.span));
      continue;
    }
    if (body[i].is("##") && !out.empty() && hasNext) {
      const std::size_t which = parameterAt(body[++i]);
      const bool isRest = macro.isVariadic && which + 1 == none && out.back().token.is(",");
      const Pieces right = which < none ? arguments[which] : Pieces{{body[i]}};
      if (isRest) {  // GNU: the comma is dropped if nothing follows
        if (right.empty()) out.pop_back();
        out.insert(out.end(), right.begin(), right.end());
      } else {
        paste(out, right);
      }
      continue;
    }
    const std::size_t which = parameterAt(body[i]);
    if (which == none) {
      out.push_back({body[i]});
      out.back().token.span = name.token.span;
      continue;
    }
    Pieces argument = arguments[which];
    tokens_ += argument.size();
    const bool isPasted = hasNext && body[i + 1].is("##");
    if (isPasted && argument.empty()) {  // the next token is pasted to an empty argument
      out.push_back({Token{TokenKind::Identifier, "", name.token.span}});
    } else if (isPasted) {
      out.insert(out.end(), argument.begin(), argument.end());
    } else {
      std::ranges::reverse(argument);
      expandPieces(argument, out, depth + 1);
    }
  }
  std::erase_if(out, [](const Piece& piece) { return piece.token.text.empty(); });
  return out;
}

/// `__VA_OPT__(…)` of a body: the tokens in its brackets, unless the rest of the arguments is empty.
void MacroExpander::optional(const Macro& macro, std::size_t& at, bool isPresent,
                             std::vector<Token>& body) const {
  int depth = 0;
  while (++at < macro.body.size()) {
    const Token& token = macro.body[at];
    if (token.is("(") && ++depth == 1) continue;
    if (token.is(")") && --depth == 0) return;
    if (isPresent) body.push_back(token);
  }
}

MacroExpander::Piece MacroExpander::toStringPiece(const Pieces& argument, SourceSpan span) {
  std::string& text = spellings_.emplace_back("\"");
  for (const Piece& piece : argument) {
    if (piece.token.isSpaced && text.size() > 1) text += ' ';
    const bool isQuoted = piece.token.kind == TokenKind::String || piece.token.kind == TokenKind::Character;
    for (const char c : piece.token.text) {
      if (isQuoted && (c == '"' || c == '\\')) text += '\\';
      text += c;
    }
    tokens_ += piece.token.text.size() / 64;
  }
  text += '"';
  return {Token{TokenKind::String, text, span}};
}

/// Makes one token of the last token and the first one of `right`.
void MacroExpander::paste(Pieces& out, const Pieces& right) {
  if (right.empty()) return;
  Piece& left = out.back();
  if (left.token.text.size() + right[0].token.text.size() > 4096) {
    return report(left.token.span, "this name is too long to be simulated", "write the text without ##");
  }
  const std::string& text =
      spellings_.emplace_back(std::string(left.token.text) + std::string(right[0].token.text));
  std::vector<Diagnostic> ignored;
  std::deque<std::string> noText;
  Scanner scanner(text, {ignored, ignored}, noText);
  const Token joined = scanner.next();
  if (!ignored.empty() || !scanner.atEnd()) {
    report(left.token.span,
           fmt::format("## makes no name or number of {} and {}", left.token.text, right[0].token.text),
           "see the macro's #define");
    out.insert(out.end(), right.begin(), right.end());
    return;
  }
  left = {Token{joined.kind, joined.text, left.token.span, left.token.isSpaced}, left.from};
  out.insert(out.end(), right.begin() + 1, right.end());
}

}  // namespace lanescope
