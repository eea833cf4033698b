#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace lanescope::host {

/// What a good tutor says beside a program's output: sentences on stderr, each with its place, and each once.
class Tutor {
 public:
  /// `binary`: the compiled program, whose line tables say where its code is from.
  explicit Tutor(std::string binary) : binary_(std::move(binary)) {}

  /// `lanescope: place: sentence`. One that was said already is not said again, and of too many none.
  void say(std::string_view place, std::string_view sentence);
  /// The program's innermost code on the stack, where it goes on after a call; nullptr: there is none.
  const void* caller() const;
  /// `file.cu:23` of such code, or of an instruction where `isReturn` is false; empty where no line table
  /// says (no addr2line).
  std::string placeOfCode(const void* code, bool isReturn = true) const;
  std::string placeOfCaller() const { return placeOfCode(caller()); }
  /// The same for a line that is known, of the file at a path.
  static std::string placeOf(std::string_view path, int line);

 private:
  std::string placeOfOffset(std::uint64_t offset) const;

  std::string binary_;
  std::set<std::string, std::less<>> said_;
};

}  // namespace lanescope::host
