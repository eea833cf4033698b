#pragma once

#include <cstdint>

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

}  // namespace lanescope::host
