#include "sim/language/check/checker.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/language/check/checker_impl.h"
#include "sim/language/check/checker_state.h"
#include "sim/language/check/constant_evaluation.h"
#include "sim/language/check/header_places.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope {
namespace checker {

/// The kernel's name comes from outside the text: faults in it are shown at the kernel.
void Checker::bindKernelArguments(const syntax::Function& kernel, const syntax::Expression& name) {
  const std::size_t before = diagnostics_.size();
  std::string reason;
  try {
    Scope bound;
    reason = bindTemplate(kernel, name.templateArguments, {}, bound);
    scopes_.back() = std::move(bound);
  } catch (const CheckFault&) {
    for (std::size_t i = before; i < diagnostics_.size(); ++i) {
      diagnostics_[i].message = fmt::format("in the kernel's name: {}", diagnostics_[i].message);
      diagnostics_[i].span = kernel.span;
    }
    throw;
  }
  if (reason.empty()) return;
  std::string form;
  for (const syntax::TemplateParameter& parameter : kernel.templateParameters)
    form += (form.empty() ? "" : ", ") + parameter.name;
  fail(kernel.span, reason,
       form.empty() ? "leave out the <…>"
                    : fmt::format("name the kernel {}<{}> with values for them", kernel.name, form));
}

/// The threads per block that the kernel's __launch_bounds__ allows. Empty: any number. A bound that is not a
/// constant here is only unchecked.
std::optional<std::uint64_t> Checker::findLaunchBound(const syntax::Function& kernel) {
  std::optional<std::uint64_t> bound;
  if (kernel.launchBound != nullptr) attempt([&] { bound = constantExtent(*kernel.launchBound); });
  return bound;
}

/// The specialisation that replaces the kernel for the bound template arguments. The kernel itself if there
/// is none.
const syntax::Function& Checker::specialisedKernel(const syntax::Function& kernel) {
  if (kernel.templateParameters.empty()) return kernel;
  Candidate candidate;
  candidate.function = &kernel;
  candidate.bound = scope();
  for (const syntax::Parameter& parameter : kernel.parameters)
    candidate.parameters.push_back(parameterType(parameter));
  specialise(candidate);
  return *candidate.function;
}

typed::Kernel Checker::check(const syntax::Function& written, const syntax::Expression& name) {
  kernel_.types = std::make_shared<TypeTable>();
  kernel_.name = written.name;
  try {
    pushScope();
    const syntax::Function& asked = *withPacks(written, name.templateArguments, {}, {}, written.span);
    bindKernelArguments(asked, name);
    bindHeadPacks(asked, true, scope());
    const syntax::Function& kernel = specialisedKernel(asked);
    inProgress_.push_back(kernel.name);
    returnType_ = resolve(kernel.returnType);
    if (returnType_->kind != Type::Kind::Void) {
      fail(kernel.returnType.span, "a kernel returns nothing", "write __global__ void");
    }
    pushScope();
    for (const syntax::Parameter& parameter : kernel.parameters) {
      const Type* type = parameterType(parameter);  // of a reference: a pointer, as the launch passes it
      const bool isConst = parameter.type.isConst && !type->isPointer();
      kernel_.parameters.push_back(
          declareVariable(parameter.name, parameter.span, type, isConst, parameter.type.isReference));
    }
    bindHeadPacks(kernel, false, scope());
    kernel_.launchBound = findLaunchBound(kernel.written());
    declareSymbols(kernel.written());
    kernel_.body = block(*kernel.written().body);
    for (const typed::GlobalSymbol& symbol : kernel_.symbols) kernel_.parameters.push_back(symbol.variable);
  } catch (const CheckFault&) {
    // The diagnostic exists already.
  } catch (const Exhausted& exhausted) {
    diagnostics_.assign(1, exhausted.fault);
  }
  return std::move(kernel_);
}

}  // namespace checker

namespace {

Error diagnosticError(const SourceText& source, std::vector<Diagnostic> diagnostics) {
  Error error;
  for (const Diagnostic& diagnostic : diagnostics) error.message += renderDiagnostic(source, diagnostic);
  if (!error.message.empty()) error.message.pop_back();
  const std::string first = makeSentences(diagnostics.front());
  error.summary = diagnostics.size() == 1
                      ? fmt::format("The text has a fault. {}", first)
                      : fmt::format("The text has {} faults. The first: {}", diagnostics.size(), first);
  error.diagnostics = std::move(diagnostics);
  return error;
}

std::string listKernels(const syntax::Unit& unit) {
  std::string list;
  std::set<std::string_view> seen;
  for (const syntax::Function& function : unit.functions) {
    if (!function.isKernel || !seen.insert(function.name).second) continue;
    list += (list.empty() ? "" : ", ") + function.name + (function.templateParameters.empty() ? "" : "<…>");
  }
  return list;
}

/// An unknown name may be in a missing file.
void nameMissingFiles(const syntax::Unit& unit, std::vector<Diagnostic>& diagnostics) {
  if (unit.missing.empty()) return;
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.isUnknownName)
      diagnostic.hint += fmt::format(
          "; it may be in {}, which was not found beside the file or in an include folder around it",
          fmt::join(unit.missing, ", "));
  }
}

