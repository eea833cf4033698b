#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/language/check/checker_impl.h"

// What a name means: in scopes, at file scope, in a class, and as a function ([basic.lookup] 6.5).
namespace lanescope::checker {

void Checker::declare(const std::string& name, SourceSpan span, Symbol symbol) {
  if (!scope().emplace(name, symbol).second) {
    fail(span, fmt::format("'{}' is declared twice in this block", name), "rename one of them");
  }
}

/// Adds a variable and, unless it has no name, declares it.
std::uint32_t Checker::declareVariable(const std::string& name, SourceSpan span, const Type* type,
                                       bool isConst, bool isReference, bool isRvalue) {
  const std::uint32_t variable = addVariable(name, type, span, isConst);
  Symbol symbol{Symbol::Kind::Variable, variable, type, 0, isReference, false};
  symbol.isRvalue = isRvalue;
  if (!name.empty()) declare(name, span, symbol);
  return variable;
}

/// Declares the names of a declaration with a fault: a use of one is not a second fault.
void Checker::declareUnchecked(const syntax::Statement& declaration) {
  for (const syntax::Declarator& declarator : declaration.declarators) {
    scope().emplace(declarator.name, Symbol{.kind = Symbol::Kind::Unchecked});
  }
}

const Symbol* Checker::findInScopes(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  }
  return nullptr;
}

const Symbol* Checker::find(std::string_view name) {
  if (const Symbol* const own = findInScopes(name)) return own;
  return librarySpan_ ? nullptr : findAtFileScope(name);
}

const Symbol* Checker::findBound(syntax::Binding binding, std::string_view name) {
  if (binding == syntax::Binding::Open) return find(name);
  if (binding != syntax::Binding::File) return findInScopes(name);
  if (librarySpan_) return nullptr;
  const Symbol* const symbol = findAtFileScope(name);
  const bool isBegun = symbol == nullptr && unit_.index.items.contains(name);  // its own names are in scope
  return isBegun ? findInScopes(name) : symbol;
}

/// The meaning of a name where it is written: what is declared later, or in a base that depends on a
/// template's parameters, does not count.
const Symbol* Checker::find(const syntax::Expression& node) { return findBound(node.binding, node.text); }

const Symbol* Checker::find(const syntax::TypeName& name) { return findBound(name.binding, name.base); }

const Symbol* Checker::findAtFileScope(std::string_view name) {
  if (const auto known = file_.find(name); known != file_.end()) {
    if (const auto faults = itemFaults_.find(name); faults != itemFaults_.end()) makeReport(faults->second);
    return &known->second;
  }
  const auto found = unit_.index.items.find(name);
  if (found == unit_.index.items.end() || !begun_.insert(found->second).second) return aliasInProgress(name);
  const syntax::FileItem& item = *found->second;
  spend(1, item.span);
  {
    const Elsewhere elsewhere(*this, {});
    functionName_.clear();
    const std::size_t before = diagnostics_.size();
    const std::size_t begun = work_;
    try {
      fileItem(item);
    } catch (const CheckFault&) {
      for (const std::string& one : item.names) {
        file_.insert_or_assign(one, Symbol{.kind = Symbol::Kind::Unchecked});
        itemFaults_[one] = faultsSince(before);
      }
      forget(diagnostics_.size(), begun);
    }
  }
  const auto known = file_.find(name);
  return known == file_.end() ? nullptr : &known->second;
}

/// `typedef struct Node Node_t;`, which the members of Node use: the type is known, but its fields are not
/// yet.
const Symbol* Checker::aliasInProgress(std::string_view name) {
  const auto begun = aliasesInProgress_.find(name);
  if (begun == aliasesInProgress_.end()) return nullptr;
  const syntax::Alias& alias = *begun->second;
  aliasesInProgress_.erase(begun);  // an alias of itself has no type
  const Elsewhere elsewhere(*this, {});
  return &file_.insert_or_assign(alias.name, meaning(alias.type)).first->second;
}

