// A file as its items: each is read separately, and its faults are kept with it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "sim/language/parse/file_items.h"
#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {

namespace {

/// FNV-1a, 64 bits, of the tokens and their ends. Never 0.
std::uint64_t computeDigest(std::span<const Token> tokens) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](char byte) { hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u; };
  for (const Token& token : tokens) {
    for (const char c : token.text) add(c);
    add(' ');
  }
  return hash | 1;
}

void addText(const TypeName& type, const std::vector<TemplateParameter>& own, std::string& text);

void addText(const TemplateArgument& argument, const std::vector<TemplateParameter>& own, std::string& text) {
  if (argument.type) addText(*argument.type, own, text);
  if (argument.value != nullptr) text += argument.value->text;
  text += ',';
}

/// Adds a type as it counts in the declaration of a function: a template's parameters by their number.
void addText(const TypeName& type, const std::vector<TemplateParameter>& own, std::string& text) {
  const auto parameter = std::ranges::find(own, type.base, &TemplateParameter::name);
  const bool isBehind = type.pointers > 0 || type.isReference || type.extents != nullptr;
  text += fmt::format("{}{}", isBehind && type.isConst ? "const " : "",
                      parameter != own.end() ? std::to_string(parameter - own.begin()) : type.base);
  if (type.arguments != nullptr) {
    for (const TemplateArgument& argument : *type.arguments) addText(argument, own, text);
  }
  for (const std::string& part : type.path) text += "::" + part;
  if (type.signature != nullptr) {
    for (const TypeName& part : *type.signature) addText(part, own, text);
  }
  text += fmt::format("{}{}{};", std::string(type.pointers + type.arrayPointers, '*'),
                      type.isRvalue      ? "&&"
                      : type.isReference ? "&"
                                         : "",
                      type.extents != nullptr ? "[]" : "");
}

/// What two declarations of one function have in common.
std::string makeSignature(const Function& function) {
  return fmt::format("{}|{}|{}|{}", function.space, function.name, function.templateParameters.size(),
                     parameterText(function));
}

/// A definition is visible from its first declaration on, and has the default arguments of the declarations.
void joinDeclarations(Unit& unit) {
  std::map<std::string, std::vector<Function*>> definitions;
  for (Function& defined : unit.functions) {
    if (defined.body != nullptr) definitions[makeSignature(defined)].push_back(&defined);
  }
  for (Function& declared : unit.functions) {
    if (declared.body != nullptr) continue;
    std::vector<Function*> same = definitions[makeSignature(declared)];
    if (same.empty()) {  // its types may have other names: the only function with as many parameters
      for (Function& defined : unit.functions) {
        if (defined.body != nullptr && defined.name == declared.name && defined.space == declared.space &&
            defined.parameters.size() == declared.parameters.size())
          same.push_back(&defined);
      }
      if (same.size() > 1) same.clear();
    }
    for (Function* const defined : same) {
      defined->place = std::min(defined->place, declared.place);
      for (std::size_t i = 0; i < defined->parameters.size(); ++i) {
        if (defined->parameters[i].initial == nullptr)
          defined->parameters[i].initial = std::move(declared.parameters[i].initial);
      }
    }
  }
}

/// True for `extern __device__ int x;`.
bool isOfAnother(const FileItem& item) {
  return item.constant != nullptr && item.constant->isExtern && !item.constant->isShared;
}

/// The first item of a name counts, unless it has a fault or declares what a later one defines.
FileIndex makeIndex(const Unit& unit) {
  FileIndex index;
  for (const Function& function : unit.functions) {
    index.functions[function.name].push_back(&function);
    if (!function.isKernel && function.body != nullptr) index.bodies.push_back(&function);
  }
  for (const FileItem& item : unit.items) {
    for (const std::string& name : item.names) {
      const auto [known, isNew] = index.items.emplace(name, &item);
      if (!isNew && (!known->second->diagnostics.empty() || isOfAnother(*known->second)))
        known->second = &item;
    }
    if (item.structure && (!item.structure->templateParameters.empty() || item.structure->specialised)) {
      index.classTemplates[item.structure->name].push_back(&*item.structure);
    } else if (item.alias && !item.alias->templateParameters.empty()) {
      index.aliasTemplates[item.alias->name] = &*item.alias;
    } else if (item.isTemplate) {
      index.variableTemplates[item.names.front()].push_back(&item);
    }
  }
  // If a specialisation has a fault, the template must not be used instead.
  for (const FileItem& item : unit.items) {
    if (item.diagnostics.empty()) continue;
    for (const std::string& name : item.names) {
      if (index.classTemplates.erase(name) + index.variableTemplates.erase(name) > 0)
        index.items[name] = &item;
    }
  }
  return index;
}

}  // namespace

