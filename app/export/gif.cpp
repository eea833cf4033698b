#include "app/export/gif.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "app/session/base/child_process.h"
#include "app/session/base/write_file.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

/// What can make a GIF, the best first.
constexpr std::array<std::string_view, 3> kPrograms{"ffmpeg", "magick", "convert"};

/// For a shell: two frames per second, over and over. The names are those of kPrograms.
std::string commandOf(std::string_view name, const fs::path& program, const fs::path& frames,
                      const fs::path& gif) {
  const std::string before = quotedForShell(program.string());
  const std::string in = quotedForShell(frames.string());
  const std::string out = quotedForShell(gif.string());
  if (name == "ffmpeg") {
    return fmt::format(
        "{} -v error -framerate 2 -pattern_type glob -i {}/'*.png' -filter_complex "
        "'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none' -loop 0 {}",
        before, in, out);
  }
  return fmt::format("{} -delay 50 -loop 0 {}/*.png -layers optimize {}", before, in, out);
}

/// A folder of its own, gone with this object.
class Workplace {
 public:
  Workplace() {
    std::error_code failure;
    std::string name = (fs::temp_directory_path(failure) / "lanescope-gif-XXXXXX").string();
    if (!failure && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Workplace() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string bytesOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs it to its end; what it says, where it fails, is in `complaints`.
std::optional<Error> run(const std::string& command, std::string_view name, const fs::path& complaints,
                         const std::function<bool()>& goesOn) {
  auto process =
      ChildProcess::start(command + " </dev/null >" + quotedForShell(complaints.string()) + " 2>&1");
  if (!process) return process.error();
  std::optional<ProcessEnd> end;
  while (!(end = process->ended(std::chrono::milliseconds(50)))) {
    if (!goesOn()) return writingStopped("GIF");
  }
  if (!end->bySignal && end->code == 0) return std::nullopt;
  const std::string said = bytesOf(complaints);
  return Error{fmt::format("{} could not make the GIF: {}.", name,
                           said.empty() ? end->text() : said.substr(0, said.find('\n'))),
               "Take fewer frames or a smaller size, or write the frames as PNGs."};
}

}  // namespace

Result<std::size_t> writeGif(const fs::path& file, const std::shared_ptr<const Trace>& trace,
                             const std::vector<Cursor>& frames, const FrameWriter& write,
                             const FrameWatcher& goesOn) {
  std::string_view name;
  std::optional<fs::path> program;
  for (auto next = kPrograms.begin(); next != kPrograms.end() && !program; ++next) {
    name = *next;
    program = findProgram(name);
  }
  if (!program)
    return Error{"A GIF is made with ffmpeg or ImageMagick, and neither is installed.",
                 "Install one of them, or write the frames as PNGs."};
  const Workplace workplace;
  if (workplace.path().empty()) return Error{"There is no room for temporary files."};
  const fs::path folder = workplace.path() / "frames";
  auto count = writeSequence(folder, trace, frames, write, goesOn);
  if (!count) return count;
  const fs::path gif = workplace.path() / "walk.gif";
  const auto problem = run(commandOf(name, *program, folder, gif), name == "ffmpeg" ? name : "ImageMagick",
                           workplace.path() / "complaints", [&] { return !goesOn || goesOn(frames.size()); });
  if (problem) return *problem;
  if (auto refused = writeFile(file, bytesOf(gif))) return *std::move(refused);
  return count;
}

}  // namespace lanescope
