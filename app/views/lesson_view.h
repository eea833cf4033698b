#pragma once

#include <string>
#include <vector>

#include "app/views/markdown.h"
#include "app/views/view.h"

namespace lanescope {

/// The strategies, what happens in the phase at hand, and the chosen strategy's lesson.
class LessonView final : public View {
 public:
  std::string_view name() const override { return "lesson"; }
  Place place() const override { return Place::Lesson; }
  bool shownIn(Mode mode) const override { return mode != Mode::Predict; }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawStrategies(const ViewContext& context);
  void drawLesson(const ViewContext& context);

  const Strategy* parsed_ = nullptr;
  const Strategy* shown_ = nullptr;  ///< the list is scrolled to it
  std::vector<MarkdownBlock> blocks_;
};

}  // namespace lanescope
