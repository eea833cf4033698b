#include "sim/random_programs/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace lanescope::random_programs {
namespace {

constexpr std::size_t kLastWords = 4;  ///< that a body ends with

}  // namespace

void Statements::open(const std::string& head) {
  line(head + (head.empty() ? "{" : " {"));
  ++indent_;
}

void Statements::close(const std::string& tail) {
  --indent_;
  line(tail);
}

std::size_t Statements::enter() { return std::exchange(scope_, expressions_.variables.size()); }

void Statements::leave(std::size_t outer) {
  expressions_.variables.resize(scope_);
  scope_ = outer;
}

Variable& Statements::add(const std::string& name, Type type, Range range) {
  Variable variable;
  variable.name = name;
  variable.type = type;
  variable.range = range;
  variable.places = std::uint64_t{1} << std::min(places_++, 63u);
  expressions_.variables.push_back(variable);
  return expressions_.variables.back();
}

/// A name that the innermost scope has not declared yet; outer ones are hidden.
std::string Statements::newName() {
  static constexpr std::string_view kNames = "abcdxy";
  const auto& variables = expressions_.variables;
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::string name(1, kNames[random_.below(kNames.size())]);
    const auto innermost = std::span(variables).subspan(scope_);
    if (std::ranges::find(innermost, name, &Variable::name) == innermost.end()) return name;
  }
  return fmt::format("v{}", variables.size());
}

void Statements::some(unsigned most, int depth) {
  const std::size_t lambdas = expressions_.functions.size();
  const unsigned count = 1 + random_.below(most);
  for (unsigned i = 0; i < count; ++i) statement(depth);
  expressions_.functions.resize(lambdas);
}

void Statements::statement(int depth) {
  switch (random_.below(depth > 0 ? 19 : 11)) {
    case 0:
    case 1:
    case 2: return declare();
    case 3: return declareArray();
    case 4: return declareAlias();
    case 5: return declareLambda();
    case 11:
    case 12: return branch(depth - 1);
    case 13:
    case 14: return loop(depth - 1);
    case 15: return eachElement(depth - 1);
    case 16: return choice(depth - 1);
    case 17: {
      const std::size_t outer = enter();
      open("");
      some(3, depth - 1);
      close();
      return leave(outer);
    }
    default: plain();
  }
}

void Statements::write() {
  const std::string word = words_.next();
  line(fmt::format("{} = {};", word, expressions_.word(3)));
}

void Statements::plain() {
  if (loops_ > 0 && random_.chance(10)) {
    const std::string test = expressions_.any(2).text;
    return line(fmt::format("if ({}) {};", test, random_.chance(50) ? "break" : "continue"));
  }
  if (hasOut_ && words_.left() > kLastWords && random_.chance(40)) return write();
  line(expressions_.change(3).text + ";");
}

void Statements::declare() {
  const std::string name = newName();
  expressions_.hidden = name;
  Type type = expressions_.anyType();
  Range range = expressions_.anyRange(type);
  const unsigned form = random_.below(7);
  const Value from = form < 4    ? expressions_.fitting(type, range, 3)
                     : form == 4 ? expressions_.constant(2)
                                 : expressions_.any(3);
  const bool isConst = form > 3 || (form == 3 && random_.chance(50));
  std::string_view of = facts(type).name;
  switch (form) {
    case 0: line(fmt::format("{} {} = {};", of, name, Expressions::in(from, 2))); break;
    case 1:
      line(fmt::format(
          "{} {}({});", of, name,
          Expressions::beginsWithType(from.text) ? "(" + from.text + ")" : Expressions::in(from, 2)));
      break;
    case 2: line(fmt::format("{0} {1}{{({0}){2}}};", of, name, Expressions::in(from, 15))); break;
    case 3:
      line(fmt::format("{}auto {} = ({}){};", isConst ? "const " : "", name, of, Expressions::in(from, 15)));
      break;
    case 4:
      if (isFloating(type)) type = Type::Long;
      range = converted(from.range, type);
      line(fmt::format("{} {} {} = {};", random_.chance(50) ? "const" : "constexpr", facts(type).name, name,
                       Expressions::in(from, 2)));
      break;
    default:
      type = from.type;
      range = from.range;
      line(fmt::format("const auto{} {} = {};", form == 5 ? "" : "&", name, Expressions::in(from, 2)));
  }
  expressions_.hidden.clear();
  Variable& variable = add(name, type, range);
  variable.isChangeable = !isConst;
  variable.isConstant = form == 4;
  if (form == 6) variable.places |= from.effects.reads | from.effects.writes;
}

