// Bit-fields: their layout is that of the host's compiler, which compiles this file.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sim/memory/address.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::fault;
using testing::Ints;
using testing::left;

// The same text for the host's compiler and for the simulator.
#define LAYOUTS                   \
  struct Flags {                  \
    unsigned alive : 1;           \
    unsigned age : 7;             \
    unsigned kind : 4;            \
    int delta : 5;                \
  };                              \
  struct Mixed {                  \
    unsigned char a : 3;          \
    unsigned short b : 9;         \
    char c;                       \
    unsigned d : 20;              \
    long long e : 40;             \
  };                              \
  struct Padded {                 \
    unsigned a : 5;               \
    unsigned : 0;                 \
    unsigned b : 5;               \
    int : 3;                      \
    int c : 4;                    \
  };                              \
  struct Full {                   \
    int whole : 32;               \
    unsigned long long wide : 64; \
    bool flag : 1;                \
  };                              \
  struct Holder {                 \
    char tag;                     \
    Flags flags;                  \
    short after;                  \
  };

LAYOUTS

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
const std::string kLayouts = TEXT(LAYOUTS);

TEST(BitFields, InMemoryAreThoseOfTheHost) {
  const auto sizes = left(kLayouts,
                          "const int s[] = {sizeof(Flags), sizeof(Mixed), sizeof(Padded), sizeof(Full),"
                          "sizeof(Holder)}; out[t] = s[t];",
                          5);
  EXPECT_EQ(sizes, (Ints{sizeof(Flags), sizeof(Mixed), sizeof(Padded), sizeof(Full), sizeof(Holder)}));
  Mixed mixed{};
  mixed.a = 5;
  mixed.b = 300;
  mixed.c = 'x';
  mixed.d = 0xabcde;
  mixed.e = -123456789012;
  Padded padded{};
  padded.a = 17;
  padded.b = 30;
  padded.c = -3;
  Full full{};
  full.whole = -7;
  full.wide = 0x123456789abcdef0;
  full.flag = true;
  Holder holder{};
  holder.tag = 't';
  holder.flags.age = 77;
  holder.flags.delta = -9;
  holder.after = 1234;
  const std::string kernel =
      kLayouts +
      "__global__ void k(Mixed* m, Padded* p, Full* f, Holder* h) {\n"
      "  m->a = 5; m->b = 300; m->c = 'x'; m->d = 0xabcde; m->e = -123456789012;\n"
      "  p->a = 17; p->b = 30; p->c = -3;\n  f->whole = -7; f->wide = 0x123456789abcdef0; f->flag = true;\n"
      "  h->tag = 't'; h->flags.age = 77; h->flags.delta = -9; h->after = 1234;\n}";
  Launch launch = testing::launchText(kernel, 1, {});
  auto raw = std::make_shared<RawArguments>();
  for (const std::size_t bytes : {sizeof(Mixed), sizeof(Padded), sizeof(Full), sizeof(Holder)}) {
    raw->buffers.emplace_back(bytes);
    const std::uint64_t address = bufferBase(raw->buffers.size() - 1);
    std::vector<std::byte> parameter(sizeof address);
    std::memcpy(parameter.data(), &address, sizeof address);
    raw->parameters.push_back(std::move(parameter));
  }
  launch.raw = raw;
  const auto run = simulate(launch);
  ASSERT_TRUE(run.ok()) << run.error().message;
  const auto expect = [&](std::size_t buffer, const auto& host) {
    std::vector<std::uint8_t> wanted(sizeof host);
    std::memcpy(wanted.data(), &host, sizeof host);
    EXPECT_EQ(testing::elements<std::uint8_t>(*run, buffer), wanted) << buffer;
  };
  expect(0, mixed);
  expect(1, padded);
  expect(2, full);
  expect(3, holder);
}

TEST(BitFields, SayWhatIsNotSimulated) {
  EXPECT_SAYS(fault(kLayouts, "Flags f; unsigned* p = &f.age;"));
  EXPECT_SAYS(fault("struct S { float x : 3; };", "S s;"));
  EXPECT_SAYS(fault("struct S { char x : 9; };", "S s;"));
  EXPECT_SAYS(fault("struct S { int x : 0; };", "S s;"));
  EXPECT_SAYS(fault("struct S { char c; int x : 20; char d; };", "S s;"));
}

}  // namespace
}  // namespace lanescope
