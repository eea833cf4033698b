#include "sim/host/lambdas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace lanescope::host {
namespace {

template <std::size_t N>
bool isAmong(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// Words that no declared name follows.
bool isStatementWord(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"return", "else", "case", "goto", "new", "delete", "throw", "sizeof", "typename", "struct", "class",
       "using", "namespace", "co_return", "do", "operator"});
  return isAmong(word, kWords);
}

bool isDeclarationEnd(std::string_view token) {
  static constexpr auto kMarks = std::to_array<std::string_view>({"=", ";", ",", ")", "{", "[", "(", ":"});
  return isAmong(token, kMarks);
}

/// True if the name at `t` may be a declaration. `T * name` may be a product: it counts only with `isLoose`.
bool isDeclaredAt(const TokenText& text, std::size_t t, bool isLoose) {
  if (t == 0 || !isDeclarationEnd(text.at(t + 1))) return false;
  const std::string_view before = text.at(t - 1);
  if (text.isWord(t - 1)) return !isStatementWord(before);
  if (before == ">") return opening(text, t - 1) != t - 1;
  if (before != "*" && before != "&" && before != ",") return false;
  return isLoose || (before != "," && t > 1 && isTypeWord(text.at(t - 2)));
}

bool declares(const TokenText& text, TokenRange range, std::string_view name, bool isLoose) {
  for (std::size_t t = range.begin; t < range.end; ++t) {
    if (text.at(t) == name && isDeclaredAt(text, t, isLoose)) return true;
  }
  return false;
}

/// First token of the parameters of the outermost function around `at`; `at` itself if there is none.
std::size_t functionBegin(const TokenText& text, std::size_t at) {
  std::size_t begin = at;
  std::size_t depth = 0;
  for (std::size_t t = at; t-- > 1;) {
    if (text.at(t) == "}") ++depth;
    if (text.at(t) != "{") continue;
    if (depth > 0) {
      --depth;
      continue;
    }
    std::size_t before = t - 1;
    static constexpr auto kTail = std::to_array<std::string_view>({"const", "noexcept", "override", "final"});
    while (before > 0 && isAmong(text.at(before), kTail)) --before;
    if (text.at(before) == ")") begin = opening(text, before);
  }
  return begin;
}

bool isQualified(const TokenText& text, std::size_t t) {
  const std::string_view before = text.at(t - 1);
  const bool isMember = before == "." || (before == ">" && text.at(t - 2) == "-") || before == ":";
  return isMember || (text.at(t + 1) == ":" && text.at(t + 2) == ":");
}

/// The names of the enclosing function that a body uses, in the order of use.
void captureUsed(const TokenText& text, DeviceLambda& lambda) {
  const TokenRange outside{functionBegin(text, lambda.begin), lambda.begin};
  const TokenRange inside{lambda.parameters ? lambda.parameters->begin : lambda.body, lambda.end};
  for (std::size_t t = lambda.body + 1; t < lambda.end; ++t) {
    const std::string name(text.at(t));
    if (!text.isWord(t) || isQualified(text, t)) continue;
    const auto isIt = [&](const DeviceLambda::Capture& each) { return each.name == name; };
    if (std::ranges::any_of(lambda.captures, isIt) || declares(text, inside, name, false)) continue;
    if (declares(text, outside, name, true)) lambda.captures.push_back({name, name});
  }
}

std::string toText(const TokenText& text, TokenRange range) {
  if (range.begin >= range.end) return "";
  const std::size_t begin = text.tokens[range.begin].begin;
  return textOnOneLine(text.text.substr(begin, text.tokens[range.end - 1].end - begin));
}

/// Reads the captures in the lambda's brackets; false if one of them cannot be taken to the device.
/// `isDefault`: there is a `=`.
bool readCaptures(const TokenText& text, std::size_t close, DeviceLambda& lambda, bool& isDefault) {
  for (const TokenRange& each : separated(text, {lambda.begin + 1, close})) {
    const bool isAlone = each.end == each.begin + 1;
    if (isAlone && text.at(each.begin) == "=") {
      isDefault = true;
      continue;
    }
    const bool isNamed = text.isWord(each.begin) && text.at(each.begin) != "this";
    if (!isNamed || !(isAlone || text.at(each.begin + 1) == "=")) return false;
    const std::string name(text.at(each.begin));
    lambda.captures.push_back({name, isAlone ? name : toText(text, {each.begin + 2, each.end})});
  }
  return true;
}

}  // namespace

