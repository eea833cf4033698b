#include "app/tests/headless.h"

#include <algorithm>
#include <array>
#include <map>

#include <imgui_internal.h>

#include "app/base/host.h"
#include "app/paint/imgui_painter.h"
#include "app/tests/drawn_text.h"
#include "app/window/panels.h"
#include "app/workbench/tests/settle.h"

namespace lanescope {
namespace {

constexpr float kTolerance = 1.5F;      ///< pixels a letter may stick out: its soft edge
constexpr float kOverlapShare = 0.45F;  ///< of both sides of the smaller letter

bool scrolls(std::string_view name) {
  constexpr auto kScrolling = std::to_array<std::string_view>(
      {"lesson text", "quiz text", "listing", "report", "launch form", "/table rows_", "/chart_", "/picks_",
       "/variables_", "/gpu text_", "glossary entry"});
  return std::ranges::any_of(
      kScrolling, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

bool scrollsSideways(std::string_view name) { return name.find("/code_") != std::string_view::npos; }

bool cutOff(const DrawnLetter& glyph, bool horizontal, bool vertical) {
  const ImVec4& clip = glyph.clip;
  const bool visible =
      glyph.low.x < clip.z && glyph.high.x > clip.x && glyph.low.y < clip.w && glyph.high.y > clip.y;
  const bool sides = glyph.low.x < clip.x - kTolerance || glyph.high.x > clip.z + kTolerance;
  const bool ends = glyph.low.y < clip.y - kTolerance || glyph.high.y > clip.w + kTolerance;
  return visible && ((horizontal && sides) || (vertical && ends));
}

bool overlap(const DrawnLetter& a, const DrawnLetter& b) {
  const float width = std::min(a.high.x, b.high.x) - std::max(a.low.x, b.low.x);
  const float height = std::min(a.high.y, b.high.y) - std::max(a.low.y, b.low.y);
  return width > kOverlapShare * std::min(a.high.x - a.low.x, b.high.x - b.low.x) &&
         height > kOverlapShare * std::min(a.high.y - a.low.y, b.high.y - b.low.y) && width > 1 && height > 1;
}

std::string at(const DrawnLetter& glyph) {
  return std::to_string(static_cast<int>(glyph.low.x)) + "," + std::to_string(static_cast<int>(glyph.low.y));
}

void checkList(const ImDrawList& list, std::vector<std::string>& problems) {
  const std::string name = list._OwnerName == nullptr ? "" : list._OwnerName;
  std::vector<DrawnLetter> all = drawnLetters(list);
  for (const DrawnLetter& glyph : all) {
    if (!cutOff(glyph, !scrollsSideways(name), !scrolls(name))) continue;
    problems.push_back(name + ": a letter at " + at(glyph) + " is cut off");
    return;
  }
  // The rest of a letter that has scrolled out of a field lies on its neighbour's edge.
  std::erase_if(all, [](const DrawnLetter& glyph) { return glyph.code == 0; });
  std::ranges::sort(all, {}, [](const DrawnLetter& glyph) { return glyph.low.x; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size() && all[j].low.x < all[i].high.x; ++j) {
      if (!overlap(all[i], all[j])) continue;
      problems.push_back(name + ": letters at " + at(all[i]) + " and " + at(all[j]) + " lie on one another");
      return;
    }
  }
}

/// An atlas and its fonts: made once for each unit, as that takes longer than most pictures.
struct Fonts {
  ImFontAtlas atlas;
  FontTable table;
};

Fonts& fontsFor(float unit) {
  static std::map<float, Fonts> loaded;
  const auto [at, isNew] = loaded.try_emplace(unit);
  Fonts& fonts = at->second;
  if (isNew) {
    fonts.table = loadFonts(fonts.atlas, unit, 1, fontFolders());
    fonts.atlas.SetTexID(ImTextureID{});
  }
  return fonts;
}

}  // namespace

Headless::Headless(ImVec2 size, float unit)
    : size_(size), unit_(unit > 0 ? unit : unitFor(size)), fonts_(fontsFor(unit_).table) {
  ImGui::CreateContext(&fontsFor(unit_).atlas);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  // As the OpenGL backend says of itself: a list may have more corners than 16 bits number.
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.DisplaySize = size;
  io.DeltaTime = 1.0F / 60;
}

Headless::~Headless() { ImGui::DestroyContext(); }

void Headless::frame(MainWindow& window, ImVec2 mouse, bool pressed) {
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = mouse;
  io.MouseDown[0] = pressed;
  ImGui::NewFrame();
  window.draw(size_, fonts_, unit_);
  ImGui::Render();
}

// ImGui's log ends with the first window that is no panel: the one below all of them.
std::string Headless::words(MainWindow& window) {
  ImGui::NewFrame();
  ImGui::LogToClipboard();
  window.draw(size_, fonts_, unit_);
  ImGui::Render();
  return ImGui::GetClipboardText();
}

void Headless::settle(MainWindow& window, ImVec2 mouse) {
  for (int i = 0; i < 4; ++i) frame(window, mouse);
}

// ImGui keeps the rectangle of one item, that which has the keys.
ImVec2 Headless::findMiddle(MainWindow& window, std::string_view panel, const char* label) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  for (ImGuiWindow* found : context.Windows) {
    if (!found->WasActive || std::string_view(found->Name).find(panel) == std::string_view::npos) continue;
    const ImGuiID before = context.NavId;
    context.NavWindow = found;
    context.NavId = found->GetID(label);
    found->NavRectRel[ImGuiNavLayer_Main] = ImRect(0, 0, 0, 0);
    frame(window);
    const ImRect& item = found->NavRectRel[ImGuiNavLayer_Main];
    context.NavId = before;
    if (item.GetWidth() <= 0) return {-1, -1};
    return ImGui::WindowRectRelToAbs(found, item).GetCenter();
  }
  return {-1, -1};
}

bool Headless::press(MainWindow& window, const Chord& chord) {
  const bool isTaken = window.press(chord);
  settle(window);
  return isTaken;
}

void Headless::click(MainWindow& window, ImVec2 mouse) {
  settle(window, mouse);
  frame(window, mouse, true);
  frame(window, mouse, true);
  settle(window, mouse);
}

bool Headless::click(MainWindow& window, std::string_view text, const Area& area) {
  const ImVec2 at = findPlace(text, area);
  if (at.x >= 0) click(window, at);
  return at.x >= 0;
}

WindowLayout layoutWindow(ImVec2 size, float unit, WindowShape shape) {
  static const std::vector<std::unique_ptr<View>> kViews = makeViews();
  shape.folds = foldsColumns(size, unit, *shape.arrangement);
  return layoutPanels(size, unit, shape, panelInfos(kViews, shape));
}

Area findArea(const Headless& headless, std::string_view panel, const WindowShape& shape) {
  return layoutWindow(headless.size(), headless.unit(), shape).of(panel);
}

std::vector<std::string> textProblems() {
  std::vector<std::string> problems;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) checkList(*data.CmdLists[i], problems);
  return problems;
}

std::size_t verticesIn(const Area& area) {
  std::size_t count = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer) {
      const ImVec2 p = vertex.pos;
      if (p.x > area.x + 2 && p.x < area.x + area.w - 2 && p.y > area.y + 2 && p.y < area.y + area.h - 2)
        ++count;
    }
  }
  return count;
}

bool waitForTrace(Session& session) {
  const auto hasTrace = [&] { return !session.simulating() && session.player().replay() != nullptr; };
  return testing::waitUntil(session, hasTrace) && session.selection() == session.shown();
}

}  // namespace lanescope
