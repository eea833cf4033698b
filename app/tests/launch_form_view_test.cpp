// The launch form, drawn and driven.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/tests/drawn_text.h"
#include "app/tests/editor_bench.h"
#include "app/tests/test_window.h"

namespace lanescope {
namespace {

/// Opens the launch form by its button; its window, or nullptr.
const ImGuiWindow* openForm(EditorBench& bench, Headless& headless) {
  headless.settle(bench.window);
  if (!headless.click(bench.window, "Launch", findPanel("source"))) return nullptr;
  const ImGuiWindow* form = windowNamed("launch form");
  return form != nullptr && form->Active ? form : nullptr;
}

TEST(SourceEditor, AFileAndItsFormAreDrawn) {
  const std::string kernel =
      "template <int D> __global__ void a_kernel_with_a_rather_long_name(const float* in, "
      "float* another_rather_long_parameter_name, int n) {\n"
      "  if (threadIdx.x < D && n > 0) another_rather_long_parameter_name[threadIdx.x] = "
      "in[threadIdx.x];\n}\n";
  for (const ImVec2 size : {kProjector, kDesk}) {
    EditorBench bench;
    bench.session.openFile(bench.files->put("view_kernels.cu", kernel));
    ASSERT_TRUE(bench.settle());
    EXPECT_EQ(bench.session.error(), "");
    Headless headless(size, bench.window);
    EXPECT_EQ(problemText(), "");
    ASSERT_NE(openForm(bench, headless), nullptr);
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "");
    LaunchForm& form = *bench.session.editor().current()->form;
    form.block = "4096";
    form.grid = "none";
    form.arguments = {"f32:often:64", "i32=1", ""};
    ASSERT_TRUE(bench.settle());
    headless.settle(bench.window);
    EXPECT_TRUE(bench.session.editor().formFaults().any());
    EXPECT_EQ(problemText(), "");
    bench.window.press("Ctrl+Enter");
    EXPECT_NE(bench.session.error(), "");
    headless.settle(bench.window);
    EXPECT_EQ(problemText(), "");
  }
}

// With more entries than have room the form shows whole ones, the last as clear as the others.
TEST(LaunchFormView, ManyArgumentsShowWholeEntries) {
  const std::string kernel =
      "__global__ void many(float* a, float* b, float* c, float* d, float* e, int f, int g, "
      "int h, int i, int j, int k) {\n  if (threadIdx.x < f) a[threadIdx.x] = b[threadIdx.x];\n}\n";
  for (const ImVec2 size : {ImVec2(1280, 720), kProjector}) {
    EditorBench bench;
    bench.session.openFile(bench.files->put("many_arguments.cu", kernel));
    ASSERT_TRUE(bench.settle());
    Headless headless(size);
    const ImGuiWindow* const form = openForm(bench, headless);
    ASSERT_NE(form, nullptr);
    headless.settle(bench.window);
    ASSERT_GT(form->ScrollMax.y, 0) << "there are more than have room";
    const float bottom = form->Pos.y + form->Size.y;
    const auto texts = textsIn({form->Pos.x, form->Pos.y, form->Size.x, form->Size.y});
    ASSERT_GT(texts.size(), 8U);
    for (const DrawnText& text : texts) EXPECT_LE(text.high.y, bottom) << text.text;
    const auto isOfFade = [&](const ImDrawVert& vertex) {
      return vertex.col >> IM_COL32_A_SHIFT == 0 && vertex.pos.x == form->Pos.x && vertex.pos.y > bottom - 30;
    };
    EXPECT_EQ(std::ranges::count_if(form->DrawList->VtxBuffer, isOfFade), 0) << "the last entry fades";
    EXPECT_EQ(problemText(), "");
  }
}

// Its reason is one sentence: the form leaves it that room.
TEST(LaunchFormView, LeavesAWrongResultItsReason) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    EditorBench bench("baseline", 64);
    Headless headless(size);
    ASSERT_NE(openForm(bench, headless), nullptr);
    EXPECT_EQ(headless.words(bench.window).find("Wrong result"), std::string::npos);
    const std::string bound = "k < blockDim.x";
    const auto at = static_cast<std::uint32_t>(bench.buffer().text().find(bound));
    bench.buffer().select({at, static_cast<std::uint32_t>(at + bound.size())});
    bench.buffer().insert("k < blockDim.x / 2");
    bench.window.press("Ctrl+Enter");
    ASSERT_TRUE(bench.settle());
    headless.settle(bench.window);
    EXPECT_NE(headless.words(bench.window).find("Wrong result"), std::string::npos);
    headless.settle(bench.window);
    EXPECT_TRUE(windowNamed("launch form")->Active);
    EXPECT_GT(windowNamed("listing")->Size.y, 2 * ImGui::GetTextLineHeight());
    EXPECT_EQ(problemText(), "");
  }
}

