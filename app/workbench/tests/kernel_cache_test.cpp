// Texts are parsed once; a question about one changes nothing.
#include "app/launch/kernel_cache.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(KernelCache, AQuestionPushesNoTextOut) {
  KernelCache cache;
  const auto makeText = [](int number) {
    const std::string name = "k" + std::to_string(number);
    return std::make_shared<const SourceText>("k.cu", "__global__ void " + name + "(int* p) { p[0] = 1; }\n");
  };
  EXPECT_FALSE(cache.isReady(makeText(0)));
  EXPECT_EQ(cache.findKernels(makeText(0)).size(), 1U);
  EXPECT_TRUE(cache.isReady(makeText(0))) << "whichever object has the text";
  for (int number = 1; number <= 100; ++number) EXPECT_FALSE(cache.isReady(makeText(number)));
  EXPECT_TRUE(cache.isReady(makeText(0)));
}

}  // namespace
}  // namespace lanescope
