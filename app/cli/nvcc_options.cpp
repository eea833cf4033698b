#include "app/cli/nvcc_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "sim/base/words.h"
#include "sim/host/program.h"

namespace lanescope::cli {
namespace {

enum class Takes : std::uint8_t {
  None,
  Value,     ///< `-x v` or `-x=v`
  Attached,  ///< the same, or `-xv`
  Maybe,     ///< `-x=v`, or `-x v` unless v is an option or a source file
};

enum class Becomes : std::uint8_t {
  Nothing,
  Option,            ///< `text` with the value
  Definition,        ///< -D with the value
  Macro,             ///< -D `text`
  MacroIfTrue,       ///< the same, unless the value is false
  HostFlag,          ///< the word for the host's compiler
  HostFlags,         ///< the value's parts, apart by commas or blanks, for the host's compiler
  Compiler,          ///< --cxx with the value, or with the compiler in that folder
  Library,           ///< of -l
  LibraryDirectory,  ///< of -L
  Undefined,         ///< of -U
  Architecture,      ///< a note, unless one of them is the one that is simulated
  Note,              ///< "… is passed over: `text`"
  NoteOfThreads,     ///< the same, if the value is per-thread
  Refusal,           ///< an error: `text`
};

/// Options of nvcc with one meaning, apart by blanks.
struct NvccOption {
  std::string_view names;
  Takes takes = Takes::None;
  Becomes becomes = Becomes::Nothing;
  std::string_view text{};
  bool isUnmistakable = false;  ///< also behind the program's file
};

constexpr auto kOptions = std::to_array<NvccOption>({
    {"-std", Takes::Value, Becomes::Option, "--std", true},
    {"-O", Takes::Attached, Becomes::Option, "-O", true},
    {"-fmad", Takes::Value, Becomes::Option, "--fmad", true},
    {"-isystem --system-include --include-path", Takes::Value, Becomes::Option, "-I"},
    {"--define-macro", Takes::Value, Becomes::Definition},
    {"-U --undefine-macro", Takes::Attached, Becomes::Undefined},
    {"-include --pre-include", Takes::Value, Becomes::Refusal,
     "write #include at the beginning of the source file"},
    {"-ccbin --compiler-bindir", Takes::Value, Becomes::Compiler},
    {"-Xcompiler --compiler-options", Takes::Value, Becomes::HostFlags, "", true},
    {"-fopenmp -pthread -fPIC", Takes::None, Becomes::HostFlag},
    {"-l --library", Takes::Attached, Becomes::Library},
    {"-L --library-path", Takes::Attached, Becomes::LibraryDirectory},
    {"-arch --gpu-architecture -gencode --generate-code", Takes::Value, Becomes::Architecture, "", true},
    {"-code --gpu-code", Takes::Value, Becomes::Architecture},
    {"-G --device-debug", Takes::None, Becomes::Macro, "__CUDACC_DEBUG__"},
    {"-extended-lambda --extended-lambda -expt-extended-lambda --expt-extended-lambda", Takes::None,
     Becomes::Macro, "__CUDACC_EXTENDED_LAMBDA__", true},
    {"-expt-relaxed-constexpr --expt-relaxed-constexpr", Takes::None, Becomes::Macro,
     "__CUDACC_RELAXED_CONSTEXPR__", true},
    {"-rdc --relocatable-device-code", Takes::Value, Becomes::MacroIfTrue, "__CUDACC_RDC__", true},
    {"-dc --device-c", Takes::None, Becomes::Macro, "__CUDACC_RDC__"},
    {"-use_fast_math --use_fast_math", Takes::None, Becomes::Note, "kernels compute as without it", true},
    {"-ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt", Takes::Value, Becomes::Note,
     "kernels compute as without it"},
    {"-default-stream --default-stream", Takes::Value, Becomes::NoteOfThreads,
     "all host threads have one default stream"},
    {"-optf --options-file", Takes::Value, Becomes::Note, "write the options of that file here"},
    {"-Xlinker --linker-options", Takes::Value, Becomes::Note,
     "give the linker an option with --host-flag=-Wl,OPTION", true},
    {"-Werror --Werror", Takes::Maybe},
    {"-maxrregcount --maxrregcount -cudart --cudart -Xptxas --ptxas-options", Takes::Value, Becomes::Nothing,
     "", true},
    {"-lineinfo --generate-line-info", Takes::None, Becomes::Nothing, "", true},
    {"-o --output-file -x --x -cudadevrt --cudadevrt -t --threads -split-compile --split-compile "
     "-Xnvlink --nvlink-options -Xarchive --archive-options -Xcudafe -diag-suppress --diag-suppress "
     "-diag-warn --diag-warn -diag-error --diag-error -idp -odir --output-directory -keep-dir --keep-dir "
     "-MF -MT -m --machine -run-args --run-args -allow-expensive-optimizations",
     Takes::Value},
    {"-g --debug -pg --profile -w --disable-warnings -W -c --compile -dw --device-w -dlink --device-link "
     "-dlto --dlink-time-opt -lto --lto -ptx --ptx -cubin --cubin -fatbin --fatbin -v --verbose -m64 "
     "-keep --keep -clean -run --run -dryrun --dryrun -shared --shared -no-compress -res-usage "
     "--resource-usage -restrict --restrict -extra-device-vectorization "
     "-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler -forward-unknown-opts "
     "--forward-unknown-opts -allow-unsupported-compiler --allow-unsupported-compiler -source-in-ptx "
     "--source-in-ptx -no-align-double -objtemp -MD -MMD -MP -noeh --no-exceptions"},
});

/// Libraries whose functions are the compiler's, the C library's or Lanescope's.
constexpr std::string_view kNeedless =
    "cuda cudart cudart_static cudadevrt cublas cublasLt cublas_static cufft curand curand_static cusparse "
    "cusolver cudnn nvrtc nvToolsExt nvtx3interop nppc nppi npps nvml nvidia-ml m rt dl pthread stdc++ c "
    "culibos";

/// The compute capability that kernels are compiled for, in names such as sm_90.
constexpr std::string_view kCapability = "90";

/// The option that a word is or begins with, as `-arch=sm_90` and `-L/usr/lib`. Null if it is none of nvcc's.
const NvccOption* findOption(std::string_view word) {
  static const auto kByName = [] {
    std::map<std::string_view, const NvccOption*> all;
    for (const NvccOption& option : kOptions) {
      for (const std::string_view name : wordsIn(option.names)) all.emplace(name, &option);
    }
    return all;
  }();
  const auto named = [&](std::string_view name) {
    const auto found = kByName.find(name);
    return found == kByName.end() ? nullptr : found->second;
  };
  const std::size_t equals = word.find('=');
  const NvccOption* const whole = named(word.substr(0, equals));
  if (whole != nullptr && (equals == std::string_view::npos || whole->takes != Takes::None)) return whole;
  const NvccOption* const begun = named(word.substr(0, 2));
  const bool isWarning = word.starts_with("-W");
  return begun != nullptr && (begun->takes == Takes::Attached || isWarning) ? begun : nullptr;
}

bool isOption(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

bool isSourceFile(const std::string& word) {
  std::error_code failure;
  return host::isSourcePath(word) && std::filesystem::is_regular_file(word, failure);
}

/// The words that an option of the command takes, 1 or 2; 0 if it is none of its options.
std::size_t countOwn(const CLI::App& command, const std::string& word) {
  const bool isLong = word.starts_with("--");
  const std::string name = isLong ? word.substr(0, word.find('=')) : word.substr(0, 2);
  const CLI::Option* const option = command.get_option_no_throw(name);
  if (option == nullptr) return 0;
  if (option->get_items_expected_max() == 0) return name == word ? 1 : 0;
  return name == word ? 2 : 1;
}

class Reader {
 public:
  Reader(const std::vector<std::string>& words, const CLI::App& command, bool isProgram)
      : words_(words), command_(command), isProgram_(isProgram) {}

  Result<NvccLine> read() {
    bool isBehind = false;  // the first file
    while (at_ < words_.size() && words_[at_] != "--" && refused_.empty()) {
      const std::string& word = words_[at_];
      if (!isOption(word)) {
        isBehind = isProgram_;
        takeWords(1);
        continue;
      }
      const NvccOption* const option = findOption(word);
      const std::size_t own = countOwn(command_, word);
      if (option != nullptr && (!isBehind || option->isUnmistakable)) {
        take(*option);
      } else if (own > 0 || !isBehind) {
        takeOwn(std::max<std::size_t>(own, 1));
      } else {
        break;
      }
    }
    if (!refused_.empty()) return Error{refused_, ""};
    takeProgramWords();
    addDefinitions();
    addArchitectureNote();
    return std::move(line_);
  }

 private:
  void takeWords(std::size_t count) {
    for (; count > 0 && at_ < words_.size(); --count) line_.own.push_back(words_[at_++]);
  }

  /// Takes an option of the command and its value; definitions are kept for undefine().
  void takeOwn(std::size_t count) {
    constexpr std::string_view kLong = "--define";
    const std::string& word = words_[at_];
    const bool isApart = (word == "-D" || word == kLong) && at_ + 1 < words_.size();
    const bool isLong = word.starts_with("--define=");
    const bool isJoined = isLong || (word.starts_with("-D") && word.size() > 2);
    if (!isApart && !isJoined) {
      takeWords(count);
      return;
    }
    definitions_.push_back(isApart ? words_[at_ + 1] : word.substr(isLong ? kLong.size() + 1 : 2));
    at_ += isApart ? 2 : 1;
  }

  /// At the beginning: behind `--` they would be files.
  void addDefinitions() {
    std::vector<std::string> words;
    for (std::string& definition : definitions_) words.insert(words.end(), {"-D", std::move(definition)});
    line_.own.insert(line_.own.begin(), words.begin(), words.end());
  }

  void takeProgramWords() {
    const auto begin = words_.begin() + static_cast<std::ptrdiff_t>(at_);
    if (!isProgram_) {
      line_.own.insert(line_.own.end(), begin, words_.end());
      return;
    }
    line_.program.assign(begin, words_.end());
    const std::string first = line_.program.empty() ? "" : line_.program[0];
    const auto mark = std::ranges::find(line_.program, "--");
    if (mark != line_.program.end()) line_.program.erase(mark);
    // Programs have options of one letter, too.
    const bool isLetter = first.find('=') <= 2 || first.size() <= 2;
    if (!isLetter && findOption(first) != nullptr)
      line_.notes.push_back(
          fmt::format("{} goes to the program. nvcc's options come before the file; a -- "
                      "before the program's words says that they are its own.",
                      first));
  }

  void addOption(std::string_view name, std::string value) {
    line_.own.insert(line_.own.end(), {std::string(name), std::move(value)});
  }
  void addHostFlag(std::string_view flag) { line_.own.push_back(fmt::format("--host-flag={}", flag)); }

  /// The value of the current option, behind `=`, in the word or in the next one; moves on past both.
  std::string readValue(const NvccOption& option) {
    const std::string& word = words_[at_++];
    if (option.takes == Takes::None) return "";
    const std::size_t equals = word.find('=');
    const bool isNamed = wordsIn(option.names).contains(std::string_view(word).substr(0, equals));
    if (!isNamed) return word.substr(2);
    if (equals != std::string::npos) return word.substr(equals + 1);
    const bool isNext = at_ < words_.size() && (option.takes != Takes::Maybe ||
                                                (!isOption(words_[at_]) && !isSourceFile(words_[at_])));
    return isNext ? words_[at_++] : std::string();
  }

  /// Reads an option of nvcc and its value.
  void take(const NvccOption& option) {
    const std::size_t begin = at_;
    const std::string& word = words_[begin];
    const std::string value = readValue(option);
    const std::string written = at_ - begin == 2 ? word + " " + value : word;
    switch (option.becomes) {
      case Becomes::Nothing: break;
      case Becomes::Option: addOption(option.text, value); break;
      case Becomes::Definition: definitions_.push_back(value); break;
      case Becomes::Macro: definitions_.emplace_back(option.text); break;
      case Becomes::MacroIfTrue:
        if (value != "false") definitions_.emplace_back(option.text);
        break;
      case Becomes::HostFlag: addHostFlag(word); break;
      case Becomes::HostFlags: addHostFlags(value); break;
      case Becomes::Compiler: addOption("--cxx", compilerAt(value)); break;
      case Becomes::Library:
        if (!wordsIn(kNeedless).contains(value)) line_.own.push_back("--host-library=" + value);
        break;
      case Becomes::LibraryDirectory: addHostFlag("-L" + value); break;
      case Becomes::Undefined: undefine(value); break;
      case Becomes::Architecture: architectures_.emplace_back(written, value); break;
      case Becomes::NoteOfThreads:
        if (value != "per-thread") break;
        [[fallthrough]];
      case Becomes::Note:
        line_.notes.push_back(fmt::format("{} is passed over: {}.", written, option.text));
        break;
      case Becomes::Refusal:
        refused_ = fmt::format("{} cannot be used here: {}.", written, option.text);
        break;
    }
  }

  /// `-Wall,-fopenmp`, or several apart by blanks.
  void addHostFlags(std::string_view flags) {
    for (const std::string_view part : splitAt(',', flags)) {
      for (const std::string_view flag : splitAt(' ', part)) {
        if (!flag.empty()) addHostFlag(flag);
      }
    }
  }

  static std::string compilerAt(const std::string& path) {
    std::error_code failure;
    return std::filesystem::is_directory(path, failure) ? path + "/g++" : path;
  }

  /// Removes the definitions of a macro before this word; the compiler's own are undefined for the host.
  void undefine(const std::string& name) {
    std::erase_if(definitions_, [&](const std::string& definition) {
      return definition.substr(0, definition.find('=')) == name;
    });
    addHostFlag("-U" + name);
  }

  void addArchitectureNote() {
    const bool isSimulated = std::ranges::any_of(architectures_, [](const auto& one) {
      const std::string& value = one.second;
      return value.find(kCapability) != std::string::npos || value == "native" || value.starts_with("all");
    });
    if (isSimulated || architectures_.empty()) return;
    line_.notes.push_back(
        fmt::format("{} is passed over: kernels are compiled for compute capability 9.0 (sm_{}).",
                    architectures_.front().first, kCapability));
  }

  const std::vector<std::string>& words_;
  const CLI::App& command_;
  bool isProgram_;
  std::size_t at_ = 0;
  NvccLine line_;
  std::vector<std::string> definitions_;                            ///< of macros, `N=4`, that still hold
  std::vector<std::pair<std::string, std::string>> architectures_;  ///< as written, and the value
  std::string refused_;
};

}  // namespace

Result<NvccLine> readNvccLine(const std::vector<std::string>& words, const CLI::App& command,
                              bool isProgram) {
  return Reader(words, command, isProgram).read();
}

}  // namespace lanescope::cli
