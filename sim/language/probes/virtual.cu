// --- destructors_from_the_derived_class_up: delete by the base runs all destructors
struct A {
  int* p;
  __device__ A(int* p) : p(p) {}
  __device__ virtual ~A() { *p = *p * 10 + 1; }
  __device__ virtual int id() { return 7; }
};
struct B : A {
  __device__ B(int* p) : A(p) {}
  __device__ ~B() override { *p = *p * 10 + id(); }
  __device__ int id() override { return 2; }
};
struct C : B {
  using B::B;
  __device__ int id() override { return 3; }
  __device__ ~C() { *p = *p * 10 + 4; }
};
__global__ void k(int* out) {
  int x = 0;
  A* a = new B(&x);
  delete a;
  out[0] = x;
  x = 0;
  { C c(&x); }
  out[1] = x;
  x = 0;
  A* q = new C(&x);
  out[2] = q->id();
  delete q;
  out[3] = x;
}

// --- other_signature_does_not_override: another const or parameter hides, but does not override
struct A {
  __device__ virtual int f() const { return 1; }
  __device__ virtual int g(int) { return 2; }
};
struct B : A {
  __device__ virtual int f() { return 3; }
  __device__ virtual int g(unsigned) { return 4; }
};
__global__ void k(int* out) {
  B b;
  A& a = b;
  out[0] = a.f();
  out[1] = a.g(1);
  out[2] = b.f();
  out[3] = b.g(1);
}

// --- pure_and_covariant: pure functions, a result of the derived type, Q::f() without the table
struct S {
  __device__ virtual int area() const = 0;
  __device__ virtual S* self() { return this; }
  __device__ int twice() const { return area() * 2; }
  __device__ virtual ~S() = default;
};
struct Q : S {
  int a;
  __device__ Q(int a) : a(a) {}
  __device__ int area() const override { return a * a; }
  __device__ Q* self() override { return this; }
};
struct R : Q {
  int b = 2;
  __device__ R(int a) : Q(a) {}
  __device__ int area() const override { return a * b; }
};
__global__ void k(int* out) {
  Q q(3);
  R r(5);
  S* s[2] = {&q, &r};
  int t = 0;
  for (S* p : s) t = t * 100 + p->area();
  out[0] = t;
  out[1] = r.twice();
  out[2] = q.self()->a + r.self()->area();
  out[3] = static_cast<R*>(s[1])->b + r.Q::area();
}

// --- sliced_copy: a copy as the base is of the base's class
struct B {
  int v = 5;
  __device__ virtual int g() { return v; }
};
struct C : B {
  __device__ int g() override { return v + 1; }
};
__global__ void k(int* out) {
  C c;
  B& b = c;
  out[0] = b.g();
  B s = c;
  out[1] = s.g();
}

// --- destructor_of_a_class_without_one: a class without a destructor has its base's, also by delete
struct A {
  int* p;
  __device__ A(int* p) : p(p) {}
  __device__ virtual ~A() { *p = *p * 10 + 1; }
};
struct B : A {
  __device__ B(int* p) : A(p) {}
  __device__ ~B() override { *p = *p * 10 + 2; }
};
struct C : B {
  __device__ C(int* p) : B(p) {}
};
__global__ void k(int* out) {
  int x = 0;
  A* a = new B(&x);
  delete a;
  out[0] = x;
  x = 0;
  { C c(&x); }
  out[1] = x;
  x = 0;
  A* q = new C(&x);
  delete q;
  out[2] = x;
}

// --- delete_by_the_second_base: delete by a pointer to the second base destroys the whole object
struct A {
  __device__ virtual ~A() {}
  int a = 1;
};
struct B {
  int* p = nullptr;
  __device__ virtual ~B() {
    if (p) *p = *p * 10 + 2;
  }
};
struct C : A, B {
  __device__ ~C() { *p = *p * 10 + 3; }
};
__global__ void k(int* out) {
  int x = 0;
  C* c = new C;
  c->p = &x;
  B* b = c;
  delete b;
  out[0] = x;
}

// --- copy_by_auto: a variable declared with auto is of the static class of what it is copied from
struct Shape {
  __device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
  __device__ int sides() const override { return 4; }
};
__device__ int sidesOf(const Shape& shape) { return shape.sides(); }
__global__ void k(int* out) {
  Square square;
  Shape& seen = square;
  auto copy = seen;
  out[0] = sidesOf(seen);
  out[1] = sidesOf(copy);
  auto same = square;
  out[2] = sidesOf(same);
}

