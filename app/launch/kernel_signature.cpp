#include "app/launch/kernel_signature.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/base/words.h"
#include "sim/language/check/checker.h"

namespace lanescope {
namespace {

/// The argument type for an element type as the parser writes it, or "".
std::string findElement(const syntax::TypeName& type) {
  using Entry = std::pair<std::string_view, std::string_view>;
  // As the parser names them: `unsigned int`, `uint` and `uint32_t` are all `unsigned`.
  constexpr std::array<Entry, 23> kElements{{{"float", "f32"},
                                             {"double", "f64"},
                                             {"float4", "f32x4"},
                                             {"char", "i8"},
                                             {"signed char", "i8"},
                                             {"unsigned char", "u8"},
                                             {"bool", "u8"},
                                             {"short", "i16"},
                                             {"unsigned short", "u16"},
                                             {"int", "i32"},
                                             {"unsigned", "u32"},
                                             {"long", "i64"},
                                             {"unsigned long", "u64"},
                                             {"long long", "i64"},
                                             {"unsigned long long", "u64"},
                                             {"half", "f16"},
                                             {"__half", "f16"},
                                             {"half2", "f16"},
                                             {"__half2", "f16"},
                                             {"__nv_bfloat16", "bf16"},
                                             {"nv_bfloat16", "bf16"},
                                             {"__nv_bfloat162", "bf16"},
                                             {"nv_bfloat162", "bf16"}}};
  const auto* found = std::ranges::find(kElements, std::string_view(type.base), &Entry::first);
  return found == kElements.end() ? "" : std::string(found->second);
}

/// `float3` is three floats; a scalar or another name is itself, of one lane.
std::pair<std::string, unsigned> splitLanes(const std::string& base) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kShort{{{"uchar", "unsigned char"},
                                                                                 {"ushort", "unsigned short"},
                                                                                 {"uint", "unsigned"},
                                                                                 {"longlong", "long long"}}};
  if (base == "dim3") return {"unsigned", 3};
  if (base.size() < 2 || base.back() < '1' || base.back() > '4') return {base, 1};
  const std::string scalar = base.substr(0, base.size() - 1);
  const auto lanes = static_cast<unsigned>(base.back() - '0');
  const auto* const found =
      std::ranges::find(kShort, std::string_view(scalar), &decltype(kShort)::value_type::first);
  if (found != kShort.end()) return {std::string(found->second), lanes};
  for (const std::string_view name : {"char", "short", "int", "float", "double"}) {
    if (scalar == name) return {scalar, lanes};
  }
  return {base, 1};
}

const syntax::Structure* findStructure(const syntax::Unit& unit, const std::string& name) {
  const auto found = unit.index.items.find(name);
  const bool isStructure = found != unit.index.items.end() && found->second->structure;
  return isStructure && found->second->structure->name == name ? &*found->second->structure : nullptr;
}

/// Describes types by their parts; of a text with absurd structs no more are described than a form can show.
class TypeDescriber {
 public:
  explicit TypeDescriber(const syntax::Unit& unit) : unit_(unit) {}

  KernelParameter describe(const syntax::TypeName& type, const std::string& name) {
    KernelParameter described;
    described.name = name;
    described.type = (type.isConst ? "const " : "") + type.base + std::string(type.pointers, '*');
    described.isPointer = type.pointers > 0;
    described.isConst = type.isConst;
    syntax::TypeName scalar;
    std::tie(scalar.base, described.lanes) = splitLanes(type.base);
    described.element = findElement(scalar);
    if (type.base == "float4" && described.isPointer) {
      described.element = "f32x4";
      described.lanes = 1;
    } else if (described.lanes > 1 && !described.isPointer) {
      described.isStruct = true;
      for (unsigned i = 0; i < described.lanes; ++i)
        described.fields.push_back(describe(scalar, std::string(1, "xyzw"[i])));
    }
    const syntax::Structure* const structure =
        type.pointers < 2 && left_ > 0 ? findStructure(unit_, type.base) : nullptr;
    if (structure != nullptr) {
      described.isStruct = true;
      describeFields(*structure, described.fields);
    }
    return described;
  }

