#include "sim/machine/compile/compiled_kernel.h"

#include "sim/language/check/checker.h"
#include "sim/machine/compile/contract.h"

namespace lanescope {

Result<CompiledKernelPtr> compileKernel(const ParsedText& text, std::string_view kernel,
                                        ProductRounding rounding) {
  auto checked = checkKernel(text, kernel);
  if (!checked) return checked.error();
  if (rounding == ProductRounding::Fused) contractMultiplyAdd(*checked);
  countWork(text.work, &WorkCount::compilations);
  auto code = compile(std::move(*checked));
  if (!code) return code.error();
  auto compiled = std::make_shared<CompiledKernel>();
  compiled->source = text.source;
  compiled->asked = kernel;
  compiled->code = std::move(*code);
  for (const SourceSpan site : compiled->code.sites)
    compiled->lineOfSite.push_back(text.source->findLine(site));
  const std::string_view full = compiled->code.kernelName;
  const std::string_view name = full.substr(0, full.find('<'));
  const syntax::Function* const own = kernelNamed(text.unit, name, splitKernelName(kernel).number);
  if (own != nullptr) compiled->line = text.source->findLine(own->span);
  for (const syntax::Function& function : text.unit.functions) {
    if (!function.isKernel && function.body != nullptr)
      compiled->functions.push_back({function.name, {function.span.begin, function.body->span.end}});
  }
  return CompiledKernelPtr(std::move(compiled));
}

}  // namespace lanescope
