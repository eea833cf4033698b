#include "app/session/launch/kernel_signature.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope {
namespace {

/// The argument type for an element type as the parser writes it, or "".
std::string elementOf(const syntax::TypeName& type) {
  using Entry = std::pair<std::string_view, std::string_view>;
  // As the parser names them: `unsigned int`, `uint` and `uint32_t` are all `unsigned`.
  constexpr std::array<Entry, 13> kElements{{{"float", "f32"},
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
                                             {"long long", "i64"},
                                             {"unsigned long long", "u64"}}};
  const auto* found = std::ranges::find(kElements, std::string_view(type.base), &Entry::first);
  return found == kElements.end() ? "" : std::string(found->second);
}

KernelParameter describe(const syntax::Parameter& parameter, const syntax::Function& function) {
  KernelParameter described;
  const syntax::TypeName& type = parameter.type;
  described.name = parameter.name;
  described.type = (type.isConst ? "const " : "") + type.base + std::string(type.pointers, '*');
  described.isPointer = type.pointers > 0;
  described.isConst = type.isConst;
  described.element = elementOf(type);
  described.isOfTemplate = std::ranges::any_of(
      function.templateParameters, [&](const syntax::TemplateParameter& p) { return p.name == type.base; });
  if (described.isOfTemplate) described.element = "f32";
  return described;
}

bool declaresDynamicShared(const syntax::Statement* statement) {
  if (statement == nullptr) return false;
  if (statement->isShared && statement->isExtern) return true;
  return std::ranges::any_of(
      statement->body, [](const syntax::StatementPtr& part) { return declaresDynamicShared(part.get()); });
}

KernelSignature signatureOf(const syntax::Function& function, bool hasDynamicShared) {
  KernelSignature signature;
  signature.name = function.name;
  signature.hasDynamicShared = hasDynamicShared;
  for (const syntax::TemplateParameter& parameter : function.templateParameters) {
    signature.templateParameters.push_back(parameter.name);
    if (!signature.templateDefaults.empty()) signature.templateDefaults += ", ";
    const bool isTruth = !parameter.isType && parameter.valueType.base == "bool";
    signature.templateDefaults += parameter.isType ? "float" : isTruth ? "true" : "64";
  }
  for (const syntax::Parameter& parameter : function.parameters) {
    signature.parameters.push_back(describe(parameter, function));
  }
  return signature;
}

}  // namespace

std::vector<KernelSignature> kernelsOf(const syntax::Unit& unit) {
  std::vector<KernelSignature> kernels;
  const bool hasDynamicShared = std::ranges::any_of(
      unit.functions, [](const syntax::Function& f) { return declaresDynamicShared(f.body.get()); });
  for (const syntax::Function& function : unit.functions) {
    if (function.isKernel) kernels.push_back(signatureOf(function, hasDynamicShared));
  }
  return kernels;
}

std::string KernelParameter::suggestion(std::uint64_t count) const {
  if (element.empty()) return "";
  if (isPointer) return element + (isConst ? ":hash:" : ":zero:") + std::to_string(count);
  const bool isReal = element == "f32" || element == "f64";
  const bool isNarrow = element == "i8" || element == "u8";
  return element + "=" + (isReal || isNarrow ? "1" : std::to_string(count));
}

std::vector<Diagnostic> diagnosticsOf(const Error& error) {
  if (!error.diagnostics.empty()) return error.diagnostics;
  std::string message = error.message;
  if (message.ends_with('.')) message.pop_back();
  return {{message, error.hint, {}}};
}

}  // namespace lanescope