 private:
  void describeFields(const syntax::Structure& structure, std::vector<KernelParameter>& fields) {
    for (const syntax::StatementPtr& declaration : structure.fields) {
      for (const syntax::Declarator& declared : declaration->declarators) {
        if (left_ == 0) return;
        --left_;
        syntax::TypeName type = declaration->type;
        type.pointers += declared.pointers;
        fields.push_back(describe(type, declared.name));
        fields.back().isArray = !declared.extents.empty();
      }
    }
  }

  const syntax::Unit& unit_;
  std::size_t left_ = 256;  ///< fields
};

/// `arguments`: of the template, as far as it is one; `element`: of a pack of parameters.
KernelParameter describe(const syntax::Unit& unit, const syntax::Parameter& parameter,
                         const syntax::Function& function, const std::vector<std::string>& arguments,
                         std::size_t element) {
  syntax::TypeName type = parameter.type;
  const auto& parameters = function.templateParameters;
  const auto found = std::ranges::find(parameters, type.base, &syntax::TemplateParameter::name);
  if (found == parameters.end()) return TypeDescriber(unit).describe(type, parameter.name);
  const auto index = static_cast<std::size_t>(found - parameters.begin());
  const std::string written = type.base;
  if (index + element < arguments.size()) type.base = arguments[index + element];
  for (; type.base.ends_with('*'); type.base.pop_back()) ++type.pointers;
  KernelParameter described = TypeDescriber(unit).describe(type, parameter.name);
  described.isOfTemplate = true;
  if (described.element.empty() && !described.isStruct) described.element = "f32";
  type = parameter.type;
  type.base = written;
  described.type = TypeDescriber(unit).describe(type, parameter.name).type;
  return described;
}

/// Instances that fail for one reason: others would too.
constexpr std::size_t kMostAlike = 12;

/// Chooses the arguments to begin with.
void chooseInstance(const ParsedText& text, const syntax::Function& function, KernelSignature& signature) {
  constexpr std::size_t kBytesOfWork = 4;
  if (*text.checked > kMostWorkOfText) return;
  *text.checked += text.source->text().size() / kBytesOfWork;  // it is searched for launches
  const std::string number = signature.dimensions > 1 ? std::to_string(KernelSignature::kTile) : "64";
  const TemplateInstances instances = templateInstances(text, function, number);
  signature.templateDefaults = instances.arguments.front();
  signature.tried = {signature.templateDefaults};
  signature.guessed = instances.guessed;
  signature.takesHostLambda = instances.onlyTakesHostLambda;
  if (signature.takesHostLambda || instances.arguments.size() == 1 || !text.diagnostics.empty()) return;
  std::map<std::string, std::size_t> failures;  // by a diagnostic's text and place
  signature.tried.clear();
  for (const std::string& arguments : instances.arguments) {
    if (*text.checked > kMostWorkOfText) break;
    const auto checked = checkKernel(text, kernelName(signature, arguments));
    if (checked) {
      signature.templateDefaults = arguments;
      signature.tried.clear();
      return;
    }
    signature.tried.push_back(arguments);
    const std::vector<std::string> parts = splitArguments(arguments);
    bool isAlike = false;
    for (const Diagnostic& diagnostic : toDiagnostics(checked.error())) {
      // A name that fails with this argument may be right with another.
      const bool isOfInstance = std::ranges::any_of(parts, [&](const std::string& part) {
        return findWord(diagnostic.message, part) != std::string::npos;
      });
      const std::string key = std::to_string(diagnostic.span.begin) + " " + diagnostic.message;
      isAlike = isAlike || (!isOfInstance && ++failures[key] >= kMostAlike);
    }
    if (isAlike) break;
  }
  signature.takesHostLambda = instances.mayTakeHostLambda;
}

bool declaresDynamicShared(const syntax::Statement* statement) {
  if (statement == nullptr) return false;
  if (statement->isShared && statement->isExtern) return true;
  return std::ranges::any_of(
      statement->body, [](const syntax::StatementPtr& part) { return declaresDynamicShared(part.get()); });
}

/// Finds the needs of a launch: the indices of threads and blocks that are read, and the extents of shared
/// tiles.
class ShapeFinder {
 public:
  ShapeFinder(const syntax::Unit& unit, KernelSignature& signature) : unit_(unit), signature_(signature) {}

  void look(const syntax::Function& function) {
    function_ = &function;
    look(function.body.get());
  }

