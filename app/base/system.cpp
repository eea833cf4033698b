#include "app/base/system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>  // defines __GLIBC__
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lanescope {

void giveBackMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

namespace {

namespace fs = std::filesystem;

/// Why a file is not written, by errno.
Error notWritten(const fs::path& path, int code) {
  const std::string name = "'" + path.string() + "' cannot be written";
  if (code == ENOSPC || code == EDQUOT)
    return {name + ": the disk is full.", "Make room, or choose another folder.", {}};
  if (code == ENXIO) return {name + ": no program reads from it.", "Start the reader first.", {}};
  if (code == EROFS) return {name + ": it is write-protected.", "Choose another name.", {}};
  return {name + ".", "Choose another folder or name.", {}};
}

/// Writes all of it; errno, or 0. Closes the descriptor.
int writeAll(int file, std::string_view text) {
  int code = 0;
  while (code == 0 && !text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      code = errno;
    }
  }
  return ::close(file) == 0 || code != 0 ? code : errno;
}

/// Writes to what is there already: a device, a pipe, a file of several names.
int writeInto(const fs::path& path, std::string_view text, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
  if (file < 0) return errno;
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);  // a pipe without a reader was refused
  return writeAll(file, text);
}

/// Creates a draft beside the target and writes it; errno, or 0. `draft` is empty if there is none.
int writeDraft(const fs::path& target, std::string_view text, fs::path& draft) {
  for (int number = 0;; ++number) {
    draft = target;
    draft += ".new" + (number == 0 ? std::string() : std::to_string(number));
    const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return writeAll(file, text);
    if (errno == EEXIST) continue;
    draft.clear();
    return errno;
  }
}

/// The file that a chain of links leads to, if it does not exist either; empty: a chain without an end.
fs::path followLinks(fs::path path) {
  std::error_code code;
  for (int links = 0; links < 40; ++links) {
    if (!fs::is_symlink(path, code)) return path;
    path = path.parent_path() / fs::read_symlink(path, code);
  }
  return {};
}

}  // namespace

std::optional<Error> writeFile(const fs::path& path, const std::string& text) {
  const fs::path target = followLinks(path);
  struct stat old {};
  const bool isThere = ::stat(path.c_str(), &old) == 0;
  if (path.empty() || target.empty() || (isThere && S_ISDIR(old.st_mode))) return notWritten(path, 0);
  if (isThere && !S_ISREG(old.st_mode)) {
    const int code = writeInto(path, text, 0);
    return code == 0 ? std::nullopt : std::optional(notWritten(path, code));
  }
  const bool isProtected = isThere && ((old.st_mode & 0222U) == 0 || ::access(path.c_str(), W_OK) != 0);
  if (isProtected) return notWritten(path, EROFS);
  fs::path draft;
  int code = writeDraft(target, text, draft);
  if (code == 0 && isThere && old.st_nlink > 1) {  // its other names keep naming the same file
    code = writeInto(target, text, O_TRUNC);
    if (code != 0) {
      Error half = notWritten(path, code);
      half.hint = "The text is in '" + draft.string() + "'.";
      return half;
    }
  } else if (code == 0) {
    if (isThere) ::chmod(draft.c_str(), old.st_mode & 07777U);
    if (::rename(draft.c_str(), target.c_str()) == 0) return std::nullopt;
    code = errno;
  }
  if (!draft.empty()) ::unlink(draft.c_str());
  return code == 0 ? std::nullopt : std::optional(notWritten(path, code));
}

Error writingStopped(std::string_view what) {
  return Error{"The " + std::string(what) + " was stopped; nothing was written."};
}

namespace {

/// `-1.5`, `+3e2`, `-inf`.
bool isNumber(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.front() == '-') return false;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec != std::errc::invalid_argument && read.ptr == text.data() + text.size();
}

}  // namespace

std::string csvField(std::string_view text) {
  const bool isFormula = !text.empty() &&
                         std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos &&
                         !isNumber(text);
  const std::string_view guard = isFormula ? "'" : "";
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(guard).append(text);
  std::string field = "\"" + std::string(guard);
  for (const char letter : text) {
    if (letter == '"') field += '"';
    field += letter;
  }
  return field + "\"";
}

}  // namespace lanescope
