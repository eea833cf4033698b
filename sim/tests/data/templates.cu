// Templates of variables and templates as template parameters, second bases with virtual functions,
// bit-fields of unions and of enums: read by the simulator and by the host's compiler, which must leave the
// same (classes_test.cpp).

template <typename T>
constexpr T kOne = T(1);
template <typename T>
constexpr int kBits = sizeof(T) * 8;
template <>
constexpr int kBits<bool> = 1;
template <typename T>
constexpr int kBits<T*> = -1;
template <typename T, int N = 3>
inline constexpr auto kTimes = kBits<T> * N;
template <int N>
constexpr long long kFactorial = N * kFactorial<N - 1>;
template <>
constexpr long long kFactorial<0> = 1;

template <typename T>
__device__ int ofVariables(T x) {
  int sizes[kBits<T> / 8];
  for (int& one : sizes) one = kBits<T>;
  return sizes[0] + static_cast<int>(kOne<T> + x) + kTimes<T>;
}

__global__ void variable_templates(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  const unsigned char small = 255;
  out[i * 8] = ofVariables(static_cast<short>(i)) + ofVariables(2.5 * i) * 1000;
  out[i * 8 + 1] = kBits<bool> + kBits<int*> * 10 + kTimes<char, 5> * 100;
  out[i * 8 + 2] = static_cast<int>(kFactorial<5> + kFactorial<12> / 7);
  out[i * 8 + 3] = small + kOne<unsigned char> + (kOne<float> / 4 < 0.5f);
}

template <typename T>
struct AddOf {
  __device__ T operator()(T a, T b) const { return a + b; }
  static constexpr int kIdentity = 0;
};
template <typename T>
struct MaxOf {
  __device__ T operator()(T a, T b) const { return a > b ? a : b; }
  static constexpr int kIdentity = -1000;
};
template <typename T, int N>
struct Row {
  T values[N];
};
template <typename T>
using PlusOf = AddOf<T>;

template <template <typename> class Op, typename T>
__device__ T foldOf(const T* values, int n) {
  T result = Op<T>::kIdentity;
  for (int i = 0; i < n; ++i) result = Op<T>()(result, values[i]);
  return result;
}
template <template <typename, int> class Container, typename T, int N>
__device__ int lengthOf(const Container<T, N>& container) {
  return N * 10 + static_cast<int>(sizeof(container));
}
template <typename T, template <typename> class First = AddOf, template <typename> typename Second = MaxOf>
struct Twofold {
  First<T> first;
  Second<T> second;
  __device__ T operator()(T a, T b) const { return first(a, b) * 100 + second(a, b); }
};
template <template <typename> class Op>
struct NameOf {
  static constexpr int kNumber = 1;
};
template <>
struct NameOf<MaxOf> {
  static constexpr int kNumber = 2;
};
template <template <typename> class Op, typename T>
__device__ T passesOn(const T* values) {
  return foldOf<Op>(values, 3) + NameOf<Op>::kNumber;
}

__global__ void template_templates(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  const int values[5] = {i, 7 - i, i * i, 3, -i};
  const float reals[3] = {0.5f * static_cast<float>(i), 1.25f, -2.0f};
  out[i * 8] = foldOf<AddOf>(values, 5) + foldOf<MaxOf>(values, 5) * 1000;
  out[i * 8 + 1] = __float_as_int(foldOf<PlusOf>(reals, 3));
  out[i * 8 + 2] = lengthOf(Row<short, 6>{}) + lengthOf(Row<double, 2>{}) * 1000;
  out[i * 8 + 3] = Twofold<int>()(i, 5) + Twofold<int, MaxOf, AddOf>()(i, 5) * 7;
  out[i * 8 + 4] = NameOf<AddOf>::kNumber + NameOf<MaxOf>::kNumber * 10 + passesOn<MaxOf>(values) * 100;
}

struct Sided {
  int sides;
  __device__ explicit Sided(int n) : sides(n) {}
  __device__ virtual ~Sided() {}
  __device__ virtual int area() const { return sides; }
  __device__ virtual int both() const { return 1; }
};
struct Named {
  int name;
  __device__ explicit Named(int n) : name(n) {}
  __device__ virtual ~Named() {}
  __device__ virtual int label() const { return name; }
  __device__ virtual int both() const { return 2; }
  __device__ int plain() const { return name * 3; }
};
struct Counted {
  long long count = 5;
  __device__ virtual int number() { return static_cast<int>(count++); }
};
struct Tile : Sided, Named {
  int width;
  unsigned* log;
  __device__ Tile(int w, unsigned* to) : Sided(4), Named(w + 20), width(w), log(to) {}
  __device__ ~Tile() override { *log = *log * 31 + width; }
  __device__ int area() const override { return width * width; }
  __device__ int label() const override { return name * 10 + width; }
};
struct Deep : Tile, Counted {
  int more;
  __device__ Deep(int w, unsigned* to) : Tile(w, to), more(w * 2) {}
  __device__ ~Deep() override { *log = *log * 37 + more; }
  __device__ int label() const override { return -more; }
  __device__ int number() override { return Counted::number() + more + sides; }
};

