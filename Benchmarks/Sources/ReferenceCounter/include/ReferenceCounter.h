#pragma once

// This library is loaded before the Swift runtime (`LD_PRELOAD`) and counts what a program asks it for: retains, releases and
// allocations of objects. On SIGURG it writes the sums to standard error. What the runtime and the standard library do without a call
// from the program is not counted.