void Statements::declareArray() {
  const std::string name = newName();
  expressions_.hidden = name;
  const Type type = expressions_.anyType();
  const Range range = expressions_.anyRange(type);
  const unsigned elements = random_.chance(50) ? 2 : 4;
  const unsigned given = elements - random_.below(2);
  std::string list;
  for (unsigned i = 0; i < given; ++i) {  // in the order in which they are written
    const Value value = expressions_.fitting(type, range, 1);
    list += fmt::format("{}({}){}", i == 0 ? "" : ", ", facts(type).name, Expressions::in(value, 15));
  }
  line(fmt::format("{} {}[{}] = {{{}}};", facts(type).name, name, elements, list));
  expressions_.hidden.clear();
  add(name, type, range).elements = elements;
}

/// Another name of a variable: a reference.
void Statements::declareAlias() {
  const auto& variables = expressions_.variables;
  for (std::size_t i = scope_; i < variables.size(); ++i) {
    const Variable of = variables[i];
    if (!of.isUsable || !of.isChangeable || of.elements != 0 || expressions_.isHidden(variables[i]) ||
        random_.chance(30))
      continue;
    const std::string name = newName();
    if (name == of.name) continue;
    const bool isConst = random_.chance(30);
    const std::string_view type = random_.chance(30) ? "auto" : facts(of.type).name;
    line(fmt::format("{}{}& {} = {};", isConst ? "const " : "", type, name, of.name));
    Variable& alias = add(name, of.type, of.range);
    alias.places = of.places;
    alias.isChangeable = !isConst;
    return;
  }
  declare();
}

/// A lambda: by [=] the variables of the function are what they were, by [&] it reads and changes them.
void Statements::declareLambda() {
  if (fileFunctions_ + 4 < expressions_.functions.size()) return declare();
  const auto outer = expressions_.variables;
  const auto others = expressions_.functions;
  const Effects before = std::exchange(expressions_.all, {});
  const bool isByReference = random_.chance(50);
  Function lambda;
  lambda.isLocal = true;
  lambda.name = fmt::format("l{}", others.size());
  if (!isByReference) {
    expressions_.functions.resize(fileFunctions_);  // a copy of another lambda still has its references
    for (std::size_t i = fileVariables_; i < outer.size(); ++i) {
      expressions_.variables[i].isChangeable = false;
      expressions_.variables[i].isUsable &= outer[i].elements == 0;
    }
  }
  const std::size_t outerScope = enter();
  const std::string parameters = parametersOf(lambda, true);
  const std::string result = returned(lambda, 50);
  line(fmt::format("auto {} = [{}]({}){} {{ return {}; }};", lambda.name, isByReference ? "&" : "=",
                   parameters, lambda.isDeduced ? "" : fmt::format(" -> {}", facts(lambda.result).name),
                   result));
  lambda.effects = expressions_.all;
  if (!isByReference) {
    lambda.effects.reads &= expressions_.fileScope;
    lambda.effects.writes &= expressions_.fileScope;
  }
  scope_ = outerScope;
  expressions_.variables = outer;
  expressions_.functions = others;
  expressions_.functions.push_back(lambda);
  expressions_.all.add(before);
}

void Statements::branch(int depth) {
  const std::size_t outer = enter();
  if (random_.chance(30)) {
    const std::string name = newName();
    expressions_.hidden = name;
    const Value from = expressions_.fitting(Type::Short, wholeRange(Type::Short), 2);
    expressions_.hidden.clear();
    add(name, Type::Short, wholeRange(Type::Short));
    open(fmt::format("if (short {} = {}; {})", name, Expressions::in(from, 2), expressions_.any(2).text));
  } else {
    open(fmt::format("if ({})", expressions_.any(2).text));
  }
  const std::size_t head = expressions_.variables.size();
  some(3, depth);
  if (random_.chance(50)) {
    expressions_.variables.resize(head);
    close("} else {");
    ++indent_;
    some(2, depth);
  }
  close();
  leave(outer);
}