__device__ inline int described(const Named& one) { return one.label() * 100 + one.both() * 10 + one.plain(); }
__device__ inline int counts(Counted* one) { return one != nullptr ? one->number() : -9; }

__global__ void second_bases(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  unsigned log = 1;
  {
    Tile tile(i % 5, &log);
    Deep deep(i % 3, &log);
    Sided* shape = i % 2 == 0 ? static_cast<Sided*>(&tile) : &deep;
    Named* named = i % 2 == 0 ? static_cast<Named*>(&tile) : &deep;
    out[i * 8] = shape->area() * 10 + shape->both();
    out[i * 8 + 1] = described(*named) + described(tile) * 7 + described(deep) * 11;
    Counted* counted = &deep;
    Deep* nothing = nullptr;
    Counted* null = nothing;
    out[i * 8 + 2] = counts(counted) + counts(&deep) * 100 + counts(null);
    Tile* back = static_cast<Tile*>(named);
    out[i * 8 + 3] = back->width + (back == &tile) * 100 + (static_cast<Deep*>(counted) == &deep) * 1000;
    Named part = deep;
    *named = Named(77);
    out[i * 8 + 4] = part.label() + named->label() * 3 + static_cast<int>(sizeof(Tile) + sizeof(Deep) * 100);
    Deep copy = deep;
    tile = deep;
    Named& ofCopy = copy;
    Named& ofTile = tile;
    out[i * 8 + 5] = ofCopy.label() + ofTile.label() * 1000;
  }
  Named* made = new Tile(i, &log);
  if (made != nullptr) delete made;
  Counted* last = new Deep(2, &log);
  if (last != nullptr) {
    out[i * 8 + 6] = last->number();
    delete static_cast<Deep*>(last);
  }
  out[i * 8 + 7] = static_cast<int>(log);
}

union Parts {
  unsigned whole;
  unsigned low : 4;
  int signedLow : 6;
  unsigned char byte;
};
union WideParts {
  unsigned long long all;
  unsigned long long first : 40;
  float real;
};
union Small {
  unsigned char three : 3;
};
enum Level { kLow, kMiddle = 2, kHigh = 3 };
enum Sign { kNegative = -2, kPositive = 1 };
enum Fixed : int { kZero, kOneOf, kTwo };
enum class Shade : unsigned char { kDark, kLight = 3 };
typedef enum { kOff, kOn = 1 } Switch;
struct Levels {
  Level level : 2;
  Sign sign : 2;
  Fixed fixed : 2;
  Shade shade : 2;
  Switch on : 1;
  unsigned rest : 5;
};

__global__ void union_bits(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Parts parts;
  parts.whole = 0xabcdef00u + static_cast<unsigned>(i);
  out[i * 8] = static_cast<int>(parts.low * 1000 + parts.signedLow);
  parts.low = static_cast<unsigned>(i * 3);
  parts.signedLow += 5;
  out[i * 8 + 1] = static_cast<int>(parts.whole ^ parts.byte);
  WideParts wide = {};
  wide.all = 0x123456789abcdef0ull * static_cast<unsigned>(i + 1);
  wide.first ^= 0xff00ff00ffull;
  out[i * 8 + 2] = static_cast<int>(wide.all >> 20) + static_cast<int>(sizeof(Parts) + sizeof(WideParts) * 10 + sizeof(Small) * 100);
  Small small;
  small.three = 5;
  small.three ^= static_cast<unsigned char>(i & 7);
  small.three++;
  out[i * 8 + 3] = small.three;
  Levels levels = {static_cast<Level>(i % 4), i % 2 == 0 ? kNegative : kPositive, static_cast<Fixed>(i % 2), Shade::kLight, kOn, 9};
  out[i * 8 + 4] = levels.level * 100 + levels.sign * 10 + levels.fixed + (levels.level == kHigh) * 1000;
  levels.level = kHigh;
  levels.on = i % 3 == 0 ? kOn : kOff;
  out[i * 8 + 5] = levels.level * 10 + levels.on + (levels.level > kMiddle) * 100 + static_cast<int>(levels.rest) * 1000;
  out[i * 8 + 6] = static_cast<int>(levels.shade) + (levels.shade == Shade::kLight) * 10 + static_cast<int>(sizeof(Levels)) * 100;
}
