#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/base/markdown.h"
#include "app/views/base/view.h"

namespace lanescope {

/// The strategies, what happens in the phase at hand, and the chosen strategy's lesson.
class LessonView final : public View {
 public:
  std::string_view name() const override { return "lesson"; }
  Place place() const override { return Place::Lesson; }
  bool shownIn(const WindowShape& shape) const override {
    return shape.mode != Mode::Predict && !shape.guides;
  }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  void drawPhase(const ViewContext& context);
  void drawStrategies(const ViewContext& context);
  void drawLesson(const ViewContext& context);
  void drawNumbersNote(const ViewContext& context, const std::string& note);
  void drawBlock(const ViewContext& context, std::size_t index, bool isCurrent);

  const Strategy* parsed_ = nullptr;
  const Strategy* shown_ = nullptr;  ///< the list is scrolled to it
  std::vector<MarkdownBlock> blocks_;
  std::optional<std::size_t> current_;  ///< the item that tells of the phase at hand
  std::uint64_t generation_ = 0;        ///< of the trace that it belongs to
};

}  // namespace lanescope
