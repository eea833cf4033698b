template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... R> __device__ T sum(T a, R... r) { return a + sum(r...); }
template <int... N> struct Sequence { static constexpr int kCount = sizeof...(N); };
template <int... N> __device__ int total(Sequence<N...>) { return (0 + ... + N); }
template <typename... T> struct Tuple {};
template <typename H, typename... T> struct Tuple<H, T...> { H head; Tuple<T...> tail; };
__global__ void packs(int* out, int n) {
  int v[] = {sum(1, n, threadIdx.x), total(Sequence<1, 2, 3>())};
  Tuple<int, float> t{n, {1.5f}};
  auto all = [](auto... x) { return (x && ...); };
  out[threadIdx.x] = v[0] + v[1] + t.head + all(n, t.tail.head);
}
