#include "sim/fuzz/self_reference.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace lanescope::fuzz {
namespace {

class Writer {
 public:
  explicit Writer(std::span<const std::uint8_t> choices) : choices_(choices) {}

  SourceText text() {
    const std::size_t items = 1 + choose(8);
    std::vector<IncludedText> includes;
    for (std::size_t i = 0; i < kNames; ++i) {
      std::string content;
      const std::size_t lines = choose(4);
      for (std::size_t line = 0; line < lines; ++line)
        content += choose(2) == 0 ? fmt::format("#include \"h{}.h\"\n", choose(kNames)) : item() + "\n";
      includes.push_back({fmt::format("h{}.h", i), content});
    }
    std::string text;
    for (std::size_t i = 0; i < items; ++i) text += item() + "\n";
    text += "__global__ void k(int* out) {\n";
    for (std::size_t i = choose(3); i > 0; --i) text += fmt::format("  {} x{};\n", type(2), i);
    text += fmt::format("  out[0] = {};\n}}\n", value(3));
    return {"self.cu", text, std::move(includes)};
  }

 private:
  static constexpr std::size_t kNames = 3;  ///< of each kind

  /// A number below `count`.
  std::size_t choose(std::size_t count) {
    if (choices_.empty()) return 0;
    const std::size_t chosen = choices_.front() % count;
    choices_ = choices_.subspan(1);
    return chosen;
  }

  std::string name(char kind) { return fmt::format("{}{}", kind, choose(kNames)); }

  std::string type(int depth) {
    switch (depth <= 0 ? choose(3) : choose(12)) {
      case 0: return "int";
      case 1: return name('S');
      case 2: return name('U');
      case 3: return fmt::format("{}<{}>", name('T'), type(depth - 1));
      case 4: return fmt::format("{}<{}>", name('A'), type(depth - 1));
      case 5: return fmt::format("decltype({})", value(depth - 1));
      case 6: return fmt::format("typename {}<{}>::t", name('T'), type(depth - 1));
      case 7: return name('T') + "<>";
      case 8: return type(depth - 1) + "*";
      case 9: return fmt::format("typename {}::t", name('S'));
      case 10: return fmt::format("{}<{}, {}>", name('T'), type(depth - 1), type(depth - 1));
      default: return "T";
    }
  }

  std::string value(int depth) {
    if (depth <= 0) return choose(2) == 0 ? "1" : name('c');
    switch (choose(16)) {
      case 0: return name('c');
      case 1: return fmt::format("{}({})", name('f'), value(depth - 1));
      case 2: return fmt::format("(int)sizeof({})", type(depth - 1));
      case 3: return fmt::format("{}<{}>", name('v'), type(depth - 1));
      case 4: return fmt::format("{}<{}>::v", name('T'), type(depth - 1));
      case 5: return type(depth - 1) + "()";
      case 6: return name('M');
      case 7: return fmt::format("{}({})", name('N'), value(depth - 1));
      case 8: return name('e');
      case 9: return fmt::format("{}<{}>", name('C'), type(depth - 1));
      case 10: return fmt::format("{}().m({})", name('S'), value(depth - 1));
      case 11: return fmt::format("({} + {})", value(depth - 1), value(depth - 1));
      case 12: return fmt::format("({} ? {} : {})", value(depth - 1), value(depth - 1), value(depth - 1));
      case 13: return fmt::format("{}<{}>({})", name('f'), type(depth - 1), value(depth - 1));
      case 14: return name('f') + "()";
      default: return fmt::format("[&] {{ return {}; }}()", value(depth - 1));
    }
  }

  std::string item() {
    switch (choose(24)) {
      case 0: return fmt::format("template <class T, class U = {}> struct {} {{}};", type(2), name('T'));
      case 1:
        return fmt::format("template <class T = {}> struct {} : {} {{ using t = {}; }};", type(1), name('T'),
                           type(1), type(2));
      case 2:
        return fmt::format("template <class T> struct {} {{ static constexpr int v = {}; {} a; }};",
                           name('T'), value(2), type(2));
      case 3: return fmt::format("template <class T> struct {}<T*> {{ using t = {}; }};", name('T'), type(2));
      case 4: return fmt::format("template <class T> using {} = {};", name('A'), type(2));
      case 5: return fmt::format("using {} = {};", name('U'), type(2));
      case 6: return fmt::format("#define {} {}", name('M'), value(2));
      case 7: return fmt::format("#define {}(x) {} x x", name('N'), value(2));
      case 8: return fmt::format("#include \"h{}.h\"", choose(kNames));
      case 9: return fmt::format("constexpr int {} = {};", name('c'), value(3));
      case 10:
        return fmt::format("constexpr __device__ int {}(int x = {}) {{ return {}; }}", name('f'), value(2),
                           value(2));
      case 11:
        return fmt::format("template <class T, class U = {}> __device__ int {}(T x) {{ return {}; }}",
                           type(2), name('f'), value(2));
      case 12:
        return fmt::format("template <class T> __device__ auto {}(T x, {} y = 0) {{ return {}; }}", name('f'),
                           type(2), value(2));
      case 13:
        return fmt::format("template <class T> __device__ {} {}(T x) {{ return {}; }}", type(2), name('f'),
                           value(2));
      case 14: return fmt::format("template <class T> constexpr int {} = {};", name('v'), value(2));
      case 15: return fmt::format("template <class T> concept {} = {};", name('C'), value(2));
      case 16:
        return fmt::format("template <class T> requires {}<T> __device__ int {}(T x) {{ return {}; }}",
                           name('C'), name('f'), value(2));
      case 17: return fmt::format("enum {{ {} = {}, {} }};", name('e'), value(2), name('e'));
      case 18: return fmt::format("struct {} : {} {{ {} a = {}; }};", name('S'), type(1), type(2), value(2));
      case 19:
        return fmt::format(
            "struct {} {{ template <class T, class U = {}> __device__ int m(T x) {{ return {}; }} }};",
            name('S'), type(2), value(2));
      case 20:
        return fmt::format("struct {} {{ using t = {}; __device__ {}(int x = {}) {{ {}; }} }};", name('S'),
                           type(2), name('S'), value(2), value(2));
      case 21:
        return fmt::format("struct {} {{ __device__ ~{}() {{ {}; }} operator {}() const {{ return {}; }} }};",
                           name('S'), name('S'), value(2), type(1), value(2));
      case 22:
        return fmt::format(
            "struct {} {{ template <class T, class U = {}> __device__ bool operator==(T x); }};", name('S'),
            type(2));
      default: return fmt::format("__device__ {} g{} = {};", type(2), choose(kNames), value(2));
    }
  }

  std::span<const std::uint8_t> choices_;
};

}  // namespace

SourceText selfReferringText(std::span<const std::uint8_t> choices) { return Writer(choices).text(); }

}  // namespace lanescope::fuzz
