#include "app/launch/kernel_signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "sim/language/text/scanner.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostInstances = 48;
/// The most steps of a search for brackets and declarations: an absurd text is not searched to its end.
constexpr std::size_t kMostSteps = std::size_t{1} << 24;

/// A launch's value for each of the template's parameters.
using Instance = std::vector<std::optional<std::string>>;

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The type of a variable that the host declares.
struct DeclaredType {
  std::string base;
  std::uint32_t pointers = 0;
};

bool isScalarWord(std::string_view word) {
  constexpr std::array<std::string_view, 14> kWords = {"float", "double", "int",    "unsigned", "signed",
                                                       "char",  "short",  "long",   "bool",     "size_t",
                                                       "half",  "__half", "int8_t", "uint8_t"};
  return std::ranges::find(kWords, word) != kWords.end();
}

bool hasCallOperator(const syntax::Structure& structure) {
  return std::ranges::any_of(structure.methods,
                             [](const syntax::Function& method) { return method.name == "operator()"; });
}

/// `Axpb<float, 64>` of a template of a class.
std::string makeExample(const syntax::Structure& structure, const std::string& number) {
  std::string arguments;
  for (const syntax::TemplateParameter& parameter : structure.templateParameters) {
    if (parameter.defaultType || parameter.defaultValue != nullptr) break;
    arguments += (arguments.empty() ? "" : ", ") + (parameter.isType ? "float" : number);
  }
  return structure.name + (structure.templateParameters.empty() ? "" : "<" + arguments + ">");
}

/// The possible values of a parameter, if no launch gives it.
std::vector<std::string> candidatesFor(const ParsedText& text, const syntax::TemplateParameter& parameter,
                                       const std::string& number) {
  if (parameter.isTemplate) {
    std::vector<std::string> candidates;
    for (const syntax::FileItem& item : text.unit.items) {
      if (item.structure && !item.structure->templateParameters.empty() && !item.structure->specialised)
        candidates.push_back(item.structure->name);
    }
    return candidates.empty() ? std::vector<std::string>{"float"} : candidates;
  }
  if (!parameter.isType) {
    const syntax::TypeName& type = parameter.valueType;
    if (type.signature == nullptr && (isScalarWord(type.base) || type.base == "auto"))
      return {type.base == "bool" ? "true" : number};
    std::vector<std::string> candidates = {number};
    for (const syntax::Function& function : text.unit.functions) {  // of a pointer to a function
      const bool fits = type.signature == nullptr || type.signature->size() == function.parameters.size() + 1;
      if (function.role == syntax::Function::Role::Plain && !function.isKernel && fits)
        candidates.push_back(function.name + (function.templateParameters.empty() ? "" : "<float>"));
    }
    return candidates;
  }
  std::vector<std::string> candidates = {"float", "int"};
  for (const bool isCallable : {true, false}) {
    for (const syntax::FileItem& item : text.unit.items) {
      const bool fits = item.structure && item.structure->isDefined && !item.structure->isUnion &&
                        item.structure->specialised == nullptr && !item.structure->name.empty() &&
                        hasCallOperator(*item.structure) == isCallable;
      if (fits) candidates.push_back(makeExample(*item.structure, number));
    }
  }
  return candidates;
}

/// The usual extent of a tile in tutorials on matrix products (of a block, a warp or a thread), by the name
/// of its template parameter. With one number for all of them a block would have no tiles.
std::optional<std::string> usualExtent(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kUsual{
      {{"BM", "128"},
       {"BN", "128"},
       {"BK", "8"},
       {"BLOCKM", "128"},
       {"BLOCKN", "128"},
       {"BLOCKK", "8"},
       {"BLOCKSIZEM", "128"},
       {"BLOCKSIZEN", "128"},
       {"BLOCKSIZEK", "8"},
       {"WM", "64"},
       {"WN", "64"},
       {"WNITER", "4"},
       {"TM", "8"},
       {"TN", "4"},
       {"THREADSIZEY", "8"},
       {"THREADSIZEX", "4"},
       {"NUMTHREADS", "128"},
       {"WARPSIZE", "32"}}};
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  const auto found = std::ranges::find(kUsual, plain, &std::pair<std::string_view, std::string_view>::first);
  return found == kUsual.end() ? std::nullopt : std::optional<std::string>(found->second);
}

