// The differences between the versions of Dear ImGui that distributions ship, 1.86 to 1.92. All other code is
// written for all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

namespace lanescope {

/// Has the effect of a click on that item, in the next frame.
inline void activateItem(ImGuiID id) {
#if IMGUI_VERSION_NUM >= 18970
  ImGui::ActivateItemByID(id);
#else
  ImGui::ActivateItem(id);
#endif
}

/// Gives the next item the caret. 1.90.1 searches only the focus scope that had the keys before.
inline void focusNextItem() {
  ImGui::SetKeyboardFocusHere();
#if IMGUI_VERSION_NUM >= 19000 && IMGUI_VERSION_NUM < 19020
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.NavFocusScopeId = context.CurrentFocusScopeId;
#endif
}

/// Sets whether the arrows move from item to item, and Enter chooses.
inline void leadWithArrows(bool leads) {
  ImGuiIO& io = ImGui::GetIO();
  if (leads == ((io.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0)) return;
#if IMGUI_VERSION_NUM < 18700
  // Only Space chooses in these versions: Space and Enter are swapped.
  if (io.KeyMap[ImGuiKey_Space] < 0 || io.KeyMap[ImGuiKey_Enter] < 0) return;  // a window without keys
  std::swap(io.KeyMap[ImGuiKey_Space], io.KeyMap[ImGuiKey_Enter]);
#endif
  io.ConfigFlags ^= ImGuiConfigFlags_NavEnableKeyboard;
}

/// Call it before a frame. Since 1.87 each frame takes only a part of the input, two frames for every letter:
/// only clicks need that, since keys come one by one anyway (InputQueue).
inline void spreadClicks() {
#if IMGUI_VERSION_NUM >= 18700
  const auto& events = ImGui::GetCurrentContext()->InputEventsQueue;
  ImGui::GetIO().ConfigInputTrickleEventQueue =
      std::any_of(events.begin(), events.end(),
                  [](const ImGuiInputEvent& event) { return event.Type == ImGuiInputEventType_MouseButton; });
#endif
}

/// Call it after the backend's part of a frame, with the position of a button since the last frame: it acts
/// there. Before 1.87 the backend reads the pointer's position once per frame, when it may be elsewhere.
inline void actAt([[maybe_unused]] std::optional<ImVec2> button) {
#if IMGUI_VERSION_NUM < 18700
  if (button) ImGui::GetIO().MousePos = *button;
#endif
}

/// True if input is left for the next frame.
inline bool inputWaits() {
#if IMGUI_VERSION_NUM >= 18700
  return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#else
  return false;
#endif
}

/// Presses or releases a key, as a backend does.
inline void holdKey(ImGuiKey key, bool down) {
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  io.AddKeyEvent(key, down);
#else
  if (io.KeyMap[key] < 0) io.KeyMap[key] = key;
  io.KeysDown[key] = down;
#endif
}

inline void holdShift(bool down) {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, down);
#else
  ImGui::GetIO().KeyShift = down;
#endif
}

/// The size that a font was added with.
inline float computeSize(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// The backend's handle of the letters' texture.
inline std::uintptr_t findTexture(const ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  return static_cast<std::uintptr_t>(atlas.TexRef.GetTexID());
#elif IMGUI_VERSION_NUM >= 19140
  return static_cast<std::uintptr_t>(atlas.TexID);
#else
  return reinterpret_cast<std::uintptr_t>(atlas.TexID);
#endif
}

/// Distinguishes a command's texture from the others. Since 1.92 a texture has a handle only once it is
/// drawn.
inline std::uintptr_t findTexture(const ImDrawCmd& command) {
#if IMGUI_VERSION_NUM >= 19200
  if (command.TexRef._TexData != nullptr) return reinterpret_cast<std::uintptr_t>(command.TexRef._TexData);
  return static_cast<std::uintptr_t>(command.TexRef._TexID);
#elif IMGUI_VERSION_NUM >= 19140
  return static_cast<std::uintptr_t>(command.TextureId);
#else
  return reinterpret_cast<std::uintptr_t>(command.TextureId);
#endif
}

/// Gives a font's space at least that width, in its pixels. Since 1.92 letters are measured when they are
/// first shown, and the space keeps its own.
inline void widenSpace([[maybe_unused]] ImFont& font, [[maybe_unused]] float width) {
#if IMGUI_VERSION_NUM < 19200
  for (ImFontGlyph& glyph : font.Glyphs) {
    if (glyph.Codepoint == ' ' && glyph.AdvanceX < width)
      glyph.AdvanceX = font.IndexAdvanceX[static_cast<int>(' ')] = width;
  }
#endif
}

/// Releases the fonts' files once the atlas is built, one copy per size. Since 1.92 letters are drawn from
/// them when they are first shown.
inline void dropFontFiles([[maybe_unused]] ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM < 19200
  atlas.ClearInputData();
#endif
}

/// Releases the pixels of the letters once the texture has them. Since 1.92 the atlas does that.
inline void dropFontPixels([[maybe_unused]] ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM < 19200
  if (atlas.TexPixelsAlpha8 != nullptr || atlas.TexPixelsRGBA32 != nullptr) atlas.ClearTexData();
#endif
}

}  // namespace lanescope
