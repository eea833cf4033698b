// Recursion, tables of functions, packs, lambdas, forwarding, the device's heap, assignment through a base,
// bit-fields: read by the simulator and by the host's compiler, which must leave the same (classes_test.cpp).

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int oddSteps(int n);
__device__ int evenSteps(int n) { return n <= 0 ? 100 : oddSteps(n - 1) + 1; }
__device__ int oddSteps(int n) { return n <= 0 ? 200 : evenSteps(n - 2) + 3; }
__device__ void permute(int* values, int from, int n, unsigned& hash) {
  if (from == n) {
    for (int i = 0; i < n; ++i) hash = hash * 31 + static_cast<unsigned>(values[i]);
    return;
  }
  for (int i = from; i < n; ++i) {
    const int saved[2] = {values[from], values[i]};
    values[from] = saved[1];
    values[i] = saved[0];
    permute(values, from + 1, n, hash);
    values[from] = saved[0];
    values[i] = saved[1];
  }
}
template <typename T>
__device__ T power(T base, int exponent) {
  if (exponent == 0) return T(1);
  const T half = power(base, exponent / 2);
  return exponent % 2 == 0 ? half * half : half * half * base;
}

__global__ void recursions(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  int values[4] = {i, 2, 3 * i, 7};
  unsigned hash = 5;
  if (i % 3 != 1) permute(values, 0, 2 + i % 3, hash);
  out[i * 8] = fibonacci(i % 12);
  out[i * 8 + 1] = evenSteps(i) + oddSteps(i) * 1000;
  out[i * 8 + 2] = static_cast<int>(hash);
  out[i * 8 + 3] = __float_as_int(power(1.0f + 0.125f * static_cast<float>(i), i % 7)) + power(3, i % 15);
}

using Operation = int (*)(int, int);
__device__ int added(int a, int b) { return a + b; }
__device__ int subtracted(int a, int b) { return a - b; }
__device__ int multiplied(int a, int b) { return a * b; }
__device__ Operation operations[3] = {added, subtracted, multiplied};
struct Chosen {
  Operation operation;
  int with;
};
__device__ int folded(Operation operation, const int* values, int n) {
  int result = values[0];
  for (int i = 1; i < n; ++i) result = operation(result, values[i]);
  return result;
}

__global__ void function_tables(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  const int values[4] = {i + 1, 5, -3, i % 4};
  out[i * 8] = operations[i % 3](i, 10);
  out[i * 8 + 1] = folded(operations[(i + 1) % 3], values, 4);
  const Chosen chosen = {i % 2 == 0 ? added : multiplied, 7};
  out[i * 8 + 2] = chosen.operation(i, chosen.with);
  Operation mine = i < 16 ? &subtracted : nullptr;
  out[i * 8 + 3] = mine != nullptr ? (*mine)(i, 100) : -1;
}

template <typename... Values>
__device__ int sumOfAll(Values... values) {
  return (0 + ... + static_cast<int>(values));
}
template <typename First>
__device__ First largestOf(First first) {
  return first;
}
template <typename First, typename... Rest>
__device__ First largestOf(First first, Rest... rest) {
  const First other = largestOf(static_cast<First>(rest)...);
  return first < other ? other : first;
}
template <int... Numbers>
struct Sequence {
  static constexpr int kCount = sizeof...(Numbers);
  __device__ static int hash() {
    int result = 7;
    ((result = result * 31 + Numbers), ...);
    return result;
  }
};
template <typename... Parts>
struct Packed;
template <>
struct Packed<> {
  __device__ int total() const { return 0; }
};
template <typename First, typename... Rest>
struct Packed<First, Rest...> {
  First first;
  Packed<Rest...> rest;
  __device__ int total() const { return static_cast<int>(first * 10) + rest.total(); }
};

__global__ void pack_kernels(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i * 8] = sumOfAll() + sumOfAll(i, 2.75, 'a', static_cast<short>(-i));
  out[i * 8 + 1] = largestOf(i, 12, 40 - i) + __float_as_int(largestOf(0.5f, static_cast<float>(i)));
  out[i * 8 + 2] = Sequence<4, 5, -6>::hash() + Sequence<4, 5, -6>::kCount + Sequence<>::hash();
  const Packed<int, float, unsigned char> packed = {i, {0.35f, {200, {}}}};
  out[i * 8 + 3] = packed.total() + static_cast<int>(sizeof(packed)) * 100000;
}