void Statements::loop(int depth) {
  if (loops_ == mostLoops_) return declare();
  ++loops_;
  const std::string name = fmt::format("i{}", places_);
  const unsigned rounds = 1 + random_.below(4);
  const unsigned form = random_.below(3);
  const Type type = form == 0 ? static_cast<Type>(1 + random_.below(13)) : Type::Int;
  if (form != 0) line(fmt::format("int {} = {};", name, rounds));
  const std::size_t outer = enter();
  add(name, type, {-1, 1.0 * rounds}).isChangeable = false;
  if (form == 0)
    open(fmt::format("for ({0} {1} = 0; {1} < {2}; {3})", facts(type).name, name, rounds,
                     random_.chance(50) ? "++" + name : name + "++"));
  else
    open(form == 1 ? fmt::format("while ({}-- > 0)", name) : "do");
  some(3, depth);
  leave(outer);
  close(form == 2 ? fmt::format("}} while (--{} > 0);", name) : "}");
  --loops_;
}

void Statements::eachElement(int depth) {
  const auto& variables = expressions_.variables;
  for (std::size_t i = scope_; i < variables.size(); ++i) {
    const Variable of = variables[i];
    if (of.elements == 0 || loops_ == mostLoops_ || !of.isUsable || expressions_.isHidden(variables[i]))
      continue;
    ++loops_;
    const std::size_t outer = enter();
    const std::string name = newName();
    const bool isReference = random_.chance(50);
    const std::string_view type = random_.chance(50) ? "auto" : facts(of.type).name;
    Variable& one = add(name, of.type, of.range);
    if (isReference) one.places = of.places;
    open(fmt::format("for ({}{} {} : {})", type, isReference ? "&" : "", name, of.name));
    some(3, depth);
    leave(outer);
    close();
    --loops_;
    return;
  }
  declareArray();
}

void Statements::choice(int depth) {
  open(fmt::format("switch ({})", expressions_.index(2, 2).text));
  const unsigned middle = random_.below(5);
  for (unsigned label = 0; label < 4; ++label) {
    if (random_.chance(30)) continue;
    const std::size_t outer = enter();
    open(label == middle ? "default:" : fmt::format("case {}:", label));
    some(2, depth);
    if (random_.chance(60)) line("break;");
    close();
    leave(outer);
  }
  line("case 9:;");
  close();
}

std::string Statements::parametersOf(Function& function, bool isOverloaded) {
  std::string list;
  const std::size_t count = 1 + random_.below(3);
  for (std::size_t i = 0; i < count; ++i) {
    Parameter parameter;
    parameter.type = expressions_.anyType();
    parameter.range = expressions_.anyRange(parameter.type);
    const std::string name = newName();
    const std::string_view type = facts(parameter.type).name;
    const unsigned form = random_.below(10);
    parameter.isReference = form == 0 && !isOverloaded;
    const bool isConstReference = form == 1;
    list += fmt::format("{}{}{}{} {}", i == 0 ? "" : ", ", isConstReference ? "const " : "", type,
                        parameter.isReference || isConstReference ? "&" : "", name);
    expressions_.hidden = name;
    if (!isOverloaded && !parameter.isReference && (function.defaults != 0 || form > 7)) {
      const Value value = expressions_.fitted(expressions_.constant(1), parameter.type, parameter.range);
      list += " = " + Expressions::in(value, 2);
      ++function.defaults;
    } else if (function.defaults != 0) {
      list.resize(list.rfind(", "));
      break;
    }
    add(name, parameter.type, parameter.range).isChangeable = !isConstReference;
    function.parameters.push_back(parameter);
  }
  expressions_.hidden.clear();
  return list;
}

/// An expression that the function returns; decides its result, deduced with that chance.
std::string Statements::returned(Function& function, unsigned percent) {
  const Value value = expressions_.any(3);
  function.isDeduced = random_.chance(percent);
  function.result = function.isDeduced ? value.type : expressions_.anyType();
  function.range = function.isDeduced ? value.range : expressions_.anyRange(function.result);
  return function.isDeduced ? value.text : expressions_.fitted(value, function.result, function.range).text;
}