/// The parameters that need an argument: those before the last run of defaults that no launch overrides.
std::size_t countNeeded(const Instance& instance, const syntax::Function& kernel) {
  std::size_t needed = instance.size();
  while (needed > 0 && !instance[needed - 1]) {
    const syntax::TemplateParameter& parameter = kernel.templateParameters[needed - 1];
    if (!parameter.defaultType && parameter.defaultValue == nullptr) break;
    --needed;
  }
  return needed;
}

/// Every way to fill in the open parameters, the last parameter's candidates first.
void fillIn(const Instance& instance, std::size_t needed,
            const std::vector<std::vector<std::string>>& candidates, std::vector<std::string>& found) {
  std::vector<std::size_t> chosen(needed, 0);
  while (found.size() < kMostInstances) {
    std::string arguments;
    for (std::size_t p = 0; p < needed; ++p)
      arguments += (p == 0 ? "" : ", ") + (instance[p] ? *instance[p] : candidates[p][chosen[p]]);
    if (std::ranges::find(found, arguments) == found.end()) found.push_back(std::move(arguments));
    std::size_t p = needed;
    while (p > 0 && (instance[p - 1] || ++chosen[p - 1] == candidates[p - 1].size())) chosen[--p] = 0;
    if (p == 0) return;
  }
}

/// The tokens of a text, and the template arguments of its kernel launches.
class LaunchReader {
 public:
  explicit LaunchReader(const ParsedText& text) : text_(text) {
    std::vector<Diagnostic> known;
    countWork(text.work, &WorkCount::tokenizations);
    tokenized_ = tokenize(*text.source, known);
    for (const syntax::FileItem& item : text.unit.items) names_.insert(item.names.begin(), item.names.end());
    for (const syntax::Function& function : text.unit.functions) names_.insert(function.name);
    findAliases();
  }

  /// The launches, and other places that name the kernel with its arguments.
  std::vector<Instance> findInstances(const syntax::Function& kernel) {
    std::vector<Instance> instances;
    for (std::size_t t = 0; t + 1 < count() && instances.size() < kMostInstances; ++t) {
      if (at(t).kind != TokenKind::Identifier || at(t).text != kernel.name) continue;
      Instance instance(kernel.templateParameters.size());
      launchTakesLambda_ = false;
      std::size_t next = t + 1;
      if (at(next).is("<")) {
        next = closingAngle(t + 1);
        if (next == 0) continue;
        const std::vector<Range> parts = separated({t + 2, next - 1});
        for (std::size_t i = 0; i < parts.size() && i < instance.size(); ++i) {
          const bool isPack = kernel.templateParameters[i].isPack;
          instance[i] = known(isPack ? Range{parts[i].begin, parts.back().end} : parts[i]);
        }
      }
      if (at(next).is("<<") && at(next + 1).is("<")) {
        while (next + 1 < count() && steps_-- > 1 && !at(next).is(";") &&
               !(at(next).is(">>") && at(next + 1).is(">")))
          next = at(next).is("(") || at(next).is("{") ? closing(next) + 1 : next + 1;
        if (at(next).is(">>") && at(next + 2).is("("))
          deduce(kernel, {next + 3, closing(next + 2)}, instance);
      }
      const bool says = std::ranges::any_of(instance, [](const auto& one) { return one.has_value(); });
      takesLambda_ = takesLambda_ || launchTakesLambda_;
      if (says && !launchTakesLambda_ && std::ranges::find(instances, instance) == instances.end())
        instances.push_back(std::move(instance));
    }
    return instances;
  }

  /// An argument of a launch is a lambda.
  bool takesHostLambda() const { return takesLambda_; }
  /// An argument of a launch is one, or may be one.
  bool mayTakeHostLambda() const { return takesLambda_ || (hasOpenArgument_ && hasDeviceLambda()); }

 private:
  const Token& at(std::size_t t) const {
    return tokenized_.tokens[std::min(t, tokenized_.tokens.size() - 1)];
  }

  std::size_t count() const { return tokenized_.tokens.size(); }
  /// The bracket that closes the one there; the end if there is none.
  std::size_t closing(std::size_t open) const {
    std::size_t depth = 0;
    for (std::size_t t = open; t + 1 < count() && steps_ > 0; ++t, --steps_) {
      if (at(t).is("(") || at(t).is("[") || at(t).is("{")) ++depth;
      if ((at(t).is(")") || at(t).is("]") || at(t).is("}")) && --depth == 0) return t;
    }
    return count() - 1;
  }