std::optional<DeviceLambda> lambdaAround(const TokenText& text, std::size_t marker) {
  std::size_t close = marker;
  while (close > 0 && (text.at(close) == "__device__" || text.at(close) == "__host__")) --close;
  if (text.at(close) != "]") return std::nullopt;
  DeviceLambda lambda;
  lambda.begin = opening(text, close);
  std::size_t at = close + 1;
  for (; text.at(at) == "__device__" || text.at(at) == "__host__"; ++at)
    lambda.isHost |= text.at(at) == "__host__";
  if (text.at(at) == "(") {
    lambda.parameters = TokenRange{at + 1, closing(text, at)};
    at = lambda.parameters->end + 1;
  }
  for (; text.at(at) == "mutable" || text.at(at) == "noexcept" || text.at(at) == "constexpr"; ++at)
    lambda.isMutable |= text.at(at) == "mutable";
  if (text.at(at) == "-" && text.at(at + 1) == ">") {
    const std::size_t first = at + 2;
    while (at < text.tokens.size() && text.at(at) != "{" && text.at(at) != ";") ++at;
    lambda.result = toText(text, {first, at});
  }
  if (text.at(at) != "{") return std::nullopt;
  lambda.body = at;
  lambda.end = closing(text, at);
  bool isDefault = false;
  if (!readCaptures(text, close, lambda, isDefault)) return std::nullopt;
  if (isDefault) captureUsed(text, lambda);
  return lambda;
}

std::string classText(const TokenText& text, const DeviceLambda& lambda, const std::string& name) {
  std::string parameters;
  std::string members;
  for (std::size_t c = 0; c < lambda.captures.size(); ++c) {
    parameters += fmt::format("{}class L{}", c == 0 ? "" : ", ", c);
    members += fmt::format("L{} {}; ", c, lambda.captures[c].name);
  }
  const std::string head = parameters.empty() ? "" : fmt::format("template <{}> ", parameters);
  return fmt::format("{}struct {} {{ {}__device__ {} operator()({}) {} {} }};\n", head, name, members,
                     lambda.result.empty() ? "auto" : lambda.result,
                     lambda.parameters ? toText(text, *lambda.parameters) : "",
                     lambda.isMutable ? "" : "const", toText(text, {lambda.body, lambda.end + 1}));
}

LambdaParts hostParts(const DeviceLambda& lambda, const std::string& name) {
  std::string types;
  std::string members;
  std::string texts;
  std::string values;
  for (std::size_t c = 0; c < lambda.captures.size(); ++c) {
    const DeviceLambda::Capture& each = lambda.captures[c];
    types += fmt::format("using LanescopeType{} = ::std::decay_t<decltype({})>; ", c, each.value);
    members += fmt::format("LanescopeType{} {}; ", c, each.name);
    texts +=
        fmt::format("::lanescope_host::append(text, ::lanescope_host::typeText<LanescopeType{}>()); ", c);
    values += (c == 0 ? "" : ", ") + each.value;
  }
  const bool isEmpty = lambda.captures.empty();
  LambdaParts parts;
  parts.head = fmt::format("{} {{ {}struct LanescopeLambda {{ {}{} operator()", isEmpty ? "[]" : "[&]", types,
                           members, lambda.result.empty() ? "auto" : lambda.result);
  parts.middle = lambda.isMutable ? " " : " const ";
  parts.tail = fmt::format(
      " static ::std::string lanescopeName() {{ ::std::string text; {}return {}; }} }}; return "
      "LanescopeLambda{{{}}}; }}()",
      texts,
      isEmpty ? fmt::format("\"{}\"", name) : fmt::format("::lanescope_host::instance(\"{}\", text)", name),
      values);
  return parts;
}

}  // namespace lanescope::host
