#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/launch/kernel_signature.h"
#include "kernels/strategies/catalogue.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// A launch as the window's form has it. `kernel` is its name alone, and no entry is empty.
struct LaunchForm : LaunchSpec {
  LaunchForm() {
    grid = "1";
    block = "64";
    dynamicShared = "0";
  }

  std::string templateArguments{};  ///< `128, float`; empty without
  /// The launch of a program that it was made from: arguments that begin with `program` are as it gave them.
  std::shared_ptr<const CapturedLaunch> captured{};
  bool operator==(const LaunchForm&) const = default;

  /// `name` or `name<128>`.
  std::string kernelName() const;
};

/// The fault of each entry: one sentence and a way out, or "".
struct FormFaults {
  std::string kernel;
  std::string grid;
  std::string block;
  std::string dynamicShared;
  std::vector<std::string> arguments;  ///< as many as the form has

  bool any() const;
};

/// A form to begin with: 64 threads, buffers of an element per thread, the dynamic shared memory that a float
/// per thread needs if the kernel declares some. If a block has two dimensions: a block as large as the
/// kernel's tile, four of them, and square matrices that they cover. One block, if the kernel does not tell
/// blocks apart.
LaunchForm formFor(const KernelSignature& signature);
/// The form that makes that launch.
LaunchForm makeForm(const Launch& launch);

/// The kernel of that name among them, or nullptr.
const KernelSignature* findSignature(const std::vector<KernelSignature>& kernels, const std::string& name);

/// Checks every entry; `signature` is the kernel's, or nullptr if the text has none of that name.
FormFaults checkForm(const LaunchForm& form, const KernelSignature* signature);

/// The form with a number for a scalar (`8`) as a spec (`i32=8`). `kernels`: of its text.
LaunchForm completed(LaunchForm form, const std::vector<KernelSignature>& kernels);

/// The launch that a form describes, all its arguments being specs. The error is that of its first wrong
/// entry.
Result<Launch> bindLaunch(const LaunchForm& form, std::shared_ptr<const SourceText> source,
                          const MachineModel& machine);

/// A strategy's form for another of its operators, with data that give a meaningful result with it (fillFor);
/// data that differ from the previous operator's stay.
LaunchForm withOperator(LaunchForm form, const Strategy& strategy, const std::string& op);

/// A strategy's form for another type of element: its buffers of elements are of that type, and the dynamic
/// shared memory holds as many as before. An entry that cannot be read stays as it is.
LaunchForm withElements(LaunchForm form, const Strategy& strategy, ElementType from, ElementType to);

/// The fills of a buffer, and the spec with another one in its place; a scalar stays as it is.
const std::vector<std::string>& fillNames();
std::string withFill(const std::string& spec, const std::string& fill);

/// The fields of a struct's spec as they are written, without their names; empty if it is not a struct or has
/// an unclosed brace. `withField` gives the spec with another text for field `i`.
std::vector<std::string> splitFields(const std::string& spec);
std::string withField(const std::string& spec, std::size_t i, const std::string& text);

/// The form that makes a launch of a program: numbers are written out, all other arguments are as the program
/// gave them. `signature`: the kernel's, or nullptr.
LaunchForm makeForm(std::shared_ptr<const CapturedLaunch> captured, const KernelSignature* signature);

/// True if an argument of a form is as a program gave it.
bool isOfProgram(std::string_view spec);

/// The arguments of a form with a captured launch: the program's, some of them replaced by the form's
/// entries. Errors: another number of them; an entry that does not fit.
Result<std::shared_ptr<const RawArguments>> rawArguments(const LaunchForm& form);

/// A form to begin with, as formFor(), but with the values of the text's first launch of the kernel: grid,
/// block, dynamic shared memory and whole numbers, as far as they follow from literals and constants of the
/// text, and buffers of an element per thread, or of the largest number if that is more. If nothing follows,
/// or the buffers would be too large to be traced, it is formFor().
LaunchForm formFor(const KernelSignature& signature, std::string_view text);

}  // namespace lanescope
