#pragma once

#include <stddef.h>

/// How many bytes of the heap are in use, with what the allocator adds to each of them.
size_t heap_bytes_in_use(void);
