// --- comma_in_parentheses: (1, 2, 3) is 3, missing elements are 0, j = j++ + 1 is defined
__global__ void k(int* out) {
  int i = (1, 2, 3);
  out[0] = i;
  int a[3] = {1};
  out[1] = a[0] + a[1] + a[2];
  int j = 1;
  j = j++ + 1;
  out[2] = j;
}

// --- right_side_first: the right side of an assignment is evaluated before the left one
__device__ int& ref(int* a, int i, int& n) {
  n = n * 10 + i;
  return a[i];
}
__global__ void k(int* out) {
  int a[3] = {1, 2, 3}, n = 0;
  ref(a, 0, n) = ref(a, 1, n) += ref(a, 2, n);
  out[0] = n;
  out[1] = a[0] * 10 + a[1];
  int x = 5;
  int y = (x = 3, x += 2);
  out[2] = y * x;
  int i = 0;
  a[i++] = i;
  out[3] = a[0] * 10 + i;
}

// --- goto: goto back, out of loops and to the end
__global__ void k(int* out) {
  int n = 0;
again:
  n++;
  if (n < 5) goto again;
  out[0] = n;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      if (i * j == 6) {
        out[1] = i * 10 + j;
        goto found;
      }
  out[1] = -1;
found:
  int r = 0;
  {
    int q = 3;
  loop:
    r += q;
    if (--q) goto loop;
  }
  out[2] = r;
  if (r > 2) goto end;
  out[3] = 9;
end:
  out[3] += 4;
}

// --- range_for: for over arrays by value, by reference and with bindings
struct P {
  int x;
  short y;
};
__global__ void k(int* out) {
  int a[4] = {1, 2, 3, 4};
  for (int x : a) x = 9;
  for (auto& x : a) x *= 2;
  int s = 0;
  for (const auto& x : a) s = s * 10 + x;
  out[0] = s;
  P p[2] = {{1, 2}, {3, 4}};
  for (auto [x, y] : p) x = y;
  for (auto& [x, y] : p) y += x;
  out[1] = p[0].y * 100 + p[1].y * 10 + p[0].x;
  int t = 0;
  int vs[] = {5, 6, 7};
  for (int v : vs) {
    if (v == 6) continue;
    t = t * 10 + v;
  }
  out[2] = t;
  int m[2][2] = {{1, 2}, {3, 4}};
  for (auto& r : m)
    for (auto& v : r) v = -v;
  out[3] = m[1][0];
}

// --- short_circuits: && and || leave their right side out, & and | do not
__device__ bool t(int& n) {
  n++;
  return true;
}
__device__ bool f(int& n) {
  n += 10;
  return false;
}
__global__ void k(int* out) {
  int n = 0;
  if (t(n) || t(n) && f(n)) n += 100;
  out[0] = n;
  n = 0;
  if (f(n) && t(n) || f(n) || t(n)) n += 100;
  out[1] = n;
  n = 0;
  bool b = t(n) & f(n) | t(n);
  out[2] = n * 10 + b;
  n = 0;
  int* p = nullptr;
  if (p && *p)
    n = 1;
  else if (!p || *p == 3)
    n = 2;
  b &= f(n) && t(n);
  out[3] = n * 10 + b;
}

// --- switch_falls_through: case falls into the next one, default may stand in the middle
__global__ void k(int* out) {
  int r = 0;
  for (int i = 0; i < 5; i++) switch (i) {
      case 0: r += 1;
      case 1: r += 10; break;
      default: r += 100;
      case 3: r += 1000;
    }
  out[0] = r;
}

// --- constness_in_range_for: for (auto& x : …) keeps const of the elements
__device__ int f(int&) { return 1; }
__device__ int f(const int&) { return 2; }
__global__ void k(int* out) {
  int a[1] = {1};
  const int c[1] = {2};
  for (auto& x : a) out[0] = f(x);
  for (auto& x : c) out[1] = f(x);
  for (const auto& x : a) out[2] = f(x);
  for (auto&& x : c) out[3] = f(x) * 10;
  for (auto x : c) out[3] += f(x);
}

// --- goto_within_blocks: goto in and out of an if, and to the next round
__global__ void k(int* out) {
  int n = 0, i = 0;
top:
  if (i++ < 3) {
    n += i;
    if (n == 3) goto skip;
    n *= 10;
  skip:
    n += 1;
    goto top;
  }
  out[0] = n;
  for (int a = 0;; ++a) {
    for (int b = 0; b < 4; ++b) {
      if (b == 2) goto next;
      if (a + b > 5) goto out_;
      n++;
    }
  next:;
  }
out_:
  out[1] = n;
}

