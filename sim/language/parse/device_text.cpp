#include "sim/language/parse/device_text.h"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/language/parse/file_items.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope::syntax {
namespace {

struct TokenRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class DeviceText {
 public:
  DeviceText(const SourceText& source, std::string_view kernel)
      : source_(source), isAnyKernel_(kernel.empty()) {
    std::vector<Diagnostic> ignored;
    text_ = tokenize(source, ignored);
    split_ = splitItems(text_.tokens, ignored);
    const SourceText name("kernel", std::string(kernel));
    const TokenizedText named = tokenize(name, ignored);
    for (const Token& token : named.tokens) {
      if (token.kind == TokenKind::Identifier) named_.emplace(token.text);
    }
    reached_.insert(named_.begin(), named_.end());
  }

  bool hasHostPart() const {
    return !source_.includes().empty() ||
           std::ranges::count(split_.items, ItemRange::Kind::Host, &ItemRange::kind) > 0;
  }

  std::string made() {
    std::vector<const ItemRange*> open;
    for (const ItemRange& item : split_.items) {
      if (item.kind != ItemRange::Kind::Host) open.push_back(&item);
    }
    std::set<const ItemRange*> kept;
    for (bool isNew = true; isNew;) {
      isNew = false;
      for (const ItemRange*& item : open) {
        if (item == nullptr || !isReached(*item)) continue;
        kept.insert(item);
        reach(*item);
        item = nullptr;
        isNew = true;
      }
    }
    putHeaders();
    for (const ItemRange& item : split_.items) {
      if (kept.contains(&item)) put(item);
    }
    for (const ItemRange* const item : kept) use(*item);
    result_ += '\n';
    return std::move(result_);
  }

 private:
  const Token& at(std::size_t t) const { return text_.tokens[std::min(t, text_.tokens.size() - 1)]; }

  /// An operator or a specialisation is always kept, since it has no name to be found by, and so is the other
  /// name of a namespace, which any item may use.
  bool isReached(const ItemRange& item) const {
    if (item.kind == ItemRange::Kind::Kernel && isAnyKernel_) return true;
    if (item.kind == ItemRange::Kind::Space)
      return !at(item.begin + 2).is("std") && !at(item.begin + 1).is("std");
    if (item.kind == ItemRange::Kind::Member) return isOfReachedClass(item);
    if (item.kind == ItemRange::Kind::Function && item.names.empty()) return true;
    if (item.kind == ItemRange::Kind::Kernel && item.names.empty()) return isSpecialisation(item);
    return std::ranges::any_of(item.names, [&](std::string_view name) { return reached_.contains(name); });
  }

  /// `template <> __global__ void k<8>(…)` of the kernel.
  bool isSpecialisation(const ItemRange& item) const {
    for (std::size_t t = item.begin; t < item.end && !at(t).is("("); ++t) {
      if (named_.contains(std::string(at(t).text)) && at(t + 1).is("<")) return true;
    }
    return false;
  }

  bool isOfReachedClass(const ItemRange& item) const {
    for (std::size_t t = item.begin; t + 1 < item.end && !at(t).is("{"); ++t) {
      if (at(t + 1).is("::") && reached_.contains(at(t).text)) return true;
    }
    return false;
  }

  void reach(const ItemRange& item) {
    for (const TokenRange& part : splitParts(item)) {
      for (std::size_t t = part.begin; t < part.end; ++t) {
        if (at(t).kind == TokenKind::Identifier) reached_.emplace(at(t).text);
      }
    }
  }

  /// The item without the host's functions in its classes.
  std::vector<TokenRange> splitParts(const ItemRange& item) const {
    std::vector<TokenRange> parts;
    std::size_t begin = item.begin;
    if (item.kind == ItemRange::Kind::Type) leaveOutHost(item, begin, parts);
    parts.push_back({begin, item.end});
    return parts;
  }

  void leaveOutHost(const ItemRange& type, std::size_t& begin, std::vector<TokenRange>& parts) const {
    std::size_t brace = type.begin;
    bool isClass = false;
    for (; brace < type.end && !at(brace).is("{"); ++brace) {
      if (at(brace).is("enum")) return;
      isClass = isClass || at(brace).is("class") || at(brace).is("struct") || at(brace).is("union");
    }
    if (brace >= type.end || !isClass) return;
    for (const ItemRange& member : splitMembers(text_.tokens, brace + 1, false).items) {
      if (member.kind == ItemRange::Kind::Type) leaveOutHost(member, begin, parts);
      if (member.kind != ItemRange::Kind::Host || at(member.begin).is("static_assert")) continue;
      parts.push_back({begin, member.begin});
      begin = member.end;
    }
  }

  void putHeaders() {
    std::set<std::string> names = bracketedIncludes(source_.text());
    for (const IncludedText& included : source_.includes()) names.merge(bracketedIncludes(included.text));
    std::erase_if(names,
                  [](const std::string& name) { return !isDeviceHeader(name) && !isStandardHeader(name); });
    // Headers that any of the host's headers may have included.
    names.insert({"climits", "cstdint"});
    for (const std::string& name : names) result_ += "#include <" + name + ">\n";
    result_ += "#line 1\n";
  }

  void put(const ItemRange& item) {
    moveToLine(at(item.begin));
    if (!item.space.empty()) add("namespace " + item.space + " {");
    for (const TokenRange& part : splitParts(item)) {
      for (std::size_t t = part.begin; t < part.end; ++t) put(at(t));
    }
    if (!item.space.empty()) add(" }");
  }

  /// Declares the names that the kernel's name has without their namespace with `using`.
  void use(const ItemRange& item) {
    if (item.space.empty()) return;
    for (const std::string_view name : item.names) {
      if (named_.erase(std::string(name)) > 0) add(" using " + item.space + "::" + std::string(name) + ";");
    }
  }

  /// Puts the token in its line, and in its column or behind the previous token. Tokens that are apart in the
  /// text stay apart.
  void put(const Token& token) {
    moveToLine(token);
    const std::uint32_t column = source_.place(token.span.begin).column;
    const bool isJoined = token.text.data() == lastEnd_;
    const std::uint32_t apart = isJoined || column_ == 1 ? 0 : 1;
    if (!isJoined) add(std::string(std::max(column, column_ + apart) - column_, ' '));
    add(token.text);
    lastEnd_ = token.text.data() + token.text.size();
  }

  void moveToLine(const Token& token) {
    const std::uint32_t line = source_.place(token.span.begin).line;
    if (line <= line_) return;
    result_.append(line - line_, '\n');
    line_ = line;
    column_ = 1;
  }

  void add(std::string_view text) {
    result_ += text;
    column_ += static_cast<std::uint32_t>(text.size());
  }

  const SourceText& source_;
  bool isAnyKernel_;
  TokenizedText text_;
  FileItems split_;
  std::set<std::string> named_;  ///< in the kernel's name
  std::set<std::string, std::less<>> reached_;
  std::string result_;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  const char* lastEnd_ = nullptr;  ///< end of the last token, if it is in the text
};

}  // namespace

std::string deviceText(const SourceText& source, std::string_view kernel) {
  DeviceText text(source, kernel);
  return text.hasHostPart() ? text.made() : std::string(source.text());
}

}  // namespace lanescope::syntax
