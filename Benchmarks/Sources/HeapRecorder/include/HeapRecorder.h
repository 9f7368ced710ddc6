#pragma once

// This library is loaded before the C library (`LD_PRELOAD`). From the first SIGURG on it records the blocks of memory that a program
// allocates. With the second one it appends those that were not freed to the file that `HEAP_RECORD` names: their sizes with the
// allocator's word, and the types of those that are Swift objects.
