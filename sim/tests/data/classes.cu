// Kernels that use classes as courses do. classes_test.cpp runs each in the simulator and, compiled by the
// host's compiler, thread by thread: both must leave the same bits. Each thread writes 8 integers.

struct Vec3 {
  float x, y, z;
  __host__ __device__ Vec3() : x(0), y(0), z(0) {}
  __host__ __device__ Vec3(float a, float b, float c) : x(a), y(b), z(c) {}
  __host__ __device__ explicit Vec3(float all) : Vec3(all, all, all) {}
  __host__ __device__ Vec3 operator+(const Vec3& o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ Vec3 operator*(float s) const { return Vec3(x * s, y * s, z * s); }
  __host__ __device__ Vec3 operator-() const { return {-x, -y, -z}; }
  __host__ __device__ Vec3& operator+=(const Vec3& o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  __host__ __device__ bool operator==(const Vec3& o) const { return x == o.x && y == o.y && z == o.z; }
  __host__ __device__ float& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  __host__ __device__ const float& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  __host__ __device__ float dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
  __host__ __device__ static Vec3 unit(int axis) {
    Vec3 v;
    v[axis] = 1.0f;
    return v;
  }
};
__host__ __device__ inline Vec3 operator*(float s, const Vec3& v) { return v * s; }
__host__ __device__ inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return Vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__global__ void vectors(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Vec3 a(1.0f * i, 2.0f, 3.0f);
  Vec3 b = Vec3(0.5f);
  Vec3 c = a + b * 2.0f;
  c += a;
  Vec3 d = 2.0f * c - b;
  d += -a;
  const Vec3 e = d;
  a[1] = e[2];
  Vec3 list[3] = {Vec3(1, 2, 3), a, Vec3::unit(i % 3)};
  list[2] += list[0];
  out[i * 8] = __float_as_int(a.dot(d));
  out[i * 8 + 1] = __float_as_int(c[0] + c[1] + c[2]);
  out[i * 8 + 2] = a == a + Vec3() ? 1 : 0;
  out[i * 8 + 3] = __float_as_int(list[2].x + list[2].y * 10 + list[2].z * 100);
  out[i * 8 + 4] = __float_as_int((a + b + c).dot(Vec3{1, 2, 3}));
  out[i * 8 + 5] = __float_as_int(Vec3(a.x, b.y, c.z)[i % 2]);
}

template <typename T, int kCapacity = 8>
class Stack {
 public:
  using value_type = T;
  static constexpr int kSize = kCapacity;
  __device__ Stack() = default;
  __device__ void push(const T& value) {
    if (count_ < kCapacity) data_[count_++] = value;
  }
  __device__ T pop() { return data_[--count_]; }
  __device__ bool empty() const { return count_ == 0; }
  __device__ int size() const;
  __device__ T* begin() { return data_; }
  __device__ T* end() { return data_ + count_; }

 private:
  T data_[kCapacity] = {};
  int count_ = 0;
};
template <typename T, int kCapacity>
__device__ int Stack<T, kCapacity>::size() const {
  return count_;
}

__global__ void stacks(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Stack<int> s;
  for (int j = 0; j < 12; ++j) s.push(i * j);
  int sum = 0;
  for (int* p = s.begin(); p != s.end(); ++p) sum += *p;
  int order = 0;
  while (!s.empty()) order = order * 3 + s.pop();
  Stack<Vec3, 4> vs;
  vs.push(Vec3(1.0f * i, 0, 1));
  vs.push(Vec3(2));
  Stack<Vec3, 4> copy = vs;
  copy.pop();
  typename Stack<short>::value_type narrow = static_cast<short>(70000 * i);
  out[i * 8] = sum;
  out[i * 8 + 1] = order;
  out[i * 8 + 2] = vs.size() * 10 + copy.size();
  out[i * 8 + 3] = Stack<int, 5>::kSize + narrow;
  out[i * 8 + 4] = __float_as_int(vs.pop().dot(copy.pop()));
}

template <typename T>
struct Plus {
  __device__ T operator()(const T& a, const T& b) const { return a + b; }
  static constexpr T identity() { return T(0); }
};
struct Largest {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
template <typename T, typename Op>
__device__ T fold(const T* values, int n, T start, Op op) {
  for (int j = 0; j < n; ++j) start = op(start, values[j]);
  return start;
}
template <typename A, typename B>
struct IsSame {
  static constexpr bool value = false;
};
template <typename A>
struct IsSame<A, A> {
  static constexpr bool value = true;
};
template <typename T>
struct Traits {
  static constexpr int kWords = sizeof(T) / 4;
  typedef T type;
};
template <typename T>
struct Traits<T*> {
  static constexpr int kWords = 100 + Traits<T>::kWords;
  typedef T type;
};
template <>
struct Traits<double> {
  enum { kWords = 7 };
  typedef float type;
};

__global__ void functors(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  const int values[5] = {i, 3 - i, 7, i * i, -2};
  out[i * 8] = fold(values, 5, Plus<int>::identity(), Plus<int>());
  out[i * 8 + 1] = fold(values, 5, -1000, Largest{});
  out[i * 8 + 2] = fold(values, 5, 1, [](int a, int b) { return a * 2 - b; });
  const int shift = i + 1;
  out[i * 8 + 3] = fold(values, 5, 0, [=](int a, int b) { return a + (b << (shift & 3)); });
  int calls = 0;
  out[i * 8 + 4] = fold(values, 5, 0, [&](auto a, auto b) {
    ++calls;
    return a ^ b;
  });
  out[i * 8 + 5] = calls + [](int x) { return x * x; }(i);
  out[i * 8 + 6] = Traits<int>::kWords + 10 * Traits<double>::kWords + Traits<Vec3*>::kWords;
  out[i * 8 + 7] = IsSame<Traits<double>::type, float>::value + 2 * IsSame<int, unsigned>::value;
  auto counter = [n = i]() mutable { return n++; };
  counter();
  out[i * 8 + 7] += counter() * 10;
}

class Rng {
 public:
  __device__ explicit Rng(unsigned seed) : state_(seed * 747796405u + 2891336453u) {}
  __device__ unsigned next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  __device__ float uniform() { return static_cast<float>(next() >> 8) * (1.0f / 16777216.0f); }

 private:
  unsigned state_;
};
struct Shape {
  int id = 3;
  float scale{1.5f};
  __device__ float area() const { return scale * scale; }
  __device__ int tag() const { return id; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float r) : radius(r) { id += 4; }
  __device__ float area() const { return Shape::area() * radius * radius * 3.0f; }
};
struct Complex {
  float re, im;
  __device__ Complex(float r = 0, float i = 0) : re(r), im(i) {}
  __device__ friend Complex operator*(const Complex& a, const Complex& b) {
    return Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
  }
  __device__ friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  __device__ explicit operator bool() const { return re != 0 || im != 0; }
  __device__ float norm() const { return re * re + im * im; }
};
__device__ float areaOf(const Shape& shape) { return shape.area() + shape.tag(); }

__global__ void objects(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Rng rng(i + 1);
  const unsigned first = rng.next();
  const float share = rng.uniform();
  Circle circle(1.0f + i);
  Shape shape;
  shape.scale = 2.0f;
  Complex z;
  const Complex c(0.01f * i, 0.3f);
  int steps = 0;
  while (steps < 20 && z.norm() < 4.0f) {
    z = z * z + c;
    ++steps;
  }
  Complex w = 2.0f;
  out[i * 8] = static_cast<int>(first);
  out[i * 8 + 1] = __float_as_int(share);
  out[i * 8 + 2] = __float_as_int(circle.area());
  out[i * 8 + 3] = __float_as_int(areaOf(circle) + areaOf(shape));
  out[i * 8 + 4] = steps;
  out[i * 8 + 5] = __float_as_int((w * Complex(0, 1) + 1.0f).norm());
  out[i * 8 + 6] = z ? 1 : 2;
  out[i * 8 + 7] = circle.tag();
}

union Word {
  float f;
  unsigned u;
  unsigned char bytes[4];
};
struct Tagged {
  char kind;
  union {
    int index;
    float value;
    struct {
      short low, high;
    } halves;
  };
};
struct Empty {};
struct First {
  int a;
  char b;
};
struct Second : First {
  char c;
};
class Hidden {
  int a_;
  char b_;

 public:
  __host__ __device__ Hidden(int a, char b) : a_(a), b_(b) {}
  __host__ __device__ int sum() const { return a_ + b_; }
};
struct Third : Hidden {
  char c;
  __host__ __device__ Third() : Hidden(1, 2), c(3) {}
};
struct Fourth : Empty {
  Empty inner;
  double d;
};
struct __align__(16) Wide {
  char c;
  union {
    double d;
    char text[13];
  };
};

__global__ void layouts(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Word word;
  word.f = 1.5f * i;
  word.bytes[0] = static_cast<unsigned char>(i);
  Tagged tagged;
  tagged.kind = 'x';
  tagged.value = -2.5f * i;
  Tagged other = tagged;
  other.halves.low = 7;
  Third third;
  Word from = {2.0f};
  out[i * 8] = static_cast<int>(word.u);
  out[i * 8 + 1] = tagged.index + other.kind;
  out[i * 8 + 2] = other.index;
  out[i * 8 + 3] = sizeof(Word) + 10 * sizeof(Tagged) + 1000 * sizeof(Empty) + 10000 * sizeof(Second);
  out[i * 8 + 4] = sizeof(Third) + 100 * sizeof(Fourth) + 10000 * sizeof(Wide);
  out[i * 8 + 5] = third.sum() * 10 + third.c;
  out[i * 8 + 6] = static_cast<int>(from.u);
  out[i * 8 + 7] = static_cast<int>(reinterpret_cast<char*>(&third.c) - reinterpret_cast<char*>(&third));
}

struct Matrix {
  int rows, cols;
  float* data;
  __device__ float& operator()(int r, int c) { return data[r * cols + c]; }
  __device__ const float& operator()(int r, int c) const { return data[r * cols + c]; }
  struct Cursor {
    int at;
    __device__ Cursor& operator++() {
      ++at;
      return *this;
    }
    __device__ Cursor operator++(int) {
      Cursor before = *this;
      ++*this;
      return before;
    }
    __device__ bool operator!=(const Cursor& o) const { return at != o.at; }
    __device__ int operator*() const { return at; }
  };
  __device__ Cursor begin() const { return Cursor{0}; }
  __device__ Cursor end() const { return {rows * cols}; }
};
template <typename T>
struct Pointer {
  T* raw;
  __device__ T* operator->() const { return raw; }
  __device__ T& operator*() const { return *raw; }
  __device__ T& operator[](int j) const { return raw[j]; }
  __device__ Pointer operator+(int j) const { return Pointer{raw + j}; }
};
namespace detail {
struct Settings {
  static const int kSteps = 3;
  enum Mode { kNone, kAll = 5 };
  Mode mode = kAll;
  int weights[3] = {1, 2, 3};
};
}  // namespace detail

__global__ void matrices(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  float cells[6] = {1, 2, 3, 4, 5, 6};
  Matrix m{2, 3, cells};
  m(1, i % 3) += 0.5f;
  const Matrix& view = m;
  float sum = 0;
  for (Matrix::Cursor at = m.begin(); at != m.end(); at++) sum = sum * 2 + cells[*at];
  Matrix::Cursor cursor = m.begin();
  ++++cursor;
  Pointer<Matrix> p{&m};
  Pointer<float> q{cells};
  *(q + 1) = 9.0f;
  q[2] = p->cols;
  detail::Settings settings;
  settings.weights[1] = i;
  detail::Settings changed{detail::Settings::kNone};
  out[i * 8] = __float_as_int(view(1, 2) + view(0, 1));
  out[i * 8 + 1] = __float_as_int(sum);
  const int before = *cursor++;
  out[i * 8 + 2] = before * 10 + *cursor;
  out[i * 8 + 3] = __float_as_int((*p).data[1] + p->data[2]);
  out[i * 8 + 4] = settings.mode + settings.weights[0] + settings.weights[1] * 10 + settings.weights[2] * 100;
  out[i * 8 + 5] = changed.mode + changed.weights[2] + detail::Settings::kSteps;
}

struct Bounds {
  int low;
  float high;
};
__device__ inline Bounds boundsOf(int i) { return {i, static_cast<float>(i) * 0.5f}; }

__global__ void bindings(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  auto [low, high] = boundsOf(i);
  low += 3;
  int pair[2] = {i, 2 * i};
  auto& [first, second] = pair;
  second += first;
  const auto [x, y] = boundsOf(second);
  int word = -7;
  reinterpret_cast<unsigned&>(word) >>= 2;
  int kept = 0;
  if (const int rest = i % 3; rest > 0 and not(rest == 2)) {
    kept = rest;
  } else if (const int more = i / 4) {
    kept = more * 10 + rest;
  } else {
    kept = compl rest;
  }
  out[i * 8] = low;
  out[i * 8 + 1] = __float_as_int(high);
  out[i * 8 + 2] = pair[1];
  out[i * 8 + 3] = x * 100 + static_cast<int>(y);
  out[i * 8 + 4] = word;
  out[i * 8 + 5] = kept;
  out[i * 8 + 6] = (i bitand 5) bitor (i xor 3);
}
