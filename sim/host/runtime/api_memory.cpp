#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/base/diagnostic.h"
#include "sim/host/runtime/device.h"
#include "sim/memory/address.h"

namespace lanescope::host {

// The CUDA runtime's functions on memory (CUDA Runtime API, "Memory Management").

namespace {

/// Bytes between rows of `width` bytes that the runtime allocates.
std::size_t computePitch(std::size_t width) {
  constexpr std::size_t kPitch = 512;
  return (width + kPitch - 1) / kPitch * kPitch;
}

cudaError_t allocate(void** pointer, std::size_t bytes, MemoryKind kind) {
  Device& gpu = device();
  const auto held = gpu.lock();
  if (pointer == nullptr) return gpu.keep(cudaErrorInvalidValue);
  if (gpu.refusal() != cudaSuccess) return gpu.keep(gpu.refusal());
  if (bytes == 0) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  Buffer* const buffer = gpu.memory().allocate(kind, bytes, gpu.tutor().caller());
  if (buffer == nullptr) {
    gpu.tutor().explain(
        "",
        fmt::format("{} bytes are more than the memory that there is ({} of {} are used); --max-memory "
                    "sets how much there is.",
                    withCommas(bytes), withCommas(gpu.memory().used()), withCommas(gpu.memory().limit())));
    return gpu.keep(cudaErrorMemoryAllocation);
  }
  *pointer = reinterpret_cast<void*>(buffer->address());  // NOLINT(performance-no-int-to-ptr)
  const auto own = gpu.memory().all().find(buffer->number);
  if (own->second.address() == buffer->address() && !own->second.isSymbol) {
    buffer->history = std::make_shared<BufferHistory>(bytes);
    if (!buffer->history->isThere()) buffer->history.reset();
  }
  return cudaSuccess;
}

cudaError_t release(void* pointer, bool isHosts, bool waits = true) {
  Device& gpu = device();
  const auto held = gpu.lock();
  if (waits) gpu.synchronize();
  if (pointer == nullptr) return gpu.keep(cudaSuccess);
  const Buffer* const buffer = gpu.memory().find(pointer);
  const bool isPinned = buffer != nullptr && buffer->kind == MemoryKind::Pinned;
  if (buffer != nullptr && isPinned == isHosts && gpu.memory().release(pointer, gpu.tutor().caller()))
    return gpu.keep(cudaSuccess);
  const std::string why = buffer == nullptr     ? "it is not an address that the runtime gave"
                          : buffer->isFreed     ? "it was freed already"
                          : isPinned != isHosts ? "its memory is of the other kind"
                                                : "it is not the start of its buffer";
  gpu.reportError(gpu.tutor().placeOfCaller(), fmt::format("a pointer cannot be freed: {}.", why));
  return gpu.keep(cudaErrorInvalidValue);
}

/// One side of a copy.
struct Side {
  std::byte* bytes = nullptr;  ///< first byte; nullptr: it cannot be used
  bool isDevice = false;       ///< only the device reaches it
  Buffer* buffer = nullptr;    ///< null: memory of the host that the runtime does not know
  std::uint64_t offset = 0;    ///< in the buffer
  std::string wrong;

