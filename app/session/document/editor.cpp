#include "app/session/document/editor.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "app/session/launch/element_text.h"
#include "app/session/launch/kernel_file.h"
#include "app/session/launch/strategy_launch.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
/// After a keystroke; a pause in typing is longer.
constexpr std::chrono::milliseconds kCheckDelay{150};
constexpr unsigned kLuckSeeds = 8;

Result<LuckReport> tryAll(Launch launch, const std::stop_token& stop) {
  launch.stop = stop;
  try {
    return tryOrders(launch, {.seeds = kLuckSeeds});
  } catch (const std::exception& failure) {
    return Error{std::string("The other orders ended early: ") + failure.what() + ".", "", {}};
  }
}

TextCheck checkSafely(KernelCache& kernels, const std::shared_ptr<const SourceText>& source,
                      const std::string& kernel) {
  try {
    return kernels.check(source, kernel);
  } catch (const std::exception& failure) {
    return {{{std::string("The text cannot be looked at: ") + failure.what(), "", {}}}, {}};
  }
}

}  // namespace

Editor::Editor(const std::function<void()>& wake, std::shared_ptr<KernelCache> kernels)
    : kernels_(std::move(kernels)),
      checkJob_(
          [texts = kernels_](const CheckRequest& request, const std::stop_token&) {
            return checkSafely(*texts, request.source, request.kernel);
          },
          wake, kCheckDelay),
      luckJob_(tryAll, wake) {}

Document& Editor::documentFor(const Selection& selection) {
  if (selection.document > 0) return *std::next(files_.begin(), selection.document - 1);
  const auto found = std::ranges::find(strategies_, selection.strategy, &Document::strategy);
  if (found != strategies_.end()) return *found;
  return strategies_.emplace_back(lanescope::documentOf(*selection.strategy));
}

const Document* Editor::documentOf(const Selection& selection) const {
  if (selection.document > 0) {
    return selection.document <= files_.size() ? &*std::next(files_.begin(), selection.document - 1)
                                               : nullptr;
  }
  const auto found = std::ranges::find(strategies_, selection.strategy, &Document::strategy);
  return found == strategies_.end() ? nullptr : &*found;
}

bool Editor::ranByForm(const Selection& shown) const {
  const Document* document = documentOf(shown);
  if (document == nullptr) return false;
  // Where its edition is no longer the good one, dropForm() took the form away from that.
  return document->good.form || shown.edition != document->good.number;
}

std::uint32_t Editor::numberOf(const Document& document) const {
  std::uint32_t number = 0;
  for (const Document& file : files_) {
    ++number;
    if (&file == &document) return number;
  }
  return 0;
}

Edition Editor::editionOf(Document& document, Take take) {
  if (take == Take::Good) return document.good;
  const bool isGood = document.has(*document.good.source) && document.form == document.good.form;
  if (isGood) return document.good;
  const bool isOwn = document.strategy != nullptr && !document.isEdited();
  const auto source = document.has(*document.original)
                          ? document.original
                          : std::make_shared<SourceText>(document.original->name(), document.buffer.text());
  return {source, document.form, isOwn ? 0 : ++editions_};
}

Result<Launch> Editor::launch(Selection& selection, Take take) {
  Document& document = documentFor(selection);
  Edition edition = editionOf(document, take);
  Result<Launch> launch =
      edition.form ? launchFrom(*edition.form, edition.source, *selection.machine)
                   : launchOf(*document.strategy, selection.n, selection.blocks, *selection.machine,
                              elementOf(*document.strategy, kernels_->kernelsOf(edition.source)));
  if (!launch) return launch;
  current_ = &document;
  launch->source = edition.source;
  selection.edition = edition.number;
  last_ = std::move(edition);
  last_.launch = *launch;
  last_.findings.reset();
  launched_ = &document;
  forgetLuck();
  return launch;
}

void Editor::forgetLuck() {
  luck_.reset();
  luckJob_.cancel();
}

