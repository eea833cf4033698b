#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/checker_state.h"
#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"
#include "sim/memory/machine_model.h"

namespace lanescope::checker {

// The checker's class, shared by its source files. Private to the checker.

/// Templates of aliases that need others.
constexpr int kMaxAliasDepth = 32;

/// For one variable at file scope or field, and for all the variables that a kernel uses.
constexpr std::uint64_t kMaxSymbolBytes = std::uint64_t{1} << 30;
/// For all arrays of a thread together. CUDA allows 512 KiB, but a simulated block has 1,024 of these.
constexpr std::uint64_t kMaxLocalBytes = 64 * 1024;
/// For all variables at file scope that a kernel uses and that have initial values: a check holds these.
constexpr std::uint64_t kMaxInitialBytes = std::uint64_t{64} << 20;

class Checker : TreeBuilder {
 public:
  Checker(const syntax::Unit& unit, std::vector<Diagnostic>& diagnostics) : TreeBuilder(unit, diagnostics) {}

  /// Checks a kernel with template arguments as written. Faults go to the diagnostics.
  typed::Kernel check(const syntax::Function& kernel, const syntax::Expression& name);
  /// The work of the check so far, in the units of TreeBuilder::spend().
  std::size_t work() const { return work_; }

  /// The variables at file scope that begin with addresses, and the variables at those addresses, with their
  /// initial values.
  std::vector<typed::GlobalSymbol> addressTables();

 private:
  using Values = std::vector<ExpressionPtr>;

  // check_lookup.cpp, check_types.cpp: names, types, file scope
  Scope& scope() { return scopes_.empty() ? file_ : scopes_.back(); }
  /// The open scopes, and these names in them.
  std::vector<Scope> scopesWith(Scope own) const {
    std::vector<Scope> scopes = scopes_;
    scopes.push_back(std::move(own));
    return scopes;
  }
  void pushScope() { scopes_.emplace_back(); }
  void popScope() { scopes_.pop_back(); }
  void declare(const std::string& name, SourceSpan span, Symbol symbol);
  std::uint32_t declareVariable(const std::string& name, SourceSpan span, const Type* type, bool isConst,
                                bool isReference = false, bool isRvalue = false);
  void declareUnchecked(const syntax::Statement& declaration);
  /// The meaning of a name: in a function, else at file scope. An item at file scope is checked on its first
  /// use.
  const Symbol* find(std::string_view name);
  const Symbol* find(const syntax::Expression& node);
  const Symbol* find(const syntax::TypeName& name);
  const Symbol* findBound(syntax::Binding binding, std::string_view name);
  const Symbol* findInScopes(std::string_view name) const;
  const Symbol* findAtFileScope(std::string_view name);
  const Symbol* aliasInProgress(std::string_view name);
  bool isFileScope() const { return scopes_.empty(); }
  void makeReport(const std::vector<Diagnostic>& diagnostics);
  void refuseFaulty(const std::vector<Diagnostic>& diagnostics);
  Symbol meaning(const syntax::TypeName& name);
  Symbol baseMeaning(const syntax::TypeName& name);
  Symbol returned(const syntax::Function& function);
  Symbol namedType(const syntax::TypeName& name);
  Symbol declaredType(const syntax::TypeName& name);
  const Type* resolve(const syntax::TypeName& name);
  void refuseNested(const Type* type, SourceSpan span);
  const Type* parameterType(const syntax::Parameter& parameter);
  bool isConstType(const syntax::TypeName& name) { return meaning(name).isConst; }
  void bindKernelArguments(const syntax::Function& kernel, const syntax::Expression& name);
  void fileItem(const syntax::FileItem& item);
  void enumeration(const syntax::Enumeration& node);
  std::vector<Symbol> enumerators(const syntax::Enumeration& node);
  const Type* enumOf(const syntax::Enumeration& node, const std::vector<Symbol>& values);
  std::uint64_t constantExtent(const syntax::Expression& node);
  ExpressionPtr asConstant(ExpressionPtr value);
  /// The result of `use` with an evaluator of constants, whose steps count as work.
  template <class Use>
  auto evaluate(SourceSpan span, const Use& use) {
    int steps = ConstantEvaluator::kMostSteps;
    auto result = use(ConstantEvaluator(kernel_, steps));
    spend(static_cast<std::size_t>(ConstantEvaluator::kMostSteps - steps) / kStepsOfWork, span);
    return result;
  }

