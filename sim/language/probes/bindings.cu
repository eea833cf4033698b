// --- of_structs_and_arrays: names for the parts of a copy, or of the object
struct P {
  int x;
  float y;
};
__device__ P made(int i) { return {i, i * 0.5f}; }
__global__ void k(int* out) {
  P p{3, 1.5f};
  auto [a, b] = p;
  a = 10;
  auto& [c, d] = p;
  c += 4;
  d *= 2;
  const auto& [e, f] = made(5);
  int t[3] = {1, 2, 3};
  auto [u, v, w] = t;
  u = 9;
  auto& [x, y, z] = t;
  z = 8;
  out[0] = a * 100 + p.x;
  out[1] = (int)(b * 10) * 1000 + (int)(p.y * 10);
  out[2] = e * 100 + (int)(f * 10);
  out[3] = u * 100 + v * 10 + w;
  out[4] = t[0] * 100 + x * 10 + t[2];
}

// --- of_the_elements_of_a_loop: by value, by reference, of rows
struct Pair {
  int x, y;
};
__global__ void k(int* out) {
  Pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
  int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int s = 0;
  for (auto [x, y] : pairs) {
    s += x * y;
    x = 100;
  }
  for (const auto& [x, y] : pairs) s += x;
  for (auto& [x, y] : pairs) {
    x += 1;
    if (y == 4) continue;
    y = 0;
  }
  for (auto [a, b, c] : rows) {
    s += a * b - c;
    a = 9;
  }
  for (auto& [a, b, c] : rows) a = b + c;
  out[0] = s;
  out[1] = pairs[1].x * 100 + pairs[1].y * 10 + pairs[2].y;
  out[2] = rows[1][0];
}

// --- in_a_condition: if (auto [a, b] = f(); a)
struct R {
  bool ok;
  int value;
};
__device__ R half(int n) { return {n % 2 == 0, n / 2}; }
__global__ void k(int* out) {
  for (int i = 0; i < 4; ++i) {
    if (auto [ok, value] = half(i); ok)
      out[i] = value;
    else
      out[i] = -value - 1;
  }
}