void Editor::ran(const RunOutcome& outcome) {
  if (launched_ == nullptr) return;
  Findings& found = last_.findings.emplace();
  found.hasTrace = !outcome.error;
  if (outcome.error) found.faults = outcome.error->diagnostics;
  found.result = outcome.result;
  if (outcome.run != nullptr) {
    last_.launch = outcome.run->launch;
    found.hazards = outcome.run->hazards;
  }
  if (found.hasTrace) {
    launched_->good = last_;
  } else if (found.hazards) {  // their steps are of no trace that is shown
    for (Hazard& hazard : found.hazards->hazards) {
      hazard.access.step.reset();
      if (hazard.earlier) hazard.earlier->step.reset();
    }
  }
  showDiagnostics();
  ++findings_;
}

Result<std::uint32_t> Editor::open(const std::string& typed) {
  const std::string path = withHome(typed);
  Result<std::string> text = readKernelFile(path, kMostBytes);
  if (!text) return text.error();
  auto found = std::ranges::find(files_, path, &Document::path);
  if (found == files_.end()) {
    found = files_.insert(files_.end(), lanescope::documentOf(path, *text, *kernels_));
  } else if (found->has(*found->original)) {
    Document again = lanescope::documentOf(path, *text, *kernels_);
    const bool sameKernel = found->form && again.form && found->form->kernel == again.form->kernel;
    if (sameKernel) again.form = found->form;
    if (!found->has(*again.original)) *found = std::move(again);
  }
  current_ = &*found;
  return static_cast<std::uint32_t>(1 + std::distance(files_.begin(), found));
}

std::uint32_t Editor::restore(const SavedSession& saved) {
  if (saved.strategy.empty()) {
    auto found = std::ranges::find(files_, saved.path, &Document::path);
    if (found == files_.end()) {
      found = files_.insert(files_.end(), lanescope::documentOf(saved.path, saved.original, *kernels_));
    } else {
      found->original = std::make_shared<SourceText>(found->name(), plainText(saved.original));
    }
    current_ = &*found;
  } else {
    current_ = &documentFor({.strategy = findStrategy(saved.strategy)});
  }
  current_->buffer.replaceAll(saved.ran.text);
  current_->form = saved.ran.form;
  return numberOf(*current_);
}

void Editor::wasSaved(const std::string& path) {
  if (current_ == nullptr || current_->strategy != nullptr || current_->path != path) return;
  current_->original = std::make_shared<SourceText>(current_->original->name(), current_->buffer.text());
}

void Editor::reset() {
  if (current_ == nullptr) return;
  current_->buffer.replaceAll(current_->original->text());
  if (current_->strategy != nullptr) current_->form.reset();
}

std::optional<Error> Editor::chooseElementType(ElementType type) {
  if (current_ == nullptr || current_->strategy == nullptr)
    return Error{"A file's own text says of what type its elements are.", "Write it there.", {}};
  const Strategy& strategy = *current_->strategy;
  const std::string before = current_->buffer.text();
  const ElementType from = elementOf(strategy, before);
  Result<std::string> text = changeElements(strategy, before, type);
  if (!text) return text.error();
  if (*text == before) return std::nullopt;
  current_->buffer.replaceAll(*text);
  if (current_->form) *current_->form = withElements(*current_->form, strategy, from, type);
  return std::nullopt;
}

void Editor::dropForm() {
  if (current_ == nullptr || current_->strategy == nullptr) return;
  current_->form.reset();
  if (!current_->good.form) return;
  current_->good.form.reset();
  current_->good.launch.reset();
  current_->good.number = current_->good.source == current_->original ? 0 : ++editions_;
}

LaunchForm Editor::formAtHand() const {
  if (current_ == nullptr) return {};
  if (current_->form) return *current_->form;
  if (current_->good.launch) return formOf(*current_->good.launch);
  return launched_ == current_ && last_.launch ? formOf(*last_.launch) : LaunchForm();
}