  // check_classes.cpp, check_deduction.cpp: structs, classes, unions and their templates
  void structure(const syntax::Structure& node);
  void completeClass(Type& type, const syntax::Structure& node, Scope names);
  void refusePadding(const Type& type, const syntax::Structure& node);
  void classConstant(const syntax::Statement& node, const syntax::Declarator& declarator);
  void reportConstant(const Type* type, std::string_view name);
  std::uint32_t alignmentIn(const syntax::Expression& node);
  void classNames(const syntax::Structure& node);
  void addBases(const syntax::Structure& node, std::vector<Field>& fields);
  void addFields(const Type& type, const syntax::Structure& node, std::vector<Field>& fields);
  const Type* fieldType(const Type& type, const syntax::Statement& node, const syntax::Declarator& declarator,
                        bool& isReference);
  void addFieldNames(const Type& type, Scope& scope, bool isOfOuter);
  const Type* usedBase(const Type* type, std::string_view name);
  Scope visibleNames() const;
  const ClassInfo* findClass(const Type* type) const;
  const Type* classInstance(const syntax::TypeName& name);
  const syntax::Structure* primaryTemplate(std::string_view name) const;
  const std::vector<syntax::Function>& deductionGuides(const syntax::Structure& primary);
  const Type* deducedClass(const syntax::TypeName& name, const syntax::Expression* values);
  const Type* typeMade(const syntax::Expression& construction);
  Symbol aliasInstance(const syntax::TypeName& name, const syntax::Alias& alias);
  bool matchesAll(const TemplateArguments& written, const TemplateParameters& own,
                  const std::vector<Symbol>& arguments, Scope& bound);
  bool isCovered(std::string_view name, const TemplateParameters& primary, const Specialisation& one,
                 const Specialisation& by);
  bool isMoreSpecial(std::string_view name, const TemplateParameters& primary, const Specialisation& one,
                     const Specialisation& other);
  bool matches(const syntax::TemplateArgument& pattern, const Symbol& given,
               const TemplateParameters& parameters, Scope& bound);
  bool matchesArray(const syntax::TypeName& pattern, Symbol given, const TemplateParameters& parameters,
                    Scope& bound, const Scope* ofCall);
  bool matchesClass(const syntax::TypeName& pattern, std::string_view base, const Type* given,
                    const TemplateParameters& parameters, Scope& bound, bool mayBeBase);
  bool matchesType(const syntax::TypeName& pattern, Symbol given, const TemplateParameters& parameters,
                   Scope& bound, const Scope* ofCall = nullptr);
  TemplateArguments withDefaults(const TemplateArguments& written, const TemplateParameters& parameters,
                                 SourceSpan span);
  template <class Node>
  const Node* specialisation(std::string_view name, const Node* primary, const std::vector<const Node*>& all,
                             const BoundArguments& given, Scope& bound);
  const Symbol* memberNamed(const Type* type, std::string_view name) const;
  const Symbol* scopedSymbol(const syntax::Expression& node);
  std::optional<Operand> scopedField(const syntax::Expression& node);

  // check_methods.cpp: member functions and the objects they are called on
  bool hasSameParameters(const Callee& a, const Callee& b);
  void addMethods(const Type* type, std::string_view name, std::uint32_t offset, std::vector<Callee>& found);
  std::vector<Callee> methodsNamed(const Type* type, const syntax::Expression& node, std::string_view name);
  ExpressionPtr memberCall(const syntax::Expression& node);
  ExpressionPtr qualifiedCall(const syntax::Expression& node, Operand object);
  ExpressionPtr invoke(const syntax::Expression& node);
  ExpressionPtr invokeOperand(const syntax::Expression& node, Operand callee, std::size_t firstArgument);
  std::vector<Operand> readOperands(const syntax::Expression& node, std::size_t first);
  Glvalue placed(Operand object);
  Glvalue basePart(Operand object, const Type* base, const syntax::Expression& node);
  ExpressionPtr objectAddress(Operand object);
  Glvalue materialised(ExpressionPtr value);
  Operand thisOperand(SourceSpan span);
  ExpressionPtr scopedCall(const syntax::Expression& node);

  // check_objects.cpp, check_initialisation.cpp: the start of objects
  bool hasConstructors(const Type* type) const;
  bool needsConstruction(const Type* type) const;
  ExpressionPtr constructed(const Type* type, std::vector<Operand> arguments, SourceSpan span,
                            bool isCopied = false);
  std::vector<Callee> findConstructors(const Type* type);
  const Type* usedBase(const Type* type, const syntax::TypeName& name);
  ExpressionPtr inheritedCall(const Type* type, const Callee& inherited, ExpressionPtr address,
                              std::vector<Operand> arguments, SourceSpan span);
  bool isConstructible(const std::vector<Callee>& constructors, const std::vector<Operand>& arguments,
                       SourceSpan span);
  std::vector<Callee> findConstructorsFor(const Type* type, const std::vector<Operand>& arguments);
  syntax::Function& implicitFunction(const syntax::Structure& node, std::string_view kind);
  void addImplicit(const Type* type, bool isAssignment, std::vector<Callee>& functions);
  bool isSameOrDerived(const Type* type, const Type* base) const;
  enum class CopyBy : std::uint8_t { Construction, Assignment };
  bool isCopy(const syntax::Function& method, const Type* type);
  bool copiesConst(const Type* type, bool isAssignment);
  bool isCopiedByCalls(const Type* type, CopyBy by);
  bool choosesCopy(const Type* type, CopyBy by);
  bool isCopyDeleted(const Type* type, CopyBy by);
  std::vector<Callee> pureFunctions(const Type* type);
  void refuseAbstract(const Type* type, SourceSpan span);
  ExpressionPtr listValue(const syntax::Expression& node, const Type* type, SourceSpan span);
  Candidate chooseConstructor(const Type* type, const std::vector<Operand>& arguments, SourceSpan span);
  void copyMembers(const syntax::Function& function, std::uint32_t other, typed::Statement& into);
  ExpressionPtr constructorCall(const Type* type, ExpressionPtr address, std::vector<Operand> arguments,
                                SourceSpan span, bool isCopied = false);
  StatementPtr declareObject(const syntax::Statement& node, const Type* type,
                             const syntax::Declarator& declarator);
  bool doesAtBegin(const Type* type) const;
  void memberInitials(const syntax::Function& function, typed::Statement& into);
  void initialField(const Field& field, const syntax::Expression* given, const syntax::Expression* standard,
                    SourceSpan span, typed::Statement& into);
  void storeParts(Glvalue target, const syntax::Expression* list, SourceSpan span, typed::Statement& into);
  Glvalue makeCopy(const Glvalue& glvalue);
  ExpressionPtr makeCopy(const typed::Expression& node);
  ExpressionPtr storeInto(Glvalue target, ExpressionPtr value, SourceSpan span);
  bool isDerived(const Type* type, const Type* base, std::uint32_t& offset) const;

