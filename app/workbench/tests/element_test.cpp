// The type of element: another text, and the launch, the traces and the session files that go with it.
#include "app/launch/element_text.h"

#include <gtest/gtest.h>

#include "app/gpu/gpu_text.h"
#include "app/launch/kernel_cache.h"
#include "app/launch/strategy_launch.h"
#include "app/workbench/saved_state.h"
#include "app/workbench/session.h"
#include "app/workbench/tests/settle.h"
#include "sim/machine/run/launch.h"
#include "sim/memory/device_memory.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

TextFacts collectFacts(const Strategy& strategy, const std::string& text) {
  return KernelCache().collectFacts(strategy, std::make_shared<SourceText>("test.cu", text));
}

using testing::settle;

std::string_view currentText(const Session& session) {
  return session.player().replay()->trace().launch.source->text();
}

TEST(ElementText, WordsOfCodeChangeAndNothingElse) {
  const std::string text =
      "// a float a thread\n/* float */ __shared__ float s[4]; float4 v; myfloat(float(1.0f)); float";
  EXPECT_EQ(
      withElements(text, ElementType::Float, ElementType::Double),
      "// a float a thread\n/* float */ __shared__ double s[4]; float4 v; myfloat(double(1.0f)); double");
  EXPECT_EQ(withElements(text, ElementType::Float, ElementType::Float), text);
  EXPECT_EQ(withElements("/* open float", ElementType::Float, ElementType::Int), "/* open float");
  EXPECT_EQ(withElements("", ElementType::Float, ElementType::Int), "");
  const std::string printed = "printf(\"a float \\\" // float %f\\n\", 'f'); float x; // \"float";
  EXPECT_EQ(withElements(printed, ElementType::Float, ElementType::Double),
            "printf(\"a float \\\" // float %f\\n\", 'f'); double x; // \"float");
}

TEST(ElementText, TheTextSaysItsType) {
  for (const Strategy& strategy : strategies()) {
    for (const ElementType type : findElementTypes(strategy)) {
      const auto text = changeElements(strategy, strategy.source, ElementType::Float, type);
      ASSERT_TRUE(text) << strategy.id;
      EXPECT_EQ(collectFacts(strategy, *text).element, type) << strategy.id;
      const auto back = changeElements(strategy, *text, type, ElementType::Float);
      ASSERT_TRUE(back) << strategy.id;
      EXPECT_EQ(*back, strategy.source) << strategy.id;
    }
  }
  EXPECT_EQ(collectFacts(*findStrategy("shuffle"), "no kernel at all").element, ElementType::Float);
}

TEST(ElementText, ATextOfOtherElementsIsNotEdited) {
  for (const Strategy& strategy : strategies()) {
    for (const ElementType type : findElementTypes(strategy)) {
      const std::string text = *changeElements(strategy, strategy.source, ElementType::Float, type);
      EXPECT_TRUE(collectFacts(strategy, text).isOwn) << strategy.id;
      const std::string note = text == strategy.source ? "" : std::string(elementTypeName(type));
      EXPECT_EQ(changeNote(collectFacts(strategy, text), false), note) << strategy.id;
      EXPECT_FALSE(collectFacts(strategy, text + "// mine\n").isOwn) << strategy.id;
      EXPECT_EQ(changeNote(collectFacts(strategy, text + "// mine\n"), false), "edited") << strategy.id;
    }
  }
  const Strategy& strategy = *findStrategy("no-divergence");
  const std::string doubles =
      *changeElements(strategy, strategy.source, ElementType::Float, ElementType::Double);
  EXPECT_EQ(changeNote(collectFacts(strategy, std::string(strategy.source)), true), "launch changed");
  EXPECT_EQ(changeNote(collectFacts(strategy, doubles), true), "double, launch changed");
}

