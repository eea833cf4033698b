// When objects begin and end, and what references to temporaries refer to: read by the simulator and by the
// host's compiler, which must leave the same (classes_test.cpp).

/// Its order is in the number that it leaves.
struct Mark {
  unsigned* log;
  int id;
  __device__ Mark(unsigned* to, int number) : log(to), id(number) { *log = *log * 31 + id; }
  __device__ Mark(const Mark& other) : log(other.log), id(other.id + 500) { *log = *log * 41 + id; }
  __device__ ~Mark() { *log = *log * 37 + id; }
};

struct TwoMarks {
  Mark first;
  Mark rest[2];
  __device__ explicit TwoMarks(unsigned* to) : first(to, 3), rest{Mark(to, 4), Mark(to, 5)} {}
};

struct Figure {
  unsigned* log;
  __device__ explicit Figure(unsigned* to) : log(to) {}
  __device__ virtual ~Figure() { *log = *log * 43 + sides(); }
  __device__ virtual int sides() const { return 1; }
};
struct Quad : Figure {
  Mark mark;
  __device__ explicit Quad(unsigned* to) : Figure(to), mark(to, 9) {}
  __device__ ~Quad() override { *log = *log * 47 + sides(); }
  __device__ int sides() const override { return 4; }
};

template <typename T>
class OwnBuffer {
 public:
  __device__ explicit OwnBuffer(int count) : data_(new T[count]), count_(count) {}
  __device__ OwnBuffer(OwnBuffer&& other) : data_(other.data_), count_(other.count_) {
    other.data_ = nullptr;
    other.count_ = 0;
  }
  __device__ ~OwnBuffer();
  __device__ T& operator[](int i) { return data_[i]; }
  __device__ int size() const { return count_; }

 private:
  T* data_;
  int count_;
};
template <typename T>
__device__ OwnBuffer<T>::~OwnBuffer() {
  delete[] data_;
}

__device__ inline Mark made(unsigned* log, int id) {
  Mark mark(log, id);
  mark.id += 1;
  return mark;
}
__device__ inline int passedByValue(Mark mark) { return mark.id; }
__device__ inline int leftEarly(unsigned* log, int i) {
  Mark outer(log, 11);
  for (int k = 0; k < 4; ++k) {
    Mark inner(log, 12 + k);
    if (k == i % 5) return k;
    if (k == 1 && i % 2 == 0) continue;
    switch (k) {
      case 0: {
        Mark inCase(log, 20);
        break;
      }
      case 2:
        if (i > 20) break;
        log[0] += 3;
        [[fallthrough]];
      default: log[0] += 7;
    }
    if (i > 25 && k == 2) break;
  }
  return -1;
}

__global__ void destructors(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  unsigned log = 1;
  {
    Mark a(&log, 1);
    Mark b(&log, 2);
    if (i % 3 == 0) {
      TwoMarks two(&log);
      log += two.rest[1].id;
    }
  }
  out[i * 8] = static_cast<int>(log);
  Figure* figure = i % 2 == 0 ? new Figure(&log) : new Quad(&log);
  delete figure;
  out[i * 8 + 1] = static_cast<int>(log);
  out[i * 8 + 2] = leftEarly(&log, i);
  out[i * 8 + 3] = static_cast<int>(log);
  {
    Mark kept = made(&log, 30);
    out[i * 8 + 4] = kept.id + passedByValue(kept);
  }
  Mark(&log, 50);
  alignas(8) char raw[sizeof(Mark)];
  Mark* placed = new (raw) Mark(&log, 60);
  placed->~Mark();
  out[i * 8 + 5] = static_cast<int>(log);
  OwnBuffer<int> buffer(8);
  for (int k = 0; k < buffer.size(); ++k) buffer[k] = k * i;
  OwnBuffer<int> taken(static_cast<OwnBuffer<int>&&>(buffer));
  out[i * 8 + 6] = buffer.size() * 1000 + taken.size() + taken[5];
  int* listed = new int[4]{1, i, 3};
  out[i * 8 + 7] = listed[0] + listed[1] * 10 + listed[2] * 100 + listed[3];
  delete[] listed;
}

