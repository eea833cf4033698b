#include "app/tests/drawn_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <imgui_internal.h>

namespace lanescope {
namespace {

/// A glyph by where its picture begins in the atlas.
using Corner = std::pair<float, float>;
struct Known {
  const ImFontGlyph* glyph = nullptr;
  float space = 0;  ///< at the size that the font was made in
};
using Glyphs = std::map<Corner, Known>;

template <class Font>  // or a font at one of its sizes
void addGlyphs(Font& font, Glyphs& all) {
  for (const ImFontGlyph& glyph : font.Glyphs) {
    if (glyph.Visible) all[{glyph.U0, glyph.V0}] = {&glyph, font.GetCharAdvance(' ')};
  }
}

#if IMGUI_VERSION_NUM >= 19200
/// Letters come into the atlas when they are drawn, and move where it grows.
Glyphs readGlyphs(const ImFontAtlas& atlas) {
  Glyphs glyphs;
  for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
    ImFontBaked& baked = atlas.Builder->BakedPool[i];
    if (!baked.WantDestroy) addGlyphs(baked, glyphs);
  }
  return glyphs;
}
#else
/// The atlases of the tests stay: they are read once.
const Glyphs& readGlyphs(const ImFontAtlas& atlas) {
  static std::map<const ImFontAtlas*, Glyphs> read;
  const auto [at, isNew] = read.try_emplace(&atlas);
  if (!isNew) return at->second;
  for (const ImFont* font : atlas.Fonts) addGlyphs(*font, at->second);
  return at->second;
}
#endif

void name(DrawnLetter& letter, const Known& known) {
  const ImFontGlyph& glyph = *known.glyph;
  const float scale = (letter.high.y - letter.low.y) / (glyph.Y1 - glyph.Y0);
  letter.code = static_cast<ImWchar>(glyph.Codepoint);
  letter.pen = letter.low.x - glyph.X0 * scale;
  letter.next = letter.pen + glyph.AdvanceX * scale;
  letter.top = letter.low.y - glyph.Y0 * scale;
  letter.space = known.space * scale;
}

bool isSeen(const DrawnLetter& letter, const Area& area) {
  const float x = (letter.low.x + letter.high.x) / 2;
  const float y = (letter.low.y + letter.high.y) / 2;
  return x > letter.clip.x && x < letter.clip.z && y > letter.clip.y && y < letter.clip.w && x > area.x &&
         x < area.x + area.w && y > area.y && y < area.y + area.h;
}

bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/// Gathers letters into texts.
class Reader {
 public:
  void receive(const DrawnLetter& letter) {
    constexpr float kWidest = 2.6F;  // spaces, between two words of a text
    const float gap = (letter.pen - last_.next) / letter.space;
    const bool isSameLine = std::abs(letter.top - last_.top) < letter.space;
    if (texts_.empty() || !isSameLine || gap < -0.5F || gap > kWidest)
      texts_.push_back({"", letter.low, letter.high, {}});
    else if (gap > 0.4F)
      texts_.back().text += ' ';
    DrawnText& text = texts_.back();
    std::array<char, 5> bytes{};
    ImTextCharToUtf8(bytes.data(), letter.code);
    text.text += bytes.data();
    text.ends.resize(text.text.size(), letter.high.x);
    text.low = ImMin(text.low, letter.low);
    text.high = ImMax(text.high, letter.high);
    last_ = letter;
  }
  std::vector<DrawnText> texts() && { return std::move(texts_); }

 private:
  std::vector<DrawnText> texts_;
  DrawnLetter last_;
};

}  // namespace

std::vector<DrawnLetter> drawnLetters(const ImDrawList& list) {
  const Glyphs& glyphs = readGlyphs(*ImGui::GetIO().Fonts);
  std::vector<DrawnLetter> letters;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    for (unsigned i = 0; i + 6 <= command.ElemCount;) {
      const bool quad = index[i + 3] == index[i] && index[i + 4] == index[i + 2];
      const ImDrawVert& a = vertices[index[i]];
      const ImDrawVert& c = vertices[index[i + 2]];
      if (!quad || a.uv.x == c.uv.x || a.uv.y == c.uv.y) {
        i += 3;
        continue;
      }
      DrawnLetter& letter = letters.emplace_back();
      letter.low = a.pos;
      letter.high = c.pos;
      letter.clip = command.ClipRect;
      const auto known = glyphs.find({a.uv.x, a.uv.y});
      if (known != glyphs.end() && known->second.glyph->U1 == c.uv.x && known->second.glyph->V1 == c.uv.y)
        name(letter, known->second);
      i += 6;
    }
  }
  return letters;
}

std::vector<DrawnText> textsIn(const Area& area) {
  Reader reader;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    for (const DrawnLetter& letter : drawnLetters(*data.CmdLists[i])) {
      if (letter.code != 0 && isSeen(letter, area)) reader.receive(letter);
    }
  }
  return std::move(reader).texts();
}

std::string textIn(const Area& area) {
  std::string text;
  for (const DrawnText& part : textsIn(area)) text += (text.empty() ? "" : " ") + part.text;
  return text;
}

ImVec2 findPlace(std::string_view text, const Area& area) {
  const std::vector<DrawnText> texts = textsIn(area);
  auto found = std::ranges::find_if(texts, [&](const DrawnText& t) { return t.text.starts_with(text); });
  if (found == texts.end())
    found = std::ranges::find_if(texts, [&](const DrawnText& t) { return t.text.find(text) != t.text.npos; });
  if (found == texts.end()) return {-1, -1};
  const std::size_t at = found->text.find(text);
  const float left = at == 0 ? found->low.x : found->ends[at - 1];
  return {(left + found->ends[at + text.size() - 1]) / 2, found->middle().y};
}

std::string withoutSpaces(std::string_view text) {
  std::string letters(text);
  std::erase_if(letters, isSpace);
  return letters;
}

std::string withoutSpaces(const Scene& scene) {
  std::string letters;
  for (const DrawItem& item : scene.items) {
    if (item.kind == DrawItem::Kind::Text && item.alpha > 0) letters += withoutSpaces(item.text);
  }
  return letters;
}

}  // namespace lanescope
