// Virtual functions: called through pointers and references to bases, on objects that kernels make.
#include <gtest/gtest.h>

#include <string>

#include "sim/tests/golden_text.h"
#include "sim/tests/launches.h"
#include "sim/tests/small_kernels.h"

namespace lanescope {
namespace {

using testing::fault;
using testing::Ints;
using testing::left;

const std::string kShapes = R"(
struct Shape {
  int id = 3;
  __device__ virtual int area() const = 0;
  __device__ virtual int scaled(int by) const { return area() * by; }
  __device__ virtual ~Shape() {}
};
class Square : public Shape {
  int side;
 public:
  __device__ Square(int side) : side(side) { id = 1; }
  __device__ int area() const override { return side * side; }
};
class Circle : public Shape {
 protected:
  int r;
 public:
  __device__ Circle(int r) : r(r) {}
  __device__ virtual int area() const { return 3 * r * r; }
  __device__ int scaled(int by) const final { return Shape::scaled(by) + 1; }
};
struct Ring : Circle {
  int inner;
  __device__ Ring(int r, int inner) : Circle(r), inner(inner) {}
  __device__ int area() const override { return Circle::area() - 3 * inner * inner; }
};
__device__ Shape* make(int t) {
  if (t == 0) return new Square(4);
  if (t == 1) return new Circle(2);
  return new Ring(3, t - 2);
}
)";

TEST(VirtualFunctions, AreThoseOfTheObjectsClassPerLane) {
  EXPECT_EQ(left(kShapes, "Shape* s = make(t); out[t] = s->area() * 10 + s->id; delete s;"),
            (Ints{161, 123, 273, 243}));
  EXPECT_EQ(left(kShapes, "Shape* s = make(t); out[t] = s->scaled(2); delete s;"), (Ints{32, 25, 55, 49}));
  EXPECT_EQ(left(kShapes,
                 "__shared__ Shape* all[4]; all[t] = make(t); __syncthreads();\n"
                 "int n = 0; for (int i = 0; i < 4; ++i) n += all[i]->area(); out[t] = n; __syncthreads();\n"
                 "delete all[t];"),
            (Ints{79, 79, 79, 79}));
}

TEST(VirtualFunctions, OfNoClassEndTheLaunch) {
  const auto run = simulate(testing::launchText(
      testing::lookUpKernel(kShapes, "long long raw[4] = {7}; Shape* s = (Shape*)raw; out[t] = s->area();"),
      4, {"i32:zero:4"}));
  ASSERT_FALSE(run.ok());
  EXPECT_SAYS(run.error().message);
}

TEST(VirtualFunctions, SayWhatIsNotSimulated) {
  EXPECT_SAYS(
      fault("struct A { __device__ virtual void f() {} };\nstruct B { __device__ virtual void g() {} };\n"
            "struct Plain { int x; };\nstruct C : Plain, A, B {};",
            "C c; c.f();"));
  EXPECT_SAYS(fault("struct A { __device__ virtual void f() {} };\nstruct B : virtual A {};", "B b; b.f();"));
  EXPECT_SAYS(fault("struct A { virtual void f() {} };", "A* a = nullptr; a->f();"));
}

}  // namespace
}  // namespace lanescope