  // check_methods.cpp, check_conversions.cpp: operators and conversions of classes
  ExpressionPtr rewritten(std::vector<Operand>& operands, const syntax::Expression& node);
  std::vector<Conversion> builtInConversions(std::string_view name, std::span<const Operand> operands);
  bool isBuiltInBetter(const Candidate& own, std::string_view name, std::span<const Operand> operands,
                       SourceSpan span);
  ExpressionPtr overloaded(std::string_view name, std::vector<Operand>& operands,
                           const syntax::Expression& node);
  ExpressionPtr classConversion(Operand& operand, const Type* type, SourceSpan span, bool isDirect = false);
  ExpressionPtr classConversion(ExpressionPtr& value, const Type* type, SourceSpan span,
                                bool isDirect = false);
  ExpressionPtr explicitly(Operand& given, const Type* type, SourceSpan span);
  ExpressionPtr asScalar(ExpressionPtr value);
  Operand reloaded(ExpressionPtr value);
  std::vector<Callee> findConversions(const Type* type);
  Operand conversionResult(const Candidate& conversion);
  ExpressionPtr convertBy(const Candidate& conversion, Operand operand, SourceSpan span);

  // check_function_values.cpp: lambdas
  ExpressionPtr lambda(const syntax::Expression& node);
  void captureOne(const std::string& name, SourceSpan span, bool isReference, Operand given,
                  std::vector<Field>& fields, Values& values);
  void captureAll(const syntax::Closure& closure, std::vector<Field>& fields, Values& values);
  bool lambdaField(std::string_view name) const;

  // check_statements.cpp
  StatementPtr statement(const syntax::Statement& node);
  StatementPtr plainStatement(const syntax::Statement& node);
  StatementPtr scoped(StatementKind kind, SourceSpan span, SourceSpan end,
                      const std::function<void(typed::Statement&)>& fill);
  StatementPtr block(const syntax::Statement& node);
  StatementPtr ifStatement(const syntax::Statement& node);
  StatementPtr loop(const syntax::Statement& node);
  StatementPtr switchStatement(const syntax::Statement& node);
  StatementPtr caseLabel(const syntax::Statement& node, const Type* type, std::vector<std::uint64_t>& seen);
  StatementPtr jump(const syntax::Statement& node);
  StatementPtr returnStatement(const syntax::Statement& node);
  void deduceReturn(const std::optional<Operand>& given, SourceSpan span);
  StatementPtr expressionStatement(ExpressionPtr expression, SourceSpan span);

  // check_statements.cpp: labels
  void declareLabels(const syntax::Statement& block);
  void passLabels(std::size_t first, std::size_t now);
  StatementPtr gotoStatement(const syntax::Statement& node);
  void wrapLabelled(std::size_t first, typed::Statement& block);

  // check_bit_fields.cpp
  BitRange bitRange(const syntax::Declarator& declarator, const Type& type);
  void refuseSplitBits(const Type& type, const syntax::Structure& node);
  ExpressionPtr bitFieldIn(ExpressionPtr storage, const BitRange& bits, const Type* type);
  ExpressionPtr withBits(ExpressionPtr storage, const BitRange& bits, ExpressionPtr value);
  ExpressionPtr storeBits(Glvalue target, ExpressionPtr value, SourceSpan span);

  // check_memory.cpp: malloc, new, free, delete
  ExpressionPtr allocated(const syntax::Expression& node);
  ExpressionPtr released(const syntax::Expression& node);
  ExpressionPtr newObject(const syntax::Expression& node);
  ExpressionPtr newArray(const syntax::Expression& node);
  ExpressionPtr begun(const Type* type, ExpressionPtr address, const syntax::Expression* list,
                      SourceSpan span);
  ExpressionPtr withValues(ExpressionPtr array, const syntax::Expression& list);
  ExpressionPtr deleteObject(const syntax::Expression& node);

