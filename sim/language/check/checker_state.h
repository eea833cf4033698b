#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/language/check/checker_symbols.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// The state of a kernel's checker. Private to the checker.
struct CheckerState {
  CheckerState(const syntax::Unit& unit, std::vector<Diagnostic>& diagnostics)
      : unit_(unit), diagnostics_(diagnostics) {}

  const syntax::Unit& unit_;
  std::vector<Diagnostic>& diagnostics_;
  typed::Kernel kernel_;
  Scope file_;                 ///< the used part of the file scope
  std::vector<Scope> scopes_;  ///< of the current function; none: file scope
  std::map<std::string, const syntax::FileItem*, std::less<>> items_;  ///< at file scope, still unused
  /// Templates of classes with their specialisations, by name.
  std::map<std::string, std::vector<const syntax::Structure*>, std::less<>> classTemplates_;
  std::map<std::string, const syntax::Alias*, std::less<>> aliasTemplates_;
  std::map<std::string, std::vector<const syntax::FileItem*>, std::less<>> variableTemplates_;
  std::map<const Type*, ClassInfo> classes_;
  std::map<std::string, const Type*> classInstances_;
  std::map<std::string, Symbol> variableInstances_;                ///< constants
  std::map<std::vector<const Type*>, const Type*> functionTypes_;  ///< by return type, then parameter types
  std::map<const syntax::Structure*, syntax::Function> implicitConstructors_;
  std::map<const syntax::Structure*, std::vector<syntax::Function>> deductionGuides_;  ///< of class templates
  /// Functions of templates that pointers may lead to, as far as they are known.
  std::vector<FunctionInstance> pointedTo_;
  /// Functions that call through pointers, by the type of the called functions and the size of pointedTo_ at
  /// the time.
  std::map<std::pair<const Type*, std::size_t>, syntax::Function> dispatchers_;
  std::map<const syntax::Declarator*, std::vector<Diagnostic>> constantFaults_;  ///< of static constants
  std::map<std::pair<const syntax::Expression*, std::string>, const Type*> lambdaTypes_;
  std::optional<ThisObject> this_;
  std::vector<const Type*> classScopes_;  ///< whose member functions can be called without an object's name
  bool returnsReference_ = false;         ///< the current function
  int classDepth_ = 0;                    ///< classes being completed
  int aliasDepth_ = 0;                    ///< templates of aliases being resolved
  int defaultDepth_ = 0;                  ///< default values of members being checked
  std::vector<std::string> inProgress_;   ///< keys of the functions being checked, to find recursion
  std::map<std::string, std::uint32_t> instances_;
  std::map<std::string, std::uint32_t>
      texts_;                 ///< string literals as written: variables with their addresses
  std::string functionName_;  ///< of the current function, with template arguments; empty: the kernel
  const Type* returnType_ = nullptr;
  std::uint32_t resultVariable_ = 0;
  std::uint32_t firstLocal_ = 0;           ///< of the current function: after its parameters
  std::optional<SourceSpan> librarySpan_;  ///< while a function of the library is checked: its call
  int loopDepth_ = 0;
  int switchDepth_ = 0;
  /// Objects of the current function, in order, whose destructors run at the end of their scopes.
  std::vector<std::uint32_t> alive_;
  std::vector<Label> labels_;     ///< of the blocks around the current statement
  std::size_t aliveAtLoop_ = 0;   ///< objects of alive_ from before the innermost loop
  std::size_t aliveAtBreak_ = 0;  ///< objects from before the innermost loop or switch
  /// Arguments that were checked to choose between a function of the text and one of CUDA.
  std::map<const syntax::Expression*, Operand> checked_;
  std::vector<syntax::ExpressionPtr> made_;  ///< the results of pack expansions
  std::map<std::pair<const syntax::Function*, std::vector<std::size_t>>, std::unique_ptr<syntax::Function>>
      packFunctions_;  ///< by template and its packs' elements
  std::uint32_t labelNumbers_ = 0;
  std::size_t expanded_ = 0;  ///< nodes of syntax that were copied for packs
  std::map<std::string, const syntax::Alias*, std::less<>>
      aliasesInProgress_;                             ///< at file scope, whose types are being read
  int variableDepth_ = 0;                             ///< variable templates whose value is being found
  int foldingSteps_ = ConstantEvaluator::kMostSteps;  ///< left for calls outside constant expressions
  int trials_ = 0;        ///< depth of values that are read only to learn their type
  std::size_t work_ = 0;  ///< checked expressions: templates and calls can need any number
};

/// Saves the state around the current function while something elsewhere is checked.
class Elsewhere {
 public:
  Elsewhere(CheckerState& checker, std::vector<Scope> scopes);
  ~Elsewhere();
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  CheckerState& checker_;
  std::vector<Scope> scopes_;
  std::string functionName_;
  const Type* returnType_;
  std::uint32_t resultVariable_;
  std::uint32_t firstLocal_;
  int loopDepth_;
  int switchDepth_;
  std::vector<std::uint32_t> alive_;
  std::vector<Label> labels_;
  std::size_t aliveAtLoop_;
  std::size_t aliveAtBreak_;
  std::optional<ThisObject> this_;
  std::vector<const Type*> classScopes_;
  bool returnsReference_;
};

/// While a loop's body is checked: the target of `break` and `continue` there.
class LoopScope {
 public:
  explicit LoopScope(CheckerState& checker)
      : checker_(checker),
        switchDepth_(std::exchange(checker.switchDepth_, 0)),
        atLoop_(std::exchange(checker.aliveAtLoop_, checker.alive_.size())),
        atBreak_(std::exchange(checker.aliveAtBreak_, checker.alive_.size())) {
    ++checker_.loopDepth_;
  }
  ~LoopScope() {
    --checker_.loopDepth_;
    checker_.switchDepth_ = switchDepth_;
    checker_.aliveAtLoop_ = atLoop_;
    checker_.aliveAtBreak_ = atBreak_;
  }
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

 private:
  CheckerState& checker_;
  int switchDepth_;
  std::size_t atLoop_;
  std::size_t atBreak_;
};

/// Within the library's functions, functions of the text (such as constructors) still see the text's names.
class OwnText {
 public:
  OwnText(CheckerState& checker, bool isOfLibrary)
      : checker_(checker),
        outer_(isOfLibrary ? checker.librarySpan_ : std::exchange(checker.librarySpan_, {})) {}
  ~OwnText() { checker_.librarySpan_ = outer_; }
  OwnText(const OwnText&) = delete;
  OwnText& operator=(const OwnText&) = delete;

 private:
  CheckerState& checker_;
  std::optional<SourceSpan> outer_;
};

/// While a function of the library is checked, its places are those of its call.
class LibraryCall {
 public:
  LibraryCall(CheckerState& checker, SourceSpan span);
  ~LibraryCall();
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

 private:
  CheckerState& checker_;
  bool isOuter_;
};

}  // namespace lanescope::checker
