#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

/// Copies of a text's syntax in which parameter packs are replaced by their elements.
namespace lanescope::checker {

/// The kind of a written expression.
using SyntaxKind = syntax::Expression::Kind;

/// Elements of each pack, by the name of its parameter.
using PackSizes = std::map<std::string, std::size_t, std::less<>>;

/// The name of an element, which no text can write.
std::string elementName(std::string_view pack, std::size_t element);

/// Copies syntax. With an element, a pack's name means that one of its elements. The pattern of a `...` is
/// left unchanged or, with `expandsArguments`, written out in template arguments.
class PackCopier {
 public:
  explicit PackCopier(const PackSizes& packs, bool expandsArguments = false)
      : packs_(packs), expandsArguments_(expandsArguments) {}

  PackCopier& of(std::size_t element) {
    element_ = element;
    return *this;
  }
  syntax::ExpressionPtr copy(const syntax::Expression& node);
  syntax::TypeName copy(const syntax::TypeName& name);
  syntax::TemplateArgument copy(const syntax::TemplateArgument& argument);
  std::vector<syntax::TemplateArgument> copy(const std::vector<syntax::TemplateArgument>& arguments);
  syntax::TemplateParameter copy(const syntax::TemplateParameter& parameter);
  syntax::Parameter copy(const syntax::Parameter& parameter);
  /// Nodes copied so far.
  std::size_t copied() const { return copied_; }

 private:
  std::string named(const std::string& name) const;

  const PackSizes& packs_;
  bool expandsArguments_ = false;
  std::optional<std::size_t> element_;
  std::size_t copied_ = 0;
};

/// Calls `see` with each name in the pattern that may be a pack expanded by the `...` behind it.
void forEachName(const syntax::Expression& pattern, const std::function<void(const std::string&)>& see);
void forEachName(const syntax::TypeName& pattern, const std::function<void(const std::string&)>& see);
void forEachName(const syntax::TemplateArgument& pattern, const std::function<void(const std::string&)>& see);

}  // namespace lanescope::checker
