// --- are_arrays: a string literal is an array of const char
template <int N>
__device__ int len(const char (&s)[N]) {
  return N;
}
template <class T>
__device__ int size(const T& t) {
  return sizeof(T);
}
template <class T>
__device__ int byval(T t) {
  return sizeof(T);
}
template <class T>
__device__ int fwd(T&& t) {
  return sizeof(t);
}
__device__ int over(const char*) { return 1; }
template <int N>
__device__ int over2(const char (&)[N]) {
  return N;
}
struct W {
  const char* p;
  int n;
  template <int N>
  __device__ W(const char (&s)[N]) : p(s), n(N) {}
};
__global__ void k(int* out) {
  out[0] = sizeof("abc");
  out[1] = len("hello");
  out[2] = size("hello");
  out[3] = byval("hello");
  out[4] = fwd("xy");
  out[5] = sizeof("");
  out[6] = sizeof(
      "a"
      "bc");
  out[7] = sizeof("a\0b");
  out[8] = "abc"[1];
  out[9] = *"xyz";
  out[10] = over("q");
  out[11] = over2("qq");
  const char* p = "hey";
  out[12] = sizeof(p);
  out[13] = sizeof("abc" + 0);
  auto q = "abc";
  out[14] = sizeof(q);
  auto& r = "abcd";
  out[15] = sizeof(r);
  int n = 0;
  for (char c : "abc") n += c;
  out[16] = n;
  out[17] = sizeof(*"a");
  out[18] = sizeof("a"[0]);
  W w("four");
  out[19] = w.n;
  out[20] = w.p[3];
  out[21] = sizeof("\x41\102");
  out[22] = sizeof(&"abc");
  out[23] = (*&"abc")[2];
  const char(&ref)[3] = "hi";
  out[24] = ref[1];
  out[25] = sizeof("\u00e9");
  out[26] = (unsigned char)"\u00e9"[0];
  out[27] =
      "\x4"
      "1"[0];
  out[28] =
      "\0"
      "12"[1];
  constexpr int z = sizeof("four") - 1;
  int arr[z] = {};
  out[29] = sizeof(arr);
}

// --- as_initial_values: arrays of characters that begin with a text
#define S "macro"
__device__ int sum(const char* s, int n) {
  int t = 0;
  for (int i = 0; i < n; ++i) t = t * 3 + s[i];
  return t;
}
__constant__ char table[] = "tab";
__global__ void k(int* out) {
  out[0] = sum(S, sizeof(S) - 1);
  const char msg[] = "local";
  out[1] = sizeof(msg);
  out[2] = sum(msg, sizeof msg);
  char b[8] = "ab";
  out[3] = b[1] + b[2] + b[7];
  char c[2][4] = {"ab", "cd"};
  out[4] = c[1][0] * 1000 + c[0][2];
  out[5] = sizeof(table);
  out[6] = table[2];
  out[7] = sizeof(__FILE__) > 0;
  out[8] = sizeof(c) + sizeof(c[0]);
  char d[] = {"xy"};
  out[9] = sizeof(d);
  char e[] = {'x', 'y'};
  out[10] = sizeof(e);
  out[11] = sizeof(__func__);
  const char* names[] = {"one", "three"};
  out[12] = sizeof(names) + names[1][4];
}

// --- as_arguments: by value a pointer, by reference an array
template <class T>
struct Kind {
  static constexpr int v = 0;
};
template <>
struct Kind<const char*> {
  static constexpr int v = 1;
};
template <>
struct Kind<char*> {
  static constexpr int v = 2;
};
template <int n>
struct Kind<char[n]> {
  static constexpr int v = 10 + n;
};
template <class T>
__device__ int cref(const T& x) {
  return Kind<T>::v;
}
template <class T>
__device__ int val(T x) {
  return Kind<T>::v;
}
template <class T, int n>
__device__ int arr(const T (&a)[n]) {
  return n * 10 + sizeof(T);
}
template <int n>
__device__ int hash(const char (&s)[n]) {
  int h = 7;
  for (int i = 0; i < n - 1; ++i) h = h * 31 + s[i];
  return h;
}
__device__ constexpr int length(const char* s) {
  int n = 0;
  while (s[n]) ++n;
  return n;
}
__device__ int first(const char* s) { return s[0]; }
struct Name {
  char text[6];
  int n;
};
__constant__ Name names[] = {{"one", 1}, {"three", 3}};
__device__ const char* list[] = {"x", "yz"};
__global__ void k(int* out) {
  out[0] = cref("abc");
  out[1] = val("abc");
  char b[4] = "abc";
  out[2] = cref(b) * 10 + val(b);
  out[3] = arr("hello");
  out[4] = hash("cuda");
  out[5] = length("length") * 10 + first("A");
  out[6] = names[1].text[4] * 10 + names[0].n;
  out[7] = list[1][1];
  const char* p = true ? "yes" : "no";
  out[8] = p[0];
  Name local = {"two", 2};
  out[9] = local.text[2] + local.text[4] + local.n;
  out[10] = sizeof(names) + sizeof(list);
  const char* q = "abc" + 1;
  out[11] = q[1];
  out[12] = "abc" == nullptr;
  out[13] = sizeof("é");
  unsigned char u[] = "\xff\x01";
  out[14] = u[0] + sizeof(u);
  char c2[][3] = {"ab", "cd"};
  out[15] = sizeof(c2) + c2[1][1];
  char e[4] = {"xy"};
  out[16] = e[1] + e[3];
  signed char s[3] = "no";
  out[17] = s[1];
  static_assert(sizeof("four") == 5);
  out[18] = hash(
      "a"
      "b");
  out[19] = (char)"\377"[0];
}

// --- sizes_of_chosen_texts: ?: and the comma keep their extent, + does not
__global__ void k(int* out) {
  out[0] = sizeof(true ? "abc" : "xyz");
  out[1] = sizeof(
      "abc"
      "d");
  out[2] = sizeof((1, 2, "ab"));
  out[3] = sizeof(*(true ? "ab" : "cd"));
  out[4] = sizeof((true ? "ab" : "cd") + 0);
  out[5] = ("ab", "cd")[0];
}
