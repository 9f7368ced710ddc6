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

GRANARY_RACY bool granary_is_same(const void *bytes, const void *copy, size_t count) {
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

GRANARY_RACY bool granary_are_same(const struct granary_place *places, size_t count, const void *copy) {
    const unsigned char *kept = copy;
    for (size_t index = 0; index < count; index++) {
        if (!granary_is_same(places[index].address, kept, places[index].count)) return false;
        kept += places[index].count;
    }
    return true;
}

GRANARY_RACY void granary_copy_places(const struct granary_place *places, size_t count, void *copy) {
    unsigned char *kept = copy;
    for (size_t index = 0; index < count; index++) {
        const unsigned char *bytes = places[index].address;
        for (size_t offset = 0; offset < places[index].count; offset++) {
            *kept++ = GRANARY_LOAD(unsigned char, bytes + offset);
        }
    }
}
