// What variables at file scope begin with: tables of texts, addresses, nested braces, named fields.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/language/check/checker.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::fault;

TEST(InitialValues, SayWhatCannotBe) {
  const std::string point = "struct Point { int x, y; };\n";
  EXPECT_SAYS(fault("__device__ int n = 2;\n__device__ int m = n;", "out[t] = m;"));
  EXPECT_SAYS(fault(point, "Point p = {.z = 1}; out[t] = p.x;"));
  EXPECT_SAYS(fault(point, "Point p = {.y = 1, .x = 2}; out[t] = p.x;"));
  EXPECT_SAYS(fault(point, "int a[2] = {.x = 1}; out[t] = a[0];"));
  EXPECT_SAYS(fault("__constant__ char word[2][3] = {\"ab\", \"abc\"};", "out[t] = word[0][0];"));
  EXPECT_SAYS(fault(point + "__constant__ Point p = {1, 2, 3};", "out[t] = p.x;"));
}

TEST(InitialValues, OfAProgramAreTablesWithWhatTheyLeadTo) {
  const ParsedText text(testing::makeSource(
      "__device__ int a[2] = {1, 2};\n__device__ int* p = a + 1;\n__constant__ const char* t[] = {\"x\"};\n"
      "__device__ int none = 3;\n__global__ void k() {}\n"));
  const std::vector<typed::GlobalSymbol> tables = addressTables(text);
  ASSERT_EQ(tables.size(), 4u);
  EXPECT_EQ(tables[0].name, "a");
  EXPECT_EQ(tables[1].name, "p");
  ASSERT_EQ(tables[1].addresses.size(), 1u);
  EXPECT_EQ(tables[1].addresses[0].symbol, 0u);
  EXPECT_EQ(tables[1].addresses[0].offset, 4);
  EXPECT_TRUE(tables[2].isText);
  ASSERT_EQ(tables[3].addresses.size(), 1u);
  EXPECT_EQ(tables[3].addresses[0].symbol, 2u);
}

}  // namespace
}  // namespace lanescope
