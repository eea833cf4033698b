#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope {

/// A kernel's parameter as written, and an argument that it can be launched with.
struct KernelParameter {
  std::string type;  ///< `const float*`; of a pointer to rows, that of their elements
  std::string name;
  std::string element;        ///< the argument type that fits: `f32`; empty if unknown
  bool isOfTemplate = false;  ///< the type is a template's, and `element` a guess
  bool isPointer = false;
  bool isStruct = false;     ///< a struct of `fields`, or a pointer to such
  bool isConst = false;      ///< of a pointer's target: the kernel only reads it
  bool isArray = false;      ///< a field with several elements
  unsigned lanes = 1;        ///< of a vector's elements: 3 of float3
  std::string extents{};     ///< of a pointer to arrays, `float (*a)[8][4]`, or a reference to one: `[8][4]`
  bool isReference = false;  ///< to an array
  std::uint64_t rowElements = 1;  ///< of one such array, as far as the extents are numbers
  std::vector<KernelParameter> fields{};

  /// `const float* in`, `float (*a)[8]`.
  std::string declaration() const;
  /// `f32:hash:64`, `f32:zero:64` for a buffer that is written to, `u32=64`. `count` is a buffer's elements
  /// and a whole number's value.
  std::string suggestion(std::uint64_t count) const { return suggestion(count, count); }
  /// The same with a value of its own for a number, which is also how many rows there are.
  std::string suggestion(std::uint64_t count, std::uint64_t number) const;

 private:
  std::string fieldSuggestion(std::uint64_t count, std::uint64_t number, bool isFilled) const;
  std::string structSuggestion(std::uint64_t count, std::uint64_t number, bool isFilled) const;
};

/// A kernel of a text: the data that a launch must give.
struct KernelSignature {
  /// Columns and rows of a block of two dimensions, if nothing else is known.
  static constexpr std::uint64_t kTile = 8;

  std::string name;
  std::size_t number = 1;  ///< among the text's kernels of that name, as in KernelName
  std::vector<std::string> templateParameters;
  /// Arguments to begin with, `128, float`: the first of templateInstances() that can be simulated, or the
  /// first of all if none can.
  std::string templateDefaults;
  /// The template parameters that no launch in the text gives, so that their arguments are guesses.
  std::vector<std::string> guessed;
  /// The instances that were checked and cannot be simulated, as templateDefaults, if it is one of them.
  std::vector<std::string> tried;
  /// Its launches pass lambdas of the host's, which are not simulated; or may, if none of templateInstances()
  /// can be simulated.
  bool takesHostLambda = false;
  std::vector<KernelParameter> parameters;
  bool hasDynamicShared =
      false;                 ///< it, the file or a function that is not a kernel declares extern __shared__
  unsigned dimensions = 1;   ///< of a block: 2 if threadIdx.y is read, 3 with threadIdx.z
  bool readsBlocks = false;  ///< blockIdx, or the place of its threads in the grid
  /// Columns and rows that fit into all of its two-dimensional shared arrays; 0: it has none.
  std::uint64_t tileColumns = 0;
  std::uint64_t tileRows = 0;
  std::uint64_t mostThreads = 0;  ///< of a block, by `__launch_bounds__`; 0: unknown without a launch
};

/// The name that selects an instance of the kernel, as in KernelName: `reduce<128>`, `reduce@2<128>`.
/// `arguments`: of the template, `128, float`; empty if it is none.
std::string kernelName(const KernelSignature& signature, std::string_view arguments);

/// The kernels of a text, in its order: those before a fault, if there is one.
std::vector<KernelSignature> findKernels(const ParsedText& text);

/// The kernel that a launch names, as in KernelName, with the parameters of that instance; without a name, or
/// without template arguments, as in findKernels(). Empty if there is no such kernel or more than one.
std::optional<KernelSignature> findKernel(const ParsedText& text, const std::string& kernel);

/// The errors that prevent a kernel from running, as diagnostics; a span of {0, 0} means no place.
std::vector<Diagnostic> toDiagnostics(const Error& error);

/// The arguments that a kernel template can be instantiated with.
struct TemplateInstances {
  std::vector<std::string> arguments;  ///< `256, float, Sum`, likeliest first; never empty
  std::vector<std::string> guessed;    ///< the parameters without a default that no launch gives
  bool mayTakeHostLambda = false;      ///< the text has lambdas of the host's, and a launch may pass one
  bool onlyTakesHostLambda = false;    ///< every launch of it passes one
};

/// The instances of a kernel that the text's launches name (`k<256, float, Sum><<<…>>>`) or that follow from
/// their arguments (`k<<<…>>>(n, Sum{})`), in their order. For a parameter that does not follow, such as the
/// T of a template that launches it, these are tried: `float` and `int`, then the text's classes with
/// operator(), then the others; the usual extents of tiles named BM or TN, `number` for whole numbers, and
/// true. At most 48 of them.
TemplateInstances templateInstances(const ParsedText& text, const syntax::Function& kernel,
                                    const std::string& number);

}  // namespace lanescope
