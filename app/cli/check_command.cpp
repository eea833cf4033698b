#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/counted.h"
#include "sim/base/json.h"
#include "sim/base/own_stack.h"
#include "sim/base/words.h"
#include "sim/host/runtime/source_units.h"
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

/// The instance's arguments with another type in place of every guessed one; empty if no type is guessed.
std::string withType(const syntax::Function& function, const KernelSignature& signature,
                     std::string_view type) {
  std::vector<std::string> arguments = splitArguments(signature.templateDefaults);
  bool isChanged = false;
  for (std::size_t p = 0; p < std::min(arguments.size(), function.templateParameters.size()); ++p) {
    const syntax::TemplateParameter& parameter = function.templateParameters[p];
    if (!parameter.isType || parameter.isPack || std::ranges::count(signature.guessed, parameter.name) == 0)
      continue;
    arguments[p] = type;
    isChanged = true;
  }
  return isChanged ? fmt::to_string(fmt::join(arguments, ", ")) : std::string();
}

/// `<float>, <float*> and <uchar4> were tried`; of many the first.
std::string triedText(const std::vector<std::string>& tried) {
  constexpr std::size_t kMostNamed = 6;
  const std::size_t named = std::min(tried.size(), kMostNamed);
  std::string text;
  for (std::size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : i + 1 == tried.size() ? " and " : ", ") + ("<" + tried[i] + ">");
  if (named < tried.size()) text += fmt::format(" and {} more", tried.size() - named);
  return text + (tried.size() == 1 ? " was tried" : " were tried");
}

/// A kernel whose types are guesses: its faults are those that it has with any type. If there are none, it is
/// not known what it is launched with, and the faults with a guess say nothing.
void checkGuess(const ParsedText& text, const syntax::Function& function, const KernelSignature& signature,
                CheckedKernel& kernel) {
  const auto isOf = [](const Diagnostic& one) {
    return [&one](const Diagnostic& other) { return other.message == one.message && other.span == one.span; };
  };
  std::vector<Diagnostic> always = kernel.diagnostics;
  std::vector<std::string> tried = signature.tried;
  for (const std::string_view type : {"float*", "uchar4"}) {
    const std::string arguments = withType(function, signature, type);
    if (arguments.empty() || *text.checked > kMostWorkOfText) return;
    const std::string name = kernelName(signature, arguments);
    const auto compiled = compileKernel(text, name);
    if (compiled) {
      kernel.name = name;
      kernel.diagnostics.clear();
      return;
    }
    tried.push_back(arguments);
    const std::vector<Diagnostic> others = toDiagnostics(compiled.error());
    std::erase_if(always, [&](const Diagnostic& one) { return std::ranges::none_of(others, isOf(one)); });
  }
  const std::vector<std::string> guesses = splitArguments(signature.templateDefaults);
  std::erase_if(always, [&](const Diagnostic& one) {
    return std::ranges::any_of(
        guesses, [&](const std::string& type) { return findWord(one.message, type) != std::string::npos; });
  });
  if (!always.empty()) {
    kernel.diagnostics = std::move(always);
    return;
  }
  constexpr std::uint64_t kThreads = 64;
  kernel.diagnostics = {
      {fmt::format("{} {} not known: no launch of {} is in this file, with arguments that can be seen; {}",
                   fmt::join(signature.guessed, " and "), isOrAre(signature.guessed.size()), signature.name,
                   triedText(tried)),
       fmt::format("check the file that launches it, or put the right arguments between the < > of "
                   "lanescope-cli simulate {} --kernel '{}' --grid 1 --block {}{}",
                   text.source->name(), kernelName(signature, signature.templateDefaults), kThreads,
                   argumentsText(signature, kThreads)),
       function.span}};
}