  bool isOfBoth() const { return buffer != nullptr && buffer->isOfBoth(); }
  BufferHistory* history() const { return buffer == nullptr ? nullptr : buffer->incomplete(); }
};

Side findSide(const void* pointer, std::size_t bytes, std::string_view what) {
  Buffer* const buffer = device().memory().find(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Side side;
  if (buffer == nullptr) {
    if (pointer != nullptr) side.bytes = static_cast<std::byte*>(const_cast<void*>(pointer));
    if (pointer == nullptr) side.wrong = fmt::format("the {} is a null pointer", what);
    if (const Symbol* const symbol = device().symbolAround(pointer)) {
      side.wrong = fmt::format(
          "the {} is {}, a variable of the device, whose name is no address for cudaMemcpy: "
          "use {}",
          what, symbol->name.name, what == "source" ? "cudaMemcpyFromSymbol" : "cudaMemcpyToSymbol");
    }
    return side;
  }
  side.isDevice = !buffer->isOfBoth();
  const std::uint64_t offset = address - buffer->address();
  side.buffer = buffer;
  side.offset = offset;
  if (buffer->isFreed) {
    side.wrong = fmt::format("the {} was freed before", what);
  } else if (offset > buffer->bytes.size() || bytes > buffer->bytes.size() - offset) {
    side.wrong = fmt::format("{} bytes of the {}, from byte {} on, pass the end of its buffer of {} bytes",
                             withCommas(bytes), what, withCommas(offset), withCommas(buffer->bytes.size()));
  } else {
    side.bytes = buffer->bytes.data() + offset;
  }
  return side;
}

std::string_view kindName(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost: return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice: return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost: return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice: return "cudaMemcpyDeviceToDevice";
    default: return "cudaMemcpyDefault";
  }
}

/// Copies within the device are done whichever side the kind takes for the host's (measured on an H200, which
/// knows an address's memory by itself).
bool isOnlyMisnamed(const Side& to, const Side& from, cudaMemcpyKind kind) {
  return to.isDevice && from.isDevice && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost);
}

/// The reason a copy of that kind is impossible; empty if it is possible.
std::string directionText(const Side& to, const Side& from, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault || isOnlyMisnamed(to, from, kind)) return "";
  const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const auto text = [&](std::string_view what, bool isDevice) {
    return fmt::format("the {} of a copy {} is memory of the {}", what, kindName(kind),
                       isDevice ? "device" : "host");
  };
  if (!to.isOfBoth() && to.isDevice != toDevice) return text("destination", to.isDevice);
  if (!from.isOfBoth() && from.isDevice != fromDevice) return text("source", from.isDevice);
  return "";
}

cudaError_t refuse(const std::string& why) {
  Device& gpu = device();
  gpu.reportError(gpu.tutor().placeOfCaller(), why + ".");
  return gpu.keep(cudaErrorInvalidValue);
}

struct Rows {
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t bytes() const { return height == 0 || width == 0 ? 0 : pitch * (height - 1) + width; }
};

/// The bytes of a side, by their addresses.
std::vector<Interval> addressesOf(const Side& side, const Rows& rows) {
  std::vector<Interval> intervals;
  if (side.buffer == nullptr) return intervals;
  if (rows.pitch == rows.width) {
    const std::uint64_t begin = side.buffer->address() + side.offset;
    return {{begin, begin + rows.bytes()}};
  }
  for (std::size_t row = 0; row < rows.height; ++row) {
    const std::uint64_t begin = side.buffer->address() + side.offset + row * rows.pitch;
    intervals.push_back({begin, begin + rows.width});
  }
  return intervals;
}

/// Notes that the rows are written now: as far as their source is.
void noteCopied(const Side& to, const Side& from, const Rows& toRows, const Rows& fromRows,
                std::string_view what) {
  BufferHistory* const history = to.history();
  if (history == nullptr) return;
  const BufferHistory* const source = from.isDevice ? from.history() : nullptr;
  for (std::size_t row = 0; row < toRows.height; ++row) {
    const std::uint64_t begin = to.offset + row * toRows.pitch;
    if (source == nullptr)
      history->add(begin, toRows.width);
    else
      history->addCopy(begin, *source, from.offset + row * fromRows.pitch, toRows.width);
  }
  history->note({.what = std::string(what),
                 .place = {.code = device().tutor().caller()},
                 .bytes = toRows.width * toRows.height});
}

