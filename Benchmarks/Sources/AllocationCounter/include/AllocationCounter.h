#pragma once

/// The number of allocations since the process started. This library is loaded before the C library (`LD_PRELOAD`) and
/// intercepts its calls, so the measured program is the same with and without counting.
unsigned long allocation_count(void);