TEST(LaunchFormView, AFillIsChosenFromItsMenu) {
  EditorBench bench("baseline", 64);
  Headless headless(kDesk);
  const ImGuiWindow* form = openForm(bench, headless);
  ASSERT_NE(form, nullptr);
  const LaunchForm own = bench.session.editor().currentForm();
  const Area area{form->Pos.x, form->Pos.y, form->Size.x, form->Size.y};
  const std::vector<DrawnText> texts = textsIn(area);
  const auto menu = [] {
    const ImGuiWindow* popup = windowNamed("##Combo");
    return popup != nullptr && popup->Active ? popup : nullptr;
  };
  // The last menu of the form is that of `out`.
  const auto last =
      std::find_if(texts.rbegin(), texts.rend(), [](const auto& t) { return t.text == "fill"; });
  ASSERT_NE(last, texts.rend());
  headless.click(bench.window, last->middle());
  ASSERT_NE(menu(), nullptr) << "no menu stays open";
  const ImVec2 middle(menu()->Pos.x + menu()->Size.x / 2, menu()->Pos.y + menu()->Size.y / 2);
  headless.click(bench.window, middle);
  EXPECT_EQ(menu(), nullptr);
  EXPECT_NE(bench.session.editor().currentForm().arguments[1], own.arguments[1]);
  EXPECT_EQ(bench.session.editor().currentForm().arguments[0], own.arguments[0]);
  EXPECT_FALSE(bench.session.editor().formFaults().any());
}

// What is typed next is the correction: it must not be taken for shortcuts.
TEST(LaunchFormView, ARefusedEntryKeepsTheCaret) {
  EditorBench bench("baseline", 64);
  Headless headless(kDesk);
  const ImGuiWindow* form = openForm(bench, headless);
  ASSERT_NE(form, nullptr);
  LaunchForm wrong = bench.session.editor().currentForm();
  wrong.arguments[1] = "f32:bogus:64";
  bench.session.editor().editForm(wrong);
  ASSERT_TRUE(bench.settle());
  headless.settle(bench.window);
  const Area area{form->Pos.x, form->Pos.y, form->Size.x, form->Size.y};
  const auto keepsTheCaret = [&](const std::string& entry) {
    const ImVec2 field = findPlace(entry, area);
    headless.click(bench.window, field);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput) << entry;
    holdKey(ImGuiKey_Enter, true);
    headless.frame(bench.window, field);
    holdKey(ImGuiKey_Enter, false);
    headless.settle(bench.window, field);
    const bool keeps = ImGui::GetIO().WantTextInput;
    bench.window.press("Esc");
    bench.session.editor().editForm(wrong);
    headless.settle(bench.window, field);
    return keeps;
  };
  EXPECT_TRUE(keepsTheCaret(wrong.arguments[1]));
  EXPECT_FALSE(keepsTheCaret(wrong.arguments[0])) << "an entry that is right";
}

TEST(LaunchFormView, EscBringsBackWhatRanAndThenClosesIt) {
  EditorBench bench("baseline", 64);
  Headless headless(kDesk);
  ASSERT_NE(openForm(bench, headless), nullptr);
  LaunchForm other = bench.session.editor().currentForm();
  other.block = "32";
  bench.session.editor().editForm(other);
  const auto isOpenAfterEsc = [&] {
    headless.press(bench.window, "Esc");
    return windowNamed("launch form")->WasActive;
  };
  EXPECT_TRUE(isOpenAfterEsc());
  EXPECT_EQ(bench.session.editor().currentForm().block, "64");
  EXPECT_FALSE(isOpenAfterEsc());
  EXPECT_EQ(bench.window.state().mode, Mode::Explore);
}

}  // namespace
}  // namespace lanescope
