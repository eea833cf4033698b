#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/executor.h"
#include "app/base/host.h"
#include "app/base/newest_job.h"
#include "app/workbench/run_job.h"
#include "app/workbench/saved_state.h"
#include "app/workbench/text_buffer.h"
#include "kernels/strategies/catalogue.h"
#include "sim/trace/hazards.h"
#include "sim/trace/luck.h"

namespace lanescope {

/// A kernel text being edited, and how it is launched. A strategy has one for the session, and so has
/// every file that was opened.
struct Document {
  const Strategy* strategy = nullptr;  ///< nullptr: a file
  std::string path;                    ///< of a file
  std::vector<IncludedText> includes;  ///< the files that a file's text includes
  std::shared_ptr<const SourceText> original;
  TextBuffer buffer;
  std::optional<LaunchForm> form;
  RunOutcomePtr ran;                ///< the last of it that there is a walk of; nullptr: none yet
  std::uint64_t savedRevision = 0;  ///< of the buffer, that a file has; 0: none

  /// The name in headings: the file's.
  std::string name() const;
  /// The current text, or the given one instead, with the files that it includes.
  std::shared_ptr<const SourceText> source() const { return source(buffer.text()); }
  std::shared_ptr<const SourceText> source(std::string text) const;
  /// Reads the files that a file's text includes as they are now; a file that no longer exists stays as it
  /// was.
  void readIncludes(const Host& host);
  /// True if the current text is that one.
  bool has(const SourceText& source) const;
  bool isEdited() const { return !has(*original) || (strategy != nullptr && form); }
  /// True if its text would be lost with it: no file has it, nor is it the strategy's for any type of
  /// element.
  bool isUnsaved() const;
};

/// A strategy's document with its own text and launch; a file's, with a form for its first kernel.
Document makeDocument(const Strategy& strategy);
Document makeDocument(std::string path, const std::string& text, KernelCache& kernels, const Host& host);

/// The part of a document to launch.
enum class TextChoice : std::uint8_t {
  Ran,      ///< the text and the launch that ran last
  RanText,  ///< that text, by the strategy's launch over N
  Draft,    ///< the current text and launch
};

/// The documents of the session, the current one, and the background results for it: diagnostics as its text
/// changes, and whether the last launch's result is luck. Everything is called from one thread.
class Editor {
 public:
  /// The executor's owner is woken when poll() has something to take.
  Editor(const ExecutorPtr& executor, std::shared_ptr<KernelCache> kernels, HostPtr host);

  /// The current document, or nullptr before the first.
  Document* current() { return current_; }
  const Document* current() const { return current_; }
  /// The document that a selection means, or nullptr.
  const Document* makeDocument(const Selection& selection) const;
  /// A file's number for Selection::document; 0 for a strategy's.
  std::uint32_t toNumber(const Document& document) const;

  /// Makes a selection's document current and returns the request to run; its selection's `edition` is that
  /// of the text and the launch. Errors, without any change: an impossible launch, or one without such a
  /// block; a form's wrong entry.
  Result<RunRequest> launch(const Selection& selection, TextChoice choice);
  /// To be called when that launch has run or failed; for each part if it comes in parts.
  void ran(RunOutcomePtr outcome);