/// Tells of bytes that were never written and go to the host: if none of them is written, or the mistake is
/// known. Other programs may copy more than they use.
void tellOfUnwritten(const Side& from, const Rows& rows) {
  const BufferHistory* const history = from.isDevice ? from.history() : nullptr;
  if (history == nullptr) return;
  const ByteSet& written = history->written();
  std::uint64_t unwritten = 0;
  std::uint64_t first = UINT64_MAX;
  for (std::size_t row = 0; row < rows.height; ++row) {
    const std::uint64_t begin = from.offset + row * rows.pitch;
    for (std::uint64_t at = written.findNext(begin, false); at < begin + rows.width;) {
      const std::uint64_t end = std::min(begin + rows.width, written.findNext(at, true));
      first = std::min(first, at);
      unwritten += end - at;
      at = written.findNext(end, false);
    }
  }
  Device& gpu = device();
  const std::uint64_t all = rows.width * rows.height;
  if (unwritten == 0 || (unwritten < all && !history->findMistake(gpu.tutor(), first, 1))) return;
  const std::string allocated = gpu.tutor().lineOf({.code = from.buffer->caller});
  gpu.tutor().explain(
      gpu.tutor().placeOfCaller(),
      fmt::format("{} of the {} bytes that are copied to the host, from byte {} on, were never "
                  "written. {}",
                  unwritten == all ? "all" : withCommas(unwritten), withCommas(all), withCommas(first),
                  asSentence(history->whyText(gpu.tutor(), first, 1, allocated))));
}

cudaError_t copy(void* to, const void* from, Rows toRows, Rows fromRows, cudaMemcpyKind kind, bool waits) {
  Device& gpu = device();
  const auto held = gpu.lock();
  if (waits) gpu.flush();
  if (gpu.refusal() != cudaSuccess) return gpu.keep(gpu.refusal());
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return gpu.keep(cudaErrorInvalidMemcpyDirection);
  if (toRows.bytes() == 0) return gpu.keep(cudaSuccess);
  const Side destination = findSide(to, toRows.bytes(), "destination");
  const Side origin = findSide(from, fromRows.bytes(), "source");
  if (!destination.wrong.empty()) return refuse(destination.wrong);
  if (!origin.wrong.empty()) return refuse(origin.wrong);
  if (const std::string wrong = directionText(destination, origin, kind); !wrong.empty())
    return refuse(wrong);
  if (isOnlyMisnamed(destination, origin, kind)) {
    gpu.tutor().explain(
        gpu.tutor().placeOfCaller(),
        fmt::format("both sides of a copy {} are memory of the device: it is done, but its kind is "
                    "cudaMemcpyDeviceToDevice.",
                    kindName(kind)));
  }
  if (!destination.isDevice) tellOfUnwritten(origin, fromRows);
  noteCopied(destination, origin, toRows, fromRows, "the copy");
  gpu.memory().letHost();
  for (std::size_t row = 0; row < toRows.height; ++row)
    std::memmove(destination.bytes + row * toRows.pitch, origin.bytes + row * fromRows.pitch, toRows.width);
  gpu.add({.what = "the copy",
           .place = {.code = gpu.tutor().caller()},
           .reads = addressesOf(origin, fromRows),
           .writes = addressesOf(destination, toRows)});
  // CUDA Runtime API, "API synchronization behavior": a copy to pageable memory is done when the call
  // returns.
  const bool isWithin = destination.isDevice && origin.isDevice;
  const bool isToPageable = destination.buffer == nullptr;
  if ((waits && !isWithin) || isToPageable) gpu.synchronizeCurrentStream();
  gpu.guardHost();
  return gpu.keep(cudaSuccess);
}

/// For the device's memory it may still be in flight when the call returns.
void noteSet(const Side& side, const Rows& rows) {
  Device& gpu = device();
  noteCopied(side, {}, rows, rows, "the memset");
  gpu.add({.what = "the memset", .place = {.code = gpu.tutor().caller()}, .writes = addressesOf(side, rows)});
  if (side.isOfBoth()) gpu.synchronizeCurrentStream();
  gpu.guardHost();
}

cudaError_t fill(void* pointer, int value, Rows rows) {
  Device& gpu = device();
  const auto held = gpu.lock();
  if (gpu.refusal() != cudaSuccess) return gpu.keep(gpu.refusal());
  if (rows.bytes() == 0) return gpu.keep(cudaSuccess);
  const Side side = findSide(pointer, rows.bytes(), "memory to set");
  if (!side.wrong.empty()) return refuse(side.wrong);
  if (!side.isDevice && !side.isOfBoth()) return refuse("the memory to set is the host's");
  gpu.memory().letHost();
  for (std::size_t row = 0; row < rows.height; ++row)
    std::memset(side.bytes + row * rows.pitch, value, rows.width);
  noteSet(side, rows);
  return gpu.keep(cudaSuccess);
}

}  // namespace

