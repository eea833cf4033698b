#pragma once

#include <string>

#include "app/panels/base/view.h"

namespace lanescope {

/// The right answers out of all, by kind; a new round; the results as a file.
class QuizScorePanel {
 public:
  /// Draws at the cursor, in at most that size.
  void draw(const ViewContext& context, ImVec2 size);
  /// Its height: as it was last drawn, with the current kinds.
  float height(const ViewContext& context) const;
  /// Asks for a path to save the results to, or cancels that.
  void toggleSaving();

 private:
  void drawActions(const ViewContext& context);
  void drawSaving(const ViewContext& context);

  float frame_ = 0;  ///< height without the rows of kinds
  std::string path_;
  std::string note_;  ///< the outcome of saving, one sentence
  bool isBad_ = false;
  bool saves_ = false;     ///< the field for the path is open
  std::string replaces_;   ///< the path of an existing file: saving again replaces it
  std::size_t saved_ = 0;  ///< results that a file has
  bool wantsFocus_ = false;
  std::size_t asked_ = 0;   ///< number of results when it asked
  bool asksAgain_ = false;  ///< a new round would lose results
};

}  // namespace lanescope