/// Declares the names of an item at file scope or in a function.
void Checker::fileItem(const syntax::FileItem& item) {
  refuseFaulty(item.diagnostics);
  if (item.constant != nullptr && !item.isTemplate) declaration(*item.constant);
  const bool isTemplate = item.isTemplate ||
                          (item.structure && classTemplates_.contains(item.structure->name)) ||
                          (item.alias && aliasTemplates_.contains(item.alias->name));
  if (isTemplate) {
    const SourceSpan span = item.structure ? item.structure->span
                            : item.alias   ? item.alias->span
                                           : item.constant->span;
    return declare(item.names[0], span, {.kind = Symbol::Kind::Template});
  }
  if (item.structure) structure(*item.structure);
  if (item.enumeration) enumeration(*item.enumeration);
  if (item.alias) {
    const std::string& name = item.alias->name;
    if (isFileScope()) aliasesInProgress_[name] = &*item.alias;
    const Symbol symbol = meaning(item.alias->type);
    if (isFileScope() && aliasesInProgress_.erase(name) == 0) return;  // its type's members declared it
    declare(name, item.alias->span, symbol);
  }
}

/// Faults that the parser kept with an item.
void Checker::makeReport(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool isNew = std::ranges::none_of(diagnostics_, [&](const Diagnostic& known) {
      return known.span == diagnostic.span && known.message == diagnostic.message;
    });
    if (isNew) diagnostics_.push_back(diagnostic);
  }
}

/// Reports the faults and gives up if there are any.
void Checker::refuseFaulty(const std::vector<Diagnostic>& diagnostics) {
  if (diagnostics.empty()) return;
  makeReport(diagnostics);
  throw CheckFault{};
}

// --- names in a class ---

/// A type, a constant or a static member of a class, an enumerator. Null if there is none of that name.
const Symbol* Checker::memberNamed(const Type* type, std::string_view name) const {
  if (const auto ofEnum = enumerators_.find(type); ofEnum != enumerators_.end()) {
    const auto found = ofEnum->second.find(name);
    return found == ofEnum->second.end() ? nullptr : &found->second;
  }
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return nullptr;
  const auto found = info->scope.find(name);
  return found == info->scope.end() || found->second.kind == Symbol::Kind::Field ? nullptr : &found->second;
}

/// The symbol that `Vec<float>::kSize` names.
const Symbol* Checker::scopedSymbol(const syntax::Expression& node) {
  const Type* const type = resolve(*node.type);
  const std::string_view name = std::string_view(node.text).substr(node.text.rfind("::") + 2);
  if (const Symbol* const symbol = memberNamed(type, name)) return symbol;
  reportConstant(type, name);
  const ClassInfo* const info = findClass(type);
  const bool isMember =
      info != nullptr && (type->field(name) != nullptr ||
                          std::ranges::count(info->node->methods, name, &syntax::Function::name) > 0);
  if (isMember)
    fail(node.span, fmt::format("a pointer to the member {} of {} is not simulated", name, type->name()),
         "name the member at each use");
  failTyping(node.span, fmt::format("{} has no static member '{}'", type->name(), name), "mend its spelling");
}

/// `Base::x` within a member function: a field of its object ([class.mfct.non.static]). None for another
/// name.
std::optional<Operand> Checker::scopedField(const syntax::Expression& node) {
  if (!node.type || !this_) return std::nullopt;
  const Type* const type = resolve(*node.type);
  const std::string_view name = syntax::lastName(node.text);
  Field base{.type = type};
  const Type* const own = this_->type->element;
  const bool isOfObject = own == type || isDerived(own, type, base.offset);
  const Field* const field = isOfObject && memberNamed(type, name) == nullptr ? type->field(name) : nullptr;
  if (field == nullptr) return std::nullopt;
  Glvalue whole = part(std::move(*thisOperand(node.span).glvalue), base, node.span);
  return asOperand(part(std::move(whole), *field, node.span));
}

/// The base that `using Base::name;` takes a member of the class from. Null if there is none.
const Type* Checker::usedBase(const Type* type, std::string_view name) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr || type->field(name) == nullptr) return nullptr;
  for (const auto& [base, member] : info->node->usings) {
    if (member != name) continue;
    const Elsewhere elsewhere(*this, {info->scope});
    return resolve(base);
  }
  return nullptr;
}

/// Reports the faults of a static constant of that name.
void Checker::reportConstant(const Type* type, std::string_view name) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return;
  for (const syntax::StatementPtr& constant : info->node->constants) {
    for (const syntax::Declarator& declarator : constant->declarators) {
      if (declarator.name != name || !constantFaults_.contains(&declarator)) continue;
      makeReport(constantFaults_[&declarator]);
      throw CheckFault{};
    }
  }
}

