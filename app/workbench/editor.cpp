#include "app/workbench/editor.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <exception>
#include <filesystem>
#include <utility>

#include "app/launch/element_text.h"
#include "app/launch/kernel_file.h"
#include "app/launch/launch_form.h"
#include "app/launch/strategy_launch.h"
#include "sim/base/counted.h"
#include "sim/trace/run.h"

namespace lanescope {

std::string Document::name() const {
  return strategy != nullptr ? std::string(strategy->file) : std::filesystem::path(path).filename().string();
}

std::shared_ptr<const SourceText> Document::source(std::string text) const {
  return std::make_shared<const SourceText>(name(), std::move(text), includes);
}

void Document::readIncludes(const Host& host) {
  if (strategy != nullptr) return;
  std::vector<IncludedText> found = lanescope::readIncludes(host, path, buffer.text());
  for (IncludedText& before : includes) {
    if (std::ranges::count(found, before.path, &IncludedText::path) == 0) found.push_back(std::move(before));
  }
  includes = std::move(found);
}

bool Document::has(const SourceText& source) const { return source.text() == buffer.text(); }

bool Document::isUnsaved() const {
  if (has(*original) || buffer.revision() == savedRevision) return false;
  return strategy == nullptr || std::ranges::none_of(findElementTypes(*strategy), [&](ElementType type) {
           return buffer.text() == withElements(strategy->source, ElementType::Float, type);
         });
}

Document makeDocument(const Strategy& strategy) {
  Document document;
  document.strategy = &strategy;
  document.original = std::make_shared<SourceText>(std::string(strategy.file), plainText(strategy.source));
  document.buffer = TextBuffer(strategy.source);
  return document;
}

Document makeDocument(std::string path, const std::string& text, KernelCache& kernels, const Host& host) {
  Document document;
  document.path = std::move(path);
  document.buffer = TextBuffer(text);
  document.readIncludes(host);
  document.original = document.source(plainText(text));
  const std::vector<KernelSignature> found = kernels.findKernels(document.original);
  document.form = found.empty() ? LaunchForm() : formFor(found.front(), document.original->text());
  return document;
}

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
    return Error{std::string("The other orders ended early: ") + failure.what() + ".", ""};
  }
}

TextCheck checkSafely(KernelCache& kernels, const std::shared_ptr<const SourceText>& source,
                      const std::string& kernel, const Strategy* strategy) {
  try {
    return kernels.check(source, kernel, strategy);
  } catch (const std::exception& failure) {
    return {{{std::string("The text cannot be checked: ") + failure.what(), "", {}}}, {}, {}};
  }
}

}  // namespace

Editor::Editor(const ExecutorPtr& executor, std::shared_ptr<KernelCache> kernels, HostPtr host)
    : host_(std::move(host)),
      kernels_(std::move(kernels)),
      checkJob_(
          executor,
          [texts = kernels_](const CheckRequest& request, const std::stop_token&) {
            return checkSafely(*texts, request.source, request.kernel, request.strategy);
          },
          kCheckDelay),
      luckJob_(executor, tryAll) {}

Document& Editor::documentFor(const Selection& selection) {
  if (selection.document > 0) return *std::next(files_.begin(), selection.document - 1);
  const auto found = std::ranges::find(strategies_, selection.strategy, &Document::strategy);
  if (found != strategies_.end()) return *found;
  return strategies_.emplace_back(lanescope::makeDocument(*selection.strategy));
}

const Document* Editor::makeDocument(const Selection& selection) const {
  if (selection.document > 0) {
    return selection.document <= files_.size() ? &*std::next(files_.begin(), selection.document - 1)
                                               : nullptr;
  }
  const auto found = std::ranges::find(strategies_, selection.strategy, &Document::strategy);
  return found == strategies_.end() ? nullptr : &*found;
}

std::uint32_t Editor::toNumber(const Document& document) const {
  std::uint32_t number = 0;
  for (const Document& file : files_) {
    ++number;
    if (&file == &document) return number;
  }
  return 0;
}

bool Editor::isOfCurrent(const RunOutcomePtr& outcome) const {
  return outcome != nullptr && current_ != nullptr && makeDocument(outcome->asked.selection) == current_;
}