// --- recursion: functions that call each other, and themselves twice
__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__device__ int ack(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
__device__ int perm(int* a, int i, int n) {
  if (i == n) return a[0] > a[n - 1];
  int c = 0;
  for (int j = i; j < n; ++j) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
    c += perm(a, i + 1, n);
    t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
  return c;
}
__global__ void k(int* out) {
  out[0] = even(7) * 10 + odd(7);
  out[1] = ack(2, 3);
  int a[4] = {1, 2, 3, 4};
  out[2] = perm(a, 0, 4);
  out[3] = a[0] * 10 + a[3];
}

// --- attributes: attributes change nothing
[[nodiscard]] __device__ int f([[maybe_unused]] int a, int b) { return b; }
__global__ void k(int* out) {
  [[maybe_unused]] int q = 3;
  int r = 0;
  switch (f(1, 2)) {
    case 2: r += 5; [[fallthrough]];
    case 3: r += 10; break;
    case 4: r = 0;
  }
  out[0] = r;
  if (r > 3) [[likely]]
    out[1] = 1;
  else [[unlikely]]
    out[1] = 2;
  struct [[deprecated]] S {
    int x [[maybe_unused]] = 4;
  };
  out[2] = S().x;
}

// --- conditions_that_declare: if, switch and while with a declaration, and with a first statement
__device__ int f(int i) { return i % 3; }
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    int made = 0;
    if (int r = f(t)) made += r;
    else made -= r + 1;
    if (int r = f(t + 1); r > 1) made += 10 * r;
    for (int i = 0; i < 3; ++i) {
      switch (int t = i; t) {
        case 1: continue;
      }
      made += 1000 * i;
    }
    switch (int twice = 2 * t; twice) {
      case 0: made += 1; break;
      default: made += twice;
    }
    switch (int same = t) {
      case 1: made += 10 * same;
    }
    switch (made += 100; t) {
      case 0: made += 200;
    }
    int n = t;
    while (int left = n--) made += left * 10000;
    out[t] = made;
  }
}

// --- loops: for, while and do with break and continue, one within another
__global__ void k(int* out) {
  for (int i = 0; i < 16; ++i) {
    int sum = 0;
    for (int k = 0; k < 20; ++k) {
      if (k == i) continue;
      if (k > i + 2) break;
      int j = 0;
      while (true) {
        if (j++ >= k % 4) break;
        sum += j;
      }
      do {
        sum += 1;
      } while (sum % 5 == 0);
    }
    if (i == 13) continue;
    out[i] = sum;
  }
}

// --- range_for_over_objects: begin() and end() of a class, an iterator's operators, an unnamed range
struct Steps {
  struct Iterator {
    int at, step;
    __device__ int operator*() const { return at; }
    __device__ Iterator& operator++() {
      at += step;
      return *this;
    }
    __device__ bool operator!=(const Iterator& other) const { return at < other.at; }
  };
  int first, last, step;
  __device__ Steps(int first, int last, int step) : first(first), last(last), step(step) {}
  __device__ Iterator begin() const { return {first, step}; }
  __device__ Iterator end() const { return {last, step}; }
};
template <class T> struct Span {
  T* data;
  int count;
  __device__ T* begin() const { return data; }
  __device__ T* end() const { return data + count; }
};
__global__ void k(int* out) {
  int n = 0;
  for (int i : Steps(1, 10, 3)) {
    if (i == 4) continue;
    out[n++] = i;
  }
  for (auto i : Steps(3, 1, 1)) out[7] = i;
  Span<int> all{out + 8, 6};
  for (int& x : all) x = ++n;
  const Steps s(0, 2, 1);
  for (auto i : s)
    for (int& x : all) x += i;
  for (const int x : Span<int>{out + 8, 3}) {
    if (x > 4) break;
    out[15] += x;
  }
}

// --- range_for_over_rows: rows by reference, members, values in braces
struct Box {
  int values[3];
};
__global__ void k(int* out) {
  int v[4] = {1, 2, 3, 4};
  for (int& x : v) x *= 2;
  int s = 0;
  for (int x : v) {
    if (x == 6) continue;
    s += x;
  }
  out[0] = s;
  int m[2][2] = {1, 2, 3, 4};
  for (auto& row : m)
    for (const auto& x : row) out[1] += x;
  Box b = {5, 6, 7};
  for (auto x : b.values) {
    out[2] += x;
    if (x == 6) break;
  }
}

// --- returns: return out of loops and switches, and of void functions
__device__ int find(const int* t, int n, int x) {
  for (int i = 0; i < n; ++i) {
    switch (t[i] - x) {
      case 0: return i;
      case 100: return -2;
    }
  }
  return -1;
}
__device__ void halve(int& x) {
  if (x % 2) return;
  x /= 2;
}
__global__ void k(int* out) {
  int t[4] = {5, 7, 109, 8};
  out[0] = find(t, 4, 7) * 100 + find(t, 4, 9) * 10 + find(t, 2, 6);
  int a = 6, b = 7;
  halve(a);
  halve(b);
  out[1] = a * 10 + b;
}
