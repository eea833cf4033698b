// a * b + c in a kernel is rounded once: nvcc fuses a product with the sum that uses it, unless an option forbids it.
// Each sum has a kernel of its own: which of two products is fused depends on where else they are used.
#include <cmath>
#include <cstdio>
#include <cstring>

template <int CASE>
__global__ void product(const float* x, float* y) {
  const float a = x[0], b = x[1], c = x[2], d = x[3];
  float sum = y[CASE];
  if (CASE == 0) sum = a * b + c;
  if (CASE == 1) sum = c + a * b;
  if (CASE == 2) sum = a * b - c;
  if (CASE == 3) sum = c - a * b;
  if (CASE == 4) sum = -(a * b) + c;
  if (CASE == 5) sum = a * b + c * d;
  if (CASE == 6) sum = a * b - c * d;
  if (CASE == 7) sum = a * a + b * b + c * c;
  if (CASE == 8) sum = a * b + c * d + a;
  if (CASE == 9) sum += a * b;
  if (CASE == 10) sum -= a * b;
  if (CASE == 11) sum = __fadd_rn(__fmul_rn(a, b), c);
  if (CASE == 12) {
    sum = c;
    for (int i = 0; i < 3; ++i) sum += x[i] * x[i + 1];
  }
  y[CASE] = sum;
}

template <int CASE>
void products(const float* x, float* y) {
  product<CASE><<<1, 1>>>(x, y);
  if constexpr (CASE < 12) products<CASE + 1>(x, y);
}

__global__ void doubles(const double* x, double* y) { *y = x[0] * x[1] + x[2]; }

// The host's compiler may fuse, too: a product in a volatile variable is rounded.
static float product(float a, float b) {
  volatile float p = a * b;
  return p;
}

int main() {
  const float x[4] = {1.1f, 2.3f, 3.7f, -0.9f};
  const float a = x[0], b = x[1], c = x[2], d = x[3];
  float y[13] = {};
  y[9] = y[10] = c;
  float *dx, *dy;
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&dy, sizeof y);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice);
  products<0>(dx, dy);
  cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
  const float right[13] = {
      fmaf(a, b, c),
      fmaf(a, b, c),
      fmaf(a, b, -c),
      fmaf(-a, b, c),
      fmaf(-a, b, c),
      fmaf(a, b, product(c, d)),
      fmaf(a, b, -product(c, d)),
      fmaf(c, c, fmaf(a, a, product(b, b))),
      fmaf(a, b, product(c, d)) + a,
      fmaf(a, b, c),
      fmaf(-a, b, c),
      product(a, b) + c,
      fmaf(x[2], x[3], fmaf(x[1], x[2], fmaf(x[0], x[1], c))),
  };
  int wrong = 0;
  for (int i = 0; i < 13; ++i) {
    unsigned bits[2];
    memcpy(&bits[0], &y[i], 4);
    memcpy(&bits[1], &right[i], 4);
    printf("%2d %.9g %08x\n", i, y[i], bits[0]);
    if (bits[0] != bits[1]) {
      printf("   should be %.9g %08x\n", right[i], bits[1]);
      ++wrong;
    }
  }
  const double v[3] = {1.1, 2.3, 3.7};
  double *dv, *dw, w = 0;
  cudaMalloc(&dv, sizeof v);
  cudaMalloc(&dw, sizeof w);
  cudaMemcpy(dv, v, sizeof v, cudaMemcpyHostToDevice);
  doubles<<<1, 1>>>(dv, dw);
  cudaMemcpy(&w, dw, sizeof w, cudaMemcpyDeviceToHost);
  wrong += w != fma(v[0], v[1], v[2]);
  printf("double %.17g\n%s\n", w, wrong == 0 ? "PASS" : "FAIL");
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dv);
  cudaFree(dw);
  return wrong;
}
