__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int odd(int n);
__device__ int even(int n) { return n <= 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n <= 0 ? 0 : even(n - 1); }
__device__ void sort(int* a, int l, int r) {
  if (l >= r) return;
  int p = a[(l + r) / 2], i = l, j = r, own[2] = {l, r};
  while (i <= j) {
    while (a[i] < p) i++;
    while (a[j] > p) j--;
    if (i <= j) { int x = a[i]; a[i++] = a[j]; a[j--] = x; }
  }
  sort(a, own[0], j);
  sort(a, i, own[1]);
}
__global__ void recursion(int* out, int n) {
  int a[4] = {n, 3, (int)threadIdx.x, 1};
  sort(a, 0, 3);
  if (threadIdx.x % 2) __syncwarp();
  out[threadIdx.x] = fib(threadIdx.x % 6) + even(threadIdx.x) * 100 + a[1];
}
