#pragma once

#include <array>
#include <cstdint>

namespace lanescope {

/// How long a move from one state to the next takes on the screen, in seconds; 0: none is shown.
inline constexpr std::array<double, 4> kMotionSeconds{0, 0.25, 0.6, 1.5};

/// The clock of the move to the current state, or of the way back to it. At rest it costs nothing.
class Motion {
 public:
  double seconds() const { return seconds_; }
  void setSeconds(double seconds) { seconds_ = seconds; }
  /// The next of kMotionSeconds, the first after the last.
  void changeSeconds();

  /// Begins a move: the steps from `from` on (as Cursor::steps) are new. It takes at most `most` seconds, so
  /// that it ends before the next.
  void begin(std::uint32_t from, double most);
  /// The same move, the other way: the steps from `from` on are undone. Its progress falls from 1 to 0.
  void beginBack(std::uint32_t from, double most);
  void finish() { left_ = 0; }
  /// Moves its clock; true while the picture differs from the previous one.
  bool advance(double seconds);

  bool moving() const { return left_ > 0; }
  bool isBack() const { return isBack_; }
  /// 0 to 1, slow at both ends; 1 at rest.
  float progress() const;
  std::uint32_t from() const { return from_; }

 private:
  double seconds_ = kMotionSeconds[1];
  double total_ = 0;
  double left_ = 0;
  std::uint32_t from_ = 0;
  bool isBack_ = false;
};

}  // namespace lanescope
