// --- characters_are_promoted: characters are added as int, 1LL has 64 bits
__global__ void k(int* out) {
  out[0] = sizeof('a' + 'b');
  out[1] = 'a' < 'b';
  long long q = 1LL << 40;
  out[2] = (int)(q >> 38);
}

// --- compound_with_unsigned: a /= 2u divides as unsigned and converts back, >>= shifts its left side
__global__ void k(int* out) {
  int a = -8;
  a /= 2u;
  out[0] = a;
  int b = -8;
  b %= 3u;
  out[1] = b;
  int c = -8;
  c >>= 1u;
  out[2] = c;
  short d = -8;
  d /= (unsigned short)2;
  out[3] = d;
}

// --- signs_of_quotients: a quotient is rounded toward zero, a remainder has the sign of the dividend
__global__ void k(int* out) {
  int r = 0;
  int as[4] = {7, -7, 7, -7}, bs[4] = {3, 3, -3, -3};
  for (int i = 0; i < 4; ++i) out[i] = (as[i] / bs[i]) * 1000 + (as[i] % bs[i]);
  long long q = -7;
  out[0] += (int)(q % 3) * 100000;
  out[1] += (int)(q / 3u) * 100000 % 1000000;
}

// --- float_and_double: a float meets a double as a double, literals without f are double
__global__ void k(int* out) {
  float a = 1.0f / 3;
  double b = 1.0f / 3;
  double c = 1.0 / 3;
  out[0] = (a == b) * 10 + (b == c);
  out[1] = (a * 3 == 1.0f) * 10 + (a * 3.0 == 1.0);
  float s = 0;
  for (int i = 0; i < 10; ++i) s += 0.1;
  double t = 0;
  for (int i = 0; i < 10; ++i) t += 0.1f;
  out[2] = (s == 1.0f) * 10 + (t > 1.0);
  out[3] = 7 / 2 * 2.0 + 7 / 2.0 * 2;
}

// --- integers_as_float: a float has 24 bits: large integers are rounded as they are converted or compared
__global__ void k(int* out) {
  int big = 16777217;
  float f = big;
  out[0] = (int)f - big;
  out[1] = (f == big) * 10 + ((double)f == big);
  float h = 0.1f;
  out[2] = (h == 0.1) * 10 + (h == 0.1f);
  unsigned u = 0xffffffffu;
  float g = u;
  double d = u;
  out[3] = (g == 4294967296.0f) * 100 + (d == u) * 10 + (g == u);
}

// --- float_to_integer: a conversion to an integer cuts toward zero
__global__ void k(int* out) {
  float f = -2.7f;
  double d = 3.999999;
  out[0] = (int)f * 10 + (int)d;
  unsigned char c = 254.9f;
  short s = -1.5;
  out[1] = c * 10 + s;
  out[2] = (int)(0.1f + 0.2f == 0.3f) * 10 + (0.1 + 0.2 == 0.3);
  long long q = 1e15;
  unsigned u = 3e9;
  out[3] = (int)(q / 1000000) % 1000 + (int)(u >> 20);
}

// --- widths_are_mixed: an operation has the width of its operands, not of what takes its result
__global__ void k(int* out) {
  unsigned u = 4000000000u;
  int i = -5;
  long long q = u + i;
  long long r = (long long)u + i;
  long long t = i * 2u;
  out[0] = (int)(q >> 8);
  out[1] = (int)(r >> 8);
  out[2] = (int)(t >> 32);
  unsigned long long w = i;
  out[3] = (int)(w >> 60) * 100 + (int)(((unsigned long long)(unsigned)i) >> 31);
}

// --- sizes_are_unsigned: -1 against a sizeof is a large number
__global__ void k(int* out) {
  int a[5] = {1, 2, 3, 4, 5};
  int n = 0;
  for (int i = -1; i < (int)(sizeof(a) / sizeof(a[0])) - 1; ++i) n += a[i + 1];
  int m = 0;
  for (int i = -1; i < sizeof(a) / sizeof(a[0]); ++i) m++;
  out[0] = n;
  out[1] = m;
  unsigned u = 3;
  out[2] = (u - 5) / 2 == 0x7fffffffu;
  out[3] = (int)((u - 5) % 10);
}

// --- shifts: >> of a negative number keeps its sign, that of an unsigned one does not
__global__ void k(int* out) {
  int i = -256;
  unsigned u = (unsigned)i;
  long long q = i;
  out[0] = i >> 4;
  out[1] = u >> 24;
  unsigned char c = 0x80;
  signed char d = (signed char)0x80;
  out[2] = (c >> 3) * 1000 + (d >> 3);
  q <<= 3;
  u >>= 28;
  i >>= 31u;
  out[3] = (int)q * 1 + u * 10000 + i;
}

