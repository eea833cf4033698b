#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/language/parse/file_items.h"
#include "sim/language/parse/syntax.h"
#include "sim/language/text/scanner.h"

/// The parser's class, shared by its source files. Private to the parser.
namespace lanescope::syntax {

inline constexpr std::string_view kTypeHint =
    "types are bool, char, short, int, unsigned, long long, size_t, float, double, their vectors such as "
    "float4, the structs and enums of this file, and pointers";

/// Thrown to leave a declaration or statement that cannot be read; caught within the parser.
struct SyntaxFault {};

/// The limit for `*` of a type and for dimensions of an array, since functions recurse over a type.
inline constexpr std::uint32_t kMaxPointers = 16;
inline constexpr std::size_t kMaxExtents = 16;

/// The names in a class, and the classes that it derives from.
struct ClassNames;

/// What a block, a class or a template's head declares.
struct LocalName {
  bool isType = false;
  bool isTemplate = false;
  bool isDependent = false;                ///< on a template's parameters
  ClassNames* members = nullptr;           ///< of a class
  std::string spelled{};                   ///< of a class within itself: its name in the tree
  std::optional<FileNames::Found> file{};  ///< of a using declaration, or of a declaration of a function
  bool endsSearch = false;                 ///< of a declaration: the arguments' namespaces do not count
};

struct ClassNames {
  std::map<std::string, LocalName, std::less<>> names;
  std::vector<ClassNames*> bases;  ///< without those that depend on a template's parameters
  bool hasUnknownBase = false;
};

/// A scope around the current place.
struct NameScope {
  enum class Kind : std::uint8_t { Template, Class, Block } kind = Kind::Block;
  std::map<std::string, LocalName, std::less<>> names{};
  std::vector<Using> usings{};  ///< directives and other names of namespaces, of a block
  ClassNames* members = nullptr;
  bool isDependent = false;  ///< the members of a class within a template
};

/// What a name means at its place.
struct Meaning {
  enum class Of : std::uint8_t { Nothing, Scope, File } of = Of::Nothing;
  bool isType = false;
  bool isTemplate = false;
  bool isDependent = false;
  bool mayBeOfBase = false;  ///< of a base whose names are unknown
  bool endsSearch = false;   ///< the arguments' namespaces do not count
  ClassNames* members = nullptr;
  std::string spelled{};  ///< in the tree
  FileNames::Found file{};

  bool isValue() const { return of != Of::Nothing && !isType; }
};

/// Recursive descent over the tokens of one text.
class Parser {
 public:
  Parser(TokenizedText text, std::vector<Diagnostic>& diagnostics)
      : text_(std::move(text)),
        tokens_(std::move(text_.tokens)),
        diagnostics_(diagnostics),
        namesHalfType_(namesHalfType(tokens_)) {
    end_ = tokens_.size() - 1;
  }

  Unit unit();
  ExpressionPtr kernelName(const FileNames& names);

 private:
  /// Limits the parser's own stack.
  class DepthGuard {
   public:
    explicit DepthGuard(Parser& parser);
    ~DepthGuard() { --parser_.depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

   private:
    Parser& parser_;
  };

  // parser.cpp: tokens and types
  static bool isClassKey(const Token& token) {
    return token.is("struct") || token.is("class") || token.is("union");
  }
  static bool isStandardType(std::string_view word);
  LibraryParts joinStandard();
  void addStandardLibrary(LibraryParts used);
  static bool namesHalfType(const std::vector<Token>& tokens);
  const Token& peek(std::size_t ahead = 0) const {
    return at_ + ahead < end_ ? tokens_[at_ + ahead] : endToken_;
  }
  const Token& consume();
  bool accept(std::string_view text);
  SourceSpan lastSpan() const { return tokens_[at_ > 0 ? at_ - 1 : 0].span; }
  [[noreturn]] void fail(Diagnostic fault) const;
  [[noreturn]] void fail(SourceSpan span, std::string message, std::string hint) const;
  std::string found() const;
  void expect(std::string_view text, std::string_view where);
  void expectTemplateEnd(std::string_view where);
  Token identifier(std::string_view what);
  void rejectOutside();
  void skipStatement();
  std::size_t namespaceTokens(std::size_t ahead) const;
  std::string groupName(std::size_t ahead) const;
  bool isTypeStart(std::size_t ahead) const;
  std::size_t typeTokens(std::size_t ahead) const;
  std::size_t angleTokens(std::size_t ahead) const;
  std::size_t roundTokens(std::size_t ahead) const;
  bool isMemberType(std::size_t ahead, const Meaning& meant) const;
  bool isElaborated(std::size_t ahead) const;
  void qualifiers(TypeName& type);
  TypeName baseType();
  void typeRest(TypeName& type, const std::string& word, bool isTemplate);
  TypeName typeName();