  void lookAtBounds(const syntax::Function& kernel) {
    function_ = &kernel;
    if (!namesParameter(kernel.launchBound.get()))
      signature_.mostThreads = computeValue(kernel.launchBound.get());
  }

  /// Takes the rows of a pointer or a reference to an array, which a buffer stands for.
  void readRowsArguments(const syntax::Function& kernel, const std::vector<std::string>& arguments,
                         const syntax::TypeName& type, KernelParameter& parameter) {
    using Kind = syntax::Expression::Kind;
    function_ = &kernel;
    parameter.isPointer = true;
    parameter.isReference = type.arrayPointers == 0;
    for (const syntax::ExpressionPtr& extent : *type.extents) {
      const auto named =
          std::ranges::find(kernel.templateParameters, extent->text, &syntax::TemplateParameter::name);
      const auto index = static_cast<std::size_t>(named - kernel.templateParameters.begin());
      const bool isGiven = index < kernel.templateParameters.size() && index < arguments.size();
      const std::uint64_t value =
          isGiven ? std::strtoull(arguments[index].c_str(), nullptr, 0) : computeValue(extent.get());
      const bool isWord = extent->kind == Kind::Name || extent->kind == Kind::Integer;
      parameter.extents += "[" + (isWord ? extent->text : value > 0 ? std::to_string(value) : "…") + "]";
      parameter.rowElements =
          std::min(kMostInRow, parameter.rowElements * std::clamp<std::uint64_t>(value, 1, kMostInRow));
    }
  }

 private:
  void look(const syntax::Expression* expression) {
    if (expression == nullptr) return;
    using Kind = syntax::Expression::Kind;
    const bool isMember = expression->kind == Kind::Member && !expression->operands.empty() &&
                          expression->operands.front()->kind == Kind::Name;
    const bool isIndex = isMember && expression->operands.front()->text == "threadIdx";
    signature_.readsBlocks = signature_.readsBlocks ||
                             (isMember && expression->operands.front()->text == "blockIdx") ||
                             (expression->kind == Kind::Call && expression->text.ends_with("this_grid"));
    const unsigned dimension = !isIndex ? 1 : expression->text == "y" ? 2 : expression->text == "z" ? 3 : 1;
    signature_.dimensions = std::max(signature_.dimensions, dimension);
    for (const syntax::ExpressionPtr& operand : expression->operands) look(operand.get());
  }

  void look(const syntax::Statement* statement) {
    if (statement == nullptr) return;
    for (const syntax::Declarator& declared : statement->declarators) {
      look(declared.initial.get());
      if (statement->isShared && declared.extents.size() == 2) chooseTileArray(declared);
    }
    look(statement->condition.get());
    look(statement->step.get());
    look(statement->expression.get());
    for (const syntax::StatementPtr& part : statement->body) look(part.get());
  }

  void chooseTileArray(const syntax::Declarator& array) {
    const auto keepLeast = [](std::uint64_t& least, std::uint64_t value) {
      if (value > 0) least = least == 0 ? value : std::min(least, value);
    };
    keepLeast(signature_.tileRows, computeValue(array.extents[0].get()));
    keepLeast(signature_.tileColumns, computeValue(array.extents[1].get()));
  }

  /// True for a parameter of the function's template.
  bool namesParameter(const syntax::Expression* expression) const {
    if (expression == nullptr) return false;
    const auto& parameters = function_->templateParameters;
    return std::ranges::count(parameters, expression->text, &syntax::TemplateParameter::name) > 0 ||
           std::ranges::any_of(expression->operands,
                               [this](const auto& operand) { return namesParameter(operand.get()); });
  }

  /// 0: unknown here.
  std::uint64_t computeValue(const syntax::Expression* expression) const {
    using Kind = syntax::Expression::Kind;
    if (expression == nullptr) return 0;
    if (expression->kind == Kind::Integer) return std::strtoull(expression->text.c_str(), nullptr, 0);
    if (expression->kind == Kind::Name) return valueOfName(expression->text);
    if (expression->kind != Kind::Binary) return 0;
    const std::uint64_t left = computeValue(expression->operands[0].get());
    const std::uint64_t right = computeValue(expression->operands[1].get());
    if (expression->text == "+") return left + right;
    if (expression->text == "-" && left > right) return left - right;
    return expression->text == "*" ? left * right : 0;
  }

