#pragma once

namespace lanescope {

/// Returns freed memory to the system if the C library keeps it for later. For use after a large piece of
/// work: it takes about a millisecond.
void giveBackMemory();

}  // namespace lanescope