  /// The position after the `>` that closes the `<` there; 0 if it is not a bracket.
  std::size_t closingAngle(std::size_t open) const {
    std::size_t depth = 0;
    const auto isEnd = [&](std::size_t t) { return at(t).is(";") || at(t).is("{") || at(t).is("}"); };
    for (std::size_t t = open; t + 1 < count() && !isEnd(t) && steps_ > 0; ++t, --steps_) {
      if (at(t).is("(")) t = closing(t);
      const std::size_t closes = at(t).is(">") ? 1 : at(t).is(">>") ? 2 : 0;
      if (at(t).is("<")) ++depth;
      if (closes > depth) return 0;
      depth -= closes;
      if (depth == 0) return t + 1;
    }
    return 0;
  }

  std::vector<Range> separated(Range range) const {
    std::vector<Range> parts;
    std::size_t begin = range.begin;
    for (std::size_t t = range.begin; t < range.end; ++t) {
      if (at(t).is("(") || at(t).is("[") || at(t).is("{")) t = closing(t);
      const std::size_t angle =
          at(t).is("<") && at(t - 1).kind == TokenKind::Identifier ? closingAngle(t) : 0;
      if (angle != 0 && angle <= range.end) t = angle - 1;
      if (t < range.end && at(t).is(",")) {
        parts.push_back({begin, t});
        begin = t + 1;
      }
    }
    if (begin < range.end) parts.push_back({begin, range.end});
    return parts;
  }

  /// `using name = …;` and `typedef … name;` of functions: those of the file are names of the text.
  void findAliases() {
    std::size_t bodyEnd = 0;
    for (std::size_t t = 1; t + 3 < count(); ++t) {
      if (t >= bodyEnd && at(t).is("{") && at(t - 1).is(")")) bodyEnd = closing(t);
      const bool isUsing = at(t).is("using") && at(t + 2).is("=");
      if (t >= bodyEnd || (!isUsing && !at(t).is("typedef"))) continue;
      std::size_t end = t;
      while (end < bodyEnd && !at(end).is(";") && !at(end).is("{")) ++end;
      if (isUsing) aliases_.emplace_back(at(t + 1).text, Range{t + 3, end});
      if (!isUsing && at(end).is(";")) aliases_.emplace_back(at(end - 1).text, Range{t + 1, end - 1});
      t = end;
    }
  }

  /// The meaning that the last alias before a name gives it; null if there is none, or if it is of a
  /// namespace.
  const Range* findAlias(std::size_t t) const {
    if (at(t).kind != TokenKind::Identifier || (t > 0 && at(t - 1).is("::"))) return nullptr;
    const auto isIt = [&](const auto& alias) { return alias.second.end <= t && alias.first == at(t).text; };
    const auto last = std::find_if(aliases_.rbegin(), aliases_.rend(), isIt);
    return last == aliases_.rend() ? nullptr : &last->second;
  }

  /// As written, without namespaces of the text, which are transparent, and with aliases replaced by their
  /// meaning.
  std::string resolvedText(Range range) const {
    std::string text;
    for (std::size_t t = range.begin; t < range.end; ++t) {
      const bool isSpace =
          at(t).kind == TokenKind::Identifier && at(t + 1).is("::") && !names_.contains(at(t).text);
      if (isSpace) {
        ++t;
        continue;
      }
      if (const Range* const alias = findAlias(t)) {
        text += (text.empty() || !std::isalnum(static_cast<unsigned char>(text.back())) ? "" : " ") +
                resolvedText(*alias);
        continue;
      }
      const bool isWord = at(t).kind != TokenKind::Punctuator;
      const char last = text.empty() ? ' ' : text.back();
      if (isWord && last != ' ' && last != '<' && last != '(' && last != ':') text += ' ';
      text += at(t).text;
    }
    return text;
  }

  /// The text of a template's argument, if all names in it are the text's own or C++'s.
  std::optional<std::string> known(Range range) const {
    for (std::size_t t = range.begin; t < range.end; ++t) {
      const Token& token = at(t);
      if (const Range* const alias = findAlias(t)) {
        if (!known(*alias)) return std::nullopt;
        continue;
      }
      const bool isOwn = token.kind != TokenKind::Identifier || at(t + 1).is("::") ||
                         (t > 0 && at(t - 1).is("::")) || isScalarWord(token.text) ||
                         names_.contains(token.text) || token.text == "true" || token.text == "false" ||
                         token.text == "const" || token.text.ends_with("_t") ||
                         (std::islower(static_cast<unsigned char>(token.text.front())) != 0 &&
                          std::isdigit(static_cast<unsigned char>(token.text.back())) != 0);
      if (!isOwn) return std::nullopt;
    }
    return range.begin < range.end ? std::optional(resolvedText(range)) : std::nullopt;
  }

