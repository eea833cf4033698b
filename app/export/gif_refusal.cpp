// Replaces gif.cpp if giflib is missing.
#include "app/export/gif.h"

namespace lanescope {

Result<std::size_t> writeGif(const std::filesystem::path& /*file*/,
                             const std::shared_ptr<const Trace>& /*trace*/,
                             const std::vector<Cursor>& /*frames*/, const FramePainter& /*paint*/,
                             const FrameWatcher& /*goesOn*/) {
  return Error{"This program was built without giflib and writes no GIF.",
               "Install libgif-dev and build the preset release again, or write a PNG per step."};
}

}  // namespace lanescope
