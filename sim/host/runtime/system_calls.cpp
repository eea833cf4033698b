#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>

#include "sim/host/runtime/device.h"

// read(), write() and the functions like them that are below, for the program and the libraries that it uses.
// They hand memory to the system, which fails with EFAULT for a page in flight. An access by the program
// itself would be reported and then allowed. So these report and allow it first, and then call the C library.
namespace {

void willUse(const void* memory, std::size_t bytes, bool isWrite) {
  lanescope::host::Device* const device = lanescope::host::startedDevice();
  if (device != nullptr) device->letEarlyCall(memory, bytes, isWrite);
}

void willUse(const iovec* parts, int count, bool isWrite) {
  for (int p = 0; p < count; ++p) willUse(parts[p].iov_base, parts[p].iov_len, isWrite);
}

/// The C library's function of that name.
template <class Function>
Function findNext(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t read(int file, void* to, size_t bytes) {
  static const auto next = findNext<decltype(&::read)>("read");
  willUse(to, bytes, true);
  return next(file, to, bytes);
}

ssize_t pread(int file, void* to, size_t bytes, off_t offset) {
  static const auto next = findNext<decltype(&::pread)>("pread");
  willUse(to, bytes, true);
  return next(file, to, bytes, offset);
}

ssize_t readv(int file, const iovec* parts, int count) {
  static const auto next = findNext<decltype(&::readv)>("readv");
  willUse(parts, count, true);
  return next(file, parts, count);
}

ssize_t recv(int socket, void* to, size_t bytes, int flags) {
  static const auto next = findNext<decltype(&::recv)>("recv");
  willUse(to, bytes, true);
  return next(socket, to, bytes, flags);
}

size_t fread(void* to, size_t size, size_t count, FILE* file) {
  static const auto next = findNext<decltype(&::fread)>("fread");
  willUse(to, size * count, true);
  return next(to, size, count, file);
}

ssize_t write(int file, const void* from, size_t bytes) {
  static const auto next = findNext<decltype(&::write)>("write");
  willUse(from, bytes, false);
  return next(file, from, bytes);
}

ssize_t pwrite(int file, const void* from, size_t bytes, off_t offset) {
  static const auto next = findNext<decltype(&::pwrite)>("pwrite");
  willUse(from, bytes, false);
  return next(file, from, bytes, offset);
}

ssize_t writev(int file, const iovec* parts, int count) {
  static const auto next = findNext<decltype(&::writev)>("writev");
  willUse(parts, count, false);
  return next(file, parts, count);
}

ssize_t send(int socket, const void* from, size_t bytes, int flags) {
  static const auto next = findNext<decltype(&::send)>("send");
  willUse(from, bytes, false);
  return next(socket, from, bytes, flags);
}

size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  static const auto next = findNext<decltype(&::fwrite)>("fwrite");
  willUse(from, size * count, false);
  return next(from, size, count, file);
}

}  // extern "C"
