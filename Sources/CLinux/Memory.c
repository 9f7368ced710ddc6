#include "CLinux.h"

#include <malloc.h>

/// Blocks from this size on are mapped, and so returned to the system when they are freed. Fixed, since the library would
/// otherwise raise it to the largest block that was ever freed, and large blocks would stay in the heap.
enum { MAPPED_BLOCK = 256 << 10 };
/// Free bytes at the end of the heap that are kept for the next block.
enum { KEPT_FREE = 2 << 20 };

void granary_return_freed_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, MAPPED_BLOCK);
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
#endif
}
