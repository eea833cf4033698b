#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/host/runtime/device.h"
#include "sim/memory/address.h"

namespace lanescope::host {

/// The memory that a texture object points to on the device: the layout from which the device library
/// (sim/language/check) reads its texels. Both sides agree on this layout.
struct TextureView {
  std::uint64_t memory = 0;  ///< address of the first texel
  std::uint64_t pitch = 0;   ///< bytes between rows
  int width = 0;             ///< texels
  int height = 1;
  int depth = 1;
  int addressMode[3] = {};  ///< cudaTextureAddressMode by axis
  int filterMode = 0;       ///< cudaTextureFilterMode
  int isNormalized = 0;     ///< coordinates are from 0 to 1
  int readMode = 0;         ///< cudaTextureReadMode
  int kind = 0;             ///< cudaChannelFormatKind
  int channelBits = 0;
};

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
  const Buffer* const buffer = gpu.memory().allocate(kind, bytes, gpu.tutor().caller());
  if (buffer == nullptr) {
    gpu.tutor().explain(
        "",
        fmt::format("{} bytes are more than the memory that there is ({} of {} are used); --max-memory "
                    "sets how much there is.",
                    withCommas(bytes), withCommas(gpu.memory().used()), withCommas(gpu.memory().limit())));
    return gpu.keep(cudaErrorMemoryAllocation);
  }
  *pointer = reinterpret_cast<void*>(buffer->address());  // NOLINT(performance-no-int-to-ptr)
  return cudaSuccess;
}

cudaError_t release(void* pointer, bool isHosts) {
  Device& gpu = device();
  const auto held = gpu.lock();
  gpu.synchronize();
  if (pointer == nullptr) return gpu.keep(cudaSuccess);
  const Buffer* const buffer = gpu.memory().find(pointer);
  const bool isPinned = buffer != nullptr && buffer->kind == MemoryKind::Pinned;
  if (buffer != nullptr && isPinned == isHosts && gpu.memory().release(pointer)) return gpu.keep(cudaSuccess);
  const std::string why = buffer == nullptr     ? "it is not an address that the runtime gave"
                          : buffer->isFreed     ? "it was freed already"
                          : isPinned != isHosts ? "its memory is of the other kind"
                                                : "it is not the start of its buffer";
  gpu.tutor().explain(gpu.tutor().placeOfCaller(), fmt::format("a pointer cannot be freed: {}.", why));
  return gpu.keep(cudaErrorInvalidValue);
}

/// One side of a copy.
struct Side {
  std::byte* bytes = nullptr;  ///< first byte; nullptr: it cannot be used
  bool isDevice = false;       ///< only the device reaches it
  bool isBoth = false;
  std::string wrong;
};

