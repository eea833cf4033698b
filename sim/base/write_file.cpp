#include "sim/base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace lanescope {
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

using Parts = std::span<const std::string_view>;

/// Writes all of it, to the disk if it `lasts`; errno, or 0. Closes the descriptor.
int writeAll(int file, Parts parts, bool lasts) {
  int code = 0;
  for (std::string_view text : parts) {
    while (code == 0 && !text.empty()) {
      const ssize_t written = ::write(file, text.data(), text.size());
      if (written >= 0) {
        text.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        code = errno;
      }
    }
  }
  if (code == 0 && lasts && ::fsync(file) != 0 && errno != EINVAL)
    code = errno;  // EINVAL: a pipe has no disk
  return ::close(file) == 0 || code != 0 ? code : errno;
}

/// A new name is on the disk when its folder is.
void keepNames(const fs::path& folder) {
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

/// Writes to what is there already: a device, a pipe, a file that no draft can replace.
int writeInto(const fs::path& path, Parts parts, int flags, bool lasts) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
  if (file < 0) return errno;
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_NONBLOCK);  // a pipe without a reader was refused
  return writeAll(file, parts, lasts);
}

/// Creates a draft beside the target and writes it; errno, or 0. `draft` is empty if there is none.
int writeDraft(const fs::path& target, Parts parts, bool lasts, fs::path& draft) {
  for (int number = 0;; ++number) {
    draft = target;
    draft += ".new" + (number == 0 ? std::string() : std::to_string(number));
    const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return writeAll(file, parts, lasts);
    if (errno == EEXIST) continue;
    draft.clear();
    return errno;
  }
}

/// True if the folder refuses a new file or a new name, by errno; the files in it may be writable. EBUSY: the
/// target is mounted there by itself; ENOENT: the system alone creates files there, as in /proc.
bool isOfFolder(int code) {
  return code == EACCES || code == EPERM || code == EROFS || code == EBUSY || code == ENOENT;
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

std::optional<Error> writeFile(const fs::path& path, std::string_view text, bool lasts) {
  return writeFile(path, Parts(&text, 1), lasts);
}

std::optional<Error> writeFile(const fs::path& path, Parts parts, bool lasts) {
  const fs::path target = followLinks(path);
  struct stat old {};
  const bool isThere = ::stat(path.c_str(), &old) == 0;
  if (path.empty() || target.empty() || (isThere && S_ISDIR(old.st_mode))) return notWritten(path, 0);
  if (isThere && !S_ISREG(old.st_mode)) {
    const int code = writeInto(path, parts, 0, lasts);
    return code == 0 ? std::nullopt : std::optional(notWritten(path, code));
  }
  const bool isProtected = isThere && ((old.st_mode & 0222U) == 0 || ::access(path.c_str(), W_OK) != 0);
  if (isProtected) return notWritten(path, EROFS);
  fs::path draft;
  int code = writeDraft(target, parts, lasts, draft);
  const bool hasOtherNames = isThere && old.st_nlink > 1;  // they keep naming the same file
  if (code == 0 && !hasOtherNames) {
    if (isThere) ::chmod(draft.c_str(), old.st_mode & 07777U);
    if (::rename(draft.c_str(), target.c_str()) == 0) {
      if (lasts) keepNames(target.parent_path());
      return std::nullopt;
    }
    code = errno;
  }
  if (isThere && (code == 0 || isOfFolder(code))) {
    if (lasts && !draft.empty()) keepNames(target.parent_path());
    code = writeInto(target, parts, O_TRUNC, lasts);
    if (code != 0 && !draft.empty()) {
      Error half = notWritten(path, code);
      half.hint = "The text is in '" + draft.string() + "'.";
      return half;
    }
  }
  if (!draft.empty()) ::unlink(draft.c_str());
  return code == 0 ? std::nullopt : std::optional(notWritten(path, code));
}

}  // namespace lanescope
