#include "sim/cosim/generator.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "sim/cosim/expression_writer.h"

namespace lanescope::cosim {
namespace {

constexpr std::string_view kHelpers = R"(
struct S@ { unsigned a; short b; float c; unsigned char d[3]; };
__device__ unsigned mix@(unsigned x, unsigned y) { return (x ^ y >> 5) * 2654435761u + (y << 3); }
__device__ int mix@(int x, int y) { return (int)((unsigned)x * 40503u ^ (unsigned)y); }
__device__ float bound@(float x) { return fminf(fmaxf(x, -1.0e6f), 1.0e6f); }
__device__ double bound@(double x) { return fmin(fmax(x, -1.0e9), 1.0e9); }
__device__ void turn@(unsigned& x, int& y) {
  unsigned t = x * 3u;
  x = (unsigned)y + 7u;
  y = (int)(t >> 3);
}
template <int N> __device__ unsigned rotated@(unsigned x) { return x << N | x >> (32 - N); }
template <typename T> __device__ T pick@(T a, T b, bool first) { return first ? a : b; }
__device__ S@ changed@(S@ s, unsigned by) {
  s.a += by;
  s.b = (short)(s.b ^ (int)(by & 255u));
  s.d[by % 3u] = (unsigned char)(s.a >> 4);
  return s;
}
)";

// Each random number is drawn in a statement of its own: the order in which a call evaluates its arguments is
// the compiler's choice.
class Generator {
 public:
  explicit Generator(std::uint64_t seed)
      : random_(seed), write_(random_, seed), parts_(random_, write_), seed_(seed) {}

  RandomKernel run() {
    chooseShape();
    const std::string helpers = named(kHelpers);
    header();
    const unsigned statements = 4 + random_.below(7);
    for (unsigned i = 0; i < statements; ++i) uniform(2);
    if (random_.chance(25)) {
      line(fmt::format("if ({}) {{", condition(1)));
      line("  out[2u * gid] = i0 ^ u0 * 31u ^ i1 * 37u ^ u1 * 41u ^ (unsigned)l0 ^ (unsigned)w1;");
      line("  return;");
      line("}");
    }
    footer();
    RandomKernel kernel;
    kernel.name = fmt::format("k{}", seed_);
    kernel.text = (hasParts() ? named(LanguageParts::atFileScope()) : "") + helpers.substr(1) + body_;
    kernel.grid = grid_;
    kernel.block = block_;
    kernel.outputWords = 2 * grid_.count() * block_.count() + kAtomicWords;
    return kernel;
  }

 private:
  static constexpr unsigned kAtomicWords = 96;  ///< 32 each for add, max and xor
  static constexpr int kDepth = 3;