  // check_object_ends.cpp
  bool needsDestruction(const Type* type) const;
  bool hasVirtualDestructor(const Type* type) const;
  const syntax::Function* findDestructor(const Type* type) const;
  void destroyParts(const Type* type, const typed::Expression& address, SourceSpan span, Values& into);
  ExpressionPtr destroyed(const Type* type, const typed::Expression& address, SourceSpan span);
  ExpressionPtr destroyedByClass(const Type* type, std::uint32_t held, SourceSpan span);
  ExpressionPtr destroyedBehind(ExpressionPtr pointer, bool isVirtual, SourceSpan span);
  ExpressionPtr destructorCall(const syntax::Expression& node);
  void noteAlive(const std::string& name);
  void destroyFrom(std::size_t first, SourceSpan span, typed::Statement& into,
                   std::optional<std::uint32_t> except = std::nullopt);
  void destroyAll(const std::vector<std::uint32_t>& objects, SourceSpan span, typed::Statement& into);
  void endObjects(std::size_t first, SourceSpan span, typed::Statement& into);
  StatementPtr inScope(const syntax::Statement& node);
  bool isTemporaryObject(const typed::Expression& value) const;
  StatementPtr endedAtOnce(ExpressionPtr value, SourceSpan span);

  // check_virtual.cpp: virtual functions
  void addClassNumber(const syntax::Structure& node, std::vector<Field>& fields, ClassInfo& info);
  ExpressionPtr marked(const Type* type, const typed::Expression& address, SourceSpan span);
  StatementPtr markClass(SourceSpan span);
  bool overrides(const Candidate& known, const syntax::Function& method, const Type* owner);
  bool isVirtual(const Candidate& candidate, const Type* type);
  bool isVirtualCall(const Candidate& candidate, const Operand& object);
  std::optional<Callee> overrider(const Candidate& candidate, const Type* type, std::uint32_t offset);
  ExpressionPtr sliced(ExpressionPtr part);
  ExpressionPtr storeObject(Glvalue target, ExpressionPtr object, SourceSpan span);
  void resolveAllocated(const syntax::Expression& node);
  std::vector<ClassPart> listClasses(const Type* base);
  std::optional<Callee> overriderOfPart(const Candidate& candidate, const Type* type, std::uint32_t offset,
                                        std::uint32_t part);
  ExpressionPtr noCallee(const Type* result, SourceSpan span);
  ExpressionPtr classIn(std::uint32_t held, std::uint32_t offset, SourceSpan span);
  ExpressionPtr ifClass(ExpressionPtr number, const ClassPart& one, ExpressionPtr yes, ExpressionPtr no);
  ExpressionPtr wholeObject(std::uint32_t held, SourceSpan span);
  ExpressionPtr virtualCall(const syntax::Expression& node, const Candidate& candidate,
                            std::vector<Operand> arguments, Operand object);
  ExpressionPtr callOfClass(const syntax::Expression& node, const Callee& callee, std::uint32_t part,
                            const Candidate& candidate, const std::vector<std::uint32_t>& held,
                            const Type* result);

  // check_function_values.cpp: pointers to functions
  const Type* functionType(const std::vector<const Type*>& signature);
  const Type* functionType(const syntax::TypeName& name);
  const std::vector<const Type*>* makeSignature(const Type* type) const;
  const Type* typeOfFunction(const syntax::Function& function, const Scope& bound);
  ExpressionPtr functionAddress(const syntax::Expression& node);
  std::optional<FunctionInstance> instanceNamed(std::string_view name, const TemplateArguments& arguments,
                                                SourceSpan span);
  std::optional<Symbol> functionNamed(const syntax::TypeName& name);
  void pointTo(const FunctionInstance& instance);
  const syntax::Function* functionAt(std::uint64_t bits, const Type* type);
  std::vector<std::pair<Candidate, std::uint64_t>> listFunctions(const Type* type,
                                                                 const std::vector<const Type*>& signature);
  ExpressionPtr callThrough(const syntax::Expression& node, Operand& callee, std::size_t firstArgument);

  // check_types.cpp, check_declarations.cpp: arrays, loops over them and over objects
  const Type* findArray(const Type* element, const std::vector<syntax::ExpressionPtr>& extents);
  const Type* withArray(const Type* element, const syntax::TypeName& name, bool isConst);
  StatementPtr rangeLoop(const syntax::Statement& node);
  Operand listedRange(const syntax::Expression& written, typed::Statement& into);
  void declareHeld(const std::string& name, const Type* pointer, Operand range, typed::Statement& into);
  void declareRange(const syntax::Statement& node, Operand range, typed::Statement& into);
  void indexLoop(const syntax::Statement& node, Operand range, typed::Statement& outer,
                 typed::Statement& loop);
  void iteratorLoop(const syntax::Statement& node, Operand range, typed::Statement& outer,
                    typed::Statement& loop);

  // check_library.cpp: templates of std::, constexpr functions
  ExpressionPtr narrowAtomic(const syntax::Expression& node, const Type* type);
  ExpressionPtr numericLimit(const syntax::Expression& node, const Type* type);
  ExpressionPtr standardTemplate(const syntax::Expression& node);
  ExpressionPtr foldedCall(ExpressionPtr call);

