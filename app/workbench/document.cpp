#include "app/workbench/document.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/launch/kernel_file.h"
#include "app/launch/launch_in_text.h"

namespace lanescope {

std::string Document::name() const {
  return strategy != nullptr ? std::string(strategy->file) : std::filesystem::path(path).filename().string();
}

std::shared_ptr<const SourceText> Document::source(std::string text) const {
  return std::make_shared<const SourceText>(name(), std::move(text), includes);
}

void Document::readIncludes() {
  if (strategy != nullptr) return;
  std::vector<IncludedText> found = lanescope::readIncludes(path, buffer.text());
  for (IncludedText& before : includes) {
    if (std::ranges::count(found, before.path, &IncludedText::path) == 0) found.push_back(std::move(before));
  }
  includes = std::move(found);
}

bool Document::has(const SourceText& source) const { return source.text() == buffer.text(); }

Document makeDocument(const Strategy& strategy) {
  Document document;
  document.strategy = &strategy;
  document.original = std::make_shared<SourceText>(std::string(strategy.file), plainText(strategy.source));
  document.buffer = TextBuffer(strategy.source);
  return document;
}

Document makeDocument(std::string path, const std::string& text, KernelCache& kernels) {
  Document document;
  document.path = std::move(path);
  document.buffer = TextBuffer(text);
  document.readIncludes();
  document.original = document.source(plainText(text));
  const std::vector<KernelSignature> found = kernels.findKernels(document.original);
  document.form = found.empty() ? LaunchForm() : formFor(found.front(), document.original->text());
  return document;
}

}  // namespace lanescope
