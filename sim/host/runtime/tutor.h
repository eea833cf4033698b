#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace lanescope::host {

/// A tutor's remarks beside a program's output: sentences on stderr, each with its place, and each once.
class Tutor {
 public:
  /// `binary`: the compiled program, whose line tables give the source lines of its code.
  explicit Tutor(std::string binary) : binary_(std::move(binary)) {}

  /// Prints `lanescope: place: sentence`; each sentence once, and none past a limit.
  void explain(std::string_view place, std::string_view sentence);
  /// The program's innermost code on the stack, at the return address of a call; nullptr if there is none.
  const void* caller() const;
  /// `file.cu:23` of such code, or of an instruction if `isReturn` is false; empty if unknown (no line table,
  /// no addr2line).
  std::string placeOfCode(const void* code, bool isReturn = true) const;
  std::string placeOfCaller() const { return placeOfCode(caller()); }
  /// The same for a known line of the file at a path.
  static std::string findPlace(std::string_view path, int line);

 private:
  std::string placeOfOffset(std::uint64_t offset) const;

  std::string binary_;
  std::set<std::string, std::less<>> said_;
};

}  // namespace lanescope::host
