#include "app/platform/frame_output.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <glad/gl.h>
#include <imgui_impl_opengl3.h>
#include <stb_image_write.h>

#include "app/base/whole.h"
#include "app/paint/imgui_compat.h"
#include "sim/base/write_file.h"

namespace lanescope {
namespace {

constexpr unsigned kMostIndices = 24000;  ///< that OpenGL draws at once, in software

/// True if OpenGL draws on the CPU (Mesa).
bool drawsInSoftware() {
  const auto* const name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  constexpr std::array<std::string_view, 3> kRenderers{"llvmpipe", "softpipe", "SWR"};
  return name != nullptr && std::ranges::any_of(kRenderers, [name](std::string_view one) {
           return std::string_view(name).find(one) != std::string_view::npos;
         });
}

/// llvmpipe stores all draw calls in lists per tile of the screen until it draws, some 15 MB for a large
/// picture, and the C library keeps that memory for the process.
void drawInParts(ImDrawData& frame) {
  splitFrame(frame, kMostIndices, [](const ImDrawList*, const ImDrawCmd*) { glFinish(); });
}

void clear(const std::vector<PixelRect>& areas, int height) {
  glEnable(GL_SCISSOR_TEST);
  for (const PixelRect& area : areas) {
    glScissor(area.left, height - area.bottom, area.right - area.left, area.bottom - area.top);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace

FrameOutput::FrameOutput(Window& window) : window_(window), isSoftware_(drawsInSoftware()) {}

/// Reads the letters' texture pixel by pixel: letters are drawn at their size in the texture, and in software
/// a mean of four pixels takes a quarter of a frame's time.
void FrameOutput::frameBegins() const {
  if (!isSoftware_) return;
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(findTexture(*ImGui::GetIO().Fonts)));
  constexpr std::array<GLenum, 2> kFilters{GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER};
  constexpr std::array<GLenum, 2> kWraps{GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T};
  for (const GLenum filter : kFilters) glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  for (const GLenum wrap : kWraps) glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  ImGui::GetStyle().AntiAliasedLinesUseTex = false;  // those need the mean
}

void FrameOutput::draw(ImDrawData& frame, ImVec4 background) {
  const ImVec2 scale = frame.FramebufferScale;
  size_ = {toWhole<int>(frame.DisplaySize.x * scale.x), toWhole<int>(frame.DisplaySize.y * scale.y)};
  const auto same = [](ImVec4 a, ImVec4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; };
  if (!same(std::exchange(background_, background), background)) changes_.forget();
  if (window_.pollLoss()) {
    changes_.forget();
    swapped_ = {};  // the window can have another size
  }
  areas_ = {{0, 0, size_.first, size_.second}};
  if (isSoftware_ && window_.showsParts() && scale.x == 1 && scale.y == 1) {
    areas_ = changes_.in(frame);
    keepWithin(frame, areas_);
  }
  if (areas_.empty()) return;
  glViewport(0, 0, size_.first, size_.second);
  glClearColor(background.x, background.y, background.z, 1);
  clear(areas_, size_.second);
  if (isSoftware_) drawInParts(frame);
  ImGui_ImplOpenGL3_RenderDrawData(&frame);
}

void FrameOutput::show() {
  if (size_ == swapped_ && isSoftware_ && window_.showsParts()) return window_.show(areas_);
  // This notifies Mesa of the window's size. The next drawing must be complete: nothing of this one is kept.
  window_.swap();
  swapped_ = size_;
  changes_.forget();
}

double FrameOutput::shareDrawn() const {
  double pixels = 0;
  for (const PixelRect& area : areas_)
    pixels += static_cast<double>(area.right - area.left) * (area.bottom - area.top);
  return pixels / std::max(1.0, static_cast<double>(size_.first) * size_.second);
}

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
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (stbi_write_png_to_func(append, &bytes, width, height, kChannels, top, -stride) == 0)
    return Error{"There is no memory for the picture.", "Ask for a smaller --size."};
  return writeFile(path, bytes);
}

}  // namespace lanescope