  /// The type of an argument, without `pointers` of its `*`.
  std::optional<std::string> findType(Range argument, std::size_t before, std::uint32_t pointers) {
    if (argument.begin >= argument.end) return std::nullopt;
    const Token& first = at(argument.begin);
    if (first.is("[")) launchTakesLambda_ = true;
    if (argument.end == argument.begin + 1) {
      if (first.kind == TokenKind::Identifier) return typeOfVariable(first.text, before, pointers);
      if (pointers > 0) return std::nullopt;
      if (first.kind == TokenKind::Integer) return "int";
      if (first.kind != TokenKind::Floating) return std::nullopt;
      return first.text.ends_with('f') ? "float" : "double";
    }
    if (first.kind != TokenKind::Identifier || pointers > 0) return std::nullopt;
    std::size_t t = argument.begin;
    while (at(t + 1).is("::")) t += 2;
    ++t;
    if (at(t).is("<")) t = closingAngle(t);
    const bool makesOne =
        t > argument.begin && (at(t).is("{") || at(t).is("(")) && closing(t) + 1 == argument.end;
    const auto type = makesOne ? known({argument.begin, t}) : std::nullopt;
    // A name that is called may be a function.
    const bool isType = type && std::ranges::any_of(text_.unit.items, [&](const syntax::FileItem& item) {
                          return (item.structure || item.alias || item.enumeration) && !item.names.empty() &&
                                 item.names.front() == type->substr(0, type->find('<'));
                        });
    return isType || (type && isScalarWord(*type)) ? type : std::nullopt;
  }

  std::optional<std::string> typeOfVariable(std::string_view name, std::size_t before,
                                            std::uint32_t pointers) {
    for (std::size_t t = before; t-- > 1 && steps_ > 0; --steps_) {
      if (!at(t).is(name)) continue;
      const Token& last = at(t - 1);
      const bool isDeclared =
          last.kind == TokenKind::Identifier || last.is("*") || last.is(",") || last.is(">") || last.is("&");
      if (!isDeclared) continue;
      if (last.is("auto") && at(t + 1).is("=")) {
        std::size_t end = t + 2;
        while (end + 1 < count() && !at(end).is(";")) ++end;
        return findType({t + 2, end}, t, pointers);
      }
      for (std::size_t begin = t; begin-- > 0 && steps_ > 0; --steps_) {
        const bool isEdge = at(begin).is(";") || at(begin).is("{") || at(begin).is("}") || at(begin).is("(");
        if (!isEdge && !at(begin).is(",")) continue;
        if (const auto type = declaredAt(begin + 1, t))
          return type->pointers == pointers ? std::optional(type->base) : std::nullopt;
        if (isEdge) break;
      }
    }
    return std::nullopt;
  }

  /// The type that begins there, if it is that variable's: `const float *a, *b`.
  std::optional<DeclaredType> declaredAt(std::size_t begin, std::size_t variable) const {
    std::size_t t = begin;
    while (at(t).is("const") || at(t).is("static") || at(t).is("constexpr")) ++t;
    const std::size_t first = t;
    if (at(t).kind != TokenKind::Identifier) return std::nullopt;
    if (isScalarWord(at(t).text)) {
      while (isScalarWord(at(t).text)) ++t;
    } else {
      while (at(t + 1).is("::")) t += 2;
      ++t;
      if (at(t).is("<")) t = closingAngle(t);
    }
    if (t <= first || t > variable) return std::nullopt;
    for (std::size_t u = t; u < variable && steps_ > 0; ++u, --steps_) {
      if (at(u).is("(") || at(u).is("{") || at(u).is("[")) u = closing(u);
      if (at(u).is(";")) return std::nullopt;
    }
    const bool isDeclaration = t == variable || at(t).is("*") || at(t).is("&") || at(t).is("const") ||
                               at(t).kind == TokenKind::Identifier;
    const auto base = known({first, t});
    if (!isDeclaration || !base) return std::nullopt;
    DeclaredType type{*base, 0};
    for (std::size_t u = variable;
         u > t && (at(u - 1).is("*") || at(u - 1).is("__restrict__") || at(u - 1).is("const")); --u)
      type.pointers += at(u - 1).is("*") ? 1 : 0;
    return type;
  }

