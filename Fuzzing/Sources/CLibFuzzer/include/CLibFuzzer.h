#ifndef GRANARY_CLIBFUZZER_H
#define GRANARY_CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// The interface of libFuzzer for programs with their own main function, which the package manager adds to every
// executable.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*check)(const uint8_t *bytes, size_t count));

#endif
