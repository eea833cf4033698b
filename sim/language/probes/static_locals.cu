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

// --- const_table: its address stays the same
__device__ int f(int i) {
  static const int t[4] = {1, 2, 3, 4};
  return t[i];
}
__device__ const int* g() {
  static const int t[2] = {5, 6};
  return t;
}
__global__ void k(int* out) {
  out[0] = f(2);
  out[1] = g() == g();
  out[2] = g()[1];
}

// --- constexpr_table: a constant, whose address stays the same
__device__ const int* g() {
  static constexpr int t[3] = {5, 6, 7};
  static_assert(t[1] == 6);
  return t;
}
template <int N>
struct C {
  static constexpr int v = N;
};
__device__ int f() {
  static constexpr int n = 4;
  static constexpr int t[n] = {1, 2, 3};
  return C<t[2]>::v + sizeof(t);
}
__global__ void k(int* out) {
  out[0] = g() == g();
  out[1] = g()[1];
  out[2] = f();
}

// --- const_object: returned by pointer and by reference
struct P {
  int x;
  int y;
};
__device__ const P* g() {
  static const P p = {1, 2};
  return &p;
}
struct Q {
  int x;
  constexpr __device__ Q(int a) : x(a * 2) {}
};
__device__ const Q& h() {
  static constexpr Q q(4);
  static_assert(q.x == 8);
  return q;
}
__global__ void k(int* out) {
  out[0] = g() == g();
  out[1] = g()->y;
  out[2] = h().x;
  out[3] = &h() == &h();
}

// --- mutable_member: of a const object
struct S {
  int v;
  mutable int n;
};
__device__ int g() {
  static const S s = {4, 0};
  return s.v * 10 + s.n++;
}
__global__ void k(int* out) {
  g();
  g();
  out[0] = g();
}

// --- const_pointers: to variables and texts
__device__ int a = 3;
__device__ int* g() {
  static int* const p = &a;
  return p;
}
__device__ const char* h() {
  static const char* const s = "xyz";
  return s;
}
__device__ char m(int i) {
  static constexpr const char* s = "abc";
  return s[i];
}
__global__ void k(int* out) {
  *g() = 4;
  out[0] = a;
  out[1] = h()[1];
  out[2] = m(2);
  out[3] = h() == h();
}

// --- const_numbers: of all kinds
__global__ void k(int* out) {
  static const int n = 4;
  static const float pi = 3.5f;
  static const auto u = 7u;
  static const bool b = n > 3;
  int t[n] = {};
  out[0] = sizeof(t);
  out[1] = (int)(pi * 2);
  out[2] = u;
  out[3] = b;
  static const unsigned char c = 300 - 45;
  out[4] = c;
  static const double d = n / 8.0;
  out[5] = d < 0.6;
  static const long l(9);
  out[6] = l;
  static const int z{};
  out[7] = z;
}

// --- const_of_a_parameter: the first call gives the value
__device__ int g(int x) {
  static const float y = x * 2.0f;
  return y;
}
__global__ void k(int* out) {
  g(3);
  out[0] = g(4);
}

// --- address_of_a_const_number: is the same in all calls
__device__ const int* g() {
  static const int y = 5;
  return &y;
}
__global__ void k(int* out) { out[0] = *g(); }

// --- const_table_of_instances: each has its own
template <class T>
__device__ const T* g() {
  static const T t[2] = {1, 2};
  return t;
}
__global__ void k(int* out) {
  out[0] = g<int>()[1];
  out[1] = (int)g<double>()[0];
  out[2] = g<int>() == g<int>();
}

// --- static_reference: to a variable at file scope
__device__ int a = 1;
__device__ int& g() {
  static int& r = a;
  return r;
}
__global__ void k(int* out) {
  g() = 5;
  out[0] = a;
}

// --- const_objects_with_constructors: an array of them
struct S {
  int v;
  __device__ S(int x) : v(x) {}
};
__device__ int g(int i) {
  static const S t[2] = {S(1), S(2)};
  return t[i].v;
}
__global__ void k(int* out) { out[0] = g(1); }

// --- const_pointer_to_array: to another static variable
__global__ void k(int* out) {
  static int t[2] = {1, 2};
  static const int(*p)[2] = &t;
  out[0] = (*p)[1];
  static int m[2][2] = {{1}, {2}};
  out[1] = m[1][0];
}
