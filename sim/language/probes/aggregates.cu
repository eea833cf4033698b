// --- braces_of_rows: braces of rows may be left out, what is missing is zero
struct M {
  int rows[2][2];
  int last;
};
__global__ void k(int* out) {
  int m[2][2] = {1, 2, 3, 4};
  int n[][2] = {5, 6, 7};
  M s = {1, 2, 3, 4};
  for (int i = 0; i < 4; ++i) {
    out[i] = m[i & 1][i >> 1];
    out[4 + i] = s.rows[i >> 1][i & 1] * 10 + s.last;
  }
  out[8] = n[1][0] * 10 + n[1][1] + (int)sizeof(n) * 100;
  int x{}, y{3}, z(4);
  out[9] = x + y * z;
}

// --- named_fields: .x = 1, and the others as the class says
struct Point {
  int x, y = 7;
};
struct Line {
  Point from, to;
  const char* name = "ab";
};
__global__ void k(int* out) {
  Point p{.y = 4}, q{.x = 5}, r = {.x = 1, .y = 2};
  Line l = {.from = {1}, .to = {.y = 3}};
  out[0] = p.x * 10 + p.y;
  out[1] = q.x * 10 + q.y;
  out[2] = r.x * 10 + r.y;
  out[3] = l.from.x * 1000 + l.from.y * 100 + l.to.x * 10 + l.to.y;
  out[4] = l.name[1];
}

// --- nested: arrays of structs of arrays, texts and pointers
struct Point {
  int x, y;
};
struct Item {
  char name[8];
  Point p[2];
  const char* text;
};
__constant__ Item items[2] = {{"one", {{1, 2}, {3}}, "I"}, {"two", {3, 4}, "II"}};
__global__ void k(int* out) {
  for (int t = 0; t < 2; ++t) {
    const Item& i = items[t];
    out[4 * t] = i.name[0] * 1000 + i.text[t];
    out[4 * t + 1] = i.p[0].x * 10 + i.p[0].y;
    out[4 * t + 2] = i.p[1].x * 10 + i.p[1].y;
    out[4 * t + 3] = i.name[7] + (int)sizeof(Item);
  }
}

// --- of_the_same_type: braces around an object of the type copy it
struct Pair {
  int a, b;
};
struct Two {
  Pair p[2];
};
__device__ Pair made(int a) { return {a, a + 1}; }
struct Holder {
  Pair own;
  __device__ Holder(const Two& two) : own(two.p[1]) {}
};
__global__ void k(int* out) {
  Two two{{{1, 2}, {3, 9}}};
  Holder h(two);
  Pair m{made(4)};
  Pair n{h.own};
  Pair o{made(5).b};
  out[0] = h.own.a * 1000 + m.b * 100 + n.b * 10 + o.a;
}

// --- within_a_function: a struct of a function, with its base as first value
struct Base {
  int a;
};
__global__ void k(int* out) {
  struct Local : Base {
    short b;
    int t[2];
  };
  Local l{{1}, 2, {3}};
  Local c = l;
  c.t[1] = 8;
  out[0] = l.a * 1000 + l.b * 100 + l.t[0] * 10 + l.t[1];
  out[1] = c.t[1] + (int)sizeof(Local) * 10;
}