  // check_declarations.cpp
  StatementPtr declaration(const syntax::Statement& node);
  void declareShared(const syntax::Statement& node, const syntax::Declarator& declarator);
  StatementPtr declareLocal(const syntax::Statement& node, const syntax::Declarator& declarator,
                            const Type* deduced);
  StatementPtr declareArray(const syntax::Statement& node, const syntax::Declarator& declarator);
  const syntax::Expression* spelled(const Type& type, const syntax::Expression* node);
  std::optional<Glvalue> arrayNamed(const syntax::Expression& node);
  ExpressionPtr copied(Operand given, SourceSpan span);
  bool isConstVariable(const syntax::Statement& node, const syntax::Declarator& declarator,
                       const Type* deduced);
  ExpressionPtr directValue(const syntax::Expression& node, const Type* type);
  StatementPtr declareCopy(const syntax::Statement& node, const syntax::Declarator& declarator, Glvalue from);
  void expectParts(const Type& type, const syntax::Declarator& declarator);
  void copyParts(const Glvalue& from, const Glvalue& to, CopyBy by, bool isMove, SourceSpan span,
                 typed::Statement& into);
  void bindNames(const syntax::Declarator& declarator, typed::Statement& into);
  StatementPtr declareReference(const syntax::Statement& node, const syntax::Declarator& declarator);
  const Type* arrayType(const syntax::Statement& node, const syntax::Declarator& declarator,
                        std::uint64_t mostBytes);

  // check_symbols.cpp: variables at file scope
  void declareSymbols(const syntax::Function& kernel);
  void declareSymbol(const syntax::Statement& node, const syntax::Declarator& declarator, const Type* type);
  bool declareStatic(const syntax::Statement& node, const syntax::Declarator& declarator);
  Symbol addSymbol(const syntax::Statement& node, const syntax::Declarator& declarator, const Type* type,
                   std::string name);
  bool isGiven(const typed::Expression& value) const;
  void fillEvaluated(const Type& type, const std::vector<std::byte>& bytes, SourceSpan span, std::size_t at,
                     typed::GlobalSymbol& into);
  void fillStandard(const Type& type, SourceSpan span, typed::GlobalSymbol& into);
  void fillBytes(const Type& type, const syntax::Expression& given, std::size_t at,
                 typed::GlobalSymbol& into);
  void fillValue(const typed::Expression& value, std::size_t at, typed::GlobalSymbol& into);
  void fillParts(const Type& type, const syntax::Expression& list, std::size_t& next, std::size_t at,
                 typed::GlobalSymbol& into);
  void fillBits(const Field& field, const syntax::Expression& given, std::size_t at,
                typed::GlobalSymbol& into);
  void fillScalar(const Type& type, const typed::Expression& value, std::size_t at,
                  typed::GlobalSymbol& into);
  std::optional<typed::SymbolAddress> symbolAddress(const typed::Expression& value) const;
  bool pointsAnywhere(const syntax::Expression* initial) const;

  // check_values.cpp, check_initialisation.cpp: literals, names, members, casts, lists
  ExpressionPtr integerLiteral(const syntax::Expression& node);
  ExpressionPtr characterLiteral(const syntax::Expression& node);
  ExpressionPtr floatingLiteral(const syntax::Expression& node);
  static bool isIndexVector(const syntax::Expression& node);  ///< threadIdx and its like
  Operand named(const syntax::Expression& node);
  const Field& findField(const Type* type, const syntax::Expression& node);
  ExpressionPtr construct(const Type* type, const syntax::Expression& list);
  void constructInto(const Type* type, const syntax::Expression* list, SourceSpan span, Values& leaves);
  void constructParts(const Type* type, const syntax::Expression* list, std::size_t& next, SourceSpan span,
                      Values& leaves);
  bool isAggregate(const Type* type) const;
  void eachPart(const Type& type, const syntax::Expression* list, std::size_t& next, std::uint32_t at,
                bool onlyGiven, const std::function<void(const Part&)>& use);
  ExpressionPtr elidedValue(const Part& part, const syntax::Expression& list, std::size_t& next);
  void constructDefault(const Type& type, const Part& part, SourceSpan span, Values& leaves);
  ExpressionPtr constructUnion(const Type* type, const syntax::Expression& given, SourceSpan span);
  const syntax::Expression* givenFor(const Type& type, std::size_t part, const syntax::Expression& list,
                                     std::size_t next);
  void refuseRest(const Type& type, const syntax::Expression& list, std::size_t next);
  bool isCopyList(const Type* type, const syntax::Expression& list);
  bool isOfType(const syntax::Expression& node, const Type* type);
  bool isElided(const Type* part, const syntax::Expression& given);
  ExpressionPtr initialValue(const syntax::Expression& node, const Type* type, SourceSpan span);
  ExpressionPtr cast(const syntax::Expression& node);
  ExpressionPtr computeSize(const syntax::Expression& node);
  ExpressionPtr computeOffset(const syntax::Expression& node);

  // check_places.cpp: expressions that name memory or a variable, its value and its address
  Operand operand(const syntax::Expression& node);
  Operand movedOperand(const syntax::Expression& written);
  Glvalue behind(ExpressionPtr pointer, SourceSpan span);
  Operand asOperand(Glvalue glvalue);
  Operand asOperand(ExpressionPtr value);
  ExpressionPtr makeValue(Operand operand);
  ExpressionPtr valueOrNothing(Operand operand);
  Operand storedOperand(ExpressionPtr value);
  Operand asPlace(Operand operand);
  ExpressionPtr placeOf(ExpressionPtr value);
  Glvalue namedGlvalue(const syntax::Expression& node);
  Glvalue symbolGlvalue(const Symbol& symbol, const syntax::Expression& node);
  Operand member(const syntax::Expression& node);
  ExpressionPtr indexMember(const syntax::Expression& node);
  Operand pointedTo(Operand object, const syntax::Expression& node);
  Operand outerObject(Operand lambda, SourceSpan span);
  Glvalue part(Glvalue whole, const Field& field, SourceSpan span);
  Operand indexed(const syntax::Expression& node);
  Operand followed(const syntax::Expression& node);
  ExpressionPtr load(Glvalue glvalue);
  ExpressionPtr makeAddress(Glvalue glvalue);