  // parse_names.cpp
  static const LocalName* findMember(const ClassNames& members, std::string_view name,
                                     std::set<const ClassNames*>& seen, bool& isUnknown);
  Meaning meaning(const Token& token, bool ofTypes = false) const;
  std::vector<Using> localUsings() const;
  bool inTemplate() const;
  bool inBlock() const { return !scopes_.empty() && scopes_.back().kind == NameScope::Kind::Block; }
  bool isFileScope() const;
  void pushBlock() { scopes_.emplace_back(); }
  LocalName& declareLocal(std::string_view name, bool isType = false);
  std::string declaredName(const Token& name) const;
  Binding bindingOf(const Meaning& meant) const;
  void bind(Expression& name, const Meaning& meant, const Token& token) const;
  ClassNames* classNamed(const TypeName& type) const;
  void declareMember(const ItemRange& item, ClassNames& names);
  ClassNames& declareMembers(const Structure& type, std::string_view plainName, const ClassItems& items);

  // parse_declarations.cpp
  void readItem(const ItemRange& range, Unit& result);
  void topLevel(const ItemRange& range, Unit& result);
  [[noreturn]] void hostVariable(const ItemRange& range);
  bool skipAttribute();
  void skipToClosing();
  void addPointer(std::uint32_t& count);
  /// `* const * volatile &`, of a type or a declarator: counts the pointers, and notes which are const or
  /// volatile.
  template <class Declared>
  void pointers(Declared& declared) {
    while (accept("*")) {
      addPointer(declared.pointers);
      TypeName own;
      qualifiers(own);
      const std::uint32_t bit = 1u << (declared.pointers - 1);
      if (own.isConst) declared.constPointers |= bit;
      if (own.isVolatile) declared.volatilePointers |= bit;
    }
    if (!peek().is("&") && !peek().is("&&")) return;
    declared.isRvalue = consume().is("&&");
    declared.isReference = true;
  }
  bool isTypeParameter() const;
  void templateName(std::size_t number, TemplateParameter& parameter);
  bool declareType(Unit& result, std::vector<TemplateParameter> parameters = {});
  void typedefRest(Unit& result);
  void namespaceOrUsing(Unit& result, std::vector<TemplateParameter> parameters);
  void enumeration(Unit& result, bool isTypedef);
  void usingEnum(Unit& result);
  void alias(Unit& result, const std::string& name, TypeName type, SourceSpan span);
  /// Attributes that can be before a function's or variable's type, and between it and the name.
  struct Attributes {
    bool isDevice = false;
    bool isConstexpr = false;
    bool isConstant = false;
    bool isShared = false;
    bool isExtern = false;
    bool isStatic = false;
    std::vector<ExpressionPtr> alignments{};
  };
  void attributes(Function& function, Attributes& seen);
  void templateParameters(std::vector<TemplateParameter>& parameters);
  void functionRest(Function& function);
  void functionParameters(Function& function);
  void functionTail(Function& function);
  Parameter parameter();
  ExpressionPtr alignment();

  // parse_declarations.cpp: declarators
  void hoistSpecifiers();
  StatementPtr declaration();
  void declarators(Statement& statement, const TypeName& type);
  Declarator declarator();
  bool isParameterList() const;
  void localFunction(Declarator& declared);
  void bitWidth(Declarator& field);
  void boundNames(Declarator& result);

  // parse_classes.cpp
  class ClassScope;
  void structure(Unit& result, bool isTypedef, std::vector<TemplateParameter> parameters);
  void bases(Structure& type);
  void members(Structure& type, std::string_view plainName, bool isPrivate);
  void memberUsing(Structure& type);
  void member(const ItemRange& range, Structure& type, std::vector<FileItem>& types);
  std::optional<TypeName> hostClass();
  void field(const ItemRange& range, Structure& type);
  void method(const ItemRange& range, Structure& type);
  void methodRest(Function& function, const std::string& className);
  void typedefNames(Unit& result, const TypeName& named);
  std::string operatorName();
  void memberDefinition(Unit& result);
  void memberInitials(Function& function);
  ExpressionPtr lambda();
  void capture(Closure& closure);
  static void attachDefinitions(Unit& unit);

  // parser.cpp: arrays
  std::shared_ptr<std::vector<ExpressionPtr>> fixedExtents();
  bool isArrayDeclarator(std::size_t ahead) const;
  Token arrayDeclarator(TypeName& type);
  bool isFunctionPointer(std::size_t ahead) const;
  Token functionPointer(TypeName& type, std::vector<ExpressionPtr>* extents);
  void parameterExtents(TypeName& type);
  void decltypeRest(TypeName& type);
  void standardArguments(Expression& name);
  bool isRangeFor() const;
  StatementPtr rangeFor(SourceSpan span);

