// --- variadic_macros: __VA_ARGS__, __VA_OPT__, named rest arguments
#define CNT(...) CNT_(__VA_ARGS__, 3, 2, 1, 0)
#define CNT_(a, b, c, n, ...) n
#define SUM(a, ...) (a __VA_OPT__(+ADD(__VA_ARGS__)))
#define ADD(a, b) a* b
#define F(...) f(1 __VA_OPT__(, ) __VA_ARGS__)
#define NAMED(x, args...) (x)
__device__ int f(int a, int b = 5) { return a * 10 + b; }
__global__ void k(int* out) {
  out[0] = CNT(7) * 100 + CNT(7, 8) * 10 + CNT(7, 8, 9);
  out[1] = SUM(3) * 100 + SUM(3, 4, 5);
  out[2] = F() * 100 + F(2);
  out[3] = NAMED(4, 5, 6);
}

// --- list_of_macros: a list that is expanded with a macro that is defined anew each time
#define LIST(X) X(Red, 3) X(Green, 5) X(Blue, 9)
enum Color {
#define X(n, v) n = v,
  LIST(X)
#undef X
      ColorEnd
};
__device__ const char* name(Color c) {
  switch (c) {
#define X(n, v) \
  case n: return #n;
    LIST(X)
#undef X
    default: return "?";
  }
}
__global__ void k(int* out) {
  out[0] = Green * 100 + ColorEnd;
  out[1] = name(Blue)[0] * 1000 + name((Color)7)[0];
#define X(n, v) +v
  out[2] = LIST(X);
#undef X
#define X(n, v) +1
  out[3] = 0 LIST(X);
}

// --- literals_in_conditions: characters, separators and bases of numbers in #if
#if 'A' == 65 && '\n' == 10 && '\x41' == 0x41 && '\0' == 0 && '\\' == 92
#define A 1
#else
#define A 2
#endif
#if '\377' < 0
#define B 1
#else
#define B 2
#endif
#if 1'000 == 1000 && 0b101 == 5 && 010 == 8
#define C 1
#else
#define C 2
#endif
__global__ void k(int* out) {
  out[0] = A;
  out[1] = B;
  out[2] = C;
}

// --- operators_in_conditions: shifts, bits, the comma and what is not evaluated in #if
#if (-8 >> 1) == -4 && (1 << 33) > 5 && (1ull << 63) > 0 && (5 | 2) == 7 && (6 ^ 3) == 5
#define A 1
#else
#define A 2
#endif
#if 1 == 1L && 10 % 4 == 2 && !0 && ~1 == -2 && (2, 3) == 3
#define B 1
#else
#define B 2
#endif
#if true && !false && __cplusplus > 201402L && defined __cplusplus
#define C 1
#else
#define C 2
#endif
#if 1 || (1 / 0)
#define D 1
#endif
__global__ void k(int* out) {
  out[0] = A;
  out[1] = B;
  out[2] = C;
  out[3] = D;
}

// --- unsigned_conditions: one unsigned operand makes the other unsigned
#if - 1 > 0u
#define A 1
#else
#define A 2
#endif
#if (0 ? 1u : -1) > 0
#define B 1
#else
#define B 2
#endif
#if - 1 / 2u > 100 && -1 % 10u == 5
#define C 1
#else
#define C 2
#endif
#if - 1 >> 1 == -1 && (0u - 1) >> 63 == 1
#define D 1
#else
#define D 2
#endif
#if 0xffffffffffffffff > 0 && 18446744073709551615u == -1
#define E 1
#else
#define E 2
#endif
#if (-1 < 0) - 2 < 0u
#define F 1
#else
#define F 2
#endif
#if ~0u == 0xffffffff
#define G 1
#else
#define G 2
#endif
__global__ void k(int* out) {
  out[0] = A * 10000 + B * 1000 + C * 100 + D * 10 + E;
  out[1] = F * 10 + G;
}