Side findSide(const void* pointer, std::size_t bytes, std::string_view what) {
  Buffer* const buffer = device().memory().find(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Side side;
  if (buffer == nullptr) {
    if (pointer != nullptr) side.bytes = static_cast<std::byte*>(const_cast<void*>(pointer));
    if (pointer == nullptr) side.wrong = fmt::format("the {} is a null pointer", what);
    return side;
  }
  side.isDevice = buffer->kind == MemoryKind::Device || buffer->kind == MemoryKind::Registered;
  side.isBoth = !side.isDevice;
  const std::uint64_t offset = address - buffer->address();
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

/// The reason a copy of that kind is impossible; empty if it is possible.
std::string directionText(const Side& to, const Side& from, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return "";
  const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const auto text = [&](std::string_view what, bool isDevice) {
    return fmt::format("the {} of a copy {} is memory of the {}", what, kindName(kind),
                       isDevice ? "device" : "host");
  };
  if (!to.isBoth && to.isDevice != toDevice) return text("destination", to.isDevice);
  if (!from.isBoth && from.isDevice != fromDevice) return text("source", from.isDevice);
  return "";
}

cudaError_t refuse(const std::string& why) {
  Device& gpu = device();
  gpu.tutor().explain(gpu.tutor().placeOfCaller(), why + ".");
  return gpu.keep(cudaErrorInvalidValue);
}

struct Rows {
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t bytes() const { return height == 0 || width == 0 ? 0 : pitch * (height - 1) + width; }
};

cudaError_t copy(void* to, const void* from, Rows toRows, Rows fromRows, cudaMemcpyKind kind, bool waits) {
  Device& gpu = device();
  const auto held = gpu.lock();
  if (waits) gpu.synchronize();
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
  const bool wasReachable = gpu.memory().isManagedReachable();
  gpu.memory().protectManaged(true);
  for (std::size_t row = 0; row < toRows.height; ++row)
    std::memmove(destination.bytes + row * toRows.pitch, origin.bytes + row * fromRows.pitch, toRows.width);
  gpu.memory().protectManaged(wasReachable);
  return gpu.keep(cudaSuccess);
}

cudaError_t fill(void* pointer, int value, Rows rows) {
  Device& gpu = device();
  const auto held = gpu.lock();
  if (gpu.refusal() != cudaSuccess) return gpu.keep(gpu.refusal());
  if (rows.bytes() == 0) return gpu.keep(cudaSuccess);
  const Side side = findSide(pointer, rows.bytes(), "memory to set");
  if (!side.wrong.empty()) return refuse(side.wrong);
  if (!side.isDevice && !side.isBoth) return refuse("the memory to set is the host's");
  const bool wasReachable = gpu.memory().isManagedReachable();
  gpu.memory().protectManaged(true);
  for (std::size_t row = 0; row < rows.height; ++row)
    std::memset(side.bytes + row * rows.pitch, value, rows.width);
  gpu.memory().protectManaged(wasReachable);
  return gpu.keep(cudaSuccess);
}

}  // namespace

cudaError_t fillElements(const cudaMemsetParams& p) {
  if (p.elementSize == 1)
    return fill(p.dst, static_cast<int>(p.value), {std::max(p.pitch, p.width), p.width, p.height});
  const std::size_t rowBytes = p.width * p.elementSize;
  const Side side =
      findSide(p.dst, Rows{std::max(p.pitch, rowBytes), rowBytes, p.height}.bytes(), "memory to set");
  if (!side.wrong.empty()) return refuse(side.wrong);
  for (std::size_t row = 0; row < p.height; ++row) {
    for (std::size_t e = 0; e < p.width; ++e)
      std::memcpy(side.bytes + row * p.pitch + e * p.elementSize, &p.value, p.elementSize);
  }
  return cudaSuccess;
}

}  // namespace lanescope::host

using namespace lanescope;  // NOLINT(google-build-using-namespace): the functions below are CUDA's, in no namespace
using namespace lanescope::host;  // NOLINT(google-build-using-namespace)