std::vector<CheckedKernel> checkAll(const ParsedText& text, host::SourceUnits* units, std::size_t unit) {
  std::vector<CheckedKernel> checked;
  const std::vector<KernelSignature> signatures = findKernels(text);
  std::size_t next = 0;
  for (const syntax::Function& function : text.unit.functions) {
    if (!function.isKernel) continue;
    const KernelSignature& signature = signatures[next++];
    CheckedKernel& kernel = checked.emplace_back();
    // A lambda of the host has no name that a text could give.
    kernel.name = kernelName(signature, signature.takesHostLambda ? "lambda(…)" : signature.templateDefaults);
    kernel.signature = function.body != nullptr ? signatureText(signature) : signature.name + "(…)";
    kernel.line = text.source->findLine(function.span);
    if (*text.checked > kMostWorkOfText) {
      kernel.diagnostics = {{"the kernels before this one need all that one check may take",
                             "check fewer kernels at a time", function.span}};
    } else if (const auto compiled = compileKernel(text, kernel.name); !compiled) {
      // In other files of the program there may be what it needs.
      const bool isLinked = units != nullptr && text.diagnostics.empty() &&
                            units->compile({unit, kernel.name}, ProductRounding::Fused).ok();
      if (!isLinked) kernel.diagnostics = toDiagnostics(compiled.error());
      const bool isGuess = !isLinked && !signature.guessed.empty() && !signature.takesHostLambda;
      if (isGuess) checkGuess(text, function, signature, kernel);
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
    if (diagnostic.header != nullptr) {
      const HeaderPlace& header = *diagnostic.header;
      one["header"] = {{"file", header.path}, {"line", header.place.line}, {"column", header.place.column}};
    }
    list.push_back(std::move(one));
  }
  return list;
}

Json checkJson(const ParsedText& text, const std::vector<CheckedKernel>& kernels) {
  Json json;
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
  return json;
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
  std::vector<std::string> files;
  TextOptions text;
  host::ProgramOptions unused;  ///< of the host's compiler
  bool json = false;
};

/// A file that was checked.
struct CheckedFile {
  std::unique_ptr<ParsedText> text;
  std::vector<CheckedKernel> kernels;

  std::size_t good() const {
    if (!text->diagnostics.empty()) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(
        kernels, [](const CheckedKernel& kernel) { return kernel.diagnostics.empty(); }));
  }
  bool isGood() const { return text->diagnostics.empty() && good() == kernels.size(); }
};

/// `3 files: 10 of 12 kernels can be simulated.`
std::string totalsText(const std::vector<CheckedFile>& files) {
  std::size_t good = 0;
  std::size_t all = 0;
  for (const CheckedFile& file : files) {
    good += file.good();
    all += file.kernels.size();
  }
  return fmt::format("{}: {} of {} can be simulated.\n", counted(files.size(), "file"), good,
                     counted(all, "kernel"));
}

int printChecked(const std::vector<CheckedFile>& files, bool json) {
  if (json) {
    Json list = Json::array();
    for (const CheckedFile& file : files) list.push_back(checkJson(*file.text, file.kernels));
    return printed(jsonText(Json{{"format", "lanescope.check/2"}, {"files", list}}));
  }
  std::string text;
  for (const CheckedFile& file : files) {
    if (files.size() == 1 || !file.kernels.empty() || !file.text->diagnostics.empty())
      text += checkText(*file.text, file.kernels);
  }
  if (files.size() > 1) text += totalsText(files);
  return printed(text);
}

int checkCommand(const CheckArguments& options) {
  std::vector<std::shared_ptr<const SourceText>> sources;
  std::set<std::filesystem::path> seen;
  for (const std::string& path : options.files) {
    std::error_code failure;
    if (!seen.insert(std::filesystem::weakly_canonical(path, failure)).second && !failure) continue;
    const auto source = textOfFile(path, options.text);
    if (!source) return refuse(source.error(), kWrongUsage, options.json);
    sources.push_back(*source);
  }
  std::optional<host::SourceUnits> units;
  if (sources.size() > 1) units.emplace(sources);
  std::vector<CheckedFile> files;
  for (std::size_t f = 0; f < sources.size(); ++f) {
    CheckedFile& file = files.emplace_back();
    file.text = std::make_unique<ParsedText>(sources[f]);
    // If the text as a whole is at fault, that is printed once.
    OwnStack::run([&] { file.kernels = checkAll(*file.text, units ? &*units : nullptr, f); });
    if (file.text->diagnostics.empty()) continue;
    for (CheckedKernel& kernel : file.kernels) kernel.diagnostics.clear();
  }
  const int written = printChecked(files, options.json);
  const bool hasKernels =
      std::ranges::any_of(files, [](const CheckedFile& one) { return !one.kernels.empty(); });
  return hasKernels && std::ranges::all_of(files, &CheckedFile::isGood) ? written : kFailed;
}

}  // namespace

Command addCheckCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "check", "List the kernels of .cu files, and say which can be simulated and why not");
  const auto options = std::make_shared<CheckArguments>();
  command->footer(
      "Exit status: 0 every kernel can be simulated; 1 one cannot, or there is none; 2 wrong usage, also a "
      "file that cannot be read. A template is checked with the arguments that the file launches "
      "it with, or else with some that can be simulated, such as 64, float and the file's function objects. "
      "Options for the host's compiler are read and ignored; -D, -U and -I, and nvcc's options for the same, "
      "count.");
  command
      ->add_option("file", options->files,
                   "a .cu file, or several: those of one program, or any; a line with totals follows them")
      ->required();
  addTextOptions(*command, options->text);
  command->add_flag("--json", options->json, "print JSON");
  // A line of `run` or nvcc can be a line of `check`.
  for (CLI::Option* const unused : addHostOptions(*command, options->unused)) unused->group("");
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