  // check_expressions.cpp: operators
  ExpressionPtr expression(const syntax::Expression& node);
  ExpressionPtr value(const syntax::Expression& node);  ///< anything but void
  ExpressionPtr condition(const syntax::Expression& node);
  ExpressionPtr unary(const syntax::Expression& node);
  ExpressionPtr increment(const syntax::Expression& node, bool isPostfix);
  ExpressionPtr update(Glvalue target, ExpressionPtr right, const syntax::Expression& node, bool isStep,
                       bool yieldsOld);
  ExpressionPtr binary(const syntax::Expression& node);
  void refuseStore(const syntax::Expression& node);
  ExpressionPtr assign(const syntax::Expression& node);
  Operand conditional(const syntax::Expression& node);
  void matchObjects(Operand& yes, Operand& no, SourceSpan span);
  void matchValues(ExpressionPtr& yes, ExpressionPtr& no, const syntax::Expression& node);
  Operand comma(const syntax::Expression& node);
  ExpressionPtr logical(const syntax::Expression& node);
  void discard(typed::Expression& node);

  // check_conversions.cpp, check_arithmetic.cpp: conversions, arithmetic, pointers
  ExpressionPtr convert(ExpressionPtr value, const Type* type);
  ExpressionPtr convertImplicitly(ExpressionPtr value, const Type* type, SourceSpan span);
  ExpressionPtr toBool(ExpressionPtr value);
  void refuseVectors(std::string_view sign, const Type& a, const Type* b, SourceSpan span);
  ExpressionPtr arithmetic(typed::BinaryOp op, ExpressionPtr a, ExpressionPtr b, SourceSpan span,
                           std::string_view sign);
  ExpressionPtr operate(std::string_view sign, ExpressionPtr a, ExpressionPtr b, SourceSpan span);
  ExpressionPtr pointerStep(ExpressionPtr pointer, ExpressionPtr index, bool negative, SourceSpan span);
  ExpressionPtr moved(ExpressionPtr pointer, std::int64_t bytes, const Type* element, bool isConst);
  ExpressionPtr movedUnlessNull(ExpressionPtr pointer, std::int64_t bytes, const Type* element, bool isConst);

  // check_functions.cpp, check_lookup.cpp, check_templates.cpp: overloads, __device__ functions, their
  // template parameters
  ExpressionPtr call(const syntax::Expression& node);
  std::vector<Callee> functionsNamed(const syntax::Expression& node);
  void addFileFunctions(const syntax::Expression& node, std::string_view name,
                        std::vector<Callee>& functions) const;
  void addHome(const syntax::Home& home, std::vector<Callee>& functions) const;
  void addFunctionsOfArguments(const syntax::Expression& node, std::string_view name,
                               const std::vector<Operand>& arguments, std::vector<Callee>& functions) const;
  void addAssociated(const Type* type, std::set<const Type*>& classes,
                     std::set<std::string_view>& spaces) const;
  void expectArguments(const syntax::Expression& node, std::size_t least, std::size_t most);
  std::string bindTemplate(const syntax::Function& function, const TemplateArguments& given,
                           std::span<const Operand> arguments, Scope& bound);
  std::string bindAllGiven(std::string_view name, const TemplateParameters& parameters,
                           const TemplateArguments& given, Scope& bound);
  std::string bindStandard(std::string_view name, const TemplateParameters& parameters, Scope& bound);
  BoundArguments boundArguments(std::string_view name, const TemplateParameters& parameters,
                                const TemplateArguments& written, SourceSpan span);
  std::optional<Symbol> templateNamed(std::string_view name);
  Symbol variableValue(const syntax::FileItem& item, Scope bound, const std::string& shown);
  ExpressionPtr variableInstance(const syntax::Expression& node);
  Symbol standardArgument(const syntax::TemplateParameter& parameter, const Scope& bound);
  std::string bindGiven(std::string_view name, const syntax::TemplateParameter& parameter,
                        const syntax::TemplateArgument& argument, Scope& bound);
  void specialise(Candidate& candidate);
  void specialiseMember(Candidate& candidate);
  std::optional<std::uint64_t> findLaunchBound(const syntax::Function& kernel);
  const syntax::Function& specialisedKernel(const syntax::Function& kernel);
  bool isFor(const syntax::Function& specialisation, const Candidate& candidate);
  std::optional<syntax::TypeName> withoutAlias(const syntax::TypeName& pattern);
  ExpressionPtr callWith(const syntax::Expression& node, const std::vector<Callee>& functions,
                         std::vector<Operand> arguments, std::optional<Operand> object = {},
                         bool isQualified = false);
  ExpressionPtr finishCall(const syntax::Expression& node, const Candidate& candidate,
                           std::vector<Operand> arguments, ExpressionPtr object);
  ExpressionPtr referred(ExpressionPtr reference, bool isRvalue);
  const Field* fieldNamed(const syntax::Expression& node);
  ExpressionPtr argumentFor(const syntax::Parameter& parameter, const Type* type, Operand operand);
  ExpressionPtr passed(Operand operand, const Type* type, SourceSpan span);
  ExpressionPtr plainCopy(Operand operand, const Type* type, SourceSpan span);
  ExpressionPtr referenceTo(const Type* type, Operand operand, bool isRvalue = false);
  std::uint32_t instantiate(const Candidate& candidate, const syntax::Expression& node);
  void functionBody(const Candidate& candidate, std::uint32_t index);
  void noteResult(typed::Function& instance) const;
  std::uint32_t addResult(const std::string& name, SourceSpan span);
  std::string instanceName(const Candidate& candidate);
  std::string argumentText(const Symbol& bound);

