#pragma once

#include <string>

#include "sim/random_programs/expressions.h"
#include "sim/random_programs/program.h"

namespace lanescope::random_programs {

/// Writes declarations, functions and statements over arithmetic types: scopes that hide names, loops that
/// end, calls of overloaded functions. `@` stands for the namespace that the program is in.
class Statements {
 public:
  Statements(Random& random, Words& words) : random_(random), expressions_(random), words_(words) {}

  /// Constants, variables and functions at file scope.
  std::string declarations();
  /// Statements for the body of a function with the parameter `out`.
  std::string body();

 private:
  void line(const std::string& text) { text_ += std::string(2 * indent_, ' ') + text + "\n"; }
  void open(const std::string& text);
  void close(const std::string& text = "}");
  void write();
  void some(unsigned most, int depth);
  void statement(int depth);
  void plain();
  void declare();
  void declareArray();
  void declareAlias();
  void declareLambda();
  void branch(int depth);
  void loop(int depth);
  void eachElement(int depth);
  void choice(int depth);
  void variableAtFileScope(const std::string& qualifier);
  void functions();
  void function(const std::string& qualifier, bool isStatic);
  std::string parametersOf(Function& function, bool isOverloaded);
  std::string returned(Function& function, unsigned percent);
  std::string newName();
  Variable& add(const std::string& name, Type type, Range range);
  std::size_t enter();
  void leave(std::size_t outer);

  Random& random_;
  Expressions expressions_;
  Words& words_;
  std::string text_;
  std::size_t indent_ = 0;
  std::size_t scope_ = 0;  ///< where the names of the innermost scope begin
  unsigned places_ = 0;
  int loops_ = 0;
  int mostLoops_ = 2;
  bool hasOut_ = false;
  std::size_t fileVariables_ = 0;
  std::size_t fileFunctions_ = 0;
};

}  // namespace lanescope::random_programs