  void chooseShape() {
    static constexpr std::array<Dim3, 8> kBlocks = {
        {{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {96, 1, 1}, {16, 8, 1}, {8, 4, 2}, {50, 1, 1}, {33, 3, 1}}};
    block_ = kBlocks[random_.below(kBlocks.size())];
    grid_ = {1 + random_.below(3), 1 + random_.below(2), 1};
    isFull_ = block_.count() % 32 == 0;
  }

  bool hasParts() const { return seed_ > kPlainKernels; }

  /// The text with the seed for `@`.
  std::string named(std::string_view text) const {
    std::string result;
    for (const char c : text) result += c == '@' ? fmt::format("{}", seed_) : std::string(1, c);
    return result;
  }

  // --- text ---
  void lines(std::string_view text) {
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
      line(named(text.substr(0, end)));
  }
  void line(const std::string& text) {
    body_ += std::string(2 * static_cast<std::size_t>(indent_), ' ') + text + "\n";
  }
  void open(const std::string& text) {
    line(text + " {");
    ++indent_;
  }
  void close() {
    --indent_;
    line("}");
  }

  void header() {
    line(fmt::format("__global__ void k{}(unsigned* out, const unsigned* in) {{", seed_));
    ++indent_;
    line(fmt::format("__shared__ unsigned s[{0}];", block_.count()));
    line("__shared__ unsigned h[16];");
    line(fmt::format("__shared__ double wide[{}];", block_.count()));
    line("const unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);");
    line(fmt::format("const unsigned gid = (blockIdx.x + gridDim.x * blockIdx.y) * {}u + tid;",
                     block_.count()));
    line(fmt::format("const unsigned first = tid & ~31u, count = {0}u - first < 32u ? {0}u - first : 32u;",
                     block_.count()));
    line("const unsigned lanes = count == 32u ? 0xffffffffu : (1u << count) - 1u;");
    for (std::size_t k = 0; k < kTypeNames.size(); ++k) {
      for (unsigned v = 0; v < 2; ++v) {
        const bool isFloating = k >= static_cast<std::size_t>(Kind::Float);
        line(fmt::format(
            "{0} {1} = ({0})({2});", kTypeNames[k], variable(static_cast<Kind>(k), v),
            isFloating ? fmt::format("in[(gid + {}u) & 1023u] * 0.37", random_.below(900)) : integerInput()));
      }
    }
    line(fmt::format("unsigned a[4] = {{tid, {}u}};", random_.below(1000)));
    line("int grid2[2][3] = {{1, 2, 3}, {4, 5, (int)tid}};");
    line(fmt::format("S{0} r = {{tid * 3u, (short)7, 1.5f, {{1, 2}}}};", seed_));
    line("float4 q = make_float4(1.0f, (float)tid, 2.5f, -3.0f);");
    if (hasParts()) lines(LanguageParts::variables());
    line("if (tid < 16u) h[tid] = tid;");
    line("__syncthreads();");
  }

  std::string integerInput() {
    const auto factor = random_.next() & 0xffffffffu;
    const auto shift = random_.below(900);
    return fmt::format("in[(gid * {}u + {}u) & 1023u] * {}u", 1 + random_.below(9), shift, factor);
  }

  void footer() {
    line("unsigned sum = 17u;");
    for (const std::string_view name : {"i0", "u0", "h0", "c0", "i1", "u1", "h1", "c1"})
      line(fmt::format("sum = sum * 31u + (unsigned){};", name));
    for (const std::string_view name : {"l0", "w0", "l1", "w1"})
      line(fmt::format("sum = sum * 31u + (unsigned)({0} ^ {0} >> 32);", name));
    line("out[2u * gid] = sum;");
    for (const std::string_view name : {"f0", "f1", "r.c", "q.x", "q.y", "q.z", "q.w"})
      line(fmt::format("sum = sum * 31u + __float_as_uint({});", name));
    line(
        "sum = sum * 31u + (unsigned)__double_as_longlong(d0) + (unsigned)(__double_as_longlong(d1) >> 32);");
    line("for (int j = 0; j < 4; ++j) sum = sum * 31u + a[j];");
    line("for (int j = 0; j < 6; ++j) sum = sum * 31u + (unsigned)grid2[j / 3][j % 3];");
    line("sum = sum * 31u + r.a + (unsigned)r.b + r.d[0] + r.d[1] * 3u + r.d[2] * 5u;");
    if (hasParts()) lines(LanguageParts::intoSum());
    line("out[2u * gid + 1u] = sum;");
    --indent_;
    line("}");
  }

  // --- statements of one thread: they may diverge ---
  void assignment() {
    const Kind kind = write_.anyKind();
    const std::string name = variable(kind, random_.below(2));
    const bool wraps = kind == Kind::Unsigned || kind == Kind::UnsignedLong;
    static constexpr std::array<std::string_view, 8> kCompound = {
        "+=", "-=", "*=", "^=", "|=", "&=", "+=", "^="};
    if (wraps && random_.chance(35)) {
      const std::string right = value(kind, kDepth);
      line(fmt::format("{} {} {};", name, kCompound[random_.below(kCompound.size())], right));
    } else {
      line(fmt::format("{} = {};", name, value(kind, kDepth)));
    }
  }

  void special() {
    switch (random_.below(9)) {
      case 0: return addToElement();
      case 1: return line(fmt::format("grid2[u0 & 1u][u1 % 3u] = {};", value(Kind::Int, 2)));
      case 2: return exchangeVariables();
      case 3: return line(fmt::format("r = changed{}(r, {});", seed_, value(Kind::Unsigned, 2)));
      case 4: return setComponent();
      case 5: return line(fmt::format("r.c = bound{}(r.c - {});", seed_, value(Kind::Float, 2)));
      case 6:
        return line(fmt::format("{{ unsigned* p = &a[u0 & 3u]; *p ^= {}; u1 = p[0] + 1u; }}",
                                value(Kind::Unsigned, 2)));
      case 7: return line(fmt::format("u0 = a[i0 & 3]++ + --u1;"));
      default: {
        const auto less = random_.below(300);
        return line(fmt::format("c0 += {}, h1 -= {};", random_.below(300), less));
      }
    }
  }

  void addToElement() {
    const std::string right = value(Kind::Unsigned, 2);
    line(fmt::format("a[{} & 3u] += {};", value(Kind::Unsigned, 1), right));
  }

  void exchangeVariables() {
    const auto second = random_.below(2);
    line(fmt::format("turn{}(u{}, i{});", seed_, random_.below(2), second));
  }

  void setComponent() {
    const std::string right = value(Kind::Float, 2);
    const char from = "xyzw"[random_.below(4)];
    line(fmt::format("q.{} = bound{}(q.{} * 0.5f + {});", "xyzw"[random_.below(4)], seed_, from, right));
  }

  void reduction() {
    static constexpr std::array<std::string_view, 3> kAtomics = {"atomicAdd", "atomicMax", "atomicXor"};
    const unsigned which = random_.below(3);
    const std::uint64_t base = 2 * grid_.count() * block_.count() + 32 * which;
    const std::string right = value(Kind::Unsigned, 2);
    line(fmt::format("{}(&out[{}u + ({} & 31u)], {});", kAtomics[which], base, value(Kind::Unsigned, 1),
                     right));
  }

  void block(int depth, bool inLoop) {
    const unsigned statements = 1 + random_.below(3);
    for (unsigned i = 0; i < statements; ++i) divergent(depth, inLoop);
  }

  void divergent(int depth, bool inLoop) {
    if (hasParts() && random_.chance(40)) return line(named(parts_.statement()));
    const unsigned kind = random_.below(depth > 0 ? 12 : 6);
    if (kind < 4) return assignment();
    if (kind == 4) return special();
    if (kind == 5)
      return inLoop && random_.chance(40) ? leaveLoop() : random_.chance(30) ? reduction() : assignment();
    if (kind < 9) return ifStatement(depth, inLoop);
    if (kind < 11) return loop(depth);
    switchStatement(depth);
  }

  void leaveLoop() {
    const bool ends = random_.chance(50);
    line(fmt::format("if ({}) {};", condition(1), ends ? "break" : "continue"));
  }

  void ifStatement(int depth, bool inLoop) {
    open(fmt::format("if ({})", condition(2)));
    block(depth - 1, inLoop);
    close();
    if (!random_.chance(50)) return;
    open("else");
    block(depth - 1, inLoop);
    close();
  }

  void loop(int depth) {
    const unsigned id = loops_++;
    const std::string bound = random_.chance(50) ? fmt::format("{}", 1 + random_.below(5))
                                                 : fmt::format("(int)({} & 7u)", value(Kind::Unsigned, 1));
    if (random_.chance(70)) {
      open(fmt::format("for (int t{0} = 0; t{0} < {1}; ++t{0})", id, bound));
      block(depth - 1, true);
      close();
      return;
    }
    line(fmt::format("int t{} = 0;", id));
    open("do");
    line(fmt::format("++t{};", id));
    block(depth - 1, true);
    --indent_;
    line(fmt::format("}} while (t{} < {});", id, 1 + random_.below(6)));
  }

  void switchStatement(int depth) {
    open(fmt::format("switch ({} % 5u)", value(Kind::Unsigned, 2)));
    for (unsigned label = 0; label < 3; ++label) {
      line(fmt::format("case {}:", label));
      ++indent_;
      open("");
      block(depth - 1, false);
      close();
      if (random_.chance(60)) line("break;");
      --indent_;
    }
    line("default:");
    ++indent_;
    assignment();
    --indent_;
    close();
  }

  // --- statements that every thread of the block reaches together ---
  void uniform(int depth) {
    switch (random_.below(depth > 0 ? 13 : 11)) {
      case 0: return exchangeThroughShared();
      case 1: return exchangeWide();
      case 2: return countTogether();
      case 3: return sharedAtomics();
      case 4: return exchangeByShuffle();
      case 5: return vote();
      case 11:
      case 12: {
        const unsigned id = loops_++;
        open(fmt::format("for (int t{0} = 0; t{0} < {1}; ++t{0})", id, 1 + random_.below(3)));
        uniform(depth - 1);
        uniform(depth - 1);
        return close();
      }
      default:
        divergent(2, false);
        // nvcc does not bring lanes together behind a function that calls itself (README.md).
        if (hasParts()) line("__syncwarp(lanes);");
    }
  }

  void exchangeThroughShared() {
    line(fmt::format("s[tid] = {};", value(Kind::Unsigned, 2)));
    line("__syncthreads();");
    const auto stride = 1 + random_.below(9);
    const std::string start = value(Kind::Unsigned, 1);
    const std::string_view sign = random_.chance(50) ? "^=" : "=";
    line(fmt::format("u{} {} s[({} + tid * {}u) % {}u];", random_.below(2), sign, start, stride,
                     block_.count()));
    line("__syncthreads();");
  }

  void exchangeWide() {
    line(fmt::format("wide[tid] = {};", value(Kind::Double, 2)));
    line("__syncthreads();");
    const auto shift = random_.below(40);
    line(fmt::format("d{0} = bound{1}(d{0} + wide[(tid + {2}u) % {3}u]);", random_.below(2), seed_, shift,
                     block_.count()));
    line("__syncthreads();");
  }

  void countTogether() {
    static constexpr std::array<std::string_view, 3> kVotes = {"_count", "_and", "_or"};
    const std::string test = condition(2);
    const std::string_view name = kVotes[random_.below(3)];
    line(fmt::format("i{} = __syncthreads{}({});", random_.below(2), name, test));
  }

  void sharedAtomics() {
    static constexpr std::array<std::string_view, 4> kAtomics = {"atomicAdd", "atomicMin", "atomicOr",
                                                                 "atomicXor"};
    line("__syncthreads();");
    open(fmt::format("if ({})", condition(2)));
    const std::string right = value(Kind::Unsigned, 2);
    const std::string place = value(Kind::Unsigned, 1);
    line(fmt::format("{}(&h[{} & 15u], {});", kAtomics[random_.below(4)], place, right));
    close();
    line("__syncthreads();");
    const std::string from = value(Kind::Unsigned, 1);
    line(fmt::format("u{} += h[{} & 15u];", random_.below(2), from));
    line("__syncthreads();");
  }

  void exchangeByShuffle() {
    const Kind kind = std::array{Kind::Int,          Kind::Unsigned, Kind::Long,
                                 Kind::UnsignedLong, Kind::Float,    Kind::Double}[random_.below(6)];
    const std::string name = variable(kind, random_.below(2));
    line("__syncwarp(lanes);");
    if (!isFull_) {  // a lane that is not there has nothing to give
      line(fmt::format("{0} = __shfl_sync(lanes, {0}, (int)({1} % count));", name, value(Kind::Unsigned, 1)));
      return;
    }
    static constexpr std::array<std::string_view, 4> kShuffles = {"", "_up", "_down", "_xor"};
    const unsigned width = 4u << random_.below(4);
    const auto lane = random_.below(width);
    line(fmt::format("{0} = __shfl{1}_sync(lanes, {0}, {2}, {3});", name, kShuffles[random_.below(4)], lane,
                     width));
  }

  void vote() {
    static constexpr std::array<std::string_view, 3> kVotes = {"__ballot_sync", "__any_sync", "__all_sync"};
    static constexpr std::array<std::string_view, 6> kReductions = {"add", "min", "max", "and", "or", "xor"};
    line("__syncwarp(lanes);");
    if (random_.chance(40)) {
      const std::string test = condition(2);
      const std::string_view name = kVotes[random_.below(3)];
      line(fmt::format("u{} ^= (unsigned){}(lanes, {});", random_.below(2), name, test));
    } else if (random_.chance(30)) {
      const std::string given = value(Kind::Unsigned, 1);
      line(fmt::format("u{} += __match_any_sync(lanes, {} & 7u);", random_.below(2), given));
    } else if (random_.chance(50)) {
      const std::string given = value(Kind::Unsigned, 1);
      const std::string_view name = kReductions[random_.below(6)];
      line(fmt::format("u{} += __reduce_{}_sync(lanes, {});", random_.below(2), name, given));
    } else {
      const std::string given = value(Kind::Int, 1);
      const std::string_view name = kReductions[random_.below(3)];
      line(fmt::format("i{} = __reduce_{}_sync(lanes, {});", random_.below(2), name, given));
    }
  }

  std::string value(Kind kind, int depth) { return write_.value(kind, depth); }
  std::string condition(int depth) { return write_.condition(depth); }

  Random random_;
  ExpressionWriter write_;
  LanguageParts parts_;
  std::uint64_t seed_;
  std::string body_;
  int indent_ = 0;
  unsigned loops_ = 0;
  Dim3 grid_;
  Dim3 block_;
  bool isFull_ = true;
};

}  // namespace

RandomKernel generate(std::uint64_t seed) { return Generator(seed).run(); }

Launch makeLaunch(const RandomKernel& kernel) {
  Launch launch;
  launch.source = std::make_shared<SourceText>(kernel.name + ".cu", kernel.text);
  launch.kernel = kernel.name;
  launch.grid = kernel.grid;
  launch.block = kernel.block;
  launch.arguments = {parseArgument(fmt::format("u32:zero:{}", kernel.outputWords)).value(),
                      parseArgument(fmt::format("u32:hash:{}", kInputWords)).value()};
  return launch;
}

}  // namespace lanescope::cosim