  /// A constant of the text; a template's parameter has the value that a form begins with.
  std::uint64_t valueOfName(const std::string& name) const {
    const auto isIt = [&](const auto& named) { return named.name == name; };
    if (std::ranges::any_of(function_->templateParameters, isIt)) return KernelSignature::kTile;
    const auto item = unit_.index.items.find(name);
    if (item == unit_.index.items.end() || item->second->constant == nullptr || left_ == 0) return 0;
    --left_;
    const auto& declarators = item->second->constant->declarators;
    const auto found = std::ranges::find_if(declarators, isIt);
    return found != declarators.end() ? computeValue(found->initial.get()) : 0;
  }

  static constexpr std::uint64_t kMostInRow = 1 << 20;

  const syntax::Unit& unit_;
  KernelSignature& signature_;
  mutable std::size_t left_ = 1000;  ///< constants that are read: one may name itself, or others twice
  const syntax::Function* function_ = nullptr;
};

/// What all functions that are no kernels need of a launch: a kernel may call any of them.
KernelSignature makeCommon(const ParsedText& text) {
  KernelSignature signature;
  signature.hasDynamicShared = std::ranges::any_of(text.unit.items, [](const syntax::FileItem& item) {
    return item.constant != nullptr && declaresDynamicShared(item.constant.get());
  });
  ShapeFinder finder(text.unit, signature);
  for (const syntax::Function& function : text.unit.functions) {
    if (function.isKernel) continue;
    finder.look(function);
    signature.hasDynamicShared = signature.hasDynamicShared || declaresDynamicShared(function.body.get());
  }
  return signature;
}

/// `arguments`: of the template's instance; empty: one is chosen.
KernelSignature makeSignature(const ParsedText& text, const syntax::Function& function,
                              KernelSignature signature, std::vector<std::string> arguments = {}) {
  signature.name = function.name;
  ShapeFinder finder(text.unit, signature);
  finder.look(function);
  signature.hasDynamicShared = signature.hasDynamicShared || declaresDynamicShared(function.body.get());
  finder.lookAtBounds(function);
  for (const syntax::TemplateParameter& parameter : function.templateParameters)
    signature.templateParameters.push_back(parameter.name);
  if (!function.templateParameters.empty() && arguments.empty()) {
    chooseInstance(text, function, signature);
    arguments = splitArguments(signature.templateDefaults);
  }
  for (const syntax::Parameter& parameter : function.parameters) {
    const std::size_t others = function.templateParameters.size() - (parameter.isPack ? 1 : 0);
    const std::size_t count = !parameter.isPack ? 1 : arguments.size() - std::min(arguments.size(), others);
    for (std::size_t element = 0; element < count; ++element) {
      signature.parameters.push_back(describe(text.unit, parameter, function, arguments, element));
      if (parameter.type.extents != nullptr)
        finder.readRowsArguments(function, arguments, parameter.type, signature.parameters.back());
    }
  }
  return signature;
}

/// A template's argument as describe() reads it: `unsigned` for `unsigned int`, and what an alias of the text
/// stands for. Empty if its own text is right.
std::string normalised(const syntax::Unit& unit, const syntax::TemplateArgument& argument) {
  if (!argument.type || argument.type->arguments != nullptr || !argument.type->path.empty()) return "";
  syntax::TypeName type = *argument.type;
  constexpr int kMostAliases = 16;
  for (int i = 0; i < kMostAliases; ++i) {
    const auto item = unit.index.items.find(type.base);
    if (item == unit.index.items.end() || !item->second->alias) break;
    const std::uint32_t pointers = type.pointers;
    type = item->second->alias->type;
    type.pointers += pointers;
  }
  return type.base + std::string(type.pointers, '*');
}

/// The template arguments that a kernel's name has, `float` and `4` of `k<float, 4>`.
std::vector<std::string> givenArguments(const syntax::Unit& unit, std::string_view asked,
                                        const syntax::Expression& name) {
  const std::size_t open = asked.find('<');
  const std::size_t close = asked.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  std::vector<std::string> arguments = splitArguments(asked.substr(open + 1, close - open - 1));
  for (std::size_t i = 0; i < std::min(arguments.size(), name.templateArguments.size()); ++i) {
    if (std::string type = normalised(unit, name.templateArguments[i]); !type.empty()) arguments[i] = type;
  }
  return arguments;
}

}  // namespace