std::string parameterText(const Function& function) {
  std::string text = "(";
  for (const Parameter& parameter : function.parameters)
    addText(parameter.type, function.templateParameters, text);
  return text;
}

/// `std::uint32_t` is `uint32_t`, and `cuda::std` is `std`. A name of the standard library becomes one token.
/// Returns the parts of the library that are used.
LibraryParts Parser::joinStandard() {
  std::vector<Token> kept;
  kept.reserve(tokens_.size());
  LibraryParts used{};
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const auto isScope = [&](std::size_t at, std::string_view name) {
      return at + 2 < tokens_.size() && tokens_[at].is(name) && tokens_[at + 1].is("::");
    };
    const bool isLibcu = isScope(i, "cuda") && (isScope(i + 2, "std") || isOfCuda(tokens_[i + 2].text));
    if (isLibcu && isScope(i + 2, "std")) i += 2;
    if (isLibcu || (isScope(i, "std") && !isOfCuda(tokens_[i + 2].text))) {
      const Token& name = tokens_[i + 2];
      const std::string_view whole = standardName(name.text);
      if (isStandardType(name.text)) i += 2;
      if (!whole.empty()) {
        used[static_cast<std::size_t>(findPart(name.text))] = true;
        kept.push_back(tokens_[i]);
        kept.back().text = whole;
        kept.back().span.end = std::max(kept.back().span.end, name.span.end);
        i += 2;
        continue;
      }
    }
    kept.push_back(tokens_[i]);
  }
  tokens_ = std::move(kept);
  return used;
}

/// Puts the standard library before the text. Faults and places in it are shown at the text's end.
void Parser::addStandardLibrary(LibraryParts used) {
  used[0] |= used[static_cast<std::size_t>(LibraryPart::Concepts)];
  std::vector<Token> all;
  for (std::size_t p = 0; p < kLibraryParts; ++p) {
    const std::vector<Token>& part = standardLibrary(static_cast<LibraryPart>(p));
    if (used[p]) all.insert(all.end(), part.begin(), part.end());
  }
  if (all.empty()) return;
  for (Token& token : all) token.span = tokens_.back().span;
  all.insert(all.end(), tokens_.begin(), tokens_.end());
  tokens_ = std::move(all);
}

Unit Parser::unit() {
  Unit result;
  lowerConcepts(tokens_);
  addStandardLibrary(joinStandard());
  result.missing = std::move(text_.missing);
  ownNames_.readWords(tokens_);
  ownNames_.joinQualifiers(tokens_, spellings_);
  const FileItems split = splitItems(tokens_, diagnostics_);
  ownNames_.readItems(split, tokens_);
  std::ranges::stable_sort(text_.deferred, {}, [](const Diagnostic& fault) { return fault.span.begin; });
  for (const ItemRange& range : split.items) readItem(range, result);
  joinDeclarations(result);
  // A declaration counts if it is of a template of which only specialisations are defined.
  std::set<std::string> defined;
  for (const Function& function : result.functions)
    if (function.body != nullptr && !function.isSpecialisation) defined.insert(function.name);
  std::erase_if(result.functions, [&](const Function& function) {
    return function.body == nullptr && function.diagnostics.empty() &&
           (function.templateParameters.empty() || defined.contains(function.name));
  });
  attachDefinitions(result);
  result.names = std::move(ownNames_);
  result.friends = std::move(friends_);
  result.index = makeIndex(result);
  return result;
}

