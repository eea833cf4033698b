#include "app/cli/nvcc_options.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/words.h"
#include "sim/host/program.h"

namespace lanescope::cli {
namespace {

/// nvcc's options without a value that change nothing here.
constexpr std::string_view kPassedOver =
    "-G -g -lineinfo -pg -w -c -dc -dw -dlink -ptx -cubin -fatbin -v -Werror -Wreorder "
    "-Wext-lambda-captures-this "
    "-m64 -keep -clean -run -dryrun -shared -no-compress -res-usage -restrict -extra-device-vectorization "
    "-expt-relaxed-constexpr -expt-extended-lambda -extended-lambda -forward-unknown-to-host-compiler "
    "-forward-unknown-opts -allow-unsupported-compiler -source-in-ptx -no-align-double -objtemp -MD -MMD -MP "
    "--device-debug --debug --generate-line-info --profile --disable-warnings --compile --device-c "
    "--device-w "
    "--device-link --verbose --keep --shared --resource-usage --restrict --expt-relaxed-constexpr "
    "--expt-extended-lambda --extended-lambda --forward-unknown-to-host-compiler --forward-unknown-opts "
    "--allow-unsupported-compiler --source-in-ptx --no-exceptions -noeh";

/// Those with a value, as `-arch=sm_90` or `-arch sm_90`.
constexpr std::string_view kWithValue =
    "-arch -code -gencode -o -x -ccbin -rdc -maxrregcount -cudart -cudadevrt -t -Xptxas -Xnvlink -Xlinker "
    "-Xarchive -Xcudafe -diag-suppress -diag-warn -diag-error -L -idp -odir -keep-dir -MF -MT -lto "
    "-include -default-stream -run-args -optf -allow-expensive-optimizations "
    "--gpu-architecture --gpu-code --generate-code --output-file --x --compiler-bindir "
    "--relocatable-device-code --maxrregcount --cudart --threads --ptxas-options --nvlink-options "
    "--linker-options --diag-suppress --library-path --library --default-stream";

/// Those that change a kernel's numbers.
constexpr std::string_view kOfNumbers =
    "-use_fast_math --use_fast_math -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt";

/// Libraries whose functions are the compiler's, the C library's or Lanescope's.
constexpr std::string_view kNeedless =
    "cuda cudart cudart_static cudadevrt cublas cublasLt cublas_static cufft curand curand_static cusparse "
    "cusolver cudnn nvrtc nvToolsExt nvtx3interop nppc nppi npps nvml nvidia-ml m rt dl pthread stdc++ c "
    "culibos";

bool isIn(std::string_view list, std::string_view word) { return wordsIn(list).contains(word); }

/// `-arch` of `-arch=sm_90`.
std::string_view nameOf(std::string_view word) { return word.substr(0, word.find('=')); }

bool isSourceFile(const std::string& word) {
  std::error_code failure;
  return host::isSourcePath(word) && std::filesystem::is_regular_file(word, failure);
}

class Reader {
 public:
  Reader(const std::vector<std::string>& words, bool isProgram, std::vector<std::string>& notes)
      : words_(words), isProgram_(isProgram), notes_(notes) {}

  std::vector<std::string> read() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_];
      if (word == "--") break;
      if (isSourceFile(word)) {
        wasSource_ = true;
        stem_ = std::filesystem::path(word).stem().string();
      }
      if (!take(word)) {
        rest_.push_back(word);
        ++at_;
      }
    }
    rest_.insert(rest_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    return std::move(rest_);
  }

 private:
  /// The value of an option behind `=` or in the next word; moves on past both.
  std::string value(std::string_view word) {
    const std::size_t equals = word.find('=');
    ++at_;
    if (equals != std::string_view::npos) return std::string(word.substr(equals + 1));
    return at_ < words_.size() ? words_[at_++] : std::string();
  }

  void replaceBy(std::initializer_list<std::string> words) { rest_.insert(rest_.end(), words); }

