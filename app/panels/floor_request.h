#pragma once

#include "app/analysis/floor_watch.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// The parameters of the floors of a document's text: the shown GPU (else an H200), N and the block of the
/// GPU panel, cold caches. A document with a launch form has its own launch. The error, one sentence, says
/// why there are none.
Result<FloorRequest> makeFloorRequest(ViewState& state, const Document& document);

/// The same for a strategy's unedited text.
Result<FloorRequest> makeFloorRequest(const ViewState& state, const Strategy& strategy);

}  // namespace lanescope
