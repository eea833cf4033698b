#include "sim/host/host_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/host/declarations.h"
#include "sim/language/parse/file_items.h"

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

std::string tokensText(const TokenText& text, TokenRange range) {
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
    lambda.captures.push_back({name, isAlone ? name : tokensText(text, {each.begin + 2, each.end})});
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
    lambda.result = tokensText(text, {first, at});
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
                     lambda.parameters ? tokensText(text, *lambda.parameters) : "",
                     lambda.isMutable ? "" : "const", tokensText(text, {lambda.body, lambda.end + 1}));
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

namespace {

/// Words of CUDA without a meaning for a host's compiler.
bool isErased(std::string_view word) {
  constexpr std::array kWords{"__global__",        "__device__",      "__host__",     "__constant__",
                              "__managed__",       "__shared__",      "__noinline__", "__forceinline__",
                              "__grid_constant__", "__inline_hint__", "__tile__",     "__maxnreg__",
                              "__launch_bounds__", "__cluster_dims__"};
  return std::ranges::find(kWords, word) != kWords.end();
}

bool isMarker(std::string_view word) {
  return word == "__global__" || word == "__device__" || word == "__host__" || word == "__constant__" ||
         word == "__managed__";
}

/// The newlines and line markers of a text that is replaced, which keep its line numbers.
std::string readLines(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view next = text.substr(end + 1);
    kept += '\n';
    text = next;
    if (!text.starts_with("# ") && !text.starts_with("#line ")) continue;
    kept += text.substr(0, text.find('\n'));
  }
  return kept;
}

class Rewriter {
 public:
  Rewriter(std::string_view text, HostUnit unit) : text_(scanPreprocessed(text)), unit_(unit) {}

  HostText run() {
    std::size_t t = 0;
    while (t < text_.tokens.size()) t = step(t);
    return {apply(), std::move(text_.files), usesOthers_, std::move(classes_)};
  }

