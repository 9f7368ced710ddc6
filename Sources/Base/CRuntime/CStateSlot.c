#include "CStateSlot.h"

_Thread_local void *granary_state_slot __attribute__((tls_model("initial-exec")));
_Thread_local int64_t granary_clock_slot __attribute__((tls_model("initial-exec")));
int granary_wiring_count;
const struct granary_layout *granary_layouts[UINT16_MAX + 1];

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
typedef uint32_t granary_half __attribute__((aligned(1), may_alias));
typedef const void *granary_address __attribute__((aligned(1), may_alias));

static inline __attribute__((always_inline)) bool is_same(const void *bytes, const void *copy, size_t count) {
    const unsigned char *left = bytes, *right = copy;
    for (; count >= sizeof(granary_word); count -= sizeof(granary_word)) {
        if (GRANARY_LOAD(granary_word, left) != GRANARY_LOAD(granary_word, right)) return false;
        left += sizeof(granary_word);
        right += sizeof(granary_word);
    }
    if (count == 0) return true;
    if (count >= sizeof(granary_half)) {
        if (GRANARY_LOAD(granary_half, left) != GRANARY_LOAD(granary_half, right)) return false;
        left += sizeof(granary_half);
        right += sizeof(granary_half);
        count -= sizeof(granary_half);
    }
    for (; count > 0; count--) {
        if (GRANARY_LOAD(unsigned char, left++) != GRANARY_LOAD(unsigned char, right++)) return false;
    }
    return true;
}

GRANARY_RACY bool granary_is_same(const void *bytes, const void *copy, size_t count) {
    return is_same(bytes, copy, count);
}

static inline __attribute__((always_inline)) unsigned char *bytes_of(
    const struct granary_layout *layout, struct granary_copy *copy) {
    return layout->is_large ? granary_copy_block(*copy) : (unsigned char *)copy->words;
}

GRANARY_RACY bool granary_is_unchanged(
    uint16_t layout_number, const void *object, struct granary_copy copy) {
    const struct granary_layout *layout = granary_layouts[layout_number];
    const struct granary_place *place = granary_layout_places(layout);
    const unsigned char *kept = bytes_of(layout, &copy);
    for (uint32_t left = layout->kept_count; left > 0; left--, place++) {
        if (!is_same((const unsigned char *)object + place->offset, kept, place->count)) return false;
        kept += place->count;
    }
    for (uint32_t left = layout->fixed_count; left > 0; left--, place++) {
        const unsigned char *bytes = (const unsigned char *)object + place->offset;
        if (GRANARY_LOAD(granary_address, bytes) != layout->fixed) return false;
    }
    return true;
}

GRANARY_RACY void granary_keep_places(
    uint16_t layout_number, const void *object, struct granary_copy *copy) {
    const struct granary_layout *layout = granary_layouts[layout_number];
    const struct granary_place *places = granary_layout_places(layout);
    unsigned char *kept = bytes_of(layout, copy);
    for (size_t index = 0; index < layout->kept_count; index++) {
        const unsigned char *bytes = (const unsigned char *)object + places[index].offset;
        for (size_t offset = 0; offset < places[index].count; offset++) {
            *kept++ = GRANARY_LOAD(unsigned char, bytes + offset);
        }
    }
}
