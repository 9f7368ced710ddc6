#pragma once

/// How often the process has asked for memory since it started. Loaded before the C library (`LD_PRELOAD`), this
/// library stands between it and the process, so a program that is not being counted is exactly the one that is.
unsigned long allocation_count(void);