  // check_conversions.cpp, check_overloads.cpp: implicit conversion sequences, and the choice of a function
  // by them
  using Operands = std::span<const Operand>;
  Conversion standardConversion(const Operand& operand, const Type* type) const;
  Conversion conversion(const Operand& operand, const Type* type, bool mayUseClasses = true);
  Conversion listConversion(const Operand& operand, const Type* type);
  Conversion referenceConversion(const Operand& operand, const Type* reference, bool isRvalue,
                                 bool mayUseClasses);
  Conversion objectConversion(const Operand& object, const Candidate& candidate) const;
  int compare(const Conversion& a, const Conversion& b) const;
  int compare(const Candidate& a, const Candidate& b, std::size_t arguments);
  bool isDerivedPart(const Type* type, const Type* base) const;
  bool isAsSpecial(const Candidate& a, const Candidate& b, std::size_t arguments);
  int compareTemplates(const Candidate& a, const Candidate& b, std::size_t arguments);
  bool isOfConstantMemory(const Glvalue& glvalue) const;
  bool isConst(const Operand& object) const;
  std::optional<Candidate> classConversion(const Operand& operand, const Type* type, bool isDirect,
                                           Conversion& found, const Type* reference = nullptr,
                                           bool isRvalue = false);
  Candidate memberCandidate(const Callee& callee) const;
  Candidate conversionCandidate(const Callee& callee, const Type* type);
  bool fillCandidate(Candidate& candidate, const syntax::Expression& node, Operands arguments,
                     const Operand* object, std::string& reason, bool mayUseClasses);
  bool fillParameters(Candidate& candidate, Operands arguments, std::string& reason, bool mayUseClasses);
  bool fits(Candidate& candidate, const syntax::Expression& node, Operands arguments, const Operand* object,
            std::string& reason, bool mayUseClasses);
  void checkReturnType(const Candidate& candidate);
  void declareUnevaluated(const Candidate& candidate);
  bool isMet(const Candidate& candidate);
  bool isMet(const syntax::Expression& constraint);
  Choice choose(const syntax::Expression& node, const std::vector<Callee>& functions, Operands arguments,
                const Operand* object, std::string& reason, bool mayUseClasses = true);
  std::optional<Candidate> bestCandidate(const syntax::Expression& node, const std::vector<Callee>& functions,
                                         Operands arguments, const Operand* object, std::string& reason);
  Candidate chooseFunction(const syntax::Expression& node, const std::vector<Callee>& functions,
                           Operands arguments, const Operand* object);

  // check_packs.cpp: parameter packs
  template <class Pattern>
  std::size_t packCount(const Pattern& pattern, SourceSpan span, PackSizes& packs);
  void setPackSize(const syntax::TemplateParameter& pack, std::size_t size, SourceSpan span,
                   PackSizes& sizes);
  void countCopied(std::size_t nodes, SourceSpan span);
  const syntax::Expression& expandedPacks(const syntax::Expression& node);
  std::vector<syntax::ExpressionPtr> listElements(const syntax::Expression& pattern, SourceSpan span);
  TemplateArguments expandedArguments(const TemplateArguments& arguments, SourceSpan span);
  ExpressionPtr foldPacks(const syntax::Expression& node);
  ExpressionPtr emptyFold(const syntax::Expression& node);
  ExpressionPtr sizeOfPack(const syntax::Expression& node);
  [[noreturn]] void failPack(std::string_view name, SourceSpan span);
  std::optional<std::size_t> packSize(const syntax::Function& function, const syntax::TemplateParameter& pack,
                                      const TemplateArguments& given,
                                      std::span<const Type* const> arguments) const;
  const syntax::Function* withPacks(const syntax::Function& function, const TemplateArguments& given,
                                    std::span<const Type* const> arguments, const Scope& around,
                                    SourceSpan span);
  syntax::Function expandedHead(const syntax::Function& function, const PackSizes& sizes);
  TemplateParameters expandedParameters(const TemplateParameters& parameters, const PackSizes& sizes);
  TemplateParameters expandedFor(const TemplateParameters& parameters, std::size_t given, SourceSpan span,
                                 PackSizes& sizes);

