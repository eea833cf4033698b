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
using testing::Ints;
using testing::left;

TEST(InitialValues, MayBeTablesOfTexts) {
  const std::string table = "__constant__ const char* names[] = {\"red\", \"green\", \"blue\", \"red\"};";
  EXPECT_EQ(left(table, "int n = 0; for (const char* c = names[t]; *c; ++c) n += *c; out[t] = n;"),
            (Ints{'r' + 'e' + 'd', 'g' + 'r' + 'e' + 'e' + 'n', 'b' + 'l' + 'u' + 'e', 'r' + 'e' + 'd'}));
  EXPECT_EQ(left("__device__ const char* const word = \"abcd\";", "out[t] = word[t];"),
            (Ints{'a', 'b', 'c', 'd'}));
  EXPECT_EQ(left("__device__ const char* grid[2][2] = {{\"a\", \"b\"}, {\"c\", \"d\" + 1}};",
                 "out[t] = grid[t / 2][t % 2][0];"),
            (Ints{'a', 'b', 'c', 0}));
}

TEST(InitialValues, MayBeAddressesOfOtherVariables) {
  const std::string values = "__device__ int a[3] = {4, 5, 6};\n__device__ int b = 9;\n";
  EXPECT_EQ(left(values + "__device__ int* table[4] = {a, &b, a + 2, &a[1]};", "out[t] = *table[t];"),
            (Ints{4, 9, 6, 5}));
  EXPECT_EQ(left(values + "struct Row { int n; int* at; };\n__constant__ Row rows[] = {{3, a}, {1, &b}};",
                 "out[t] = rows[t / 2].at[t % 2 % rows[t / 2].n] * 10 + rows[t / 2].n;"),
            (Ints{43, 53, 91, 91}));
}

TEST(InitialValues, OfStructsNestAndNameTheirFields) {
  const std::string item =
      "struct Point { int x, y = 7; };\nstruct Item { char name[8]; Point p; const char* text; };\n";
  EXPECT_EQ(
      left(item + "__constant__ Item items[2] = {{\"one\", {1, 2}, \"I\"}, {\"two\", {3, 4}, \"II\"}};",
           "const Item& i = items[t / 2]; out[t] = t % 2 ? i.name[0] + i.text[0] : i.p.x * 10 + i.p.y;"),
      (Ints{12, 'o' + 'I', 34, 't' + 'I'}));
  EXPECT_EQ(left(item + "__device__ Point p = {.x = 5, .y = 6};", "out[t] = p.x * 10 + p.y;"),
            (Ints{56, 56, 56, 56}));
  EXPECT_EQ(left(item, "Point p{.y = t}; Point q{.x = t}; out[t] = p.x * 100 + p.y * 10 + q.y;"),
            (Ints{7, 17, 27, 37}));
}

TEST(InitialValues, OfTheSameTypeAreCopied) {
  const std::string ball =
      "struct Ball {\n  int3 at;\n  int2 size;\n  __device__ Ball(const int3& at, int2 s) : at(at), size{s} "
      "{}\n};\n";
  EXPECT_EQ(left(ball,
                 "Ball b(make_int3(t, 2, 3), make_int2(4, 5)); int3 c(b.at); int3 d{b.at}; int2 e{t};\n"
                 "out[t] = c.x * 1000 + d.z * 100 + b.size.y * 10 + e.x;"),
            (Ints{350, 1351, 2352, 3353}));
  const std::string pair =
      "struct Pair { int a, b; };\nstruct Two { Pair p[2]; };\n__device__ Pair made(int a) { return {a, a + "
      "1}; }\n"
      "struct Holder { Pair own; __device__ Holder(const Two& two) : own(two.p[1]) {} };\n";
  EXPECT_EQ(
      left(pair,
           "Two two{{{1, 2}, {3, t}}}; Holder h(two); Pair m{made(t)}; Pair n{h.own}; Pair o{made(t).b};\n"
           "out[t] = h.own.a * 1000 + m.b * 100 + n.b * 10 + o.a;"),
      (Ints{3101, 3212, 3323, 3434}));
}

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
