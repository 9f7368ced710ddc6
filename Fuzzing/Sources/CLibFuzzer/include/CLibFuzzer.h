#ifndef GRANARY_CLIBFUZZER_H
#define GRANARY_CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// What libFuzzer offers to a program that has a main of its own. The package manager gives every executable one.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*check)(const uint8_t *bytes, size_t count));

#endif