struct Value {
  int number;
  __device__ explicit Value(int n) : number(n) {}
  __device__ Value(const Value& other) : number(other.number + 1000) {}
  __device__ Value(Value&& other) : number(other.number + 1) { other.number = 0; }
  __device__ Value& operator=(const Value& other) {
    number = other.number + 2000;
    return *this;
  }
  __device__ Value& operator=(Value&& other) {
    number = other.number + 2;
    other.number = -1;
    return *this;
  }
};
__device__ inline int kindOf(const Value&) { return 1; }
__device__ inline int kindOf(Value&&) { return 2; }
template <typename T>
__device__ int relayed(T&& value) {
  return kindOf(std::forward<T>(value));
}
template <typename F, typename... Args>
__device__ auto called(F&& f, Args&&... args) {
  return std::forward<F>(f)(std::forward<Args>(args)...);
}
template <typename T>
__device__ void increment(T&& x) {
  x += 1;
}
__device__ inline int raised(int&& x) { return x += 5; }
__device__ inline Value returned(Value value) {
  value.number += 7;
  return value;
}

__global__ void references(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Value a(i);
  Value b(2 * i);
  const Value c(8);
  out[i * 8] = kindOf(a) + 10 * kindOf(Value(3)) + 100 * kindOf(std::move(a)) + 1000 * kindOf(c);
  out[i * 8 + 1] =
      relayed(a) + 10 * relayed(Value(1)) + 100 * relayed(std::move(b)) + 1000 * relayed(c);
  Value d = a;
  Value e = std::move(a);
  Value f(std::move(e));
  out[i * 8 + 2] = d.number + 7 * a.number + 11 * e.number + 13 * f.number;
  d = b;
  out[i * 8 + 3] = d.number;
  d = std::move(b);
  out[i * 8 + 4] = d.number * 10 + b.number;
  int x = i;
  increment(x);
  increment(4);
  auto&& same = x;
  same += 100;
  auto&& own = x + 1;
  ++own;
  out[i * 8 + 5] = called([](int p, int q) { return p * q; }, 6, x) + raised(own - 1) + own;
  const Value g = returned(d);
  out[i * 8 + 6] = g.number + 3 * returned(std::move(d)).number;
  int sum = 0;
  for (const int n : {1, 2, i}) sum = sum * 10 + n;
  out[i * 8 + 7] = sum;
}

struct Solid {
  int height;
  __device__ virtual int sides() const { return 2; }
};
struct Prism : Solid {
  int more = 3;
  __device__ int sides() const override { return 2 + more; }
};
__device__ inline int sidesOf(Solid solid) { return solid.sides() + solid.height; }

__global__ void slices(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Prism prism;
  prism.height = i;
  Solid solid = prism;
  const Solid& whole = prism;
  out[i * 8] = solid.sides() * 100 + solid.height;
  out[i * 8 + 1] = whole.sides() * 100 + whole.height;
  out[i * 8 + 2] = sidesOf(prism);
  const Solid* const behind = &solid;
  out[i * 8 + 3] = behind->sides();
}

__global__ void gotos(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  unsigned log = 1;
  int row = 0;
  int column = 0;
  for (row = 0; row < 6; ++row) {
    for (column = 0; column < 6; ++column) {
      if (row * column == i) goto found;
    }
  }
  row = -1;
found:
  out[i * 8] = row * 10 + column;
  int count = 0;
again:
  ++count;
  {
    Mark mark(&log, count);
    if (count < i % 7) goto again;
    if (count > 5) goto end;
  }
  if (count == 3) goto skip;
  log += 100;
skip:
  for (int k = 0; k < 3; ++k) {
    Mark mark(&log, 40 + k);
    if (k == i % 4) goto end;
    if (k == 1) break;
  }
  if (count < i % 11) goto again;
  log *= 3;
end:
  out[i * 8 + 1] = static_cast<int>(log);
  out[i * 8 + 2] = count;
  int x = i;
collatz:
  if (x > 1) {
    if (x % 2 == 0) {
      x /= 2;
      goto next;
    }
    x = 3 * x + 1;
  next:
    ++log;
    goto collatz;
  }
  out[i * 8 + 3] = static_cast<int>(log) + x;
}
