// --- keeps_its_value: a static variable in a function is initialized once
__device__ int next() {
  static int n = 5;
  return n++;
}
__global__ void k(int* out) {
  next();
  out[0] = next();
  out[1] = next();
}

// --- in_a_loop: the declaration is passed three times
__global__ void k(int* out) {
  for (int i = 0; i < 3; ++i) {
    static int s = 10;
    s += i;
    out[i] = s;
  }
}

// --- one_for_all_objects: of a member function
struct Counter {
  __device__ int next() {
    static int n = 0;
    return ++n;
  }
};
__global__ void k(int* out) {
  Counter a, b;
  a.next();
  out[0] = b.next();
  out[1] = a.next();
}

// --- one_per_instance: each instance of a template has its own
template <class T>
__device__ int next() {
  static int n = 0;
  return ++n;
}
template <int N>
struct Numbers {
  __device__ static int next() {
    static int n = N;
    return ++n;
  }
};
__global__ void k(int* out) {
  next<int>();
  out[0] = next<int>();
  out[1] = next<char>();
  Numbers<10>::next();
  out[2] = Numbers<10>::next();
  out[3] = Numbers<20>::next();
}

// --- of_two_blocks: the same name in two blocks, and in two overloads
__device__ int f(int) {
  static int n = 1;
  return n *= 2;
}
__device__ int f(float) {
  static int n = 1;
  return n *= 3;
}
__global__ void k(int* out) {
  for (int i = 0; i < 2; ++i) {
    {
      static int n = 1;
      out[0] = n++;
    }
    {
      static int n = 10;
      out[1] = n--;
    }
    out[2] = f(1);
    out[3] = f(1.f);
  }
}

// --- zero_without_a_value: scalars, arrays, structs
struct Pair {
  int a, b;
};
__device__ int add(int i) {
  static int sum;
  static int each[3];
  static Pair pair;
  sum += i;
  each[i] += i + 1;
  pair.b += each[i];
  return sum * 100 + each[1] * 10 + pair.a + pair.b;
}
__global__ void k(int* out) {
  out[0] = add(1);
  out[1] = add(1);
  out[2] = add(2);
}

// --- with_initial_values: arrays, structs, pointers, texts, auto
struct Pair {
  int a, b;
};
__device__ int use() {
  static int t[] = {1, 2, 3};
  static Pair p = {4, 5};
  static const char* text = "ab";
  static auto f = 1.5f;
  static int* at = &t[1];
  ++t[0];
  p.b += t[0];
  ++text;
  f *= 2;
  ++*at;
  return p.b * 1000 + t[1] * 100 + text[-1] + static_cast<int>(f);
}
__global__ void k(int* out) {
  out[0] = use();
  out[1] = use();
}

// --- in_recursion: one variable for all depths
__device__ int depth(int n) {
  static int calls = 0;
  ++calls;
  if (n > 0) depth(n - 1);
  return calls;
}
__global__ void k(int* out) {
  out[0] = depth(3);
  out[1] = depth(0);
}

// --- in_a_lambda: of its operator()
__global__ void k(int* out) {
  auto count = [] {
    static int n = 7;
    return ++n;
  };
  count();
  auto same = count;
  out[0] = same();
}

// --- by_reference: what is returned is the variable itself
__device__ int& slot() {
  static int n = 3;
  return n;
}
__global__ void k(int* out) {
  slot() += 4;
  out[0] = slot();
}

// --- constants_stay: const and constexpr ones
__device__ int at(int i) {
  static const int t[3] = {3, 5, 7};
  static constexpr int u[2] = {1, 2};
  static const int n = 3;
  int sized[n] = {1, 1, 1};
  return t[i] + u[i] + sized[i];
}
__global__ void k(int* out) {
  out[0] = at(0);
  out[1] = at(1);
}

// --- hides_and_is_hidden: names of blocks
__device__ int n = 100;
__global__ void k(int* out) {
  static int n = 1;
  ++n;
  {
    int n = 50;
    out[0] = n;
  }
  out[1] = n;
}

// --- conditional: a declaration that some calls do not reach
__device__ int f(bool yes) {
  if (yes) {
    static int n = 4;
    return ++n;
  }
  return 0;
}
__global__ void k(int* out) {
  out[0] = f(false);
  out[1] = f(true);
  out[2] = f(false);
  out[3] = f(true);
}