template <typename Function>
__device__ int appliedTwice(Function function, int x) {
  return function(function(x));
}
struct Adder {
  int amount;
  __device__ int over(const int* values, int n) const {
    int sum = 0;
    auto add = [this, &sum](int x) { sum += x + amount; };
    for (int i = 0; i < n; ++i) add(values[i]);
    return sum;
  }
};

__global__ void lambdas(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  int calls = 0;
  const int scale = i % 5;
  const auto scaled = [scale, &calls](int x) {
    ++calls;
    return x * scale + 1;
  };
  out[i * 8] = appliedTwice(scaled, i) * 10 + calls;
  auto counter = [n = i * 2]() mutable { return n += 3; };
  counter();
  auto other = counter;
  out[i * 8 + 1] = counter() + other() * 1000;
  const auto sum = [](auto a, auto b) { return a + b; };
  out[i * 8 + 2] = sum(i, 3) + __float_as_int(sum(0.25f, static_cast<float>(i)));
  const int values[3] = {i, 4, -7};
  out[i * 8 + 3] = Adder{i % 3}.over(values, 3);
  out[i * 8 + 4] = [=] { return calls + scale; }() + static_cast<int>(sizeof(scaled));
}

struct Traced {
  int kind = 0;
  __device__ Traced() {}
  __device__ Traced(const Traced& other) : kind(other.kind * 10 + 1) {}
  __device__ Traced(Traced&& other) : kind(other.kind * 10 + 2) { other.kind = -1; }
};
__device__ int kindOf(Traced& one) { return one.kind * 10 + 3; }
__device__ int kindOf(Traced&& one) {
  Traced taken(std::move(one));
  return taken.kind * 10 + 4;
}
template <typename T>
__device__ int forwarded(T&& one) {
  return kindOf(std::forward<T>(one));
}

__global__ void forwarding(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Traced named;
  named.kind = i;
  out[i * 8] = forwarded(named);
  Traced copy = named;
  Traced moved = std::move(copy);
  out[i * 8 + 1] = copy.kind * 1000 + moved.kind;
  out[i * 8 + 2] = forwarded(std::move(moved)) + moved.kind;
}

struct Node {
  int value;
  Node* next;
};

__global__ void heap_lists(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Node* first = nullptr;
  for (int n = 0; n < 3 + i % 4; ++n) first = new Node{n * i, first};
  int sum = 0;
  while (first != nullptr) {
    Node* const next = first->next;
    sum = sum * 3 + first->value;
    delete first;
    first = next;
  }
  out[i * 8] = sum;
  int* const squares = new int[i + 1];
  for (int n = 0; n <= i; ++n) squares[n] = n * n;
  out[i * 8 + 1] = squares[i] + squares[i / 2];
  delete[] squares;
  auto* const raw = static_cast<short*>(malloc(4 * sizeof(short)));
  for (int n = 0; n < 4; ++n) raw[n] = static_cast<short>(i * 1000 * n);
  out[i * 8 + 2] = raw[1] + raw[3];
  free(raw);
}

struct Point2 {
  int x = 1, y = 2;
};
struct Point3 : Point2 {
  char tag = 'p';
  int z = 3;
};
struct Flags {
  unsigned ready : 1;
  unsigned count : 5;
  int delta : 6;
  unsigned long long wide : 37;
  bool last : 1;
};

__global__ void parts_of_objects(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Point3 all;
  all.z = i;
  Point2& base = all;
  base = Point2{i * 2, -i};
  Point2 only = all;
  only.x += 5;
  static_cast<Point2&>(all).y ^= only.x;
  out[i * 8] = all.x + all.y * 100 + all.z * 10000 + all.tag;
  Flags flags = {1, static_cast<unsigned>(i % 32), -5, 1ull << 36, true};
  flags.count += 20;
  flags.delta = i - 16;
  flags.delta -= 20;
  flags.wide *= 3;
  flags.wide |= static_cast<unsigned>(i);
  flags.ready ^= 1;
  out[i * 8 + 1] = static_cast<int>(flags.ready + flags.count * 10) + flags.delta * 1000;
  out[i * 8 + 2] = static_cast<int>(flags.wide >> 9) + static_cast<int>(flags.wide) + flags.last;
  out[i * 8 + 3] = static_cast<int>(sizeof(Flags) + sizeof(Point3) * 100);
}