  /// Reads a file and makes it the current document; returns its number for Selection::document. A file that
  /// is open already keeps its edits. Errors: see readKernelFile; a file of more than a megabyte.
  Result<std::uint32_t> open(const std::string& path);
  /// Makes the document of a session file current, with the text and the form that ran; returns its number
  /// for Selection::document. The strategy must be there. The previous text of the same document can be
  /// restored by undo.
  std::uint32_t restore(const SavedSession& saved);
  /// Takes a program's launch as that of the current document; false if the document has another text.
  bool acceptCaptured(const std::shared_ptr<const CapturedLaunch>& captured, const std::string& text);
  /// Takes the messages of a compiler of the host's code about the current text, as it is now.
  void sayOfHost(std::vector<Diagnostic> diagnostics, const std::string& text);
  /// Notes that the current text is in a file of that path: if that is the document's, it is its own now.
  void wasSaved(const std::string& path);
  /// The documents with a text that would be lost, the current one first.
  std::vector<const Document*> unsaved() const;
  /// Another number after each change of any text or of a launch, and after each save.
  std::uint64_t changes() const;
  /// Reads the files that the current text includes, as they are on disk now.
  void readIncludes();
  /// The strategy's or the file's own text and launch again; the text's history has the edits still.
  void reset();
  /// Writes the current text, a strategy's, for another type of element, and also the form's buffers and
  /// shared memory if there is a form. Errors: those of changeElements (element_text.h).
  std::optional<Error> chooseElementType(ElementType type);
  /// A form to edit: the document's own, else one that makes its launch. It must have one of them.
  LaunchForm currentForm() const;
  /// Takes an edited form. It is dropped if it makes the strategy's own launch, which ran.
  void editForm(const LaunchForm& form);
  /// True if the current launch differs from the one that ran.
  bool formIsChanged() const;
  /// Restores the launch that ran, with its findings, if another one has failed since.
  void revertForm();

  /// Asks for checks of any changes and takes results; true if something is new.
  bool poll();
  /// True while a check or other requests are in progress.
  bool busy() const;
  /// True if a launch of the current text would wait for its check, which is in progress: a long one.
  bool awaitsCheck();

  /// The errors in the current text, as far as it was checked; a run's fault too.
  const std::vector<Diagnostic>& diagnostics() const { return shown_; }
  /// The kernels of the current text, or of the last version that was checked.
  const std::vector<KernelSignature>& kernels() const { return check_.kernels; }
  /// The faults of the current form; empty without one.
  FormFaults formFaults() const;
  /// True if the current launch was requested and could not begin.
  bool formIsRefused() const;
  /// Facts about the current text, a strategy's, as far as it was checked.
  TextFacts facts() const;
  /// As facts(), but checked now.
  TextFacts findFacts() const;
  const std::shared_ptr<KernelCache>& kernelCache() const { return kernels_; }

  /// The hazards found in the last launch, if that was the current text; else nullptr.
  const HazardReport* hazards() const;
  /// The last launch's result compared with its strategy's purpose, if it ran the current text and a result
  /// is expected; else nullptr.
  const ResultCheck* result() const;

  /// Counts the findings so far: faults, hazards, verdicts.
  std::uint64_t findings() const { return findings_; }

  /// Runs the last launch in other orders.
  void tryLuck();
  bool tryingLuck() const { return luckJob_.busy(); }
  /// The verdict on the last launch, if it was requested and the text is still the current one.
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

  bool isCurrentText() const;
  bool isOfCurrent(const RunOutcomePtr& outcome) const;
  RunOutcomePtr findRan(const Document& document) const;
  bool isGuess(const RunOutcome& outcome) const;

  Document& documentFor(const Selection& selection);
  Edition findEdition(Document& document, TextChoice choice);
  void askForCheck();
  void fitForm();
  void setForm(Document& document, std::optional<LaunchForm> form);
  void forgetLuck();
  void showDiagnostics();

  std::list<Document> strategies_;
  std::list<Document> files_;
  Document* current_ = nullptr;

  HostPtr host_;
  std::shared_ptr<KernelCache> kernels_;
  RunOutcomePtr last_;  ///< the last launch, and its outcome so far
  std::uint64_t editions_ = 0;
  std::uint64_t formChanges_ = 0;

  const Document* checkedOf_ = nullptr;  ///< the last request
  std::uint64_t checkedRevision_ = 0;
  std::string checkedKernel_;
  TextCheck check_;
  std::vector<Diagnostic> shown_;
  std::vector<Diagnostic>
      hostDiagnostics_;  ///< from the compiler of the host's code, for the text `hostText_`
  std::string hostText_;

  std::uint64_t findings_ = 0;
  std::optional<Result<LuckReport>> luck_;

  NewestJob<CheckRequest, TextCheck> checkJob_;
  NewestJob<Launch, Result<LuckReport>> luckJob_;
};

}  // namespace lanescope
