#include "CStateSlot.h"

_Thread_local void *granary_state_slot __attribute__((tls_model("initial-exec")));
_Thread_local int64_t granary_clock_slot __attribute__((tls_model("initial-exec")));
int granary_wiring_count;

// Another thread may be sending a value into an operator. What is read here then differs from the copy, or will differ at the
// end of the next turn, so that no lock is needed. These are not calls of memcmp, whose accesses the thread sanitizer reports
// wherever it is called.
#if defined(__clang__)
#define GRANARY_RACY __attribute__((no_sanitize("thread", "address"), noinline))
#else
#define GRANARY_RACY
#endif

#define GRANARY_LOAD(type, pointer) (*(const volatile type *)(pointer))

typedef uint64_t granary_word __attribute__((aligned(1), may_alias));

static inline __attribute__((always_inline)) bool is_same(const void *bytes, const void *copy, size_t count) {
    const unsigned char *left = bytes, *right = copy;
    for (; count >= sizeof(granary_word); count -= sizeof(granary_word)) {
        if (GRANARY_LOAD(granary_word, left) != GRANARY_LOAD(granary_word, right)) return false;
        left += sizeof(granary_word);
        right += sizeof(granary_word);
    }
    for (; count > 0; count--) {
        if (GRANARY_LOAD(unsigned char, left++) != GRANARY_LOAD(unsigned char, right++)) return false;
    }
    return true;
}

GRANARY_RACY bool granary_is_same(const void *bytes, const void *copy, size_t count) {
    return is_same(bytes, copy, count);
}

GRANARY_RACY bool granary_is_unchanged(const struct granary_watch *watch) {
    const struct granary_place *places = granary_watch_places(watch);
    const unsigned char *kept = granary_watch_copy(watch);
    for (size_t index = 0; index < watch->count; index++) {
        const struct granary_place *place = &places[index];
        if (!is_same(place->address, kept, place->count)) return false;
        kept += place->count;
    }
    return watch->is_kept;
}

GRANARY_RACY void granary_keep_places(struct granary_watch *watch) {
    const struct granary_place *places = granary_watch_places(watch);
    unsigned char *kept = granary_watch_copy(watch);
    for (size_t index = 0; index < watch->kept_count; index++) {
        const unsigned char *bytes = places[index].address;
        for (size_t offset = 0; offset < places[index].count; offset++) {
            *kept++ = GRANARY_LOAD(unsigned char, bytes + offset);
        }
    }
    watch->is_kept = true;
}
