// --- bits_of_a_type: a constant for each type
template <typename T> constexpr int kBits = 8 * sizeof(T);
__global__ void k(int* out) {
  out[0] = kBits<char> * 100 + kBits<double>;
  int own[kBits<char>] = {1, 2};
  out[1] = sizeof(own) + own[1];
}

// --- specialised: other values for some arguments, partly specialised for pointers
template <typename T> constexpr int kKind = 1;
template <> constexpr int kKind<float> = 2;
template <typename T> constexpr int kKind<T*> = 10 + kKind<T>;
__global__ void k(int* out) {
  out[0] = kKind<int>;
  out[1] = kKind<float>;
  out[2] = kKind<float**>;
}

// --- of_values: a constant for each number, made of others
template <int N> constexpr long long kFactorial = N * kFactorial<N - 1>;
template <> constexpr long long kFactorial<0> = 1;
template <int N, class T = float> constexpr T kHalf = T(N) / 2;
__global__ void k(int* out) {
  out[0] = (int)(kFactorial<15> % 1000007);
  out[1] = (int)(kHalf<5> * 10) * 100 + kHalf<5, int>;
}

// --- names_in_their_values: what a value names is no template
constexpr int count = 3;
template <int N> constexpr int kSum = N + count;
__global__ void k(int* out) {
  for (int t = 0; t < 4; ++t) {
    out[t] = kSum<2>;
    if (count < t + 2) out[t] = t;
  }
}