std::optional<KernelSignature> findKernel(const ParsedText& text, const std::string& kernel) {
  if (kernel.empty()) {
    std::vector<KernelSignature> kernels = findKernels(text);
    return kernels.size() == 1 ? std::optional(std::move(kernels.front())) : std::nullopt;
  }
  const KernelName asked = splitKernelName(kernel);
  const SourceText nameText("kernel name", asked.text);
  const syntax::ExpressionPtr name = syntax::parseKernelName(nameText, text.unit.names);
  const syntax::Function* const chosen =
      name == nullptr ? nullptr : kernelNamed(text.unit, name->text, asked.number);
  if (chosen == nullptr) return std::nullopt;
  KernelSignature signature = makeCommon(text);
  signature.number = asked.number;
  return makeSignature(text, *chosen, std::move(signature), givenArguments(text.unit, asked.text, *name));
}

std::vector<KernelSignature> findKernels(const ParsedText& text) {
  std::vector<KernelSignature> kernels;
  KernelSignature signature = makeCommon(text);
  std::map<std::string, std::size_t> numbers;
  for (const syntax::Function& function : text.unit.functions) {
    if (!function.isKernel) continue;
    signature.number = ++numbers[function.name];
    kernels.push_back(makeSignature(text, function, signature));
  }
  return kernels;
}

std::string kernelName(const KernelSignature& signature, std::string_view arguments) {
  std::string name = signature.name;
  if (signature.number > 1) name += fmt::format("@{}", signature.number);
  return arguments.empty() ? name : fmt::format("{}<{}>", name, arguments);
}

std::string KernelParameter::declaration() const {
  return extents.empty() ? type + " " + name
                         : fmt::format("{} ({}{}){}", type, isReference ? "&" : "*", name, extents);
}

std::string KernelParameter::suggestion(std::uint64_t count, std::uint64_t number) const {
  constexpr std::uint64_t kMostInRows = 1 << 18;
  if (isPointer && rowElements > 1) {
    const std::uint64_t rows = std::min(number, std::max<std::uint64_t>(kMostInRows / rowElements, 1));
    count = std::max(count, rows * rowElements);
  }
  if (isStruct && isPointer) {
    const std::string elements = structSuggestion(count, number, true);
    return elements.empty() ? "" : elements + ":" + std::to_string(count);
  }
  if (isStruct) return structSuggestion(count, number, false);
  if (element.empty()) return "";
  if (isPointer) return element + (isConst ? ":hash:" : ":zero:") + std::to_string(count * lanes);
  return fieldSuggestion(count, number, false);
}

/// `isFilled`: of a buffer's elements.
std::string KernelParameter::fieldSuggestion(std::uint64_t count, std::uint64_t number, bool isFilled) const {
  if (isPointer || isStruct) return isFilled && isPointer ? "" : suggestion(count, number);
  if (element.empty()) return "";
  if (isFilled || isArray) return element + ":hash";
  const bool isReal = element == "f32" || element == "f64" || element == "f16" || element == "bf16";
  const bool isNarrow = element == "i8" || element == "u8";
  return element + "=" + (isReal || isNarrow ? "1" : std::to_string(number));
}

/// `struct:{width=i32:8,height=i32:8}`; empty if a field has no suggestion.
std::string KernelParameter::structSuggestion(std::uint64_t count, std::uint64_t number,
                                              bool isFilled) const {
  std::string text;
  for (const KernelParameter& field : fields) {
    std::string value = field.isStruct && !field.isPointer ? field.structSuggestion(count, number, isFilled)
                                                           : field.fieldSuggestion(count, number, isFilled);
    if (value.empty()) return "";
    if (!field.isStruct) std::ranges::replace(value, '=', ':');
    text += (text.empty() ? "" : ",") + field.name + "=" + value;
  }
  return "struct:{" + text + "}";
}

std::vector<Diagnostic> toDiagnostics(const Error& error) {
  if (!error.diagnostics.empty()) return error.diagnostics;
  std::string message = error.message;
  if (message.ends_with('.')) message.pop_back();
  return {{message, error.hint, {}}};
}

}  // namespace lanescope