// --- shifts_in_conditions: the type is the left side's alone
#if (-8 >> 1u) == -4 && (-8 >> 1u) < 0
#define A 1
#else
#define A 2
#endif
#if (1 << 33) > 5 && (1ull << 63) > 0 && (1 << 62 << 1) < 0
#define B 1
#else
#define B 2
#endif
__global__ void k(int* out) { out[0] = A * 10 + B; }

// --- characters_in_conditions: escapes, and those above 127 are negative
#if 'A' == 65 && '\n' == 10 && '\x41' == 0x41 && '\0' == 0 && '\\' == 92 && '\'' == 39
#define A 1
#else
#define A 2
#endif
#if '\377' < 0 && '\xfe' == -2 && '\377' < 0u
#define B 1
#else
#define B 2
#endif
__global__ void k(int* out) { out[0] = A * 10 + B; }

// --- operands_that_do_not_count: of && || and ?: may divide by zero
#if 1 || (1 / 0)
#define A 1
#endif
#if 0 && (1 % 0)
#define B 1
#else
#define B 2
#endif
#if 1 ? 2 : 1 / 0
#define C 1
#endif
#if (2, 3) == 3
#define D 1
#else
#define D 2
#endif
__global__ void k(int* out) { out[0] = A * 1000 + B * 100 + C * 10 + D; }

// --- words_in_conditions: true, false, names without a meaning, alternative operators
#if true && !false && not undefined_name and __cplusplus > 201402L
#define A 1
#else
#define A 2
#endif
#if defined __cplusplus && defined(__cplusplus) && !defined NO_SUCH
#define B 1
#else
#define B 2
#endif
#if (7 bitand 5) == 5 && (compl 0) == -1 && (6 xor 3) == 5
#define C 1
#else
#define C 2
#endif
__global__ void k(int* out) { out[0] = A * 100 + B * 10 + C; }

// --- arguments: # and ##, arguments that are expanded first, commas within brackets
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define X 3
#define N (N + 1)
#define M 4
#define F G
#define G(x) (x + 1)
__device__ int f(int x) { return x + 2; }
#define f(x) (x * f(1))
#define TEXT(x) #x
__global__ void k(int* out) {
  out[0] = CAT(1, 2) * 100 + XCAT(X, X);
  out[1] = M * 10 + F(4);
  out[2] = f(7);
  out[3] = sizeof(TEXT(a "b" + c)) * 1000 + TEXT(a "b")[2];
}

// --- continued_and_commented: lines that continue, comments within and behind a macro, #undef
#define A 4 /* four
 and more */ + 1 // and one
#define B \
  2
#define C 4
#undef C
#define C 5
__global__ void k(int* out) {
  out[0] = A + B;
  out[1] = 1 \
 + 1\
2;
  out[2] = C;
}

// --- conditions: every operator of #if, defined, __has_include
__global__ void k(int* out) {
#if 64 % 32 == 0 && (3 & 1) && 1 << 4 == 16 && ~0 == -1 && (1 ? 2 : 0) && 7 / 2 == 3
  out[0] += 1;
#endif
#if (2 | 1) == 3 && (3 ^ 1) == 2 && 0x10 == 020 && !0 && 1'000 > 999 && !(0 && 1 / 0) && 'a' == 97
  out[0] += 10;
#endif
#if defined(A) || !defined B
  out[0] += 100;
#endif
#if __has_include(<cstdio>) && !__has_include("none.h")
  out[0] += 1000;
#endif
#ifdef A
#elif defined __cplusplus && __cplusplus >= 201703L
  out[0] += 10000;
#else
#error no
#endif
#ifndef A
  out[0] += 100000;
#endif
}

// --- lines_and_functions: __LINE__ of the use, __func__, texts in raw form
#define HERE(at) out[at] = __LINE__
__global__ void k(int* out) {
  HERE(0);
  out[1] = out[0] - __LINE__;
  out[2] = sizeof(__func__) * 100 + __func__[0];
  const char* raw = R"x(a)"\n)x";
  out[3] = raw[1] * 100 + raw[3];
}
