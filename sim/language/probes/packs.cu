// --- functions: a pack of parameters is deduced, handed on, counted and expanded in a list
template <typename T> __device__ T sum(T a) { return a; }
template <typename T, typename... Rest> __device__ T sum(T a, Rest... rest) { return a + sum(rest...); }
template <typename... Args> __device__ int count(Args... args) { return sizeof...(args) * 10 + sizeof...(Args); }
template <typename T, typename... Rest> __device__ int longest(T, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return sizeof(T);
  } else {
    int other = longest(rest...);
    return other > (int)sizeof(T) ? other : sizeof(T);
  }
}
template <typename... A> __device__ int digits(int scale, A... a) {
  int values[] = {a * scale..., 7};
  int s = 0;
  for (int v : values) s = s * 10 + v;
  return s;
}
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    out[t] = sum(t, 2 * t, 3);
    out[4 + t] = sum(1.5f, t, 2.5) * 2;
    out[8 + t] = t == 0 ? digits(1) : digits(t, 1, 2);
  }
  out[12] = count() + count(1, 2.0f, 'a');
  out[13] = longest(1, 2.0, 'a') * 10 + longest('a');
}

// --- pointers_and_references: A*... and A&... store through each argument
template <typename... A> __device__ void fill(int v, A*... a) { ((*a = v++), ...); }
template <typename... A> __device__ void add(int v, A&... a) { ((a += v), ...); }
__global__ void k(int* out) {
  int x, y, z;
  fill(4, &x, &y, &z);
  out[0] = x * 100 + y * 10 + z;
  short s = 1;
  add(30000, x, s, y);
  out[1] = x;
  out[2] = s;
  out[3] = y;
}

// --- values_and_folds: packs of values, folds from both sides, with a first value and over none
template <int... N> __device__ int sum() { return (0 + ... + N); }
template <int... N> __device__ int fromRight() { return (N - ...); }
template <int... N> __device__ int fromLeft() { return (... - N); }
template <typename... B> __device__ bool all(B... b) { return (... && b); }
template <typename... B> __device__ bool any(B... b) { return (b || ...); }
__global__ void k(int* out) {
  out[0] = sum<1, 2, 3>() * 100 + sum<>();
  out[1] = fromRight<9, 3, 1>() * 10 + fromLeft<9, 3, 1>();
  for (int t = 0; t < 4; ++t)
    out[2 + t] = all(t > 0, t < 3) * 100 + any(t == 0, t == 3) * 10 + all() + 2 * any();
}

// --- classes: a recursive class template, its first part, a sequence of values
template <typename... T> struct Tuple {};
template <typename T, typename... R> struct Tuple<T, R...> : Tuple<R...> {
  T head;
  __device__ Tuple(T h, R... r) : Tuple<R...>(r...), head(h) {}
  __device__ int size() const { return 1 + sizeof...(R); }
};
template <> struct Tuple<> {
  __device__ Tuple() {}
};
template <typename T, typename... R> __device__ T first(const Tuple<T, R...>& t) { return t.head; }
template <int... N> struct Sequence {
  static constexpr int kCount = sizeof...(N);
};
template <int... N> __device__ int total(Sequence<N...>) { return (N + ...); }
__global__ void k(int* out) {
  Tuple<int, float, int> p(5, 2.5f, 7);
  const Tuple<float, int>& rest = p;
  out[0] = first(p);
  out[1] = (int)(rest.head * 10);
  out[2] = p.size() * 10 + rest.size();
  out[3] = total(Sequence<1, 2, 3>()) * 10 + Sequence<4, 5>::kCount;
}

// --- lambdas: auto... in a lambda, and arguments that are handed on to one
template <class F, class... A> __device__ auto apply(F f, A... a) { return f(a...); }
__global__ void k(int* out) {
  auto sum = [](auto... x) { return (x + ... + 1); };
  out[0] = sum(4, 'a') * 10 + sum();
  out[1] = apply([](int x, int y) { return x * 10 + y; }, 3, 5);
  out[2] = apply(sum, 1, 2.75) * 100;
}

// --- of_parameters_by_position: the elements before and behind a pack
template <int First, int... Rest> struct Least {
  static constexpr int value = First < Least<Rest...>::value ? First : Least<Rest...>::value;
};
template <int Only> struct Least<Only> {
  static constexpr int value = Only;
};
__global__ void k(int* out) { out[0] = Least<4, 2, 9>::value; }

// --- sizes_of_types: a constant that is a fold over a pack of types
template <class... T> constexpr int sizes = (0 + ... + (int)sizeof(T));
__global__ void k(int* out) { out[0] = sizes<char, short, double> * 10 + sizes<>; }