/// Adds the place of the declaration to the message on a name that another file of the program defines,
/// unless the message is placed there.
void nameDeclarations(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    const std::size_t begin = diagnostic.message.find('\'') + 1;
    const std::size_t end = diagnostic.message.find('\'', begin);
    if (!diagnostic.isElsewhere || begin == 0 || end == std::string::npos) continue;
    const std::string place = placeOfName(source, diagnostic.message.substr(begin, end - begin));
    const HeaderPlace* const header = diagnostic.header.get();
    const std::string own =
        header != nullptr ? fmt::format("{}:{}", header->path, header->place.line)
                          : fmt::format("{}:{}", source.name(), source.place(diagnostic.span.begin).line);
    if (!place.empty() && place != own) diagnostic.message += fmt::format(" (declared in {})", place);
  }
}

/// Checks a kernel; the faults of its own text, or else of all that it reaches, by their places.
std::vector<Diagnostic> faultsOf(const ParsedText& text, const syntax::Function& kernel,
                                 const syntax::Expression& name, typed::Kernel& checked) {
  constexpr std::size_t kWorkOfStart = 300;
  std::vector<Diagnostic> diagnostics = kernel.diagnostics;
  if (!diagnostics.empty()) return diagnostics;
  OwnStack::run([&] {
    checker::Checker checker(text.unit, diagnostics);
    checked = checker.check(kernel, name);
    *text.checked += checker.work() + kWorkOfStart;
  });
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic& one) { return one.span.begin; });
  return diagnostics;
}

}  // namespace

KernelName splitKernelName(std::string_view asked) {
  const std::size_t mark = asked.find('@');
  if (mark == std::string_view::npos || mark > asked.find('<')) return {std::string(asked), 1};
  const std::size_t end = std::min(asked.find('<', mark), asked.size());
  KernelName name{std::string(asked.substr(0, mark)) + std::string(asked.substr(end)), 0};
  const char* const last = asked.data() + end;
  if (std::from_chars(asked.data() + mark + 1, last, name.number).ptr != last) name.number = 0;
  return name;
}

const syntax::Function* kernelNamed(const syntax::Unit& unit, std::string_view plain, std::size_t number) {
  for (const syntax::Function* const function : unit.index.named(plain)) {
    if (function->isKernel && number-- == 1) return function;
  }
  return nullptr;
}

Result<typed::Kernel> checkKernel(const ParsedText& text, std::string_view kernel) {
  const SourceText& source = *text.source;
  const syntax::Unit& unit = text.unit;
  if (!text.diagnostics.empty()) return diagnosticError(source, text.diagnostics);
  const std::string list = kernel.empty() ? listKernels(unit) : std::string();
  if (std::ranges::none_of(unit.functions, &syntax::Function::isKernel)) {
    return Error{fmt::format("There is no __global__ kernel in {}.", source.name()),
                 "A kernel begins with __global__ void."};
  }
  if (kernel.empty() && list.find(',') == std::string::npos) {
    kernel = std::string_view(list).substr(0, list.find('<'));
  }
  if (kernel.find("lambda(") != std::string_view::npos || kernel.find("(lambda") != std::string_view::npos) {
    return Error{
        fmt::format("{} is launched with a lambda of the host's, which only a run of the program has.",
                    kernel.substr(0, kernel.find('<'))),
        "Run the program (lanescope-cli run), or write it as a struct with what it captures and a __device__ "
        "operator()."};
  }
  const KernelName asked = splitKernelName(kernel);
  const SourceText nameText("kernel name", asked.text);
  const syntax::ExpressionPtr name = syntax::parseKernelName(nameText, unit.names);
  const syntax::Function* const chosen =
      name == nullptr ? nullptr : kernelNamed(unit, name->text, asked.number);
  if (chosen == nullptr) {
    return Error{kernel.empty() ? fmt::format("There are several kernels in {}.", source.name())
                                : fmt::format("There is no kernel named '{}' in {}.", kernel, source.name()),
                 fmt::format("Choose one of: {}.", listKernels(unit))};
  }
  typed::Kernel checked;
  std::vector<Diagnostic> diagnostics = faultsOf(text, *chosen, *name, checked);
  if (!diagnostics.empty()) {
    placeInHeaders(text, diagnostics, [&](const ParsedText& again) {
      const syntax::Function* const same = kernelNamed(again.unit, name->text, asked.number);
      typed::Kernel unused;
      return same == nullptr || !again.diagnostics.empty() ? again.diagnostics
                                                           : faultsOf(again, *same, *name, unused);
    });
    nameMissingFiles(unit, diagnostics);
    nameDeclarations(source, diagnostics);
    return diagnosticError(source, std::move(diagnostics));
  }
  checked.name = asked.text;
  return checked;
}

std::vector<std::string> kernelNames(const ParsedText& text) {
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const syntax::Function& function : text.unit.functions) {
    if (function.isKernel && text.diagnostics.empty() && seen.insert(function.name).second)
      names.push_back(function.name);
  }
  return names;
}

}  // namespace lanescope