/// True if the functions hide each other in a derived class ([namespace.udecl] 9.9/14).
bool Checker::hasSameParameters(const Callee& a, const Callee& b) {
  const syntax::Function& one = *a.function;
  const syntax::Function& other = *b.function;
  if (one.isConst != other.isConst || one.isForLvalues != other.isForLvalues ||
      one.isForRvalues != other.isForRvalues || one.constraint != nullptr || other.constraint != nullptr ||
      one.templateParameters.size() != other.templateParameters.size() ||
      one.parameters.size() != other.parameters.size() || one.hasEllipsis != other.hasEllipsis)
    return false;
  if (!one.templateParameters.empty()) return syntax::parameterText(one) == syntax::parameterText(other);
  const auto typeIn = [&](const Callee& callee, const syntax::Parameter& parameter) {
    Scope names = findClass(callee.owner)->scope;
    bindClassParameters(*callee.function, findClass(callee.owner)->arguments, names);
    const Elsewhere elsewhere(*this, {std::move(names)});
    return parameterType(parameter);
  };
  return std::ranges::equal(one.parameters, other.parameters, [&](const auto& first, const auto& second) {
    return first.type.isReference == second.type.isReference && first.type.isRvalue == second.type.isRvalue &&
           typeIn(a, first) == typeIn(b, second);
  });
}

/// The functions of that name in a class and those that `using` brings there, else in its bases
/// ([class.member.lookup]).
void Checker::addMethods(const Type* type, std::string_view name, std::uint32_t offset,
                         std::vector<Callee>& found) {
  const ClassInfo* const info = findClass(type);
  if (info == nullptr) return;
  spend(1, info->node->span);
  std::vector<Callee> own;
  bool hasOwn = std::ranges::any_of(type->fields,
                                    [&](const Field& field) { return !field.isBase && field.name == name; });
  for (const syntax::Function& method : info->node->methods) {
    if (method.name != name || method.role == Role::Constructor || method.role == Role::Friend) continue;
    hasOwn = true;
    own.push_back({&method, type, offset});
  }
  std::vector<Callee> used;
  for (const auto& [base, member] : info->node->usings) {
    if (member != name) continue;
    const Elsewhere elsewhere(*this, {info->scope});
    const Type* const of = resolve(base);
    std::uint32_t within = 0;
    if (isDerived(type, of, within)) addMethods(of, name, offset + within, used);
  }
  const auto isHidden = [&](const Callee& callee) {
    return std::ranges::any_of(own, [&](const Callee& one) { return hasSameParameters(one, callee); });
  };
  hasOwn = hasOwn || !used.empty();
  std::erase_if(used, isHidden);
  for (Callee& callee : used) callee.isUsed = true;
  found.insert(found.end(), own.begin(), own.end());
  found.insert(found.end(), used.begin(), used.end());
  if (hasOwn || name == "operator=") return;  // each class has its own assignment
  for (const Field& field : type->fields) {
    if (field.isBase) addMethods(field.type, name, offset + field.offset, found);
  }
}

std::vector<Callee> Checker::methodsNamed(const Type* type, const syntax::Expression& node,
                                          std::string_view name) {
  std::vector<Callee> found;
  addMethods(type, name, 0, found);
  const ClassInfo* const info = findClass(type);
  if (found.empty() && info != nullptr && info->node->hostMethods.contains(name)) {
    fail(node.span,
         fmt::format("{}::{} is a function of the host, which a kernel cannot call", type->name(), name),
         "write __device__ before it");
  }
  for (const Callee& callee : found) refuseFaulty(callee.function->diagnostics);
  if (node.isTemplateId)
    std::erase_if(found, [](const Callee& callee) { return callee.function->templateParameters.empty(); });
  return found;
}

// --- names of functions ---

/// The __device__ functions that a call may mean. The library's functions do not see the file's.
std::vector<Callee> Checker::functionsNamed(const syntax::Expression& node) {
  std::vector<Callee> functions;
  if (librarySpan_) return functions;
  if (node.binding != syntax::Binding::File) {
    for (const Type* type : classScopes_) {
      while (type != nullptr) {  // a lambda, then the class whose `this` it holds
        functions = methodsNamed(type, node, node.text);
        if (!functions.empty()) return functions;
        const Field* const outer = type->field("(this)");
        type = outer != nullptr ? outer->type->element : nullptr;
      }
    }
  }
  if (node.binding == syntax::Binding::Scope) {
    fail(node.span, fmt::format("'{}' is no function of this class, but of a class around it", node.text),
         "write the class before it");
  }
  // The text's own reduce(), if cooperative groups' names are used without cg::, unless their operator is
  // passed.
  std::string_view name = node.text;
  const bool takesOperator = !node.operands.empty() && node.operands.back()->text.starts_with("cg::");
  if (name.starts_with("cg::") && !takesOperator) name.remove_prefix(4);
  addFileFunctions(node, name, functions);
  for (const Callee& callee : functions) refuseFaulty(callee.function->diagnostics);
  const bool isOfKernel = std::ranges::any_of(unit_.index.named(name), &syntax::Function::isKernel);
  if (isOfKernel && functions.empty())
    fail(node.span, "a kernel cannot call a kernel", "make it a __device__ function");
  return functions;
}