 private:
  struct Edit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
  };

  void replace(std::size_t begin, std::size_t end, std::string with) {
    edits_.push_back({begin, end, std::move(with)});
  }
  void replaceTokens(TokenRange range, std::string with) {
    if (range.begin >= range.end) return;
    const std::size_t begin = text_.tokens[range.begin].begin;
    const std::size_t end = text_.tokens[range.end - 1].end;
    replace(begin, end, std::move(with) + readLines(text_.text.substr(begin, end - begin)));
  }

  std::string apply() {
    std::ranges::stable_sort(edits_, {}, &Edit::begin);
    std::string result;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < at) continue;  // within a replaced text
      result += text_.text.substr(at, edit.begin - at);
      result += edit.text;
      at = edit.end;
    }
    return result + std::string(text_.text.substr(at)) + '\n';
  }

  /// Handles the token; returns the next one.
  std::size_t step(std::size_t t) {
    const std::string_view word = text_.at(t);
    if (word == "namespace") return enterNamespace(t);
    if (word == "{") scopes_.emplace_back();
    if (word == "}" && !scopes_.empty()) scopes_.pop_back();
    if (isMarker(word)) return declaration(t);
    if (isErased(word)) return erase(t);
    if (word == "<" && isLaunch(t)) return launch(t);
    return t + 1;
  }

  std::size_t enterNamespace(std::size_t t) {
    std::string name;
    for (++t; t < text_.tokens.size(); ++t) {
      const std::string_view word = text_.at(t);
      if (word == "{") {
        scopes_.push_back(name.empty() ? "" : name + "::");
        return t + 1;
      }
      if (word == ";" || word == "=") return t + 1;
      name += word;
    }
    return t;
  }

  /// A name for the runtime, as in its UnitName.
  std::string qualified(std::size_t name) const {
    std::string text = unit_.number == 0 ? "" : fmt::format("{}#", unit_.number);
    for (const std::string& scope : scopes_) text += scope;
    return text + std::string(text_.at(name));
  }

  std::size_t erase(std::size_t t) {
    std::size_t end = t + 1;
    if (text_.at(end) == "(" && text_.at(t) != "__shared__" && !isMarker(text_.at(t)))
      end = closing(text_, end) + 1;
    replaceTokens({t, end}, "");
    return end;
  }

  std::size_t eraseWords(std::size_t begin, std::size_t end) {
    while (begin < end) begin = isErased(text_.at(begin)) ? erase(begin) : begin + 1;
    return end;
  }

  std::size_t declaration(std::size_t marker) {
    if (const auto taken = lambdaAround(text_, marker)) return lambda(*taken);
    const auto found = declarationAround(text_, marker);
    if (!found) return erase(marker);
    const std::size_t head = found->isFunction ? found->parameters.begin : marker + 1;
    eraseWords(found->begin, std::max(head, marker + 1));
    if (found->isVariable) return variable(*found, marker);
    eraseWords(found->parameters.begin, found->parameters.end);
    if (!found->body) return found->parameters.end;
    if (found->isKernel) {
      replaceTokens({*found->body, found->end}, makeStub(*found));
      return found->end;
    }
    // The body stays: a constant expression may need it, or the function also runs on the host.
    if (found->isHost || !found->isDevice || found->isConstexpr) return *found->body;
    replaceTokens({*found->body, found->end}, "{ ::lanescopeDeviceOnly(); }");
    // Other source files may have one of that name: none of them is called on the host.
    const auto isInline = [&](std::string_view word) {
      return word == "inline" || word == "__inline__" || word == "static";
    };
    // Behind the '*' of its return type no such word may be.
    bool isInlineAlready = marker > 0 && (text_.at(marker - 1) == "*" || text_.at(marker - 1) == "&");
    for (std::size_t t = found->begin; t < found->name; ++t) isInlineAlready |= isInline(text_.at(t));
    if (!isInlineAlready) replace(text_.tokens[marker].end, text_.tokens[marker].end, "inline");
    return found->end;
  }

  std::size_t lambda(const DeviceLambda& found) {
    const std::string plain = fmt::format("lanescope_lambda_{}", ++lambdas_);
    std::string close;
    for (const std::string& each : scopes_) {
      if (each.empty()) continue;
      classes_ += fmt::format("namespace {} {{ ", each.substr(0, each.size() - 2));
      close += "}\n";
    }
    classes_ += classText(text_, found, plain) + close;
    const LambdaParts parts = hostParts(found, plain);
    const std::size_t open = found.parameters ? found.parameters->begin - 1 : found.body;
    replaceTokens({found.begin, open}, parts.head);
    const std::size_t middle = found.parameters ? found.parameters->end + 1 : found.body;
    const std::size_t at = text_.tokens[middle - 1].end;
    replace(at, text_.tokens[found.body].begin, (found.parameters ? "" : "()") + parts.middle);
    const std::size_t end = text_.tokens[found.end].end;
    if (!found.isHost) replaceTokens({found.body, found.end + 1}, "{ ::lanescopeDeviceOnly(); }");
    replace(end, end, parts.tail);
    return found.isHost ? open : found.end + 1;
  }

  /// A kernel's name for the front end, as in its KernelName.
  std::string numberedName(const Declaration& kernel) {
    const std::size_t number = ++kernels_[text_.at(kernel.name)];
    return qualified(kernel.name) + (number == 1 ? "" : fmt::format("@{}", number));
  }

  std::string makeStub(const Declaration& kernel) {
    std::string name = fmt::format("\"{}\"", numberedName(kernel));
    if (!kernel.specialised && kernel.templateParameters) {
      name = fmt::format("::lanescope_host::instance({}, [] {{ ::std::string text; {}return text; }}())",
                         name, templateArguments(*kernel.templateParameters));
    }
    std::string arguments;
    for (const TokenRange& parameter : separated(text_, kernel.parameters)) {
      const std::string argument = parameterName(text_, parameter);
      if (argument.empty()) continue;
      arguments += isReference(text_, parameter) ? fmt::format(", __builtin_addressof({})", argument)
                                                 : ", " + argument + (isPack(parameter) ? "..." : "");
    }
    return fmt::format("{{ ::lanescope_host::stub({}{}); }}", name, arguments);
  }

  bool isPack(TokenRange parameter) const {
    for (std::size_t t = parameter.begin; t + 2 < parameter.end; ++t) {
      if (text_.at(t) == "." && text_.at(t + 1) == "." && text_.at(t + 2) == ".") return true;
    }
    return false;
  }

  /// True for `typename T`, not for the value in `typename std::enable_if<…>::type N = 0`.
  bool isTypeParameter(TokenRange parameter) const {
    if (text_.at(parameter.begin) != "typename" && text_.at(parameter.begin) != "class") return false;
    std::size_t words = 0;
    for (std::size_t t = parameter.begin + 1; t < parameter.end && text_.at(t) != "="; ++t)
      if (text_.at(t) != ".") ++words;
    return words <= 1;
  }

  /// True for `std::integral T` and for a concept of the program's: the parameter is a type.
  bool isConstrained(TokenRange parameter) const {
    std::size_t name = parameter.begin;
    bool isStandard = false;
    while (text_.at(name + 1) == ":" && name + 3 < parameter.end) {
      isStandard = text_.at(name) == "std";
      name += 3;
    }
    if (isStandard && syntax::isStandardConcept(text_.at(name))) return true;
    for (std::size_t t = 1; t < text_.tokens.size(); ++t)
      if (text_.at(t - 1) == "concept" && text_.at(t) == text_.at(name)) return true;
    return false;
  }

  /// The name of a template's parameter; one without a name gets one in the copy, which can then print its
  /// value.
  std::string templateParameterName(TokenRange parameter) {
    std::string name = parameterName(text_, parameter);
    if (!name.empty()) return name;
    std::size_t end = parameter.begin;
    for (; end < parameter.end && text_.at(end) != "="; ++end)
      if (text_.at(end) == "<") end = closingAngle(text_, end);
    name = fmt::format("lanescope_unnamed_{}", ++unnamed_);
    const std::size_t at = text_.tokens[end - 1].end;
    replace(at, at, " " + name);
    return name;
  }

  std::string templateArguments(TokenRange parameters) {
    std::string statements;
    for (const TokenRange& parameter : separated(text_, parameters)) {
      const std::string name = templateParameterName(parameter);
      const bool isType = isTypeParameter(parameter) || isConstrained(parameter);
      const bool isTemplate = text_.at(parameter.begin) == "template";
      const std::string value = isTemplate ? fmt::format("templateText<{}>()", name)
                                : isType   ? fmt::format("typeText<{}>()", name)
                                           : fmt::format("ConstantText<decltype({0}), {0}>::text()", name);
      const std::string append = fmt::format("::lanescope_host::append(text, ::lanescope_host::{})", value);
      statements += isPack(parameter) ? fmt::format("({}, ...); ", append) : append + "; ";
    }
    return statements;
  }

  /// A variable of the device: its shadow, and its name for the runtime.
  std::size_t variable(const Declaration& found, std::size_t marker) {
    const bool isSymbol = found.isDevice || found.isConstant || found.isManaged;
    usesOthers_ |= isSymbol && found.isExtern;
    const bool isReferred = found.isManaged && found.isExtern;
    if (!isSymbol || (found.isExtern && !isReferred) || found.end >= text_.tokens.size()) return marker + 1;
    eraseWords(marker + 1, found.end);
    std::string registrations;
    for (const std::size_t name : found.variables) {
      if (found.isManaged) {
        manage(found, name);
      } else {
        registrations += fmt::format(
            " static const int lanescope_symbol_{0} = ::lanescopeSymbol((const void*)&{1}, \"{2}\", "
            "sizeof({1}));",
            ++symbols_, text_.at(name), qualified(name));
      }
    }
    const std::size_t after = text_.tokens[found.end].end;
    if (!unit_.isLinked && !found.isManaged && !hasWord(found, {"static", "inline"})) {
      replace(text_.tokens[marker].end, text_.tokens[marker].end, "static");
    }
    replace(after, after, registrations);
    return found.end;
  }

  bool hasWord(const Declaration& found, std::initializer_list<std::string_view> words) const {
    for (std::size_t t = found.begin; t < found.end; ++t) {
      if (std::ranges::find(words, text_.at(t)) != words.end()) return true;
    }
    return false;
  }

  /// `int x[4]` becomes a reference to memory that both share; its initial value is assigned if it is a
  /// scalar.
  void manage(const Declaration& found, std::size_t name) {
    std::size_t end = name + 1;
    while (text_.at(end) == "[") end = closing(text_, end) + 1;
    std::size_t first = found.begin;
    std::string type;
    for (; first < name; ++first) {
      const std::string_view word = text_.at(first);
      if (!isErased(word) && word != "static" && word != "inline" && word != "extern")
        type += std::string(word) + " ";
    }
    const Token& afterName = text_.tokens[name];
    const std::string extents =
        textOnOneLine(text_.text.substr(afterName.end, text_.tokens[end - 1].end - afterName.end));
    const bool isOwn = !unit_.isLinked || hasWord(found, {"static", "inline"});
    const std::string memory = found.isExtern ? ""
                                              : fmt::format(" = ::lanescope_host::managed<{}{}>(\"{}\")",
                                                            type, extents, qualified(name));
    const std::string text = fmt::format("{}{}(&{}){}{}",
                                         found.isExtern ? "extern "
                                         : isOwn        ? "static "
                                                        : "",
                                         type, text_.at(name), extents, memory);
    const std::size_t begin = text_.tokens[found.begin].begin;
    std::string assigned;
    if (end == name + 1 && text_.at(end) == "=") {
      const std::size_t value = text_.tokens[end].end;
      assigned =
          fmt::format("; static const int lanescope_symbol_{} = ({} = {}, 0)", ++symbols_, text_.at(name),
                      textOnOneLine(text_.text.substr(value, text_.tokens[found.end].begin - value)));
    }
    std::erase_if(edits_, [&](const Edit& edit) { return edit.begin >= begin; });
    replace(begin, text_.tokens[found.end].begin, text + assigned);
  }

  bool areThree(std::size_t t, std::string_view mark) const {
    return text_.at(t) == mark && text_.at(t + 1) == mark && text_.at(t + 2) == mark;
  }
  /// Formatters write `<< <` and `>> >`, which occur nowhere else in C++, except for `operator<< <T>`.
  bool isLaunch(std::size_t t) const { return t > 0 && areThree(t, "<") && text_.at(t - 1) != "operator"; }

  /// The first of the `>>>` that ends a configuration.
  std::optional<std::size_t> configurationEnd(std::size_t begin) const {
    for (std::size_t t = begin; t < text_.tokens.size(); ++t) {
      const std::string_view token = text_.at(t);
      if (token == "(" || token == "[" || token == "{") {
        t = closing(text_, t);
      } else if (token == ";") {
        return std::nullopt;
      } else if (areThree(t, ">") && text_.at(t + 3) == "(") {
        return t;
      }
    }
    return std::nullopt;
  }

  /// First token of the launched function: `ns::kernel<T>`, `kernels[i]`, `(*kernel)`.
  std::size_t calleeBegin(std::size_t last) const {
    std::size_t t = last;
    const std::string_view end = text_.at(t);
    if (end == ">" || end == ")" || end == "]") {
      const std::size_t open = opening(text_, t);
      if (end == ")" || open == 0) return open;
      t = open - 1;
    }
    while (t >= 2 && text_.at(t - 1) == ":" && text_.at(t - 2) == ":") {
      t -= 2;
      if (t == 0 || !(text_.isWord(t - 1) || text_.at(t - 1) == ">")) break;
      --t;
      if (text_.at(t) == ">") t = opening(text_, t) - 1;
    }
    while (t >= 2 && text_.at(t - 1) == "." && text_.isWord(t - 2)) t -= 2;
    return t;
  }

  /// The place of a launch, for the runtime.
  std::string findPlace(std::size_t token) const {
    const std::uint32_t line = text_.tokens[token].line;
    return unit_.number == 0 ? fmt::format("{}", line) : fmt::format("{{{}, {}}}", line, unit_.number);
  }

  std::size_t launch(std::size_t t) {
    const auto end = configurationEnd(t + 3);
    if (!end || text_.at(*end + 3) != "(") return t + 3;
    const std::size_t open = *end + 3;
    const std::size_t close = closing(text_, open);
    const Token& callee = text_.tokens[calleeBegin(t - 1)];
    const std::size_t begin = text_.tokens[t + 2].end;
    const std::string configuration =
        textOnOneLine(text_.text.substr(begin, text_.tokens[*end].begin - begin));
    replace(callee.begin, callee.begin,
            fmt::format("(::lanescopeConfigure({}, {}) ? (void)0 : ", findPlace(t), configuration));
    replaceTokens({t, open}, "");
    replace(text_.tokens[close].end, text_.tokens[close].end, ")");
    return open;
  }

  TokenText text_;
  HostUnit unit_;
  bool usesOthers_ = false;
  std::vector<Edit> edits_;
  std::vector<std::string> scopes_;
  std::string classes_;
  std::map<std::string_view, std::size_t> kernels_;  ///< so far, by name
  unsigned symbols_ = 0;
  unsigned unnamed_ = 0;  ///< parameters of templates
  unsigned lambdas_ = 0;
};

}  // namespace

HostText hostText(std::string_view preprocessed, HostUnit unit) { return Rewriter(preprocessed, unit).run(); }

}  // namespace lanescope::host
