// Questions in words.
#include <fmt/format.h>

#include <algorithm>

#include "app/course/questions.h"
#include "app/analysis/step_rules.h"

namespace lanescope {
namespace {

std::string_view findVerb(const Step& step) {
  switch (step.kind) {
    case StepKind::SharedLoad:
    case StepKind::GlobalLoad:
    case StepKind::ConstantLoad: return "reads";
    case StepKind::SharedStore:
    case StepKind::GlobalStore: return "writes";
    default: return "updates";
  }
}

/// True if an operation's text is a name or a number alone, as a function's argument can be.
bool isNameOrNumber(std::string_view code) {
  return std::ranges::all_of(code, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

std::string textOfPhase(const Trace& trace, const Question& question) {
  const std::string phase = "the next phase, **" + trace.phases[question.phase].label + "**";
  switch (question.kind) {
    case QuestionKind::ActiveLanes:
      if (question.ofWarp) {
        return fmt::format("Which lanes of **warp {}** load, store or shuffle in {}?", question.warp, phase);
      }
      return fmt::format("Which threads load, store or shuffle in {}?", phase);
    case QuestionKind::Wavefronts:
      return fmt::format("In {}: how many wavefronts does the costliest shared access of a warp take?",
                         phase);
    case QuestionKind::Sectors:
      return fmt::format("In {}: how many {}-byte sectors of global memory are moved in all?", phase,
                         trace.launch.machine.sectorBytes);
    case QuestionKind::CellValue:
      return fmt::format("What will `{}` hold after {}?", cellName(trace, question.cell), phase);
    case QuestionKind::Race: return fmt::format("In {}: does any access race with another?", phase);
    case QuestionKind::Divergence: return fmt::format("In {}: does any warp diverge at a branch?", phase);
  }
  return "";
}

std::string textOfStep(const Trace& trace, const Question& question) {
  const Step step = trace.steps[question.step];
  const std::string code = machineCodeFor(trace, step);
  const std::string doing = fmt::format("**warp {}** {} `{}`", step.warp, findVerb(step), code);
  switch (question.kind) {
    case QuestionKind::ActiveLanes:
      if (step.kind == StepKind::Branch) {
        return fmt::format("For which lanes of **warp {}** does `{}` hold?", step.warp, code);
      }
      if (isNameOrNumber(code))
        return fmt::format("Which lanes of **warp {}** run line {}, `{}`?", step.warp, step.line,
                           findLine(trace, step));
      return fmt::format("Which lanes of **warp {}** run `{}`?", step.warp, code);
    case QuestionKind::Wavefronts: return fmt::format("How many wavefronts does it take when {}?", doing);
    case QuestionKind::Sectors:
      return fmt::format("How many {}-byte sectors does it take when {}?", trace.launch.machine.sectorBytes,
                         doing);
    case QuestionKind::CellValue:
      return fmt::format("What will `{}` hold after {}?", cellName(trace, question.cell), doing);
    case QuestionKind::Race: return fmt::format("Now {}. Does that race with another access?", doing);
    case QuestionKind::Divergence: return fmt::format("Does **warp {}** diverge at `{}`?", step.warp, code);
  }
  return "";
}

}  // namespace

std::string questionText(const Trace& trace, const Question& question) {
  return question.ofPhase ? textOfPhase(trace, question) : textOfStep(trace, question);
}

}  // namespace lanescope