/// Reads an item. Its faults are kept with the names it declares.
void Parser::readItem(const ItemRange& range, Unit& result) {
  using Kind = ItemRange::Kind;
  if (range.kind == Kind::Host) {
    for (const std::string_view name : range.names) result.hostFunctions.emplace(name);
    return;
  }
  at_ = range.begin;
  end_ = range.end;
  const std::uint32_t last = tokens_[range.end > range.begin ? range.end - 1 : range.begin].span.end;
  endToken_.span = {last, last};
  scopes_.clear();
  space_ = range.space;
  depth_ = 0;
  inTemplateArguments_ = false;
  const auto spacesBefore = groupSpaces_;
  const bool usedGroups = usesGroups_;
  const std::size_t functions = result.functions.size();
  const std::size_t items = result.items.size();
  const std::size_t members = result.members.size();
  std::vector<Diagnostic> outer = std::exchange(diagnostics_, {});
  // Faults from the scanner and the macros come first: later faults may follow from them.
  const SourceSpan extent{tokens_[range.begin].span.begin, tokens_[range.end].span.begin};
  for (const Diagnostic& fault : text_.deferred) {
    if (fault.span.begin >= extent.begin && fault.span.begin < extent.end &&
        diagnostics_.size() < kMostFaults)
      diagnostics_.push_back(fault);
  }
  try {
    topLevel(range, result);
  } catch (const SyntaxFault&) {
  }
  const std::uint64_t digest =
      computeDigest(std::span(tokens_).subspan(range.begin, range.end - range.begin));
  if (range.kind == Kind::Function && result.functions.size() > functions)
    result.functions.back().digest = digest;
  for (std::size_t i = items; i < result.items.size(); ++i) {
    result.items[i].digest = digest;
    result.items[i].span = tokens_[range.begin].span;
  }
  std::vector<Diagnostic> own = std::exchange(diagnostics_, std::move(outer));
  if (range.kind == Kind::Kernel || range.kind == Kind::Function || range.kind == Kind::Member) {
    groupSpaces_ = spacesBefore;
    usesGroups_ = usedGroups;
  }
  if (own.empty()) return;
  if (range.kind == Kind::Member) {
    if (result.members.size() > members) result.members.back().function.diagnostics = std::move(own);
    return;
  }
  if (range.kind != Kind::Kernel && range.kind != Kind::Function) {
    result.items.resize(items);
    FileItem& item = result.items.emplace_back();
    for (const std::string_view name : range.names) item.names.push_back(names_->spelled(range.space, name));
    item.diagnostics = std::move(own);
    return;
  }
  if (result.functions.size() == functions) {
    Function& function = result.functions.emplace_back();
    function.isKernel = range.kind == Kind::Kernel;
    if (!range.names.empty())
      function.name =
          function.isKernel ? std::string(range.names.back()) : names_->spelled(space_, range.names.back());
    function.space = space_;
    function.place = static_cast<Place>(range.begin);
    function.isSpecialisation = range.isTemplate && range.names.empty();
    for (std::size_t t = range.begin; function.name.empty() && !tokens_[t].is("(") && t + 1 < range.end;
         ++t) {
      if (tokens_[t + 1].is("<") && !tokens_[t].is("template")) function.name = tokens_[t].text;  // k<8>(
    }
    function.span = own.front().span;
  }
  result.functions.back().diagnostics = std::move(own);
}

ExpressionPtr Parser::kernelName(const FileNames& names) {
  try {
    joinStandard();
    names_ = &names;
    names.joinQualifiers(tokens_, spellings_);
    end_ = tokens_.size() - 1;
    if (peek().kind != TokenKind::Identifier) return nullptr;
    ExpressionPtr call = taken(Expression::Kind::Name);
    namesTypes_ = isKernelName_ = true;
    if (accept("<")) call->templateArguments = templateArguments();
    return peek().kind == TokenKind::End ? std::move(call) : nullptr;
  } catch (const SyntaxFault&) {
    return nullptr;
  }
}

std::span<const Function* const> FileIndex::named(std::string_view name) const {
  const auto found = functions.find(name);
  return found == functions.end() ? std::span<const Function* const>() : found->second;
}

Unit parse(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  return Parser(tokenize(source, diagnostics), diagnostics).unit();
}

ExpressionPtr parseKernelName(const SourceText& name, const FileNames& names) {
  std::vector<Diagnostic> diagnostics;
  ExpressionPtr result = Parser(tokenize(name, diagnostics), diagnostics).kernelName(names);
  return diagnostics.empty() ? std::move(result) : nullptr;
}

}  // namespace lanescope::syntax
