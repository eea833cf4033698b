#include "sim/random_programs/program.h"

#include <fmt/format.h>

#include <sstream>

#include "sim/random_programs/features.h"
#include "sim/random_programs/statements.h"

namespace lanescope::random_programs {
namespace {

struct Parts {
  std::string fileScope;
  std::string kernel;
};

/// A feature in a namespace of its own; its statements in a function, a member function, a template or a
/// lambda.
void addFeature(Random& random, const Feature& feature, const std::string& name, Words& words, Parts& parts) {
  FeatureWriter writer(random, words, "@::" + name);
  const unsigned scope = random.below(5);
  const unsigned place = random.below(4);
  const std::string declarations = writer.expand(feature.declarations);
  std::string body = writer.locals();
  body += writer.expand(feature.statements);
  if (random.chance(25)) body = "auto everything = [&] {\n" + body + "};\neverything();\n";
  std::string run = fmt::format("__device__ void run(int* out) {{\n{}}}\n", body);
  std::string call = "run(out)";
  if (place == 0) run = "struct Run {\n" + run + "};\n", call = "Run().run(out)";
  if (place == 1) run = "template <class Z>\n" + run, call = "run<short>(out)";
  if (place == 2) run = "template <int Z>\nstruct Run {\nstatic " + run + "};\n", call = "Run<3>::run(out)";
  const std::string_view nested = scope == 0   ? "inline namespace nested {\n"
                                  : scope == 1 ? "namespace {\n"
                                               : "";
  parts.fileScope += fmt::format("namespace {} {{\n{}{}{}{}}}\n", name, nested, declarations,
                                 nested.empty() ? "" : "}\n", run);
  parts.kernel += fmt::format("  {}{}::{};\n", random.chance(50) ? "@::" : "", name, call);
}

}  // namespace

Program randomProgram(std::uint64_t seed, const std::vector<Feature>& features) {
  Random random(seed);
  Words words;
  Parts parts;
  const unsigned count = features.empty() ? 0 : random.below(4);
  std::string names;
  for (unsigned i = 0; i < count; ++i) {
    const Feature& feature = features[random.below(static_cast<unsigned>(features.size()))];
    addFeature(random, feature, fmt::format("N{}", i), words, parts);
    names += feature.name + " ";
  }
  if (count < 2 || random.chance(30)) {
    Statements statements(random, words);
    parts.fileScope += statements.declarations();
    parts.kernel += statements.body();
    names += "arithmetic ";
  }
  return {seed, parts.fileScope + "__global__ void k(int* out) {\n" + parts.kernel + "}\n", names};
}

std::string within(const Program& program, std::string_view name) {
  std::string text;
  for (const char c : program.text)
    text += c == '@' ? (name.empty() ? "" : fmt::format("::{}", name)) : std::string(1, c);
  if (name.empty()) return text;
  std::string macros;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("#define "))
      macros += "#undef " + line.substr(8, line.find_first_of(" (", 8) - 8) + "\n";
  return fmt::format("namespace {0} {{\n#line 1 \"{0}\"\n{1}{2}}}\n", name, text, macros);
}

}  // namespace lanescope::random_programs