// --- increments_of_narrow_types: ++ wraps in the variable's type, and its value has that type
__global__ void k(int* out) {
  unsigned char c = 255;
  int a = c++;
  int b = ++c;
  out[0] = a * 10 + b;
  signed char s = 127;
  int d = ++s;
  out[1] = d;
  unsigned short h = 0;
  int e = --h;
  int f = h--;
  out[2] = e - f;
  bool ok = (c += 255) == 0;
  out[3] = ok * 1000 + c;
}

// --- integers_are_rounded_to_even: 64-bit integers as float and double, rounded to nearest
__global__ void k(int* out) {
  unsigned long long q = (1ULL << 63) + (1ULL << 39) + 1;
  float f = q;
  double d = q;
  out[0] = (int)((unsigned long long)f >> 40 & 0xfff);
  out[1] = (d == 9223372036854775808.0 + 549755813888.0);
  long long m = -9007199254740993LL;
  double e = m;
  out[2] = (int)(m - (long long)e);
  int i = 33554435;
  float g = i;
  out[3] = (int)g - i + (unsigned)4294967295.0 / 1000000;
}

// --- type_of_a_conditional: ?: has the common type of its two values
__global__ void k(int* out) {
  out[0] = (sizeof(true ? 1 : 1.0));
  out[1] = (int)((true ? -1 : 1u) > 0);
}

// --- eight_bits_wrap: unsigned char and signed char wrap, and are promoted in a shift
__global__ void k(int* out) {
  unsigned char c = 250;
  c += 10;
  out[0] = c;
  signed char d = 127;
  d++;
  out[1] = d;
  out[2] = (c << 30) >> 30;
}

// --- types_of_results: auto shows the type of a result: 'a' + 0, 1u - 2, true + 'a'
__global__ void k(int* out) {
  auto a = 'a';
  auto b = a + 0;
  auto c = 1u - 2;
  auto d = 3 / 2;
  auto e = 3 / 2.f;
  const auto f = 1ull;
  auto g = true + 'a';
  out[0] = sizeof(a) * 1000 + sizeof(b) * 100 + (c > 0) * 10 + d;
  out[1] = (int)(e * 2) * 10 + sizeof(f);
  out[2] = g;
  auto h = c;
  h >>= 31;
  out[3] = h;
}

// --- float_stays_float: float with int is float, with double double
__device__ int w(float) { return 4; }
__device__ int w(double) { return 8; }
__device__ int w(int) { return 1; }
__global__ void k(int* out) {
  float f = 2;
  out[0] = w(f * 2) * 100 + w(f * 2.0) * 10 + w(f / 2.0f);
  out[1] = w(f + 'a') * 100 + w(1 / 2) * 10 + w(1 / 2.f);
  out[2] = w(f += 1.0) * 100;
  out[2] += w(-f) * 10 + w(f > 1 ? f : 1);
  out[3] = w(true ? f : 1.0) * 10 + w(1LL * f) * 100;
  out[3] += w(f++);
}

// --- comparisons_across_types: a comparison converts both sides to their common type first
__global__ void k(int* out) {
  int i = 16777217;
  float f = 16777216.0f;
  out[0] = (i == f) * 10 + ((double)i == f);
  long long q = (1LL << 53) + 1;
  double d = 9007199254740992.0;
  out[1] = (q == d) * 10 + (q > d);
  unsigned u = 4294967295u;
  out[2] = (u == 4294967296.0f) * 10 + (u == 4294967296.0);
  out[3] = (-1 < 0.5f) * 100 + (1 / 2 < 0.5) * 10 + (0.1f < 0.1);
}

// --- negative_becomes_unsigned: a negative narrow integer is widened by its sign, then wraps
__global__ void k(int* out) {
  for (int i = 0; i < 4; ++i) {
    char c = (char)(i - 2);
    unsigned short u = c;
    unsigned char v = c;
    short s = (short)(i - 2);
    unsigned w = s;
    unsigned long long l = c;
    unsigned char big = (unsigned char)(200 + i);
    char back = big;
    bool b = i;
    bool half = i * 0.25f;
    out[4 * i] = u;
    out[4 * i + 1] = v / 2 * 1000 + back;
    out[4 * i + 2] = (int)(w >> 16) + (int)(l >> 56) * 100000;
    out[4 * i + 3] = (b + b) * 10 + half;
  }
}
