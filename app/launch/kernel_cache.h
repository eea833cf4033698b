#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/launch/kernel_signature.h"
#include "kernels/strategies/catalogue.h"
#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// Facts about a strategy's text, edited or not. KernelCache finds them once per text.
struct TextFacts {
  ElementType element = ElementType::Float;  ///< the type that the kernel writes to
  bool isOwn = true;                         ///< the strategy's own, except for the type of its elements
  bool operator==(const TextFacts&) const = default;
};

/// `kernels`: those of the text.
TextFacts collectFacts(const Strategy& strategy, std::string_view text,
                       std::span<const KernelSignature> kernels);

/// The parts of a strategy's run that are not the strategy's own, as headings name them: `edited`, `double`,
/// `launch changed`, or two of them: `double, launch changed`; "" if there are none. `hasForm`: a form
/// launches it.
std::string changeNote(const TextFacts& facts, bool hasForm);

/// The contents of a text and its errors.
struct TextCheck {
  std::vector<Diagnostic> diagnostics;
  std::vector<KernelSignature> kernels;  ///< in the text's order; those before a fault, if there is one
  TextFacts facts{};                     ///< of a strategy's text
};

/// The texts of a session, each parsed once, and the kernels of them, each compiled once, for all that ask.
/// For any thread. Texts are compared by content; the last few are kept.
class KernelCache {
 public:
  /// `work` counts what is done for texts and for the launches of them; may be null.
  explicit KernelCache(WorkCountPtr work = {}) : work_(std::move(work)) {}
  const WorkCountPtr& work() const { return work_; }

  /// The kernels of a text, in its order: those before a fault, if there is one.
  std::vector<KernelSignature> findKernels(const std::shared_ptr<const SourceText>& source);
  /// The errors that prevent that kernel (`name` or `name<128>`; empty: the only one) from running, and the
  /// contents of the text. `strategy`: the text's; nullptr: a file's.
  TextCheck check(const std::shared_ptr<const SourceText>& source, const std::string& kernel,
                  const Strategy* strategy);
  TextFacts collectFacts(const Strategy& strategy, const std::shared_ptr<const SourceText>& source);
  /// True if the above need not wait: the text is parsed, and no other thread uses it now. Changes nothing.
  bool isReady(const std::shared_ptr<const SourceText>& source);
  /// The launch with its kernel compiled. Errors: those of compileKernel().
  Result<Launch> compiled(Launch launch);

 private:
  struct Text {
    Text(std::shared_ptr<const SourceText> text, WorkCountPtr work)
        : parsed(std::move(text), std::move(work)) {}
    ParsedText parsed;
    std::map<std::string, Result<CompiledKernelPtr>> kernels;
    std::map<const Strategy*, TextFacts> facts;
    std::optional<std::vector<KernelSignature>> signatures;
  };
  /// One of the texts, parsed on first use.
  struct Entry {
    std::shared_ptr<const SourceText> source;
    std::mutex mutex;
    std::unique_ptr<Text> text;
  };
  using Entries = std::list<std::shared_ptr<Entry>>;

  /// Calls `use` with the text while no other thread uses it.
  template <class Use>
  auto with(const std::shared_ptr<const SourceText>& source, Use use);
  Entries::iterator findEntry(const std::shared_ptr<const SourceText>& source);
  std::shared_ptr<Entry> useEntry(const std::shared_ptr<const SourceText>& source);
  static const Result<CompiledKernelPtr>& lookUpKernel(Text& text, const std::string& name);
  static const std::vector<KernelSignature>& findSignatures(Text& text);
  static const TextFacts& collectFacts(Text& text, const Strategy& strategy);

  WorkCountPtr work_;
  std::mutex mutex_;
  Entries entries_;  ///< the one requested last comes first
};

}  // namespace lanescope
