#include "app/session/document/document.h"

#include <filesystem>
#include <utility>

#include "app/session/launch/launch_in_text.h"

namespace lanescope {

std::string Document::name() const {
  return strategy != nullptr ? std::string(strategy->file) : std::filesystem::path(path).filename().string();
}

bool Document::has(const SourceText& source) const { return source.text() == buffer.text(); }

Document documentOf(const Strategy& strategy) {
  Document document;
  document.strategy = &strategy;
  document.original = std::make_shared<SourceText>(std::string(strategy.file), plainText(strategy.source));
  document.buffer = TextBuffer(strategy.source);
  return document;
}

Document documentOf(std::string path, const std::string& text, KernelCache& kernels) {
  Document document;
  document.path = std::move(path);
  document.original = std::make_shared<SourceText>(document.name(), plainText(text));
  document.buffer = TextBuffer(text);
  const std::vector<KernelSignature> found = kernels.kernelsOf(document.original);
  document.form = found.empty() ? LaunchForm() : formFor(found.front(), document.original->text());
  return document;
}

}  // namespace lanescope