TEST(ElementText, SaysWhatCannotBeChanged) {
  const Strategy& wide = *findStrategy("float4-loads");
  const auto refused = changeElements(wide, wide.source, ElementType::Float, ElementType::Double);
  ASSERT_FALSE(refused);
  EXPECT_SAYS(refused.error().sentence());
  const Strategy& shuffle = *findStrategy("shuffle");
  const std::string ints =
      "// mine\n" + *changeElements(shuffle, shuffle.source, ElementType::Float, ElementType::Int);
  EXPECT_FALSE(changeElements(shuffle, ints, ElementType::Int, ElementType::Double)) << "int is an index too";
  EXPECT_EQ(*changeElements(shuffle, ints, ElementType::Int, ElementType::Int), ints);
  const std::string mixed = "// mine\n" + std::string(shuffle.source) + "__device__ double more;\n";
  EXPECT_FALSE(changeElements(shuffle, mixed, ElementType::Float, ElementType::Double))
      << "the way back would make it a float";
  EXPECT_TRUE(changeElements(shuffle, mixed, ElementType::Float, ElementType::Int));
  const std::string four = "// mine\n" + std::string(shuffle.source) + "__device__ float4 more;\n";
  EXPECT_FALSE(changeElements(shuffle, four, ElementType::Float, ElementType::Int))
      << "a float4 would stay one";
  const std::string doubles =
      "// mine\n" + *changeElements(shuffle, shuffle.source, ElementType::Float, ElementType::Double);
  EXPECT_EQ(*changeElements(shuffle, doubles, ElementType::Double, ElementType::Float),
            "// mine\n" + std::string(shuffle.source));
}

TEST(ElementText, TheSimulatorCountsMoreSectorsForDoubles) {
  const Strategy& strategy = *findStrategy("no-bank-conflict");
  const auto sectors = [&](ElementType type) {
    const auto launch = makeLaunch(strategy, 1024, 4, *findMachine("nvidia"), type);
    return simulate(*launch)->counters.globalLoadSectors;
  };
  EXPECT_EQ(sectors(ElementType::Float), 1024U * 4 / 32);
  EXPECT_EQ(sectors(ElementType::Double), 1024U * 8 / 32);
  EXPECT_EQ(sectors(ElementType::Int), 1024U * 4 / 32);
}

TEST(ElementType, IsChosenRunAndKept) {
  Session session;
  session.select({findStrategy("no-divergence"), 64, findMachine("nvidia")});
  ASSERT_TRUE(settle(session));
  session.chooseElementType(ElementType::Double);
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_NE(currentText(session).find("const double* in"), std::string_view::npos);
  EXPECT_EQ(session.editor().currentForm().arguments.front(), "f64:hash:64");
  // Another N: the same text, launched over so many doubles.
  session.chooseElements(256);
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(session.editor().currentForm().arguments.front(), "f64:hash:256");
  EXPECT_EQ(session.editor().currentForm().dynamicShared, std::to_string(256 * sizeof(double)));
  // To the GPU it goes with the text.
  const Document& document = *session.editor().current();
  EXPECT_EQ(makeGpuLaunch(document, session.selection(), *session.editor().kernelCache())->arguments[0].type,
            ArgumentType::F64);
  const auto timed = makeTimedLaunch(document, 1U << 20U, 256, 132, session.editor().findFacts().element);
  ASSERT_TRUE(timed);
  EXPECT_EQ(timed->type, ElementType::Double);
  EXPECT_EQ(timed->launch.arguments[0], "f64:hash1:1048576");
  EXPECT_EQ(timed->bytes, ((1U << 20U) + (1U << 12U)) * sizeof(double));
  // A session file brings it back.
  const auto saved = parseSession(sessionText(session.saved()));
  ASSERT_TRUE(saved);
  Session again;
  ASSERT_FALSE(again.restore(*saved));
  ASSERT_TRUE(settle(again));
  EXPECT_EQ(again.error(), "");
  EXPECT_NE(currentText(again).find("const double* in"), std::string_view::npos);
  EXPECT_EQ(again.editor().currentForm().arguments.front(), "f64:hash:256");
  // Back to floats it is the strategy's own text.
  session.chooseElementType(ElementType::Float);
  ASSERT_TRUE(settle(session));
  EXPECT_FALSE(session.editor().current()->isEdited());
  EXPECT_EQ(session.shown().edition, 0U);
}

TEST(ElementType, GoesWithAnOperator) {
  Session session;
  session.select({findStrategy("warp-block-grid"), 64, findMachine("nvidia")});
  ASSERT_TRUE(settle(session));
  Document& document = *session.editor().current();
  document.form = session.editor().currentForm();
  document.form->templateArguments = "Maximum";
  session.chooseElementType(ElementType::Int);
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(document.form->templateArguments, "Maximum");
  EXPECT_EQ(document.form->arguments.front(), "i32:hash:64");
  session.chooseElementType(ElementType::Double);
  ASSERT_TRUE(settle(session));
  EXPECT_EQ(session.error(), "");
  EXPECT_EQ(document.form->arguments.front(), "f64:hash:64");
  EXPECT_NE(currentText(session).find("double"), std::string_view::npos);
}

TEST(ElementType, OfAFileIsItsOwn) {
  Session session;
  session.chooseElementType(ElementType::Int);
  EXPECT_NE(session.error(), "");
}

}  // namespace
}  // namespace lanescope
