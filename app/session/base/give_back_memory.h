#pragma once

namespace lanescope {

/// Hands memory that was freed back to the system, where the C library keeps it for later. After a large
/// piece of work: it takes about a millisecond.
void giveBackMemory();

}  // namespace lanescope
