// --- bits_of_a_float: a value written as one type is read as another
union Bits {
  float f;
  unsigned u;
  unsigned char bytes[4];
};
__global__ void k(int* out) {
  Bits b;
  b.f = 1.5f;
  out[0] = b.u;
  out[1] = b.bytes[3] * 1000 + b.bytes[2];
  b.bytes[3] ^= 0x80;
  out[2] = (int)(b.f * 10);
}

// --- without_a_name: its members are those of the class around it
struct Cell {
  int kind;
  union {
    int whole;
    float real;
    struct {
      short low, high;
    };
  };
};
__global__ void k(int* out) {
  Cell c = {1, {7}};
  out[0] = c.whole + sizeof(Cell) * 100;
  c.high = 3;
  out[1] = c.whole;
  c.real = -2.0f;
  out[2] = c.low * 10 + c.high;
}

// --- begins_with_its_first_member: braces set the first member
union Number {
  unsigned low : 3;
  unsigned all;
};
struct Pair {
  Number n;
  int after;
};
__global__ void k(int* out) {
  Number n = {13};
  Pair p = {{9}, 4};
  out[0] = n.low * 10 + p.n.low;
  out[1] = p.after;
  out[2] = sizeof(Number) * 10 + alignof(Number);
}

// --- copied_and_passed: a union is a value; member functions
union Word {
  int i;
  short s[2];
  __device__ int sum() const { return s[0] + s[1]; }
};
__device__ Word swapped(Word w) {
  Word r;
  r.s[0] = w.s[1];
  r.s[1] = w.s[0];
  return r;
}
__global__ void k(int* out) {
  Word w;
  w.i = 0x00050003;
  Word v = swapped(w);
  out[0] = v.i;
  w = v;
  out[1] = w.sum() * 100 + v.s[0] * 10 + w.s[1];
}

// --- named_member: {.all = 77}
union Number {
  unsigned char low;
  unsigned all;
};
__global__ void k(int* out) {
  Number n = {.all = 777};
  out[0] = n.low;
}