// --- by_pointers_and_references: the function of the object's class, and one that is named by its class
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
__device__ int by(const Shape& s) { return s.area(); }
template <class T> __device__ int of(T& s) { return s.area(); }
__global__ void k(int* out) {
  Square a(2);
  Ring b(2, 1);
  Circle& c = b;
  Shape* all[] = {&a, &b, &c};
  for (int i = 0; i < 3; ++i) {
    out[i] = all[i]->area() * 10 + all[i]->id;
    out[3 + i] = all[i]->scaled(2);
  }
  out[6] = a.area() * 1000 + by(b) * 100 + of(c) * 10;
  out[7] = c.Circle::area();
}

// --- through_levels: a class between that overrides nothing, calls from a function of the base
struct A {
  __device__ virtual int f() { return 1; }
  __device__ int g() { return f() * 10; }
};
struct B : A {
  __device__ int f() override { return 2; }
};
struct C : B {};
struct D : C {
  int x = 5;
  __device__ int f() override { return x + B::f(); }
};
__global__ void k(int* out) {
  A a;
  B b;
  C c;
  D d;
  A* all[] = {&a, &b, &c, &d};
  for (int t = 0; t < 4; ++t) out[t] = all[t]->f() + all[t]->g();
}

// --- sizes: the room of the pointer to the table
struct A {
  __device__ virtual int f() { return 0; }
  int x;
};
struct B : A {
  char c;
};
struct Plain {
  char c;
};
struct E : Plain {
  __device__ virtual void g() {}
  short s;
};
__global__ void k(int* out) {
  out[0] = sizeof(A) * 100 + sizeof(B);
  out[1] = sizeof(E) * 100 + alignof(E);
}

// --- of_a_tree: default arguments, references, structs as results, calls of itself
struct V {
  int a, b;
};
struct Node {
  __device__ virtual V visit(int& count, int by = 2) = 0;
};
struct Leaf : Node {
  int n;
  __device__ Leaf(int n) : n(n) {}
  __device__ V visit(int& count, int by) override {
    ++count;
    return {n * by, 1};
  }
};
struct Pair : Node {
  Node* l;
  Node* r;
  __device__ Pair(Node* l, Node* r) : l(l), r(r) {}
  __device__ V visit(int& count, int by) override {
    V x = l->visit(count, by), y = r->visit(count, by);
    return {x.a + y.a, x.b + y.b + 1};
  }
};
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    Node* tree = new Leaf(t);
    for (int i = 0; i < t; ++i) tree = new Pair(tree, new Leaf(i));
    int count = 0;
    V v = tree->visit(count);
    out[t] = v.a * 100 + v.b * 10 + count;
  }
}

// --- of_templates: classes of templates, and a class that derives from an instance
template <class T> struct Op {
  __device__ virtual T apply(T x) const = 0;
};
template <class T> struct Add : Op<T> {
  T n;
  __device__ Add(T n) : n(n) {}
  __device__ T apply(T x) const override { return x + n; }
};
struct Twice : Op<int> {
  __device__ int apply(int x) const override { return 2 * x; }
};
__device__ int run(const Op<int>* op, int x) { return op->apply(x); }
__global__ void k(int* out) {
  Add<int> add(5);
  Twice twice;
  Add<float> more(0.5f);
  const Op<int>* op = &add;
  out[0] = run(op, 3) * 10 + run(&twice, 3);
  const Op<float>& f = more;
  out[1] = (int)(f.apply(2.25f) * 100);
}

// --- operators_are_virtual: a virtual operator in operator notation is that of the object
__device__ int c = 0;
struct B {
  int v = 0;
  __device__ virtual B& operator+=(int x) {
    v += x;
    return *this;
  }
};
struct D : B {
  __device__ B& operator+=(int x) override {
    v += 10 * x;
    return *this;
  }
};
__device__ int value() {
  c = c * 10 + 2;
  return 3;
}
__device__ B& target(B& b) {
  c = c * 10 + 1;
  return b;
}
__global__ void k(int* out) {
  D d;
  B& b = d;
  b += 2;
  out[0] = d.v;
  target(b) += value();
  out[1] = c;
  out[2] = d.v;
}
