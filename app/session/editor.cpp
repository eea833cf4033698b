#include "app/session/editor.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "app/session/element_text.h"
#include "app/session/kernel_file.h"
#include "app/session/strategy_launch.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
/// After a keystroke; a pause in typing is longer.
constexpr std::chrono::milliseconds kCheckDelay{150};
constexpr unsigned kLuckSeeds = 8;

std::optional<HazardReport> look(Launch launch, const std::stop_token& stop) {
  launch.stop = stop;
  try {
    Result<HazardReport> report = findHazards(launch);
    if (!report) return std::nullopt;
    return std::move(report).value();
  } catch (const std::exception&) {
    return std::nullopt;  // no memory for it
  }
}

Result<LuckReport> tryAll(Launch launch, const std::stop_token& stop) {
  launch.stop = stop;
  try {
    return tryOrders(launch, {.seeds = kLuckSeeds});
  } catch (const std::exception& failure) {
    return Error{std::string("The other orders ended early: ") + failure.what() + ".", "", {}};
  }
}

TextCheck checkSafely(const SourceText& source, const std::string& kernel) {
  try {
    return checkText(source, kernel);
  } catch (const std::exception& failure) {
    return {{{std::string("The text cannot be looked at: ") + failure.what(), "", {}}}, {}};
  }
}

}  // namespace

Editor::Editor(const std::function<void()>& wake)
    : checkJob_([](const CheckRequest& request,
                   const std::stop_token&) { return checkSafely(*request.source, request.kernel); },
                wake, kCheckDelay),
      hazardJob_(look, wake),
      resultJob_(checkLaunch, wake),
      luckJob_(tryAll, wake) {}

std::optional<ResultCheck> Editor::checkLaunch(const ResultRequest& request, const std::stop_token& stop) {
  Launch launch = request.launch;
  launch.stop = stop;
  try {
    const Result<Simulation> simulation = simulate(launch);
    if (!simulation) return std::nullopt;
    return checkResult(*request.strategy, launch, *simulation);
  } catch (const std::exception&) {
    return std::nullopt;  // no memory for it
  }
}

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
                              elementOf(*document.strategy, edition.source->text()));
  if (!launch) return launch;
  current_ = &document;
  launch->source = edition.source;
  selection.edition = edition.number;
  launch_ = *launch;
  launched_ = &document;
  edition_ = std::move(edition);
  forgetFindings();
  return launch;
}

void Editor::forgetFindings() {
  hasFailed_ = false;
  runFaults_.clear();
  hazards_.reset();
  result_.reset();
  luck_.reset();
  hazardJob_.cancel();
  resultJob_.cancel();
  luckJob_.cancel();
}

void Editor::ran(const Error* error) {
  if (!launch_) return;
  hasFailed_ = error != nullptr;
  if (error == nullptr) {
    launched_->good = edition_;
    launched_->ran = launch_;
  } else {
    runFaults_ = error->diagnostics;
  }
  showDiagnostics();
  hazardJob_.request(*launch_);
  if (error == nullptr && launched_->strategy != nullptr) resultJob_.request({launched_->strategy, *launch_});
}

Result<std::uint32_t> Editor::open(const std::string& typed) {
  const std::string path = withHome(typed);
  Result<std::string> text = readKernelFile(path, kMostBytes);
  if (!text) return text.error();
  auto found = std::ranges::find(files_, path, &Document::path);
  if (found == files_.end()) {
    found = files_.insert(files_.end(), lanescope::documentOf(path, *text));
  } else if (found->has(*found->original)) {
    Document again = lanescope::documentOf(path, *text);
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
      found = files_.insert(files_.end(), lanescope::documentOf(saved.path, saved.original));
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
  current_->ran.reset();
  current_->good.number = current_->good.source == current_->original ? 0 : ++editions_;
}

LaunchForm Editor::formAtHand() const {
  if (current_ == nullptr) return {};
  if (current_->form) return *current_->form;
  if (current_->ran) return formOf(*current_->ran);
  return launched_ == current_ && launch_ ? formOf(*launch_) : LaunchForm();
}

void Editor::editForm(const LaunchForm& form) {
  if (current_ == nullptr) return;
  if (!current_->good.form && current_->ran && form == formOf(*current_->ran))
    current_->form.reset();
  else
    current_->form = form;
}

bool Editor::formIsChanged() const { return current_ != nullptr && current_->form != current_->good.form; }

void Editor::revertForm() {
  if (current_ == nullptr) return;
  current_->form = current_->good.form;
  if (launched_ != current_ || !hasFailed_ || !current_->ran) return;
  launch_ = current_->ran;
  edition_ = current_->good;
  forgetFindings();
  ran(nullptr);
}

bool Editor::busy() const {
  return checkJob_.busy() || hazardJob_.busy() || resultJob_.busy() || luckJob_.busy();
}

void Editor::askForCheck() {
  // A strategy's kernel may be named by its launch: completely_unrolled<{block}>.
  if (current_ == nullptr || (!current_->form && launched_ != current_)) return;
  std::string kernel = current_->form ? current_->form->kernelName() : launch_->kernel;
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
  if (!shown_.empty() || current_ == nullptr || launched_ != current_ || !current_->has(*edition_.source)) {
    return;
  }
  shown_ = runFaults_;
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
  if (auto report = hazardJob_.take()) {
    hazards_ = std::move(*report);
    isNew = true;
  }
  if (auto result = resultJob_.take()) {
    result_ = std::move(*result);
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

bool Editor::isAtHand() const { return launched_ == current_ && current_->has(*edition_.source); }

const HazardReport* Editor::hazards() const { return hazards_ && isAtHand() ? &*hazards_ : nullptr; }
const ResultCheck* Editor::result() const { return result_ && isAtHand() ? &*result_ : nullptr; }

void Editor::tryLuck() {
  if (!launch_) return;
  luck_.reset();
  luckJob_.request(*launch_);
}

const Result<LuckReport>* Editor::luck() const { return luck_ && isAtHand() ? &*luck_ : nullptr; }

}  // namespace lanescope
