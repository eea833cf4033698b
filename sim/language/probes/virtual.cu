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