cudaError_t fillElements(const cudaMemsetParams& p) {
  if (p.elementSize == 1)
    return fill(p.dst, static_cast<int>(p.value), {std::max(p.pitch, p.width), p.width, p.height});
  const auto held = device().lock();
  if (device().refusal() != cudaSuccess) return device().keep(device().refusal());
  const std::size_t rowBytes = p.width * p.elementSize;
  const Side side =
      findSide(p.dst, Rows{std::max(p.pitch, rowBytes), rowBytes, p.height}.bytes(), "memory to set");
  if (!side.wrong.empty()) return refuse(side.wrong);
  device().memory().letHost();
  for (std::size_t row = 0; row < p.height; ++row) {
    for (std::size_t e = 0; e < p.width; ++e)
      std::memcpy(side.bytes + row * p.pitch + e * p.elementSize, &p.value, p.elementSize);
  }
  noteSet(side, {std::max(p.pitch, rowBytes), rowBytes, p.height});
  return cudaSuccess;
}

}  // namespace lanescope::host

using namespace lanescope;  // NOLINT(google-build-using-namespace): the functions below are CUDA's, in no namespace
using namespace lanescope::host;  // NOLINT(google-build-using-namespace)

cudaError_t cudaMalloc(void** pointer, size_t bytes) { return allocate(pointer, bytes, MemoryKind::Device); }
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  const auto held = device().lock();
  const InStream in(stream);
  const cudaError_t error = allocate(pointer, bytes, MemoryKind::Device);
  if (error != cudaSuccess || *pointer == nullptr) return error;
  const auto begin = reinterpret_cast<std::uintptr_t>(*pointer);
  device().add({.what = "the allocation",
                .place = {.code = device().tutor().caller()},
                .writes = {{begin, begin + bytes}}});
  return error;
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int) {
  if (bytes == 0) return device().keep(cudaErrorInvalidValue);
  return allocate(pointer, bytes, MemoryKind::Managed);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::Pinned);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  const auto held = device().lock();
  const cudaError_t error = allocate(pointer, bytes, MemoryKind::Pinned);
  if (Buffer* const buffer = error == cudaSuccess ? device().memory().find(*pointer) : nullptr)
    buffer->flags = flags;
  return error;
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  *pitch = computePitch(width);
  return allocate(pointer, *pitch * height, MemoryKind::Device);
}
cudaError_t cudaFree(void* pointer) { return release(pointer, false); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const auto held = device().lock();
  const InStream in(stream);
  if (const Buffer* const buffer = device().memory().find(pointer); buffer != nullptr && !buffer->isFreed) {
    const Interval bytes{buffer->address(), buffer->address() + buffer->bytes.size()};
    device().add({.what = "cudaFreeAsync", .place = {.code = device().tutor().caller()}, .writes = {bytes}});
    device().forget(bytes);
  }
  return release(pointer, false, false);
}
cudaError_t cudaFreeHost(void* pointer) { return release(pointer, true); }

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
  if (pointer == nullptr || bytes == 0) return device().keep(cudaErrorInvalidValue);
  const auto held = device().lock();
  device().memory().name({static_cast<std::byte*>(pointer), bytes}, device().tutor().caller());
  return device().keep(cudaSuccess);
}
cudaError_t cudaHostUnregister(void* pointer) {
  const auto held = device().lock();
  for (const auto& [number, buffer] : device().memory().all()) {
    if (buffer.isFreed || buffer.kind != MemoryKind::Registered || buffer.bytes.data() != pointer) continue;
    device().memory().release(
        reinterpret_cast<void*>(buffer.address()));  // NOLINT(performance-no-int-to-ptr)
    return device().keep(cudaSuccess);
  }
  return device().keep(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void** to, void* host, unsigned int) {
  const auto held = device().lock();
  if (const Buffer* const buffer = device().memory().find(host); buffer != nullptr && !buffer->isFreed) {
    *to = host;
    return device().keep(cudaSuccess);
  }
  for (const auto& [number, buffer] : device().memory().all()) {
    if (buffer.isFreed || buffer.kind != MemoryKind::Registered || buffer.bytes.data() != host) continue;
    *to = reinterpret_cast<void*>(buffer.address());  // NOLINT(performance-no-int-to-ptr)
    return device().keep(cudaSuccess);
  }
  return device().keep(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  const auto held = device().lock();
  *total = device().totalBytes();
  *available = *total - std::min<std::size_t>(*total, device().memory().used());
  return device().keep(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const auto held = device().lock();
  *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, const_cast<void*>(pointer)};
  const Buffer* const buffer = device().memory().find(pointer);
  if (buffer == nullptr || buffer->isFreed) return device().keep(cudaSuccess);
  attributes->device = 0;
  attributes->devicePointer = const_cast<void*>(pointer);
  switch (buffer->kind) {
    case MemoryKind::Managed: attributes->type = cudaMemoryTypeManaged; break;
    case MemoryKind::Pinned: attributes->type = cudaMemoryTypeHost; break;
    default: attributes->type = cudaMemoryTypeDevice; attributes->hostPointer = nullptr;
  }
  return device().keep(cudaSuccess);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy(to, from, {bytes, bytes}, {bytes, bytes}, kind, true);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return submit(stream, NodeKind::Memcpy, [=] {
    return copy(to, from, {bytes, bytes}, {bytes, bytes}, kind, false);
  });
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return copy(to, from, {bytes, bytes}, {bytes, bytes}, cudaMemcpyDeviceToDevice, true);
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  if (width > toPitch || width > fromPitch) return device().keep(cudaErrorInvalidPitchValue);
  return copy(to, from, {toPitch, width, height}, {fromPitch, width, height}, kind, true);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  if (width > toPitch || width > fromPitch) return device().keep(cudaErrorInvalidPitchValue);
  return submit(stream, NodeKind::Memcpy, [=] {
    return copy(to, from, {toPitch, width, height}, {fromPitch, width, height}, kind, false);
  });
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return fill(pointer, value, {bytes, bytes});
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return submit(stream, NodeKind::Memset, [=] { return fill(pointer, value, {bytes, bytes}); });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill(pointer, value, {pitch, width, height});
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return submit(stream, NodeKind::Memset, [=] { return fill(pointer, value, {pitch, width, height}); });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  const auto held = device().lock();
  const Buffer* const buffer = device().memory().find(pointer);
  const bool isPinned = buffer != nullptr && !buffer->isFreed && buffer->kind == MemoryKind::Pinned;
  *flags = isPinned ? buffer->flags | cudaHostAllocMapped : 0;
  return device().keep(isPinned ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t lanescopeSymbolAddress(void** pointer, size_t* bytes, const void* shadow) {
  const auto held = device().lock();
  const Symbol* const symbol = device().symbol(shadow);
  if (symbol == nullptr) return device().keep(cudaErrorInvalidSymbol);
  if (pointer != nullptr) *pointer = reinterpret_cast<void*>(symbol->buffer << kOffsetBits);  // NOLINT
  if (bytes != nullptr) *bytes = symbol->bytes;
  return device().keep(cudaSuccess);
}

cudaError_t lanescopeSymbolCopy(const void* shadow, void* to, const void* from, size_t bytes, size_t offset,
                                cudaMemcpyKind kind, bool isToSymbol) {
  void* address = nullptr;
  const cudaError_t error = lanescopeSymbolAddress(&address, nullptr, shadow);
  if (error != cudaSuccess) return error;
  void* const place = static_cast<char*>(address) + offset;
  return isToSymbol ? cudaMemcpy(place, from, bytes, kind) : cudaMemcpy(to, place, bytes, kind);
}