void Editor::editForm(const LaunchForm& form) {
  if (current_ == nullptr) return;
  const Edition& good = current_->good;
  if (!good.form && good.launch && form == formOf(*good.launch))
    current_->form.reset();
  else
    current_->form = form;
}

bool Editor::formIsChanged() const { return current_ != nullptr && current_->form != current_->good.form; }

void Editor::revertForm() {
  if (current_ == nullptr) return;
  current_->form = current_->good.form;
  const bool hasFailed = last_.findings && !last_.findings->hasTrace;
  if (launched_ != current_ || !hasFailed || !current_->good.launch) return;
  last_ = current_->good;
  forgetLuck();
  showDiagnostics();
  ++findings_;
}

bool Editor::busy() const { return checkJob_.busy() || luckJob_.busy(); }

void Editor::askForCheck() {
  // A strategy's kernel may be named by its launch: completely_unrolled<{block}>.
  if (current_ == nullptr || (!current_->form && launched_ != current_)) return;
  std::string kernel = current_->form ? current_->form->kernelName() : last_.launch->kernel;
  const std::uint64_t revision = current_->buffer.revision();
  if (checkedOf_ == current_ && checkedRevision_ == revision && checkedKernel_ == kernel) return;
  if (checkedOf_ != current_) check_ = {};
  checkedOf_ = current_;
  checkedRevision_ = revision;
  checkedKernel_ = kernel;
  checkJob_.request(
      {std::make_shared<SourceText>(current_->original->name(), current_->buffer.text()), std::move(kernel)});
}

/// A file's form follows its text: the first kernel that there is, an entry for every parameter.
void Editor::fitForm() {
  if (!current_->form || check_.kernels.empty()) return;
  LaunchForm& form = *current_->form;
  if (form.kernel.empty()) form = formFor(check_.kernels.front());
  const KernelSignature* signature = findSignature(check_.kernels, form.kernel);
  if (signature == nullptr || form.arguments.size() == signature->parameters.size()) return;
  const LaunchForm fresh = formFor(*signature);
  form.arguments.resize(std::min(form.arguments.size(), fresh.arguments.size()));
  for (std::size_t i = form.arguments.size(); i < fresh.arguments.size(); ++i)
    form.arguments.push_back(fresh.arguments[i]);
}

void Editor::showDiagnostics() {
  shown_.clear();
  if (checkJob_.busy()) return;
  shown_ = check_.diagnostics;
  if (!shown_.empty() || current_ == nullptr || launched_ != current_ || !last_.findings ||
      !current_->has(*last_.source)) {
    return;
  }
  shown_ = last_.findings->faults;
}

bool Editor::poll() {
  bool isNew = false;
  if (current_ != nullptr && (checkedOf_ != current_ || checkedRevision_ != current_->buffer.revision())) {
    shown_.clear();  // their places are those of another text
  }
  askForCheck();
  if (auto check = checkJob_.take()) {
    check_ = std::move(*check);
    fitForm();
    showDiagnostics();
    isNew = true;
  }
  if (auto report = luckJob_.take()) {
    luck_.emplace(std::move(*report));
    isNew = true;
  }
  findings_ += isNew ? 1 : 0;
  return isNew;
}

FormFaults Editor::formFaults() const {
  if (current_ == nullptr || !current_->form) return {};
  return checkForm(*current_->form, findSignature(check_.kernels, current_->form->kernel));
}

bool Editor::isAtHand() const {
  return launched_ != nullptr && launched_ == current_ && current_->has(*last_.source);
}

const HazardReport* Editor::hazards() const {
  return last_.findings && last_.findings->hazards && isAtHand() ? &*last_.findings->hazards : nullptr;
}
const ResultCheck* Editor::result() const {
  return last_.findings && last_.findings->result && isAtHand() ? &*last_.findings->result : nullptr;
}

void Editor::tryLuck() {
  if (!last_.launch) return;
  luck_.reset();
  luckJob_.request(*last_.launch);
}

const Result<LuckReport>* Editor::luck() const { return luck_ && isAtHand() ? &*luck_ : nullptr; }

}  // namespace lanescope
