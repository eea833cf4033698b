#include <fmt/format.h>

#include "sim/language/parse/parser_impl.h"

namespace lanescope::syntax {

// --- file scope ---

void Parser::topLevel(Unit& result) {
  if (accept(";")) return;
  typeParameters_.clear();
  if (declareType(result)) return;
  rejectOutside();
  Function function;
  if (accept("template")) templateParameters(function);
  bool isDevice = false;
  bool isConstant = false;
  bool isHostOnly = false;
  const std::size_t begin = at_;
  attributes(function, isDevice, isConstant, isHostOnly);
  const bool isFunction = function.isKernel || isDevice;
  if (!isFunction && !isConstant && !isTypeStart(0)) {  // std::vector<float> check(…) { … }
    std::size_t ahead = 0;
    while (peek(ahead).kind != TokenKind::End && !peek(ahead).is("(") && !peek(ahead).is(";") &&
           !peek(ahead).is("{") && !peek(ahead).is("="))
      ++ahead;
    if (peek(ahead).is("(") && ahead > 0 && peek(0).kind == TokenKind::Identifier) return skipDeclaration();
  }
  const SourceSpan start = tokens_[begin].span;
  TypeName type = typeName();
  attributes(function, isDevice, isConstant, isHostOnly);
  if (peek().is("operator")) rejectOutside();
  if (peek(1).is("(")) {
    function.returnType = std::move(type);
    functionRest(function, (function.isKernel || isDevice || isConstant) && !(isHostOnly && !isDevice));
    if (function.body != nullptr) result.functions.push_back(std::move(function));
    return;
  }
  if (!isConstant && !type.isConst) {
    fail(start, "a variable at file scope is not in the subset that is simulated",
         "pass it as an argument, or make it constexpr");
  }
  auto statement = std::make_unique<Statement>();
  statement->kind = Statement::Kind::Declaration;
  statement->isConstexpr = true;
  statement->span = start;
  declarators(*statement, type);
  result.items.push_back({std::move(statement), {}, {}, {}});
}

/// What may be before a function's type and between it and the name.
void Parser::attributes(Function& function, bool& isDevice, bool& isConstant, bool& isHostOnly) {
  while (true) {
    if (accept("__global__")) {
      function.isKernel = true;
    } else if (accept("__device__")) {
      isDevice = true;
    } else if (accept("__host__")) {
      isHostOnly = true;
    } else if (accept("constexpr")) {
      isConstant = true;
    } else if (peek().is("__constant__")) {
      fail(peek().span, "__constant__ memory is not in the subset that is simulated",
           "make it constexpr, or pass it as an argument");
    } else if (accept("__launch_bounds__")) {
      expect("(", "after __launch_bounds__");
      while (peek().kind != TokenKind::End && !peek().is(")")) take();
      expect(")", "after the launch bounds");
    } else if (!accept("static") && !accept("inline") && !accept("__inline__") &&
               !accept("__forceinline__") && !accept("__noinline__") && !accept("extern")) {
      return;
    } else if (peek().kind == TokenKind::String) {
      fail(peek().span, "extern \"C\" is not in the subset that is simulated", "remove it");
    }
  }
}

/// A struct, enum, alias or namespace; false when none begins here.
bool Parser::declareType(Unit& result) {
  if (peek().is("struct")) {
    structure(result, false);
  } else if (peek().is("enum")) {
    enumeration(result, false);
  } else if (peek().is("namespace") || peek().is("using")) {
    namespaceOrUsing(result);
  } else if (accept("typedef")) {
    if (peek().is("struct")) {
      structure(result, true);
    } else if (peek().is("enum")) {
      enumeration(result, true);
    } else {
      TypeName type = typeName();
      const Token name = identifier("the type's new name");
      if (peek().is("[") || peek().is("(")) {
        fail(peek().span, "a typedef of an array or a function is not in the subset that is simulated",
             "write the type out where it is used");
      }
      alias(result, std::string(name.text), std::move(type), name.span);
      expect(";", "after the typedef");
    }
  } else {
    return false;
  }
  return true;
}

void Parser::alias(Unit& result, const std::string& name, TypeName type, SourceSpan span) {
  types_.insert(name);
  FileItem item;
  item.alias = Alias{name, std::move(type), span};
  result.items.push_back(std::move(item));
}

/// `namespace cg = cooperative_groups;`, `using namespace cooperative_groups;`, `using T = float;`
void Parser::namespaceOrUsing(Unit& result) {
  const SourceSpan span = peek().span;
  if (take().is("namespace")) {
    if (peek(1).is("=") && groupSpaces_.contains(peek(2).text) && peek(3).is(";")) {
      groupSpaces_.insert(std::string(take().text));
      at_ += 3;
      return;
    }
    fail(span, "namespaces are not in the subset that is simulated", "put the kernel at file scope");
  }
  if (accept("namespace")) {
    const Token name = peek();
    if (groupSpaces_.contains(name.text)) {
      usesGroups_ = true;
    } else if (!name.is("std") && !name.is("nvcuda")) {
      fail(name.span, fmt::format("the namespace '{}' is not known to the simulator", name.text),
           "remove it");
    }
    take();
    return expect(";", "after using namespace");
  }
  if (namespaceTokens(0) > 0) {  // using cooperative_groups::reduce;
    at_ += 2;
    take();
    usesGroups_ = true;
    return expect(";", "after using");
  }
  const Token name = identifier("the type's new name");
  expect("=", "after the type's new name");
  TypeName type = typeName();
  alias(result, std::string(name.text), std::move(type), name.span);
  expect(";", "after using");
}

ExpressionPtr Parser::alignment() {
  const bool isKeyword = accept("alignas");
  if (!isKeyword && !accept("__align__")) return nullptr;
  expect("(", "after the alignment");
  ExpressionPtr result = conditional();
  expect(")", "after the alignment");
  return result;
}

void Parser::structure(Unit& result, bool isTypedef) {
  const SourceSpan span = take().span;
  Structure type;
  type.alignment = alignment();
  type.span = span;
  if (!peek().is("{")) {
    const Token name = identifier("the name of the struct");
    type.name = name.text;
    type.span = name.span;
    types_.insert(type.name);
    if (accept(";")) return;  // declared ahead of its definition
  }
  if (peek().is(":")) {
    fail(peek().span, "inheritance is not in the subset that is simulated", "write the fields out");
  }
  expect("{", "to begin the struct");
  while (!peek().is("}")) {
    const bool isFunction = peek().is("__device__") || peek().is("__host__") || peek(1).is("(") ||
                            (isTypeStart(0) && peek(2).is("("));
    if (isFunction) {
      fail(peek().span, "member functions are not in the subset that is simulated",
           "write a __device__ function that takes the struct");
    }
    StatementPtr field = makeStatement(Statement::Kind::Declaration, peek().span);
    const TypeName base = baseType();
    declarators(*field, base);
    type.fields.push_back(std::move(field));
  }
  take();
  if (isTypedef) {
    const Token name = identifier("the struct's name");
    if (!type.name.empty() && type.name != name.text) {
      TypeName named;
      named.base = type.name;
      FileItem item;
      item.structure = std::move(type);
      result.items.push_back(std::move(item));
      alias(result, std::string(name.text), std::move(named), name.span);
      return expect(";", "after the struct");
    }
    type.name = name.text;
    types_.insert(type.name);
  }
  expect(";", "after the struct");
  FileItem item;
  item.structure = std::move(type);
  result.items.push_back(std::move(item));
}

void Parser::enumeration(Unit& result, bool isTypedef) {
  Enumeration type;
  type.span = take().span;
  type.isScoped = accept("class") || accept("struct");
  type.underlying.base = "int";
  if (!peek().is("{") && !peek().is(":")) {
    const Token name = identifier("the name of the enum");
    type.name = name.text;
    type.span = name.span;
  }
  if (accept(":")) type.underlying = typeName();
  expect("{", "to begin the enum");
  while (!peek().is("}")) {
    Declarator enumerator;
    const Token name = identifier("the name of an enumerator");
    enumerator.name = name.text;
    enumerator.span = name.span;
    if (accept("=")) enumerator.initial = conditional();
    type.enumerators.push_back(std::move(enumerator));
    if (!accept(",")) break;
  }
  expect("}", "to end the enum");
  if (isTypedef) type.name = identifier("the enum's name").text;
  if (!type.name.empty()) types_.insert(type.name);
  expect(";", "after the enum");
  FileItem item;
  item.enumeration = std::move(type);
  result.items.push_back(std::move(item));
}

void Parser::templateParameters(Function& function) {
  expect("<", "after template");
  while (!peek().is(">")) {
    TemplateParameter parameter;
    if (accept("typename") || accept("class")) {
      parameter.isType = true;
      const Token name = identifier("the name of a template parameter");
      parameter.name = name.text;
      typeParameters_.insert(parameter.name);
      if (accept("=")) parameter.defaultType = typeName();
    } else {
      parameter.valueType = typeName();
      parameter.name = identifier("the name of a template parameter").text;
      if (accept("=")) {
        const bool before = std::exchange(inTemplateArguments_, true);
        parameter.defaultValue = conditional();
        inTemplateArguments_ = before;
      }
    }
    function.templateParameters.push_back(std::move(parameter));
    if (!accept(",")) break;
  }
  expectTemplateEnd("after the template parameters");
  if (peek().is("struct") || peek().is("class")) {
    fail(peek().span, "templates of structs are not in the subset that is simulated",
         "write the struct for the type you need");
  }
}

Parameter Parser::parameter() {
  Parameter result;
  result.type = typeName();
  result.span = peek().span;
  if (peek().is("..."))
    fail(peek().span, "parameter packs are not in the subset that is simulated", "list them");
  if (accept("(")) {  // float (&a)[4], float (*f)(float)
    fail(lastSpan(), "this kind of parameter is not in the subset that is simulated", "pass a pointer");
  }
  if (peek().kind == TokenKind::Identifier) {
    const Token name = identifier("a parameter's name");
    result.name = name.text;
    result.span = name.span;
  }
  if (accept("[")) {
    if (!accept("]")) {
      expression();
      expect("]", "after the array's extent");
    }
    if (peek().is("[")) {
      fail(peek().span, "a parameter that is an array of arrays is not in the subset that is simulated",
           "pass a pointer and compute the index");
    }
    ++result.type.pointers;
  }
  if (accept("=")) result.initial = assignment();
  return result;
}

/// Parameters and body; the body of a function that only the host runs is passed over.
void Parser::functionRest(Function& function, bool runsOnDevice) {
  const Token name = identifier("the name of a function");
  function.name = name.text;
  function.span = name.span;
  if (!function.templateParameters.empty()) templates_.insert(function.name);
  if (!runsOnDevice) return skipDeclaration();
  expect("(", "after the function's name");
  if (!accept(")")) {
    if (peek().is("void") && peek(1).is(")")) take();
    while (!peek().is(")")) {
      function.parameters.push_back(parameter());
      if (!accept(",")) break;
    }
    expect(")", "after the parameters");
  }
  if (accept(";")) return;
  if (!peek().is("{")) expect("{", "to begin the function's body");
  function.body = block();
}

// --- variables ---

StatementPtr Parser::declaration() {
  StatementPtr result = makeStatement(Statement::Kind::Declaration, peek().span);
  TypeName ahead;  // volatile __shared__ float s[32]
  while (true) {
    qualifiers(ahead);
    if (accept("extern")) {
      result->isExtern = true;
    } else if (accept("__shared__")) {
      result->isShared = true;
    } else if (accept("constexpr")) {
      result->isConstexpr = true;
    } else if (peek().is("__align__") || peek().is("alignas")) {
      alignment();
    } else if (!accept("static") && !accept("register")) {
      break;
    }
  }
  TypeName type = baseType();
  type.isConst |= ahead.isConst;
  type.isVolatile |= ahead.isVolatile;
  if (accept("__shared__")) result->isShared = true;
  declarators(*result, type);
  return result;
}

void Parser::declarators(Statement& statement, const TypeName& type) {
  statement.type = type;
  do {
    statement.declarators.push_back(declarator());
  } while (accept(","));
  statement.span.end = lastSpan().end;
  expect(";", "to end the declaration");
}

Declarator Parser::declarator() {
  Declarator result;
  alignment();
  while (accept("*")) {
    ++result.pointers;
    TypeName ofPointer;
    qualifiers(ofPointer);
  }
  if (accept("&")) result.isReference = true;
  if (peek().is("(")) {
    fail(peek().span,
         "pointers and references to arrays and functions are not in the subset that is simulated",
         "use a pointer to the element, or auto&");
  }
  const Token name = identifier("the name of a variable");
  result.name = name.text;
  result.span = name.span;
  while (accept("[")) {
    result.extents.push_back(peek().is("]") ? nullptr : expression());
    expect("]", "after the array's extent");
  }
  if (accept("=")) {
    result.initial = initializer();
  } else if (peek().is("{")) {
    result.initial = list();
  } else if (accept("(")) {
    ExpressionPtr values = make(Expression::Kind::List, lastSpan());
    arguments(*values, ")");
    const bool isOne = values->operands.size() == 1;
    result.initial = isOne ? std::move(values->operands[0]) : finish(std::move(values));
  }
  return result;
}

}  // namespace lanescope::syntax
