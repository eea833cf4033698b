#include "app/cli/commands.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "app/launch/kernel_signature.h"
#include "sim/base/counted.h"
#include "sim/base/json.h"
#include "sim/base/own_stack.h"
#include "sim/machine/compile/compiled_kernel.h"

namespace lanescope::cli {
namespace {

/// A kernel of the text, and the outcome of its compilation.
struct CheckedKernel {
  std::string name;  ///< with the template arguments of the check
  std::string signature;
  std::uint32_t line = 0;
  std::vector<Diagnostic> diagnostics;
};

/// `template <BM, T> k(const T* in, int n)`.
std::string signatureText(const KernelSignature& kernel) {
  std::string text;
  for (const std::string& parameter : kernel.templateParameters)
    text += (text.empty() ? "template <" : ", ") + parameter;
  if (!text.empty()) text += "> ";
  text += kernel.name + "(";
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    text += (i == 0 ? "" : ", ") + kernel.parameters[i].declaration();
  return text + ")";
}

std::vector<CheckedKernel> checkAll(const ParsedText& text) {
  std::vector<CheckedKernel> checked;
  const std::vector<KernelSignature> signatures = findKernels(text);
  std::size_t next = 0;
  std::map<std::string, std::size_t> numbers;
  for (const syntax::Function& function : text.unit.functions) {
    if (!function.isKernel) continue;
    const KernelSignature& signature = signatures[next++];
    CheckedKernel& kernel = checked.emplace_back();
    const std::size_t number = ++numbers[signature.name];
    kernel.name = signature.name + (number == 1 ? "" : fmt::format("@{}", number));
    // A lambda of the host has no name that a text could give.
    const std::string arguments = signature.takesHostLambda ? "lambda(…)" : signature.templateDefaults;
    if (!arguments.empty()) kernel.name += "<" + arguments + ">";
    kernel.signature = function.body != nullptr ? signatureText(signature) : signature.name + "(…)";
    kernel.line = text.source->findLine(function.span);
    if (*text.checked > kMostWorkOfText) {
      kernel.diagnostics = {{"the kernels before this one need all that one check may take",
                             "check fewer kernels at a time", function.span}};
    } else if (const auto compiled = compileKernel(text, kernel.name); !compiled) {
      kernel.diagnostics = toDiagnostics(compiled.error());
    }
    for (Diagnostic& diagnostic : kernel.diagnostics) {
      if (diagnostic.span == SourceSpan{}) diagnostic.span = function.span;
    }
  }
  return checked;
}

Json diagnosticsJson(const std::vector<Diagnostic>& diagnostics, const SourceText* source) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    Json one;
    if (source != nullptr) {
      const LineColumn place = source->place(diagnostic.span.begin);
      one["line"] = place.line;
      one["column"] = place.column;
    }
    one["message"] = diagnostic.message;
    if (!diagnostic.hint.empty()) one["hint"] = diagnostic.hint;
    list.push_back(std::move(one));
  }
  return list;
}

std::string checkJson(const ParsedText& text, const std::vector<CheckedKernel>& kernels) {
  Json json;
  json["format"] = "lanescope.check/1";
  json["file"] = text.source->name();
  json["kernels"] = Json::array();
  for (const CheckedKernel& kernel : kernels) {
    Json one;
    one["name"] = kernel.name;
    one["signature"] = kernel.signature;
    one["line"] = kernel.line;
    one["canBeSimulated"] = kernel.diagnostics.empty() && text.diagnostics.empty();
    one["diagnostics"] = diagnosticsJson(kernel.diagnostics, text.source.get());
    json["kernels"].push_back(std::move(one));
  }
  json["diagnostics"] = diagnosticsJson(text.diagnostics, text.source.get());
  return jsonText(json);
}

std::string checkText(const ParsedText& text, const std::vector<CheckedKernel>& kernels) {
  std::string lines;
  for (const Diagnostic& diagnostic : text.diagnostics) lines += renderDiagnostic(*text.source, diagnostic);
  for (const CheckedKernel& kernel : kernels) {
    const bool isGood = kernel.diagnostics.empty();
    lines += fmt::format("{}:{}: {}: {}\n", text.source->name(), kernel.line, kernel.signature,
                         isGood ? "can be simulated" : "cannot be simulated");
    for (const Diagnostic& diagnostic : kernel.diagnostics)
      lines += renderDiagnostic(*text.source, diagnostic);
  }
  const auto good = static_cast<std::uint64_t>(
      std::ranges::count_if(kernels, [](const CheckedKernel& kernel) { return kernel.diagnostics.empty(); }));
  return lines + (kernels.empty()
                      ? fmt::format("There is no __global__ kernel in {}.\n", text.source->name())
                      : fmt::format("{} of {} can be simulated.\n", text.diagnostics.empty() ? good : 0,
                                    counted(kernels.size(), "kernel")));
}

struct CheckArguments {
  std::string file;
  TextOptions text;
  bool json = false;
};

int checkCommand(const CheckArguments& options) {
  const bool json = options.json;
  const auto source = textOfFile(options.file, options.text);
  if (!source) return refuse(source.error(), kWrongUsage, json);
  const ParsedText text(*source);
  // If the text as a whole is at fault, that is printed once.
  std::vector<CheckedKernel> kernels;
  OwnStack::run([&] { kernels = checkAll(text); });
  if (!text.diagnostics.empty()) {
    for (CheckedKernel& kernel : kernels) kernel.diagnostics.clear();
  }
  fmt::print("{}", json ? checkJson(text, kernels) : checkText(text, kernels));
  const bool isGood =
      text.diagnostics.empty() && !kernels.empty() &&
      std::ranges::all_of(kernels, [](const CheckedKernel& kernel) { return kernel.diagnostics.empty(); });
  return std::fflush(stdout) == 0 && isGood ? kDone : kFailed;
}

}  // namespace

Command addCheckCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "check", "List the kernels of a .cu file, and say which can be simulated and why not");
  const auto options = std::make_shared<CheckArguments>();
  command->footer(
      "Exit status: 0 every kernel can be simulated; 1 one cannot, or there is none; 2 wrong usage, also a "
      "file that cannot be read. A template is checked with the arguments that the file launches "
      "it with, or else with some that can be simulated, such as 64, float and the file's function objects.");
  command->add_option("file", options->file, "a .cu file")->required();
  addTextOptions(*command, options->text);
  command->add_flag("--json", options->json, "print JSON");
  return {command, [options] { return checkCommand(*options); }};
}

std::string errorJson(const Error& error, const SourceText* source) {
  Json json;
  json["format"] = "lanescope.error/1";
  json["error"] = error.sentence();
  json["diagnostics"] = diagnosticsJson(error.diagnostics, source);
  return jsonText(json);
}

int refuse(const Error& error, ExitStatus status, bool json, const SourceText* source) {
  if (json) printed(errorJson(error, source));
  return complain(error, status);
}

}  // namespace lanescope::cli
