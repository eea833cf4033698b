#pragma once

#include <string>

#include "app/views/base/view.h"

namespace lanescope {

/// What was right of what was asked, by kind; a new round; the results as a file.
class QuizScorePanel {
 public:
  /// Draws at the cursor, in at most that size.
  void draw(const ViewContext& context, ImVec2 size);
  /// Height that it takes: as it was last drawn, with the kinds that there are now.
  float height(const ViewContext& context) const;
  /// Asks where to save the results, or no longer does.
  void toggleSaving();

 private:
  void drawActions(const ViewContext& context);
  void drawSaving(const ViewContext& context);

  float frame_ = 0;  ///< height without the rows of kinds
  std::string path_;
  std::string note_;  ///< what came of saving, one sentence
  bool isBad_ = false;
  bool saves_ = false;     ///< the path is asked for
  std::string replaces_;   ///< the path of a file that is there: saving again replaces it
  std::size_t saved_ = 0;  ///< results that a file has
  bool wantsFocus_ = false;
  std::size_t asked_ = 0;   ///< results when it asked
  bool asksAgain_ = false;  ///< a new round would lose results
};

}  // namespace lanescope