/// The last run of a document, or the one about to begin.
RunOutcomePtr Editor::findRan(const Document& document) const {
  const bool isAwaited =
      last_ != nullptr && !last_->isOver() && makeDocument(last_->asked.selection) == &document;
  return isAwaited ? last_ : document.ran;
}

Editor::Edition Editor::findEdition(Document& document, TextChoice choice) {
  const RunOutcomePtr ran = findRan(document);
  if (ran != nullptr) {
    const RunRequest& asked = ran->asked;
    const bool isSame = choice == TextChoice::Ran || (choice == TextChoice::RanText && !asked.form) ||
                        (choice == TextChoice::Draft && document.has(ran->text()) &&
                         document.form == asked.form && ran->text().includes() == document.includes);
    if (isSame) return {asked.launch.source, asked.form, asked.selection.edition};
    if (choice == TextChoice::RanText) {
      const bool isOwn = asked.launch.source->text() == document.original->text();
      return {asked.launch.source, std::nullopt, isOwn ? 0 : ++editions_};
    }
  }
  if (choice == TextChoice::RanText) return {document.original, std::nullopt, 0};
  if (choice == TextChoice::Ran && document.strategy != nullptr) return {document.original, std::nullopt, 0};
  const bool isOwn = document.strategy != nullptr && !document.isEdited();
  const bool isOriginal =
      document.has(*document.original) && document.original->includes() == document.includes;
  const auto source = isOriginal ? document.original : document.source();
  return {source, document.form, isOwn ? 0 : ++editions_};
}

Result<RunRequest> Editor::launch(const Selection& selection, TextChoice choice) {
  Document& document = documentFor(selection);
  const Edition edition = findEdition(document, choice);
  Result<Launch> launch =
      edition.form ? bindLaunch(completed(*edition.form, kernels_->findKernels(edition.source)),
                                edition.source, *selection.machine)
                   : makeLaunch(*document.strategy, selection.n, selection.blocks, *selection.machine,
                                kernels_->collectFacts(*document.strategy, edition.source).element);
  if (!launch) return launch.error();
  if (selection.block >= launch->grid.count()) {
    return Error{"There is no block " + std::to_string(selection.block) + " in a launch of " +
                     withCommas(launch->grid.count()) + ".",
                 "Blocks count from 0."};
  }
  current_ = &document;
  if (choice == TextChoice::RanText) setForm(document, {});
  launch->source = edition.source;
  RunRequest request{selection, edition.form, std::move(launch).value()};
  request.selection.edition = edition.number;
  last_ = std::make_shared<RunOutcome>(RunOutcome{request});
  forgetLuck();
  return request;
}

void Editor::forgetLuck() {
  luck_.reset();
  luckJob_.cancel();
}

void Editor::ran(RunOutcomePtr outcome) {
  last_ = std::move(outcome);
  if (last_->hasTrace()) documentFor(last_->asked.selection).ran = last_;
  showDiagnostics();
  ++findings_;
}

Result<std::uint32_t> Editor::open(const std::string& typed) {
  const std::string path = host_->withHome(typed);
  Result<std::string> text = readKernelFile(*host_, path, kMostBytes);
  if (!text) return text.error();
  auto found = std::ranges::find(files_, path, &Document::path);
  if (found == files_.end()) {
    found = files_.insert(files_.end(), lanescope::makeDocument(path, *text, *kernels_, *host_));
  } else if (found->has(*found->original)) {
    Document again = lanescope::makeDocument(path, *text, *kernels_, *host_);
    const bool sameKernel = found->form && again.form && found->form->kernel == again.form->kernel;
    if (sameKernel) again.form = found->form;
    if (!found->has(*again.original) || found->includes != again.includes) *found = std::move(again);
  }
  current_ = &*found;
  return static_cast<std::uint32_t>(1 + std::distance(files_.begin(), found));
}

std::uint32_t Editor::restore(const SavedSession& saved) {
  if (saved.strategy.empty()) {
    auto found = std::ranges::find(files_, saved.path, &Document::path);
    if (found == files_.end()) {
      found =
          files_.insert(files_.end(), lanescope::makeDocument(saved.path, saved.original, *kernels_, *host_));
    } else {
      found->original = found->source(plainText(saved.original));
    }
    current_ = &*found;
    if (!saved.includes.empty()) current_->includes = saved.includes;
  } else {
    current_ = &documentFor({.strategy = findStrategy(saved.strategy)});
  }
  current_->buffer.replaceAll(saved.ran.text);
  current_->form = saved.ran.form;
  return toNumber(*current_);
}

