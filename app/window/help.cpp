#include "app/window/help.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "app/paint/theme.h"
#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

/// One line: its keys, and their action.
struct KeyHelp {
  std::vector<Chord> keys;
  std::string does;
};

constexpr std::array kPointer{std::pair{"Pointer", "lights up a thread or a word in every picture"},
                              std::pair{"Click", "keeps a thread, shows a variable, goes to a row"},
                              std::pair{"Double click", "a heading: its panel alone, and all again"},
                              std::pair{"Drag", "between panels: their sizes; with Shift: a zoomed timeline"},
                              std::pair{"Wheel", "zooms the timeline and a long array at the pointer"}};

/// Commands that share a line, in the groups' order. If a key has Shift, the line's text says so.
std::vector<KeyHelp> readLines(const Commands& commands) {
  std::vector<KeyHelp> lines;
  for (int group = 0; group <= static_cast<int>(HelpGroup::Window); ++group) {
    for (const Command& command : commands.all()) {
      if (static_cast<int>(command.help.group) != group || command.help.text.empty()) continue;
      auto line = std::ranges::find(lines, command.help.text, &KeyHelp::does);
      if (line == lines.end()) line = lines.insert(lines.end(), {{}, command.help.text});
      for (const Chord& key : command.keys) {
        const auto isListed = [&](const Chord& other) { return other.takes(key); };
        if (std::ranges::none_of(line->keys, isListed)) line->keys.push_back(key);
      }
    }
  }
  return lines;
}

/// `Left, Right`, `N  P`, `Ctrl + - 0`.
std::string keysText(const std::vector<Chord>& keys) {
  const bool isControl = std::ranges::all_of(
      keys, [](const Chord& key) { return key.control && key.key == NamedKey::Character; });
  if (isControl && keys.size() > 1) {
    std::string text = "Ctrl";
    for (Chord key : keys) {
      key.control = false;
      text += " " + key.text();
    }
    return text;
  }
  const bool isLetters = std::ranges::all_of(keys, [](const Chord& key) { return key.text().size() <= 3; });
  std::string text;
  for (const Chord& key : keys) text += (text.empty() ? "" : isLetters ? "  " : ", ") + key.text();
  return text;
}

void beginCentred(const ViewContext& context, const char* name, ImVec2 size) {
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
  ImGui::SetNextWindowFocus();
  beginOverlay(context, name, ColorRole::Accent, ImVec2(20 * context.unit, 18 * context.unit),
               ImGuiWindowFlags_AlwaysAutoResize);
}

bool isClickedBeside() {
  return ImGui::IsMouseClicked(0) &&
         !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
         !ImGui::IsWindowAppearing();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> helpLines(const Commands& commands) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const KeyHelp& line : readLines(commands)) lines.emplace_back(keysText(line.keys), line.does);
  lines.insert(lines.end(), kPointer.begin(), kPointer.end());
  return lines;
}

void drawHelp(const ViewContext& context, ImVec2 size) {
  const float unit = context.unit;
  beginCentred(context, "help", size);
  heading(context, "KEYS");
  const auto lines = helpLines(*context.state.commands);
  float keys = 0;
  ImGui::PushFont(context.fonts.of(FontRole::Bold));
  for (const auto& [key, does] : lines) keys = std::max(keys, ImGui::CalcTextSize(key.c_str()).x);
  ImGui::PopFont();
  float room = 0;
  for (const auto& [key, does] : lines) room = std::max(room, ImGui::CalcTextSize(does.c_str()).x);
  // Two columns; the left one is read first.
  const std::size_t rows = (lines.size() + 1) / 2;
  const float left = ImGui::GetCursorPosX();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < 2; ++column) {
      const std::size_t index = column * rows + row;
      if (index >= lines.size()) continue;
      const float at = left + static_cast<float>(column) * (keys + room + 52 * unit);
      if (column > 0) ImGui::SameLine(at);
      label(context, lines[index].first, ColorRole::Text, FontRole::Bold);
      ImGui::SameLine(at + keys + 18 * unit);
      label(context, lines[index].second);
    }
  }
  ImGui::Dummy(ImVec2(0, 2 * unit));
  commandButton(context, "first lesson");
  ImGui::SameLine();
  commandButton(context, "glossary");
  ImGui::SameLine();
  commandButton(context, "colors");
  if (isClickedBeside()) context.state.helpOpen = false;
  endOverlay();
}

void drawColors(const ViewContext& context, ImVec2 size) {
  const float unit = context.unit;
  beginCentred(context, "colours", size);
  heading(context, "COLOURS", "a hue has one meaning in every picture; the window itself is grey");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float side = ImGui::GetTextLineHeight();
  for (const ColorMeaning& meaning : colorMeanings()) {
    const float left = ImGui::GetCursorPosX();
    for (const ColorRole role : meaning.roles) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      list.AddRectFilled(at, ImVec2(at.x + side, at.y + side), context.color(role), 3 * unit);
      ImGui::Dummy(ImVec2(side, side));
      ImGui::SameLine(0, 4 * unit);
    }
    ImGui::SameLine(left + 4 * (side + 4 * unit));
    label(context, meaning.words);
  }
  if (isClickedBeside()) context.state.dialog = Dialog::None;
  endOverlay();
}

}  // namespace lanescope