  // parse_statements.cpp
  StatementPtr makeStatement(Statement::Kind kind, SourceSpan span);
  StatementPtr block();
  StatementPtr localTypes();
  StatementPtr statement();
  StatementPtr endStatement(StatementPtr statement);
  bool isDeclarationStart() const;
  std::string scopedName(std::size_t& ahead) const;
  void rejectUnknownType() const;
  StatementPtr ifStatement(SourceSpan span);
  StatementPtr selection(StatementPtr result);
  StatementPtr forStatement(SourceSpan span);
  StatementPtr whileStatement(SourceSpan span);
  StatementPtr declaredCondition();
  StatementPtr whileDeclared(StatementPtr declared, StatementPtr body);
  StatementPtr doStatement(SourceSpan span);
  StatementPtr switchStatement(SourceSpan span);
  StatementPtr caseLabel(SourceSpan span, bool isDefault);

  // parse_expressions.cpp
  ExpressionPtr taken(Expression::Kind kind);
  ExpressionPtr finish(ExpressionPtr node);
  ExpressionPtr ended(ExpressionPtr node);
  ExpressionPtr over(Expression::Kind kind, const Token& op, ExpressionPtr left, ExpressionPtr right);
  ExpressionPtr expression();
  ExpressionPtr assignment();
  ExpressionPtr initializer();
  ExpressionPtr list();
  ExpressionPtr designated();
  ExpressionPtr newObject();
  ExpressionPtr deleteObject();
  void element(Expression& into);
  ExpressionPtr fold(ExpressionPtr left, SourceSpan open);
  ExpressionPtr conditional();
  ExpressionPtr binary(std::size_t level);
  ExpressionPtr unary();
  ExpressionPtr computeSize();
  ExpressionPtr computeOffset();
  ExpressionPtr postfix();
  ExpressionPtr memberAccess(ExpressionPtr object);
  void arguments(Expression& call, std::string_view end);
  ExpressionPtr inParentheses();
  std::vector<TemplateArgument> templateArguments();
  ExpressionPtr primary();
  ExpressionPtr finishCast(ExpressionPtr cast);
  ExpressionPtr namedCast();
  ExpressionPtr typedValue();
  void scopedName(Expression& name);
  void rejectUnknown(const std::string& name, SourceSpan span);
  ExpressionPtr nameOrCall();

  TokenizedText text_;
  std::vector<Token> tokens_;
  std::vector<Diagnostic>& diagnostics_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;  ///< behind the last token of the current item
  Token endToken_;       ///< of kind End, at the end of the item
  int depth_ = 0;
  bool inTemplateArguments_ = false;
  FileNames ownNames_;
  const FileNames* names_ = &ownNames_;  ///< of the file
  std::set<std::string> spellings_;      ///< of qualifiers
  std::string space_;                    ///< around the current place
  bool hasOperators_ = false;            ///< outside of classes
  std::vector<NameScope> scopes_;        ///< innermost last
  std::deque<ClassNames> allClasses_;
  std::map<std::string, ClassNames*, std::less<>> classes_;                   ///< of the file
  std::set<std::string, std::less<>> friends_;                                ///< functions
  std::map<std::string, std::vector<std::string>, std::less<>> scopedEnums_;  ///< and their enumerators
  std::map<std::string, TypeName, std::less<>> referenceTypes_;  ///< what aliases of `T&` and `T&&` mean
  /// What the changed ones were before, in the order of their changes.
  std::vector<std::pair<std::string, std::optional<TypeName>>> referencesBefore_;
  std::set<std::string, std::less<>> templates_;     ///< function templates, also of classes
  std::set<std::string, std::less<>> memberTypes_;   ///< types that are declared within a class
  std::set<std::string, std::less<>> memberValues_;  ///< functions and variables of classes
  std::string functionName_;                         ///< of the current function
  bool readsField_ = false;                          ///< the declaration is a member of a class
  int classDepth_ = 0;                               ///< classes within classes
  StatementPtr declaredWithType_;                    ///< variables behind the '}' of a struct
  bool namesTypes_ = false;    ///< in a kernel's template arguments: a word may be a type
  bool isKernelName_ = false;  ///< the text is only a kernel's name
  std::set<std::string, std::less<>> groupSpaces_ = {"cooperative_groups"};
  bool namesHalfType_ = true;  ///< half is a type, and no variable of the text
  bool usesGroups_ = false;    ///< using namespace cooperative_groups
};

}  // namespace lanescope::syntax