cudaError_t cudaMalloc(void** pointer, size_t bytes) { return allocate(pointer, bytes, MemoryKind::Device); }
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t) {
  return allocate(pointer, bytes, MemoryKind::Device);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int) {
  if (bytes == 0) return device().keep(cudaErrorInvalidValue);
  return allocate(pointer, bytes, MemoryKind::Managed);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::Pinned);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
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
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) { return release(pointer, false); }
cudaError_t cudaFreeHost(void* pointer) { return release(pointer, true); }

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
  if (pointer == nullptr || bytes == 0) return device().keep(cudaErrorInvalidValue);
  device().memory().name({static_cast<std::byte*>(pointer), bytes}, device().tutor().caller());
  return device().keep(cudaSuccess);
}
cudaError_t cudaHostUnregister(void* pointer) {
  for (const auto& [number, buffer] : device().memory().all()) {
    if (buffer.isFreed || buffer.kind != MemoryKind::Registered || buffer.bytes.data() != pointer) continue;
    device().memory().release(
        reinterpret_cast<void*>(buffer.address()));  // NOLINT(performance-no-int-to-ptr)
    return device().keep(cudaSuccess);
  }
  return device().keep(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void** to, void* host, unsigned int) {
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
  *total = device().totalBytes();
  *available = *total - std::min<std::size_t>(*total, device().memory().used());
  return device().keep(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
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
  const Buffer* const buffer = device().memory().find(pointer);
  const bool isPinned = buffer != nullptr && !buffer->isFreed && buffer->kind == MemoryKind::Pinned;
  *flags = isPinned ? buffer->flags | cudaHostAllocMapped : 0;
  return device().keep(isPinned ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t lanescopeSymbolAddress(void** pointer, size_t* bytes, const void* shadow) {
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

/// A CUDA array: rows of elements, with a pitch as cudaMallocPitch gives it; slices behind each other.
struct LanescopeArray {
  cudaChannelFormatDesc format{};
  std::size_t width = 0;   ///< elements
  std::size_t height = 0;  ///< rows; 0: one
  std::size_t depth = 0;   ///< slices; 0: one
  void* memory = nullptr;
  std::size_t pitch = 0;

  std::size_t elementBytes() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  }
  std::size_t rows() const { return std::max<std::size_t>(1, height); }
  std::size_t slices() const { return std::max<std::size_t>(1, depth); }
};

/// A pool allocates from the device's memory.
struct LanescopePool {
  std::uint64_t releaseThreshold = 0;
};

// The CUDA runtime's memory of three dimensions, arrays, textures and pools.
namespace lanescope::host {

namespace {

/// One side of a copy of three dimensions.
struct Volume {
  char* first = nullptr;
  std::size_t pitch = 0;
  std::size_t rows = 0;  ///< per slice

  char* row(std::size_t y, std::size_t z) const { return first + (z * rows + y) * pitch; }
};

Volume makeVolume(const LanescopeArray& array, cudaPos at) {
  return {static_cast<char*>(array.memory) + (at.z * array.rows() + at.y) * array.pitch +
              at.x * array.elementBytes(),
          array.pitch, array.rows()};
}

Volume makeVolume(const cudaPitchedPtr& memory, cudaPos at) {
  const std::size_t rows = memory.ysize;
  return {static_cast<char*>(memory.ptr) + (at.z * rows + at.y) * memory.pitch + at.x, memory.pitch, rows};
}

cudaError_t copyVolume(const cudaMemcpy3DParms& p) {
  const Volume to =
      p.dstArray != nullptr ? makeVolume(*p.dstArray, p.dstPos) : makeVolume(p.dstPtr, p.dstPos);
  const Volume from =
      p.srcArray != nullptr ? makeVolume(*p.srcArray, p.srcPos) : makeVolume(p.srcPtr, p.srcPos);
  const LanescopeArray* const array = p.dstArray != nullptr ? p.dstArray : p.srcArray;
  const std::size_t width = p.extent.width * (array != nullptr ? array->elementBytes() : 1);
  for (std::size_t z = 0; z < p.extent.depth; ++z) {
    const cudaError_t error =
        cudaMemcpy2D(to.row(0, z), to.pitch, from.row(0, z), from.pitch, width, p.extent.height, p.kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t allocateArray(cudaArray_t* array, const cudaChannelFormatDesc& format, cudaExtent extent) {
  auto created = std::make_unique<LanescopeArray>();
  created->format = format;
  created->width = extent.width;
  created->height = extent.height;
  created->depth = extent.depth;
  const std::size_t rows = created->rows() * created->slices();
  const cudaError_t error =
      cudaMallocPitch(&created->memory, &created->pitch, created->width * created->elementBytes(), rows);
  if (error == cudaSuccess) *array = created.release();
  return error;
}

TextureView makeView(const cudaResourceDesc& resource) {
  TextureView view;
  const auto receive = [&](const void* memory, const cudaChannelFormatDesc& format, std::size_t width,
                           std::size_t height, std::size_t pitch) {
    view.memory = reinterpret_cast<std::uintptr_t>(memory);
    view.width = static_cast<int>(width);
    view.height = static_cast<int>(height);
    view.pitch = pitch;
    view.kind = format.f;
    view.channelBits = format.x;
  };
  switch (resource.resType) {
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      const int bits = linear.desc.x + linear.desc.y + linear.desc.z + linear.desc.w;
      receive(linear.devPtr, linear.desc,
              bits == 0 ? 0 : linear.sizeInBytes * 8 / static_cast<std::size_t>(bits), 1, 0);
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = resource.res.pitch2D;
      receive(rows.devPtr, rows.desc, rows.width, rows.height, rows.pitchInBytes);
      break;
    }
    case cudaResourceTypeArray: {
      const LanescopeArray& array = *resource.res.array.array;
      receive(array.memory, array.format, array.width, array.rows(), array.pitch);
      view.depth = static_cast<int>(array.slices());
      break;
    }
    case cudaResourceTypeMipmappedArray: break;
  }
  return view;
}

}  // namespace
}  // namespace lanescope::host

using namespace lanescope::host;  // NOLINT(google-build-using-namespace): the functions below are CUDA's

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
  *memory = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width,
                         extent.height * std::max<std::size_t>(1, extent.depth));
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    char* const slice = static_cast<char*>(memory.ptr) + z * memory.ysize * memory.pitch;
    const cudaError_t error = cudaMemset2D(slice, memory.pitch, value, extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return device().keep(cudaSuccess);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return device().keep(copyVolume(*parameters));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return submit(stream, NodeKind::Memcpy, [p = *parameters] { return device().keep(copyVolume(p)); });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int) {
  return allocateArray(array, *format, {width, height, 0});
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int) {
  return allocateArray(array, *format, extent);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return device().keep(cudaSuccess);
  const std::unique_ptr<LanescopeArray> owned(array);
  return cudaFree(owned->memory);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  char* const first = static_cast<char*>(to->memory) + y * to->pitch + x;
  return cudaMemcpy2D(first, to->pitch, from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  const char* const first = static_cast<const char*>(from->memory) + y * from->pitch + x;
  return cudaMemcpy2D(to, pitch, first, from->pitch, width, height, kind);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  const std::size_t row = to->width * to->elementBytes();
  if (bytes <= row) return cudaMemcpy2DToArray(to, x, y, from, bytes, bytes, 1, kind);
  return cudaMemcpy2DToArray(to, x, y, from, row, row, bytes / row, kind);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  const std::size_t row = from->width * from->elementBytes();
  if (bytes <= row) return cudaMemcpy2DFromArray(to, bytes, from, x, y, bytes, 1, kind);
  return cudaMemcpy2DFromArray(to, row, from, x, y, row, bytes / row, kind);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc*) {
  TextureView view = makeView(*resource);
  if (view.memory == 0) return device().keep(cudaErrorInvalidValue);
  for (std::size_t axis = 0; axis < 3; ++axis) view.addressMode[axis] = texture->addressMode[axis];
  view.filterMode = texture->filterMode;
  view.isNormalized = texture->normalizedCoords;
  view.readMode = texture->readMode;
  Buffer* const buffer = device().memory().allocate(MemoryKind::Device, sizeof view, nullptr);
  if (buffer == nullptr) return device().keep(cudaErrorMemoryAllocation);
  buffer->isSymbol = true;
  std::memcpy(buffer->bytes.data(), &view, sizeof view);
  *object = buffer->address();
  return device().keep(cudaSuccess);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  device().memory().release(reinterpret_cast<const void*>(object));  // NOLINT(performance-no-int-to-ptr)
  return device().keep(cudaSuccess);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  static LanescopePool only;
  *pool = &only;
  return device().keep(cudaSuccess);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int number) {
  return cudaDeviceGetDefaultMemPool(pool, number);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return device().keep(cudaErrorInvalidValue);
  *pool = std::make_unique<LanescopePool>().release();
  return device().keep(cudaSuccess);
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const std::unique_ptr<LanescopePool> owned(pool);
  return device().keep(cudaSuccess);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (attribute == cudaMemPoolAttrReleaseThreshold) std::memcpy(&pool->releaseThreshold, value, 8);
  return device().keep(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const bool isThreshold = attribute == cudaMemPoolAttrReleaseThreshold;
  const std::uint64_t number = isThreshold ? pool->releaseThreshold : device().memory().used();
  std::memcpy(value, &number, sizeof number);
  return device().keep(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return device().keep(cudaSuccess); }
