// --- as_values: in variables, structs, tables and as results
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int less(int a, int b);
__device__ int less(int a, int b) { return a < b; }
__device__ Operation operations[] = {add, multiply, &less};
__device__ Operation chosen(int which) { return which == 0 ? add : multiply; }
struct Rule {
  int from;
  int (*apply)(int, int);
};
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    Operation f = t % 2 == 0 ? add : multiply;
    out[t] = f(t, 3);
    out[4 + t] = operations[t % 3](t, 4) + (*operations[1])(2, t);
    out[8 + t] = chosen(t & 1)(t, t);
    Rule rule{2, add};
    if (t > 1) rule.apply = multiply;
    Rule* p = &rule;
    out[12 + t] = p->apply(t, rule.from);
  }
  int (*table[2])(int, int) = {less, add};
  int (*g)(int, int) = table[1];
  out[16] = g(4, 2) * 100 + (g == add) * 10 + (g != nullptr ? 2 : 0);
  out[17] = sizeof(g) + (table[0] == add);
}

// --- as_arguments: of functions and templates, by the name or by the address, in arrays
using Operation = int (*)(int, int);
using Step = void (*)(int*);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ void increment(int* x) { ++*x; }
template <class F> __device__ int twice(F f, int x) { return f(f(x, x), x); }
__device__ int ofTable(Operation table[], int which, int x) { return table[which](x, 3); }
__device__ int ofRaw(int (*table[2])(int, int), int which, int x) { return table[which](x, 3); }
__device__ void each(Step step, int* t, int n) {
  for (int i = 0; i < n; ++i) step(t + i);
}
__global__ void k(int* out) {
  out[0] = twice(&multiply, 3) * 100 + twice(add, 2);
  Operation f = multiply;
  out[1] = twice<int (*)(int, int)>(f, 2);
  Operation own[2] = {multiply, add};
  int (*raw[2])(int, int) = {add, multiply};
  out[2] = ofTable(own, 0, 5) * 100 + ofRaw(raw, 0, 5);
  each(increment, out, 2);
}

// --- of_templates: the address of an instance, tables of instances
template <class T> using Op = T (*)(T, T);
template <class T> __device__ T plus(T a, T b) { return a + b; }
template <class T, int kTimes = 1> __device__ T times(T a, T b) { return kTimes * a * b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ Op<int> table[] = {plus<int>, times<int, -2>, minus, &times<int>};
__device__ Op<float> ofFloats = plus<float>;
template <class T> __device__ T applied(Op<T> f, T a, T b) { return f(a, b); }
__global__ void k(int* out) {
  Op<int> f = times<int>;
  for (int t = 0; t < 4; ++t) {
    out[t] = f(t, 3) + 100 * table[t](t, 2);
    out[4 + t] = (int)(10 * applied(ofFloats, 2.5f, (float)t));
    f = plus<int>;
  }
}

// --- as_template_arguments: functions of namespaces, instances and kinds of them
__device__ int twice(int a) { return 2 * a; }
namespace ops {
__device__ int next(int a) { return a + 1; }
}
template <class T> __device__ T square(T a) { return a * a; }
using Function = int (*)(int);
template <int (*F)(int)> __device__ int of(int a) { return F(a); }
template <class T, T (*F)(T)> struct Mapped {
  __device__ T operator()(T a) const { return F(a); }
};
template <Function F, Function G> __device__ int both(int a) { return F(G(a)); }
__global__ void k(int* out) {
  out[0] = of<twice>(7) * 10 + of<ops::next>(7);
  out[1] = Mapped<int, square<int>>()(9);
  out[2] = both<twice, ops::next>(5) * 100 + both<ops::next, twice>(5);
}

// --- in_lambdas_and_classes: captured, as a member, and within a call operator
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
struct Own {
  Operation rule = multiply;
  __device__ int operator()(int i) const {
    Operation g = add;
    return rule(g(i, 1), 3);
  }
};
__global__ void k(int* out) {
  auto f = [](int i) {
    Operation g = add;
    return g(i, 5);
  };
  auto h = [g = (Operation)multiply](int i) { return g(i, 2); };
  out[0] = f(3) * 100 + h(8);
  out[1] = Own{}(4);
}

// --- back_to_their_caller: a function that calls itself by a pointer
__device__ int call(int (*f)(int), int n);
__device__ int down(int n) { return call(down, n - 1) + 1; }
__device__ int call(int (*f)(int), int n) { return n > 0 ? f(n) : 0; }
__global__ void k(int* out) { out[0] = call(down, 5); }
