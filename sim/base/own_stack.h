#pragma once

#include <cstddef>
#include <functional>

namespace lanescope {

/// A stack of known size for work that recurses over a text: the caller's may be any, such as that of a
/// thread of a program under test. Each function that recursion passes asks isLow().
class OwnStack {
 public:
  /// Runs the work on a stack of its own and waits for it. If the caller is on such a stack: at once, on it.
  /// Throws what the work throws. If no thread can be started, throws std::bad_alloc.
  static void run(const std::function<void()>& work);

  /// True if most of the stack is used. What is left is enough to give up and say so, and for functions that
  /// recurse over a type. False on a stack that run() did not make.
  static bool isLow();
};

}  // namespace lanescope
