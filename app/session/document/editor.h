#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/base/newest_job.h"
#include "app/session/document/document.h"
#include "app/session/document/saved_session.h"
#include "app/session/launch/run_job.h"
#include "app/session/launch/selection.h"
#include "sim/machine/luck/luck.h"
#include "sim/observe/hazards.h"

namespace lanescope {

/// What of a document is launched.
enum class Take : std::uint8_t {
  Ran,      ///< the text and the launch that ran last
  RanText,  ///< that text, by the strategy's launch over N
  Draft,    ///< the text and the launch at hand
};

/// The documents of the session, the one at hand, and what is found out about it in the background:
/// diagnostics as its text changes, and whether the last launch's result is luck. Everything is called from
/// one thread.
class Editor {
 public:
  /// `wake` is called from other threads when poll() has something to take.
  Editor(const std::function<void()>& wake, std::shared_ptr<KernelCache> kernels);

  /// The document at hand, or nullptr before the first.
  Document* current() { return current_; }
  const Document* current() const { return current_; }
  /// The document that a selection means, or nullptr.
  const Document* documentOf(const Selection& selection) const;
  /// A file's number for Selection::document; 0 for a strategy's.
  std::uint32_t numberOf(const Document& document) const;

  /// Makes a selection's document the one at hand and gives what is to run; its selection's `edition` is that
  /// of the text and the launch. Errors, and nothing has changed: a launch that cannot be, or has no such
  /// block; a form's wrong entry.
  Result<RunRequest> launch(const Selection& selection, Take take);
  /// The launch before ran, or could not. Of one that comes in parts it is called for each.
  void ran(RunOutcomePtr outcome);

  /// Reads a file and makes it the document at hand; its number for Selection::document. One that is
  /// open already keeps its edits. Errors: see readKernelFile; a file of more than a megabyte.
  Result<std::uint32_t> open(const std::string& path);
  /// Makes the document of a session file the one at hand, with the text and the form that ran; its number
  /// for Selection::document. The strategy must be there. What was at hand of the same document can be undone
  /// to.
  std::uint32_t restore(const SavedSession& saved);
  /// Takes a program's launch as that of the document at hand, where it has that text; false: it has not.
  bool takeCaptured(const std::shared_ptr<const CapturedLaunch>& captured, const std::string& text);
  /// What a compiler of the host's code says of the text at hand, as it is now.
  void sayOfHost(std::vector<Diagnostic> diagnostics, const std::string& text);
  /// The text at hand is the file's own from now on: it was written to that path.
  void wasSaved(const std::string& path);
  /// The files that the text at hand includes, as they are on disk now.
  void readIncludes();
  /// The strategy's or the file's own text and launch again; the text's history has the edits still.
  void reset();
  /// Writes the text at hand, a strategy's, for another type of element, and the form's buffers and shared
  /// memory too where there is one. Errors: those of changeElements (element_text.h).
  std::optional<Error> chooseElementType(ElementType type);
  /// A form to edit: the document's own, else one that makes its launch. It must have one of them.
  LaunchForm formAtHand() const;
  /// Takes a form as it was edited. One that makes the strategy's own launch, which ran, is none.
  void editForm(const LaunchForm& form);
  /// Whether the launch at hand is another than the one that ran.
  bool formIsChanged() const;
  /// The launch that ran again, with what was found in it, where another one has failed since.
  void revertForm();

  /// Asks for what changed, takes what was found; true when something is new.
  bool poll();
  /// True while a check or other orders are under way.
  bool busy() const;

  /// What is wrong with the text at hand, as far as it was looked at; a run's fault too.
  const std::vector<Diagnostic>& diagnostics() const { return shown_; }
  /// The kernels of the text at hand, or of the last version that was looked at.
  const std::vector<KernelSignature>& kernels() const { return check_.kernels; }
  /// What is wrong with the form at hand; nothing without one.
  FormFaults formFaults() const;
  /// Whether the launch at hand was asked for, and could not begin.
  bool formIsRefused() const;
  /// What the text at hand is, a strategy's, as far as it was looked at.
  TextFacts facts() const;
  /// The same, looked at now.
  TextFacts findFacts() const;
  const std::shared_ptr<KernelCache>& kernelCache() const { return kernels_; }

  /// What was found in the last launch, where that was the text at hand; else nullptr.
  const HazardReport* hazards() const;
  /// What the last launch left against what its strategy is for, where that was the text at hand and
  /// something is expected of it; else nullptr.
  const ResultCheck* result() const;

  /// Counts what was found so far: faults, hazards, verdicts.
  std::uint64_t findings() const { return findings_; }

  /// Runs the last launch in other orders.
  void tryLuck();
  bool tryingLuck() const { return luckJob_.busy(); }
  /// The verdict on the last launch, where it was asked for and the text is still the one at hand.
  const Result<LuckReport>* luck() const;

 private:
  struct CheckRequest {
    std::shared_ptr<const SourceText> source;
    std::string kernel;
    const Strategy* strategy = nullptr;
  };
  /// A text and the form that launches it.
  struct Edition {
    std::shared_ptr<const SourceText> source;
    std::optional<LaunchForm> form;  ///< none: a strategy's own launch over N
    std::uint64_t number = 0;        ///< 0: the strategy's own text and launch
  };

  bool isAtHand() const;
  bool isOfCurrent(const RunOutcomePtr& outcome) const;
  RunOutcomePtr ranOf(const Document& document) const;
  bool isGuess(const RunOutcome& outcome) const;

  Document& documentFor(const Selection& selection);
  Edition editionOf(Document& document, Take take);
  void askForCheck();
  void fitForm();
  void forgetLuck();
  void showDiagnostics();

  std::list<Document> strategies_;
  std::list<Document> files_;
  Document* current_ = nullptr;

  std::shared_ptr<KernelCache> kernels_;
  RunOutcomePtr last_;  ///< what was launched last, and what came of it so far
  std::uint64_t editions_ = 0;

  const Document* checkedOf_ = nullptr;  ///< what was asked for last
  std::uint64_t checkedRevision_ = 0;
  std::string checkedKernel_;
  TextCheck check_;
  std::vector<Diagnostic> shown_;
  std::vector<Diagnostic> ofHost_;  ///< of the compiler of the host's code, of the text `hostText_`
  std::string hostText_;

  std::uint64_t findings_ = 0;
  std::optional<Result<LuckReport>> luck_;

  NewestJob<CheckRequest, TextCheck> checkJob_;
  NewestJob<Launch, Result<LuckReport>> luckJob_;
};

}  // namespace lanescope
