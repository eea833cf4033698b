#pragma once

#include "app/session/floors/floor_watch.h"
#include "app/views/base/view.h"

namespace lanescope {

/// What the floors of a document's text are asked for with: the GPU on show (else an H200), N and the block
/// of the GPU panel, cold caches. A document with a launch form has a launch of its own. The error, one
/// sentence, says why there are none.
Result<FloorRequest> floorRequestOf(ViewState& state, const Document& document);

/// The same of a strategy's own text.
Result<FloorRequest> floorRequestOf(const ViewState& state, const Strategy& strategy);

}  // namespace lanescope
