// --- value_of_an_assignment: an assignment to a bit-field gives the value that fits into it
struct B {
  int a : 4;
  unsigned u : 4;
};
__global__ void k(int* out) {
  B x{};
  int y = (x.u = 18);
  out[0] = y;
  int z = x.u++;
  out[1] = z * 100 + x.u;
  x.u = 15;
  int w = ++x.u;
  out[2] = w;
  x.a = -8;
  int q = --x.a;
  out[3] = q;
}

// --- layout: bit-fields share a unit of their type if they fit, a width of 0 begins the next one
struct A {
  unsigned a : 5, b : 11, c : 16;
};
struct B {
  unsigned char a : 3;
  unsigned char b : 6;
};
struct C {
  int a : 20;
  int b : 20;
};
struct D {
  char c;
  int x : 8;
  int y : 16;
};
struct E {
  unsigned a : 4;
  unsigned : 0;
  unsigned b : 4;
};
struct F {
  long long a : 33;
  int b : 5;
};
__global__ void k(int* out) {
  out[0] = sizeof(A) * 100 + sizeof(B) * 10 + sizeof(C);
  out[1] = sizeof(D) * 100 + sizeof(E) * 10 + sizeof(F);
  union {
    A a;
    unsigned w;
  } u;
  u.w = 0;
  u.a.b = 0x7ff;
  out[2] = u.w;
  out[3] = alignof(F);
}

// --- signs_and_wrapping: a bit-field's type says whether its highest bit is a sign
struct B {
  int a : 3;
  unsigned b : 3;
  signed c : 5;
  bool d : 1;
};
__global__ void k(int* out) {
  B x{};
  x.a = 7;
  x.b = 7;
  x.c = 17;
  x.d = 2;
  out[0] = x.a * 1000 + x.b;
  out[1] = x.c;
  out[2] = x.d;
  x.b += 3;
  x.a -= 4;
  out[3] = x.b * 100 + x.a;
}

// --- type_of_a_bit_field: a bit-field has its declared type in overloads, a narrow one is promoted to int
struct S {
  unsigned a : 3;
  int b : 5;
  unsigned long long c : 40;
  bool d : 1;
};
__device__ int f(int) { return 1; }
__device__ int f(unsigned) { return 2; }
__device__ int f(unsigned long long) { return 3; }
__device__ int f(bool) { return 4; }
__global__ void k(int* out) {
  S s{1, 2, 3, true};
  out[0] = f(s.a) * 1000 + f(s.b) * 100 + f(s.c) * 10 + f(s.d);
  out[1] = f(s.a + 0) * 10 + f(s.a << 1);
  out[2] = sizeof(S);
  out[3] = f(+s.a) * 10 + (s.a - 2 < 0);
}

// --- neighbours_keep_their_values: stores, increments and compound assignments of one field
struct Flags {
  unsigned alive : 1;
  unsigned age : 7;
  unsigned kind : 4;
  int delta : 5;
};
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    Flags f{1, 100, 3, -1};
    f.age += t;
    f.delta = -t;
    f.kind = f.age & 15;
    f.alive = t;
    out[t] = f.age * 10000 + f.kind * 100 + (f.delta + 20) + f.alive * 1000000;
  }
  Flags f = {};
  f.age = 5;
  int a = f.age++;
  int b = --f.age;
  f.age <<= 1;
  out[4] = a * 100 + b * 10 + f.age;
}

// --- of_objects_and_constants: constructors, member functions, a constant table with named fields
struct Date {
  unsigned day : 5;
  unsigned month : 4;
  int year : 12;
  __device__ Date(int d, int m, int y) : day(d), month(m), year(y) {}
  __device__ int number() const { return year * 10000 + month * 100 + day; }
  __device__ void next() {
    ++day;
    if (day == 0) month++;
  }
};
struct Flags {
  unsigned alive : 1;
  unsigned age : 7;
  int delta : 5;
};
__constant__ Flags table[2] = {{1, 2, -4}, {.age = 9}};
__global__ void k(int* out) {
  for (int t = 0; t < 3; ++t) {
    Date d(30 + t, 3, 2024 - t);
    Date e = d;
    e.next();
    out[t] = e.number() - d.number();
  }
  out[3] = table[0].age * 100 + table[0].delta * 10 + table[1].age + table[1].alive;
}