  // check_builtins.cpp and check_printf.cpp: CUDA's own functions
  using Maker = ExpressionPtr (*)(Checker&, const syntax::Expression&);
  static const std::unordered_map<std::string_view, Maker>& builtIns();
  static bool isBuiltIn(std::string_view name);
  void keepChecked(const syntax::Expression& node, std::vector<Operand> arguments);
  ExpressionPtr overloadOfBuiltIn(const syntax::Expression& node, const std::vector<Callee>& functions,
                                  std::vector<Operand> arguments);
  ExpressionPtr builtInCall(const syntax::Expression& node);
  ExpressionPtr argument(const syntax::Expression& node, std::size_t index, Type::Kind kind);
  void rejectRemoved(const syntax::Expression& node);
  void rejectNotSimulated(std::string_view name, SourceSpan span);
  void rejectHostClass(const Type* type, SourceSpan span);
  ExpressionPtr barrier(const syntax::Expression& node, typed::BarrierVote vote);
  ExpressionPtr fence(const syntax::Expression& node, bool isOfAllBlocks);
  ExpressionPtr hintedLoad(const syntax::Expression& node);
  ExpressionPtr hintedStore(const syntax::Expression& node);
  const Type* accessed(const syntax::Expression& node, const typed::Expression& address);
  ExpressionPtr clock(const syntax::Expression& node);
  ExpressionPtr withoutEffect(const syntax::Expression& node, std::size_t arguments);
  ExpressionPtr expected(const syntax::Expression& node);
  ExpressionPtr trap(const syntax::Expression& node, typed::AssertKind kind);
  ExpressionPtr matchAll(const syntax::Expression& node);
  ExpressionPtr warpBarrier(const syntax::Expression& node);
  ExpressionPtr shuffle(const syntax::Expression& node, typed::ShuffleKind kind);
  ExpressionPtr makeShuffle(typed::ShuffleKind kind, ExpressionPtr mask, ExpressionPtr value,
                            ExpressionPtr lane, ExpressionPtr width, SourceSpan span);
  ExpressionPtr vote(const syntax::Expression& node, typed::VoteOp op);
  ExpressionPtr makeVote(typed::VoteOp op, ExpressionPtr mask, ExpressionPtr value, SourceSpan span);
  ExpressionPtr atomic(const syntax::Expression& node, typed::AtomicOp op, bool isSubtraction);
  ExpressionPtr minimumOrMaximum(const syntax::Expression& node, typed::BinaryOp op, Type::Kind kind);
  ExpressionPtr math(const syntax::Expression& node, typed::MathOp op, int operands, Type::Kind kind);
  ExpressionPtr absolute(const syntax::Expression& node);
  ExpressionPtr bits(const syntax::Expression& node, typed::BitOp op, bool isLong);
  ExpressionPtr sameBits(const syntax::Expression& node, Type::Kind from, Type::Kind to);
  ExpressionPtr makeVector(const syntax::Expression& node);
  ExpressionPtr print(const syntax::Expression& node);
  ExpressionPtr printed(const syntax::Expression& node, const std::string& conversion,
                        typed::PrintFormat& format);
  ExpressionPtr printedText(const syntax::Expression& node, typed::PrintFormat& format);
  Glvalue text(const syntax::Expression& node);
  ExpressionPtr assertion(const syntax::Expression& node);
  ExpressionPtr staticAssertion(const syntax::Expression& node);

  // check_library.cpp: functions of a lane, functions written in CUDA C++, constants
  ExpressionPtr laneFunction(const syntax::Expression& node);
  ExpressionPtr laneFunction(std::string_view name, Values values, SourceSpan span);
  ExpressionPtr laneCall(std::uint32_t function, Values arguments, SourceSpan span);
  ExpressionPtr libraryCall(std::string_view name, Values arguments, SourceSpan span);

  // check_arithmetic.cpp: numbers of 16 bits
  ExpressionPtr convertHalf(ExpressionPtr value, const Type* type);
  ExpressionPtr operateOnHalves(std::string_view sign, ExpressionPtr a, ExpressionPtr b, SourceSpan span);
  ExpressionPtr negativeHalf(ExpressionPtr value, SourceSpan span);
  static std::vector<Callee> libraryFunctions(std::string_view name);
  ExpressionPtr standardConstant(const syntax::Expression& node);

  // check_groups.cpp: cooperative groups
  ExpressionPtr groupFunction(const syntax::Expression& node);
  ExpressionPtr groupMethod(const syntax::Expression& node);
  ExpressionPtr gridMethod(const syntax::Expression& node);
  ExpressionPtr coalescedMethod(const syntax::Expression& node, ExpressionPtr group);
  std::string groupOperator(const syntax::Expression& node, const syntax::Expression& with);
  ExpressionPtr groupValue(const syntax::Expression& node, std::string_view verb,
                           std::string_view participle);
  ExpressionPtr partition(const syntax::Expression& node);
  ExpressionPtr coalesced(ExpressionPtr lanes, SourceSpan span);
  ExpressionPtr groupReduce(const syntax::Expression& node);
  ExpressionPtr groupScan(const syntax::Expression& node);
  ExpressionPtr groupRank(const Type& group, SourceSpan span);
  ExpressionPtr groupSize(const Type& group, SourceSpan span);
  ExpressionPtr tileBegin(const Type& group, SourceSpan span);
  ExpressionPtr groupMask(const Type& group, SourceSpan span);
  ExpressionPtr groupBarrier(const Type& group, SourceSpan span);
};

}  // namespace lanescope::checker
