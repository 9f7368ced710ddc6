#include "CLinux.h"

#include <malloc.h>

/// Blocks of at least this size are mapped and thus returned to the system when they are freed. Setting the threshold
/// fixes it; otherwise the C library raises it to the largest block that was ever freed, and large blocks stay in the
/// heap.
enum { MAPPED_BLOCK = 256 << 10 };
/// The number of free bytes at the end of the heap that are kept for further allocations.
enum { KEPT_FREE = 2 << 20 };

void granary_return_freed_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, MAPPED_BLOCK);
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
#endif
}

size_t granary_heap_bytes_in_use(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

void granary_release_free_pages(void) {
#ifdef __GLIBC__
    malloc_trim(KEPT_FREE);
#endif
}