bool Editor::acceptCaptured(const std::shared_ptr<const CapturedLaunch>& captured, const std::string& text) {
  if (current_ == nullptr || current_->buffer.text() != text) return false;
  const std::vector<KernelSignature> kernels = kernels_->findKernels(current_->source());
  const std::string name = captured->launch.kernel.substr(0, captured->launch.kernel.find('<'));
  setForm(*current_, makeForm(captured, findSignature(kernels, name)));
  return true;
}

void Editor::sayOfHost(std::vector<Diagnostic> diagnostics, const std::string& text) {
  hostDiagnostics_ = std::move(diagnostics);
  hostText_ = text;
  showDiagnostics();
  ++findings_;
}

void Editor::wasSaved(const std::string& path) {
  if (current_ == nullptr) return;
  current_->savedRevision = current_->buffer.revision();
  if (current_->strategy == nullptr && current_->path == path) current_->original = current_->source();
}

std::vector<const Document*> Editor::unsaved() const {
  std::vector<const Document*> found;
  for (const std::list<Document>* documents : {&strategies_, &files_}) {
    for (const Document& document : *documents) {
      if (document.isUnsaved()) found.insert(&document == current_ ? found.begin() : found.end(), &document);
    }
  }
  return found;
}

std::uint64_t Editor::changes() const {
  std::uint64_t sum = formChanges_;
  for (const std::list<Document>* documents : {&strategies_, &files_}) {
    for (const Document& document : *documents) sum += document.buffer.revision() + document.savedRevision;
  }
  return sum;
}

void Editor::readIncludes() {
  if (current_ != nullptr) current_->readIncludes(*host_);
}

void Editor::reset() {
  if (current_ == nullptr) return;
  current_->buffer.replaceAll(current_->original->text());
  if (current_->strategy != nullptr) setForm(*current_, {});
}

std::optional<Error> Editor::chooseElementType(ElementType type) {
  if (current_ == nullptr || current_->strategy == nullptr)
    return Error{"A file's own text says of what type its elements are.", "Write it there."};
  const Strategy& strategy = *current_->strategy;
  const ElementType from = findFacts().element;
  Result<std::string> text = changeElements(strategy, current_->buffer.text(), from, type);
  if (!text) return text.error();
  if (*text == current_->buffer.text()) return std::nullopt;
  current_->buffer.replaceAll(*text);
  if (current_->form) *current_->form = withElements(*current_->form, strategy, from, type);
  return std::nullopt;
}

TextFacts Editor::findFacts() const {
  if (current_ == nullptr || current_->strategy == nullptr) return {};
  return kernels_->collectFacts(*current_->strategy, current_->source());
}

TextFacts Editor::facts() const {
  if (current_ == nullptr || current_->strategy == nullptr) return {};
  if (current_->ran != nullptr && current_->has(current_->ran->text())) return current_->ran->facts;
  if (current_->has(*current_->original)) return {};
  if (checkedOf_ != current_) return {ElementType::Float, false};
  const bool isLookedAt = checkedRevision_ == current_->buffer.revision() && !checkJob_.busy();
  return {check_.facts.element, isLookedAt && check_.facts.isOwn};
}

LaunchForm Editor::currentForm() const {
  if (current_ == nullptr) return {};
  if (current_->form) return *current_->form;
  if (current_->ran != nullptr) return makeForm(current_->ran->launch());
  return isOfCurrent(last_) ? makeForm(last_->launch()) : LaunchForm();
}

void Editor::editForm(const LaunchForm& form) {
  if (current_ == nullptr) return;
  const RunOutcomePtr& ran = current_->ran;
  const bool isOwn = ran != nullptr && !ran->asked.form && form == makeForm(ran->launch());
  setForm(*current_, isOwn ? std::nullopt : std::optional(form));
}

void Editor::setForm(Document& document, std::optional<LaunchForm> form) {
  if (document.form == form) return;
  document.form = std::move(form);
  ++formChanges_;
}

