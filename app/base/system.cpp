#include "app/base/system.h"

#include <cstdlib>  // defines __GLIBC__
#include <fstream>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lanescope {

void giveBackMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::optional<Error> writeFile(const std::filesystem::path& path, const std::string& text) {
  namespace fs = std::filesystem;
  const Error problem{"'" + path.string() + "' cannot be written.", "Choose another folder or name.", {}};
  std::error_code code;
  if (path.empty() || fs::is_directory(path, code)) return problem;
  // A link's target is written, not the link.
  const fs::path target = fs::is_symlink(path, code) ? fs::weakly_canonical(path, code) : path;
  if (target.empty()) return problem;
  fs::path draft;
  for (int number = 0; draft.empty() || fs::exists(fs::symlink_status(draft, code)); ++number) {
    draft = target;
    draft += ".new" + (number == 0 ? std::string() : std::to_string(number));
  }
  {
    std::ofstream file(draft, std::ios::binary | std::ios::trunc);
    file << text;
    file.flush();
    if (!file) {
      file.close();
      std::filesystem::remove(draft, code);
      return problem;
    }
  }
  if (const fs::file_status old = fs::status(target, code); fs::is_regular_file(old))
    fs::permissions(draft, old.permissions(), code);
  fs::rename(draft, target, code);
  if (!code) return std::nullopt;
  std::filesystem::remove(draft, code);
  return problem;
}

Error writingStopped(std::string_view what) {
  return Error{"The " + std::string(what) + " was stopped; nothing was written."};
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char letter : text) {
    if (letter == '"') field += '"';
    field += letter;
  }
  return field + "\"";
}

}  // namespace lanescope