void Statements::function(const std::string& qualifier, bool isStatic) {
  const auto variables = expressions_.variables;
  const auto others = expressions_.functions;
  expressions_.all = {};
  const std::size_t outer = enter();
  places_ = static_cast<unsigned>(variables.size());
  Function made;
  made.isConstant = !isStatic && random_.chance(40);
  const bool isOverloaded = random_.chance(60);
  made.name =
      qualifier + (isOverloaded ? std::string(1, "fg"[random_.below(2)]) : fmt::format("h{}", others.size()));
  const std::string parameters = parametersOf(made, isOverloaded);
  const auto isSame = [&made](const Function& other) {
    return other.name == made.name &&
           std::ranges::equal(other.parameters, made.parameters, {}, &Parameter::type, &Parameter::type);
  };
  if (std::ranges::any_of(others, isSame)) made.name += fmt::format("{}", others.size());
  if (made.isConstant) {
    for (std::size_t i = 0; i < fileVariables_; ++i)
      expressions_.variables[i].isUsable = variables[i].isConstant;
    for (Function& one : expressions_.functions) one.isUsable = one.isConstant;
  }
  // In a class a body sees the overloads that come later, too.
  for (Function& one : expressions_.functions)
    one.isCalledExactly = isStatic && one.name.starts_with(qualifier);
  expressions_.functions.push_back(made);  // its own name is an overload, too
  expressions_.functions.back().isUsable = false;
  fileFunctions_ = expressions_.functions.size();
  const std::size_t head = text_.size();
  ++indent_;
  mostLoops_ = 1;
  if (random_.chance(60)) some(4, 1);
  line("return " + returned(made, 20) + ";");
  close();
  std::string first =
      std::string(2 * indent_, ' ') + (isStatic ? "static " : "") + (made.isConstant ? "constexpr " : "");
  first += fmt::format("__device__ {} {}({}) {{\n", made.isDeduced ? "auto" : facts(made.result).name,
                       made.name.substr(qualifier.size()), parameters);
  text_.insert(head, first);
  made.effects.reads = expressions_.all.reads & expressions_.fileScope;
  made.effects.writes = expressions_.all.writes & expressions_.fileScope;
  scope_ = outer;
  expressions_.variables = variables;
  expressions_.functions = others;
  expressions_.functions.push_back(made);
}

void Statements::functions() {
  const unsigned form = random_.below(4);
  const std::string name = fmt::format("{}{}", form == 1 ? "n" : "S", expressions_.functions.size());
  if (form == 1) open("namespace " + name);
  if (form == 2) open("struct " + name);
  const unsigned count = 1 + random_.below(3);
  expressions_.inside = form == 1 || form == 2 ? name + "::" : "";
  for (unsigned i = 0; i < count; ++i) function(expressions_.inside, form == 2);
  expressions_.inside.clear();
  if (form == 1 || form == 2) close(form == 1 ? "}" : "};");
}

void Statements::variableAtFileScope(const std::string& qualifier) {
  const std::string name = newName();
  const bool isConstant = random_.chance(50);
  Type type = expressions_.anyType();
  if (isConstant && isFloating(type)) type = Type::UnsignedLong;
  Range range = expressions_.anyRange(type);
  expressions_.hidden = name;
  Value from = expressions_.constant(2);
  expressions_.hidden.clear();
  if (isConstant)
    range = converted(from.range, type);
  else
    from = expressions_.fitted(from, type, range);
  line(fmt::format("{} {} {} = {};", isConstant ? "constexpr" : "__device__", facts(type).name, name,
                   Expressions::in(from, 2)));
  Variable& variable = add(name, type, range);
  variable.qualifier = qualifier;
  variable.isConstant = isConstant;
  variable.isChangeable = !isConstant;
  if (!isConstant) expressions_.fileScope |= variable.places;
}

std::string Statements::declarations() {
  const unsigned count = 2 + random_.below(3);
  for (unsigned i = 0; i < count; ++i) variableAtFileScope("@::");
  fileVariables_ = expressions_.variables.size();
  const unsigned groups = random_.below(4);
  for (unsigned i = 0; i < groups; ++i) functions();
  return std::exchange(text_, {});
}

std::string Statements::body() {
  enter();
  fileFunctions_ = expressions_.functions.size();
  places_ = static_cast<unsigned>(fileVariables_);
  indent_ = 1;
  mostLoops_ = 2;
  hasOut_ = true;
  some(8, 3);
  for (std::size_t i = 0; i < kLastWords; ++i) write();
  return std::exchange(text_, {});
}

}  // namespace lanescope::random_programs