namespace {

void addNew(const Callee& callee, std::vector<Callee>& functions) {
  if (std::ranges::count(functions, callee.function, &Callee::function) == 0) functions.push_back(callee);
}

}  // namespace

void Checker::addHome(const syntax::Home& home, std::vector<Callee>& functions) const {
  for (const syntax::Function* const function : unit_.index.named(home.name)) {
    if (function->isSpecialisation || function->isKernel || function->space != home.space ||
        function->place > home.before ||
        (!home.parameters.empty() && syntax::parameterText(*function) != home.parameters))
      continue;
    addNew({.function = function, .isOfBlock = !home.parameters.empty()}, functions);
  }
}

/// The functions outside of classes that a name or an operator means where it is written.
void Checker::addFileFunctions(const syntax::Expression& node, std::string_view name,
                               std::vector<Callee>& functions) const {
  const bool isFound = node.place != syntax::kAnywhere && node.text == name;  // not cg::reduce
  if (node.binding != syntax::Binding::Open || isFound) {
    for (const syntax::Home& home : node.homes) addHome(home, functions);
    return;
  }
  for (const syntax::Function* const function : unit_.index.named(name)) {
    if (!function->isSpecialisation && !function->isKernel) functions.push_back({function});
  }
}

/// Notes the classes and namespaces that belong to an argument's type ([basic.lookup.argdep]).
void Checker::addAssociated(const Type* type, std::set<const Type*>& classes,
                            std::set<std::string_view>& spaces) const {
  while (type != nullptr && type->element != nullptr) type = type->element;
  if (type == nullptr) return;
  if (const std::vector<const Type*>* const signature = makeSignature(type)) {
    for (const Type* const part : *signature) addAssociated(part, classes, spaces);
  }
  if (const auto ofEnum = enumSpaces_.find(type); ofEnum != enumSpaces_.end()) spaces.insert(ofEnum->second);
  const std::function<void(const Type*)> add = [&](const Type* one) {
    const ClassInfo* const info = findClass(one);
    classes.insert(one);
    spaces.insert(info != nullptr ? std::string_view(info->node->space) : std::string_view());
  };
  const std::function<void(const Type*)> addWithBases = [&](const Type* one) {
    add(one);
    for (const Field& field : one->fields) {
      if (field.isBase) addWithBases(field.type);
    }
  };
  if (const auto around = owners_.find(type); around != owners_.end()) add(around->second);
  if (!type->isStruct()) return;
  addWithBases(type);
  if (findClass(type) == nullptr) return;
  for (const Symbol& argument : findClass(type)->arguments) {
    if (argument.kind == Symbol::Kind::TypeName) addAssociated(argument.type, classes, spaces);
  }
}

/// Adds the functions of the namespaces that belong to the arguments' types, and the friends of their
/// classes. If the arguments depend on a template's parameters, those behind the template count, too
/// ([temp.dep.candidate]).
void Checker::addFunctionsOfArguments(const syntax::Expression& node, std::string_view name,
                                      const std::vector<Operand>& arguments,
                                      std::vector<Callee>& functions) const {
  const std::string_view plain = name.starts_with("operator") ? name : syntax::lastName(name);
  std::set<const Type*> classes;
  std::set<std::string_view> spaces;
  for (const Operand& argument : arguments) addAssociated(argument.type, classes, spaces);
  const syntax::Place before = node.isDependent ? syntax::kAnywhere : node.place;
  for (const std::string_view space : spaces) {
    for (const syntax::Home& home : unit_.names.lookUpIn(plain, space, before, false, false).homes)
      addHome(home, functions);
  }
  for (const Type* const type : classes) {
    const ClassInfo* const info = findClass(type);
    if (info == nullptr || !unit_.friends.contains(plain)) continue;
    for (const syntax::Function& method : info->node->methods) {
      if (method.role != Role::Friend || method.name != plain || method.body == nullptr) continue;
      addNew({&method, type}, functions);
    }
  }
}

}  // namespace lanescope::checker
