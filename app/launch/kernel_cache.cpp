#include "app/launch/kernel_cache.h"

#include <algorithm>

#include "app/launch/element_text.h"
#include "sim/language/text/scanner.h"

namespace lanescope {

TextFacts collectFacts(const Strategy& strategy, std::string_view text,
                       std::span<const KernelSignature> kernels) {
  const bool isOwn = std::ranges::any_of(findElementTypes(strategy), [&](ElementType type) {
    return text == withElements(strategy.source, ElementType::Float, type);
  });
  return {findElement(strategy, kernels), isOwn};
}

std::string changeNote(const TextFacts& facts, bool hasForm) {
  std::string note;
  if (!facts.isOwn) {
    note = "edited";
  } else if (facts.element != ElementType::Float) {
    note = elementTypeName(facts.element);
  }
  if (hasForm) note += note.empty() ? "launch changed" : ", launch changed";
  return note;
}

namespace {

/// Texts that are kept: every strategy's, and the last ones typed.
constexpr std::size_t kMostTexts = 64;

/// If no kernel is chosen, the parser's errors in all of them.
std::vector<Diagnostic> faultsOfKernels(const syntax::Unit& unit) {
  std::vector<Diagnostic> faults;
  for (const syntax::Function& function : unit.functions) {
    if (function.isKernel && faults.size() < kMostFaults)
      faults.insert(faults.end(), function.diagnostics.begin(), function.diagnostics.end());
  }
  return faults;
}

}  // namespace

/// The caller holds the mutex.
KernelCache::Entries::iterator KernelCache::findEntry(const std::shared_ptr<const SourceText>& source) {
  return std::ranges::find_if(entries_, [&](const std::shared_ptr<Entry>& entry) {
    return entry->source == source ||
           (entry->source->text() == source->text() && entry->source->name() == source->name() &&
            entry->source->includes() == source->includes());
  });
}

/// The entry of a text, which comes first from now on.
std::shared_ptr<KernelCache::Entry> KernelCache::useEntry(const std::shared_ptr<const SourceText>& source) {
  const std::scoped_lock lock(mutex_);
  const auto found = findEntry(source);
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
  } else {
    entries_.push_front(std::make_shared<Entry>());
    entries_.front()->source = source;
    if (entries_.size() > kMostTexts) entries_.pop_back();
  }
  return entries_.front();
}

template <class Use>
auto KernelCache::with(const std::shared_ptr<const SourceText>& source, Use use) {
  const std::shared_ptr<Entry> entry = useEntry(source);
  const std::scoped_lock lock(entry->mutex);
  if (entry->text == nullptr) entry->text = std::make_unique<Text>(entry->source, work_);
  return use(*entry->text);
}

const Result<CompiledKernelPtr>& KernelCache::lookUpKernel(Text& text, const std::string& name) {
  const auto found = text.kernels.find(name);
  return found != text.kernels.end()
             ? found->second
             : text.kernels.emplace(name, compileKernel(text.parsed, name)).first->second;
}

const std::vector<KernelSignature>& KernelCache::findSignatures(Text& text) {
  if (!text.signatures) text.signatures = lanescope::findKernels(text.parsed);
  return *text.signatures;
}

const TextFacts& KernelCache::collectFacts(Text& text, const Strategy& strategy) {
  const auto found = text.facts.find(&strategy);
  if (found != text.facts.end()) return found->second;
  return text.facts
      .emplace(&strategy, lanescope::collectFacts(strategy, text.parsed.source->text(), findSignatures(text)))
      .first->second;
}

std::vector<KernelSignature> KernelCache::findKernels(const std::shared_ptr<const SourceText>& source) {
  return with(source, [](Text& text) { return findSignatures(text); });
}

TextFacts KernelCache::collectFacts(const Strategy& strategy,
                                    const std::shared_ptr<const SourceText>& source) {
  return with(source, [&](Text& text) { return collectFacts(text, strategy); });
}

bool KernelCache::isReady(const std::shared_ptr<const SourceText>& source) {
  std::shared_ptr<Entry> entry;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = findEntry(source);
    if (found == entries_.end()) return false;
    entry = *found;
  }
  const std::unique_lock lock(entry->mutex, std::try_to_lock);
  return lock.owns_lock() && entry->text != nullptr;
}

TextCheck KernelCache::check(const std::shared_ptr<const SourceText>& source, const std::string& kernel,
                             const Strategy* strategy) {
  return with(source, [&](Text& text) {
    TextCheck check{text.parsed.diagnostics, findSignatures(text), {}};
    if (strategy != nullptr) check.facts = collectFacts(text, *strategy);
    if (!check.diagnostics.empty()) return check;
    if (kernel.empty()) check.diagnostics = faultsOfKernels(text.parsed.unit);
    if (!check.diagnostics.empty()) return check;
    const Result<CompiledKernelPtr>& compiled = lookUpKernel(text, kernel);
    if (!compiled) check.diagnostics = toDiagnostics(compiled.error());
    return check;
  });
}

Result<Launch> KernelCache::compiled(Launch launch) {
  const Result<CompiledKernelPtr> kernel =
      with(launch.source, [&](Text& text) { return lookUpKernel(text, launch.kernel); });
  if (!kernel) return kernel.error();
  launch.compiled = *kernel;
  launch.work = work_;
  return launch;
}

}  // namespace lanescope
