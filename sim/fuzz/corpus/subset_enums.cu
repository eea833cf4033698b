#define SLOT out[blockIdx.x * blockDim.x + threadIdx.x]
#ifdef __CUDACC__
#define OFFSET 7
#else
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#elif OFFSET == 3
#else
#endif
enum Mode { kSum, kProduct = 4, kLast };
enum class Color : unsigned { kRed = 1, kBlue };
using Word = unsigned int;
constexpr int kTile = 8;

__global__ void enums(unsigned* out) {
  Mode mode = threadIdx.x % 2 ? kProduct : kLast;
  Color color = threadIdx.x % 3 ? Color::kRed : Color::kBlue;
  Word word = mode == kProduct ? 10u : 20u;
  SLOT = word + mode * 100 + (color == Color::kBlue ? 1000 : 0) + kSum + kTile;
}
