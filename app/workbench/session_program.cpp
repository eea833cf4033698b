// The session's whole program: its run, and its launches as the document's.
#include <utility>

#include "app/workbench/session.h"

namespace lanescope {

bool Session::hasProgram() const {
  const Document* const document = editor_.current();
  if (document == nullptr || document->strategy != nullptr) return false;
  if (mainOf_ != document || mainRevision_ != document->buffer.revision()) {
    mainOf_ = document;
    mainRevision_ = document->buffer.revision();
    hasMain_ = hasMain(document->buffer.text());
  }
  return hasMain_;
}

void Session::runProgram(const std::string& arguments) {
  if (!hasProgram()) return;
  const Document& document = *editor_.current();
  ProgramRequest request;
  request.path = document.path;
  request.text = document.buffer.text();
  request.isAsFile = document.has(*document.original);
  request.arguments = arguments;
  editor_.sayOfHost({}, {});
  captured_.reset();
  program_.start(std::move(request));
}

std::uint64_t Session::tracedLaunch() const {
  const bool isShown = captured_ != nullptr && shownRun() != nullptr && shownRun()->asked.form &&
                       shownRun()->asked.form->captured == captured_;
  return isShown ? tracedLaunch_ : 0;
}

bool Session::pollProgram() {
  if (!program_.poll()) return false;
  const std::optional<ProgramOutcome>& outcome = program_.outcome();
  if (outcome && outcome->isOver && !outcome->diagnostics.empty())
    editor_.sayOfHost(outcome->diagnostics, outcome->asked.text);
  auto captured = program_.acceptCaptured();
  if (!captured) return true;
  if (!*captured) {
    reportError(captured->error());
    return true;
  }
  const auto launch = std::make_shared<const CapturedLaunch>(std::move(*(*captured)->captured));
  tracedLaunch_ = (*captured)->asked.captured;
  captured_ = launch;
  if (editor_.acceptCaptured(launch, (*captured)->asked.text)) {
    openAt(0);
    run();
  } else {
    reportError({"The text has changed since the program ran.", "Run the program again.", {}});
  }
  return true;
}

}  // namespace lanescope