bool Editor::formIsChanged() const {
  if (current_ == nullptr) return false;
  if (current_->ran != nullptr) return current_->form != current_->ran->asked.form;
  return isOfCurrent(last_) && current_->form != last_->asked.form;
}

bool Editor::formIsRefused() const {
  return isOfCurrent(last_) && last_->error && !last_->hasTrace() && current_->form == last_->asked.form &&
         current_->has(last_->text());
}

void Editor::revertForm() {
  if (current_ == nullptr || current_->ran == nullptr) return;
  setForm(*current_, current_->ran->asked.form);
  const bool hasFailed = last_->error && !last_->hasTrace();
  if (!isOfCurrent(last_) || !hasFailed) return;
  last_ = current_->ran;
  forgetLuck();
  showDiagnostics();
  ++findings_;
}

bool Editor::busy() const { return checkJob_.busy() || luckJob_.busy(); }

bool Editor::awaitsCheck() {
  if (current_ == nullptr) return false;
  askForCheck();
  return checkJob_.busy() && !kernels_->isReady(current_->source());
}

void Editor::askForCheck() {
  // A strategy's kernel may be named by its launch: completely_unrolled<{block}>.
  if (current_ == nullptr || (!current_->form && !isOfCurrent(last_))) return;
  std::string kernel = current_->form ? current_->form->kernelName() : last_->asked.launch.kernel;
  const std::uint64_t revision = current_->buffer.revision();
  if (checkedOf_ == current_ && checkedRevision_ == revision && checkedKernel_ == kernel) return;
  if (checkedOf_ != current_) check_ = {};
  checkedOf_ = current_;
  checkedRevision_ = revision;
  checkedKernel_ = kernel;
  current_->readIncludes(*host_);
  checkJob_.request({current_->source(), std::move(kernel), current_->strategy});
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
  if (!hostDiagnostics_.empty() && current_ != nullptr && current_->buffer.text() == hostText_)
    shown_.insert(shown_.end(), hostDiagnostics_.begin(), hostDiagnostics_.end());
  if (!shown_.empty() || !isCurrentText() || !last_->error) return;
  shown_ = last_->error->diagnostics;
  if (shown_.empty() || !isGuess(*last_)) return;
  std::string& hint = shown_.front().hint;
  if (hint.size() > 1 && std::islower(static_cast<unsigned char>(hint[1])) != 0)
    hint[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(hint[0])));
  hint = "The launch is a guess: check it first (W shows block, grid and data)." +
         (hint.empty() ? "" : " If it is right, " + hint);
}

/// True if a fault came from a launch that was not chosen: a file's first one.
bool Editor::isGuess(const RunOutcome& outcome) const {
  if (outcome.asked.selection.document == 0 || outcome.run == nullptr || !outcome.run->fault) return false;
  const KernelSignature* const kernel = findSignature(check_.kernels, outcome.asked.form->kernel);
  if (kernel == nullptr) return false;
  const LaunchForm& form = *outcome.asked.form;
  return form == formFor(*kernel) || form == formFor(*kernel, outcome.text().text());
}

bool Editor::poll() {
  bool isNew = false;
  if (current_ != nullptr && (checkedOf_ != current_ || checkedRevision_ != current_->buffer.revision())) {
    shown_.clear();  // their places belong to another text
  }
  askForCheck();
  if (auto check = checkJob_.consume()) {
    check_ = std::move(*check);
    fitForm();
    showDiagnostics();
    isNew = true;
  }
  if (auto report = luckJob_.consume()) {
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

bool Editor::isCurrentText() const { return isOfCurrent(last_) && current_->has(last_->text()); }

const HazardReport* Editor::hazards() const {
  const bool isPresent = isCurrentText() && last_->run != nullptr && last_->run->hazards;
  return isPresent ? &*last_->run->hazards : nullptr;
}
const ResultCheck* Editor::result() const {
  return isCurrentText() && last_->result ? &*last_->result : nullptr;
}

void Editor::tryLuck() {
  if (last_ == nullptr) return;
  luck_.reset();
  luckJob_.request(last_->launch());
}

const Result<LuckReport>* Editor::luck() const { return luck_ && isCurrentText() ? &*luck_ : nullptr; }

}  // namespace lanescope
