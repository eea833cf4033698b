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

TEST(VirtualFunctions, OfVariablesAndReferences) {
  EXPECT_EQ(
      left(kShapes + "__device__ int by(const Shape& s) { return s.area(); }\n"
                     "template <class T> __device__ int of(T& s) { return s.area(); }",
           "Square a(2); Ring b(2, 1); Circle& c = b; out[t] = t == 0 ? a.area() : t == 1 ? by(b) : t == 2 ? "
           "of(c) : c.Circle::area();"),
      (Ints{4, 9, 9, 12}));
  EXPECT_EQ(
      left("struct A { __device__ virtual int f() { return 1; } __device__ int g() { return f() * 10; } };\n"
           "struct B : A { __device__ int f() override { return 2; } };\nstruct C : B {};\n"
           "struct D : C { int x = 5; __device__ int f() override { return x + B::f(); } };",
           "A a; B b; C c; D d; A* all[] = {&a, &b, &c, &d}; out[t] = all[t]->f() + all[t]->g();"),
      (Ints{11, 22, 22, 77}));
}

TEST(VirtualFunctions, HaveTheSizesOfTheHost) {
  struct A {
    virtual int f() { return 0; }
    int x;
  };
  struct B : A {
    char c;
  };
  struct Plain {
    char c;
  };
  struct E : Plain {
    virtual void g() {}
    short s;
  };
  const std::string text =
      "struct A { __device__ virtual int f() { return 0; } int x; };\nstruct B : A { char c; };\n"
      "struct Plain { char c; };\nstruct E : Plain { __device__ virtual void g() {} short s; };\n";
  EXPECT_EQ(left(text, "const int s[] = {sizeof(A), sizeof(B), sizeof(E), alignof(E)}; out[t] = s[t];"),
            (Ints{sizeof(A), sizeof(B), sizeof(E), alignof(E)}));
}

TEST(VirtualFunctions, TakeReferencesGiveStructsAndCallThemselves) {
  EXPECT_EQ(
      left("struct V { int a, b; };\n"
           "struct Node { __device__ virtual V visit(int& count, int by = 2) = 0; };\n"
           "struct Leaf : Node { int n; __device__ Leaf(int n) : n(n) {}\n"
           "  __device__ V visit(int& count, int by) override { ++count; return {n * by, 1}; } };\n"
           "struct Pair : Node { Node* l; Node* r; __device__ Pair(Node* l, Node* r) : l(l), r(r) {}\n"
           "  __device__ V visit(int& count, int by) override {\n"
           "    V x = l->visit(count, by), y = r->visit(count, by); return {x.a + y.a, x.b + y.b + 1}; } };",
           "Node* tree = new Leaf(t); for (int i = 0; i < t; ++i) tree = new Pair(tree, new Leaf(i));\n"
           "int count = 0; V v = tree->visit(count); out[t] = v.a * 100 + v.b * 10 + count;"),
      (Ints{11, 232, 653, 1274}));
  EXPECT_EQ(left("template <class T> struct Op { __device__ virtual T apply(T x) const = 0; };\n"
                 "template <class T> struct Add : Op<T> { T n; __device__ Add(T n) : n(n) {}\n"
                 "  __device__ T apply(T x) const override { return x + n; } };\n"
                 "struct Twice : Op<int> { __device__ int apply(int x) const override { return 2 * x; } };\n"
                 "__device__ int run(const Op<int>* op, int x) { return op->apply(x); }",
                 "Add<int> add(5); Twice twice; const Op<int>* op = t % 2 ? (const Op<int>*)&add : &twice;\n"
                 "out[t] = run(op, t);"),
            (Ints{0, 6, 4, 8}));
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