  /// The types of the arguments that a pack of parameters takes, as a list; each without `pointers` of its
  /// `*`.
  std::optional<std::string> findTypes(std::span<const Range> arguments, std::size_t before,
                                       std::uint32_t pointers) {
    constexpr std::uint32_t kMostPointers = 3;
    std::string list;
    for (const Range& argument : arguments) {
      std::optional<std::string> type;
      std::uint32_t own = pointers;
      for (; !type && own <= kMostPointers; ++own) type = findType(argument, before, own);
      if (!type) return std::nullopt;
      list += (list.empty() ? "" : ", ") + *type + std::string(own - 1 - pointers, '*');
    }
    return list.empty() ? std::nullopt : std::optional(list);
  }

  /// Deduces the template's parameters from a call's arguments.
  void deduce(const syntax::Function& kernel, Range arguments, Instance& instance) {
    const std::vector<Range> parts = separated(arguments);
    for (std::size_t i = 0; i < parts.size() && i < kernel.parameters.size(); ++i) {
      const syntax::TypeName& type = kernel.parameters[i].type;
      for (std::size_t p = 0; p < instance.size(); ++p) {
        if (instance[p] || !kernel.templateParameters[p].isType ||
            kernel.templateParameters[p].name != type.base)
          continue;
        if (kernel.parameters[i].isPack) {
          instance[p] = findTypes(std::span(parts).subspan(i), arguments.begin, type.pointers);
          continue;
        }
        instance[p] = findType(parts[i], arguments.begin, type.pointers);
        hasOpenArgument_ = hasOpenArgument_ || (!instance[p] && type.pointers == 0);
      }
    }
  }

  /// `[=] __device__ (int i) {…}` somewhere in the text.
  bool hasDeviceLambda() const {
    for (std::size_t t = 1; t < count(); ++t) {
      if (at(t - 1).is("]") && (at(t).is("__device__") || at(t).is("__host__"))) return true;
    }
    return false;
  }

  const ParsedText& text_;
  TokenizedText tokenized_;
  std::set<std::string, std::less<>> names_;
  std::vector<std::pair<std::string_view, Range>> aliases_;  ///< names and their meaning, as they come
  bool takesLambda_ = false;
  bool launchTakesLambda_ = false;  ///< of the launch that is read
  bool hasOpenArgument_ = false;
  mutable std::size_t steps_ = kMostSteps;  ///< the remaining number of tokens to search
};

}  // namespace

TemplateInstances templateInstances(const ParsedText& text, const syntax::Function& kernel,
                                    const std::string& number) {
  LaunchReader reader(text);
  TemplateInstances result;
  std::vector<std::vector<std::string>> candidates;
  for (const syntax::TemplateParameter& parameter : kernel.templateParameters)
    candidates.push_back(candidatesFor(text, parameter, number));
  std::vector<Instance> instances = reader.findInstances(kernel);
  const Instance open(kernel.templateParameters.size());
  for (const Instance& instance : instances) {
    const std::size_t needed = countNeeded(instance, kernel);
    if (needed > 0) fillIn(instance, needed, candidates, result.arguments);
  }
  for (std::size_t p = 0; p < open.size(); ++p) {
    const syntax::TemplateParameter& parameter = kernel.templateParameters[p];
    const bool isGiven =
        std::ranges::any_of(instances, [&](const Instance& one) { return one[p].has_value(); });
    if (!isGiven && !parameter.defaultType && parameter.defaultValue == nullptr)
      result.guessed.push_back(parameter.name);
  }
  Instance usual(open);
  for (std::size_t p = 0; p < usual.size(); ++p) {
    const syntax::TemplateParameter& parameter = kernel.templateParameters[p];
    if (!parameter.isType && !parameter.isTemplate) usual[p] = usualExtent(parameter.name);
  }
  if (usual != open) fillIn(usual, usual.size(), candidates, result.arguments);
  fillIn(open, open.size(), candidates, result.arguments);
  result.mayTakeHostLambda = reader.mayTakeHostLambda();
  result.onlyTakesHostLambda = reader.takesHostLambda() && instances.empty();
  return result;
}

}  // namespace lanescope
