#pragma once

#include <memory>
#include <string_view>

#include "app/launch/kernel_signature.h"
#include "app/launch/launch_form.h"
#include "sim/machine/run/captured_launch.h"

namespace lanescope {

/// The form that makes a launch of a program: numbers are written out, all other arguments are as the program
/// gave them. `signature`: the kernel's, or nullptr.
LaunchForm makeForm(std::shared_ptr<const CapturedLaunch> captured, const KernelSignature* signature);

/// True if an argument of a form is as a program gave it.
bool isOfProgram(std::string_view spec);

/// The arguments of a form with a captured launch: the program's, some of them replaced by the form's
/// entries. Errors: another number of them; an entry that does not fit.
Result<std::shared_ptr<const GivenArguments>> givenBy(const LaunchForm& form);

}  // namespace lanescope
