#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "sim/host/runtime/device.h"

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

cudaError_t copyVolume(const cudaMemcpy3DParms& p, bool waits) {
  const Volume to =
      p.dstArray != nullptr ? makeVolume(*p.dstArray, p.dstPos) : makeVolume(p.dstPtr, p.dstPos);
  const Volume from =
      p.srcArray != nullptr ? makeVolume(*p.srcArray, p.srcPos) : makeVolume(p.srcPtr, p.srcPos);
  const LanescopeArray* const array = p.dstArray != nullptr ? p.dstArray : p.srcArray;
  const std::size_t width = p.extent.width * (array != nullptr ? array->elementBytes() : 1);
  for (std::size_t z = 0; z < p.extent.depth; ++z) {
    const cudaError_t error = waits ? cudaMemcpy2D(to.row(0, z), to.pitch, from.row(0, z), from.pitch, width,
                                                   p.extent.height, p.kind)
                                    : cudaMemcpy2DAsync(to.row(0, z), to.pitch, from.row(0, z), from.pitch,
                                                        width, p.extent.height, p.kind, nullptr);
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
  return device().keep(copyVolume(*parameters, true));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return submit(stream, NodeKind::Memcpy, [p = *parameters] { return device().keep(copyVolume(p, false)); });
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
  const auto held = device().lock();
  Buffer* const buffer = device().memory().allocate(MemoryKind::Device, sizeof view, nullptr);
  if (buffer == nullptr) return device().keep(cudaErrorMemoryAllocation);
  buffer->isSymbol = true;
  std::memcpy(buffer->bytes.data(), &view, sizeof view);
  *object = buffer->address();
  return device().keep(cudaSuccess);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  const auto held = device().lock();
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
