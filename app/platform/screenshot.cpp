#include "app/platform/screenshot.h"

#include <cstdint>
#include <vector>

#include <glad/gl.h>
#include <stb_image_write.h>

namespace lanescope {
namespace {

constexpr int kChannels = 3;

/// A framebuffer of one color image, bound during its lifetime.
class OffScreen {
 public:
  OffScreen(int width, int height) {
    glGenRenderbuffers(1, &color_);
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &frame_);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
  }
  ~OffScreen() {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &frame_);
    glDeleteRenderbuffers(1, &color_);
  }
  OffScreen(const OffScreen&) = delete;
  OffScreen& operator=(const OffScreen&) = delete;

  bool complete() const { return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE; }

 private:
  GLuint color_ = 0;
  GLuint frame_ = 0;
};

}  // namespace

std::optional<Error> saveScreenshot(const std::filesystem::path& path, int width, int height,
                                    const std::function<void()>& draw) {
  const OffScreen target(width, height);
  if (!target.complete()) {
    return Error{
        "OpenGL has no room for a picture of " + std::to_string(width) + "x" + std::to_string(height) + ".",
        "Ask for a smaller --size."};
  }
  draw();
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                                   kChannels);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  // OpenGL's first row is the lowest: start at the last one and go up.
  const int stride = width * kChannels;
  const std::uint8_t* top = pixels.data() + static_cast<std::ptrdiff_t>(stride) * (height - 1);
  if (stbi_write_png(path.c_str(), width, height, kChannels, top, -stride) == 0) {
    return Error{"The picture cannot be written to " + path.string() + ".",
                 "Check that the folder exists and may be written to."};
  }
  return std::nullopt;
}

}  // namespace lanescope