  /// True if the word is nvcc's: it, and its value, were read.
  bool take(const std::string& word) {
    if (word.size() < 2 || word[0] != '-') return false;
    const std::string_view name = nameOf(word);
    if (isProgram_ && wasSource_ && mayBePrograms(word)) return false;
    if (takeHostOption(word, name) || takeLibrary(word)) return true;
    if (isIn(kOfNumbers, name)) {
      if (name.find("math") != std::string_view::npos || word.find('=') != std::string::npos)
        ++at_;
      else
        value(word);
      notes_.push_back(fmt::format("{} is passed over: kernels compute as without it.", word));
      return true;
    }
    if (isIn(kPassedOver, word) || word.starts_with("-W")) {
      ++at_;
      return true;
    }
    if (!isIn(kWithValue, name)) return false;
    value(word);
    return true;
  }

  /// What the host's compiler gets.
  bool takeHostOption(const std::string& word, std::string_view name) {
    if (word.starts_with("-O") && word.size() <= 3) {
      replaceBy({"-O", word.size() == 3 ? word.substr(2) : value(word)});
      at_ += word.size() == 3 ? 1 : 0;
    } else if (name == "-std") {
      replaceBy({"--std", value(word)});
    } else if (name == "-fmad") {
      replaceBy({"--fmad", value(word)});
    } else if (name == "-Xcompiler" || name == "--compiler-options") {
      const std::string flags = value(word);  // "-Wall,-fopenmp", or several apart by blanks
      for (const std::string_view part : splitAt(',', flags)) {
        for (const std::string_view flag : splitAt(' ', part)) {
          if (!flag.empty()) rest_.push_back(fmt::format("--host-flag={}", flag));
        }
      }
    } else if (name == "-isystem" || name == "--system-include") {
      replaceBy({"-I", value(word)});
    } else if (word == "-fopenmp" || word == "-pthread" || word == "-fPIC") {
      rest_.push_back("--host-flag=" + word);
      ++at_;
    } else {
      return false;
    }
    return true;
  }

  bool takeLibrary(const std::string& word) {
    if (!word.starts_with("-l") || word == "-lineinfo" || word.starts_with("-lto")) return false;
    std::string name = word.substr(2);
    ++at_;
    if (name.empty() && at_ < words_.size()) name = words_[at_++];
    if (!isIn(kNeedless, name)) rest_.push_back("--host-library=" + name);
    return true;
  }

  /// Words behind the program's file are its own, unless only nvcc has such.
  bool mayBePrograms(const std::string& word) const {
    const std::string_view name = nameOf(word);
    if (word == "-o") {
      const std::string next = at_ + 1 < words_.size() ? words_[at_ + 1] : "";
      const std::string out = std::filesystem::path(next).filename().string();
      return out != stem_ && out != "a.out" && !out.ends_with(".o") && !out.ends_with(".exe");
    }
    if (word.starts_with("-l")) return word != "-lineinfo" && !isIn(kNeedless, word.substr(2));
    if (word.starts_with("-O")) return word.size() != 3;
    constexpr auto kOwn = std::to_array<std::string_view>({"-arch",
                                                           "-gencode",
                                                           "-std",
                                                           "-Xcompiler",
                                                           "-Xptxas",
                                                           "-Xlinker",
                                                           "-rdc",
                                                           "-maxrregcount",
                                                           "-cudart",
                                                           "-use_fast_math",
                                                           "--use_fast_math",
                                                           "-fmad",
                                                           "--gpu-architecture",
                                                           "--generate-code",
                                                           "--expt-relaxed-constexpr",
                                                           "--expt-extended-lambda",
                                                           "--extended-lambda",
                                                           "-extended-lambda",
                                                           "--generate-line-info",
                                                           "--device-debug",
                                                           "--ptxas-options",
                                                           "--compiler-options"});
    return std::ranges::find(kOwn, name) == kOwn.end();
  }

  const std::vector<std::string>& words_;
  bool isProgram_;
  std::vector<std::string>& notes_;
  std::vector<std::string> rest_;
  std::size_t at_ = 0;
  bool wasSource_ = false;
  std::string stem_;  ///< of the last source file
};

}  // namespace

std::vector<std::string> withoutNvccOptions(const std::vector<std::string>& words, bool isProgram,
                                            std::vector<std::string>& notes) {
  return Reader(words, isProgram, notes).read();
}

void dropHostOptions(std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--host-")) continue;
    if (words[i] == "-O" || words[i] == "--std" || words[i] == "--fmad")
      ++i;
    else
      kept.push_back(words[i]);
  }
  words = std::move(kept);
}

}  // namespace lanescope::cli
