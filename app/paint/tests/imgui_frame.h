#pragma once

#include <imgui.h>

namespace lanescope {

/// An ImGui context without a window, in a frame of 400 x 300 that has begun.
class ImguiFrame {
 public:
  ImguiFrame() : context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 300};
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    ImGui::NewFrame();
  }
  ~ImguiFrame() {
    ImGui::EndFrame();  // nothing, where Render() has ended it
    ImGui::DestroyContext(context_);
  }
  ImguiFrame(const ImguiFrame&) = delete;
  ImguiFrame& operator=(const ImguiFrame&) = delete;

 private:
  ImGuiContext* context_;
};

}  // namespace lanescope
