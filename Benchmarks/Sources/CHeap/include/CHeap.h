#pragma once

#include <stddef.h>

/// The number of heap bytes in use, including the allocator's overhead.
size_t heap_bytes_in_use(void);
