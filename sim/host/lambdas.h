#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/host/declarations.h"
#include "sim/host/tokens.h"

/// Lambdas that kernels may take: `[=] __device__ (int i) { y[i] = a * x[i]; }`.
namespace lanescope::host {

struct DeviceLambda {
  struct Capture {
    std::string name;
    std::string value;  ///< its initial value
  };
  std::size_t begin = 0;  ///< its `[`
  std::vector<Capture> captures;
  std::optional<TokenRange> parameters;  ///< between its parentheses; empty if it has none
  bool isHost = false;                   ///< also for the host
  bool isMutable = false;
  std::string result;    ///< behind `->`; empty if missing
  std::size_t body = 0;  ///< its `{`
  std::size_t end = 0;   ///< its `}`
};

/// The lambda that the word at `marker` (`__device__`, `__host__`) belongs to; nullopt if it does not belong
/// to a lambda, or to one that captures a reference or `this`. The captures of `[=]` follow from how the
/// enclosing function declares names.
std::optional<DeviceLambda> lambdaAround(const TokenText& text, std::size_t marker);

/// A class for the front end that behaves as the lambda does, with a template parameter for the type of each
/// capture.
std::string classText(const TokenText& text, const DeviceLambda& lambda, const std::string& name);
/// The texts before the lambda's parameters, between them and its body, and behind it on the host: an object
/// of a local class that names that class with the types that its captures have.
struct LambdaParts {
  std::string head, middle, tail;
};
LambdaParts hostParts(const DeviceLambda& lambda, const std::string& name);

}  // namespace lanescope::host
