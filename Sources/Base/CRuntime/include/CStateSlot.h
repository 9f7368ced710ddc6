/// The registry of the machine that the calling thread is wiring.
///
/// Every subscription reads it, so it must cost two instructions only while no machine is being wired: Swift has no
/// thread-local variables of its own, and `pthread_getspecific` is a call.
#ifndef GRANARY_CSTATESLOT_H
#define GRANARY_CSTATESLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Initial-exec: the module is linked into the program, never loaded by `dlopen`, so that an access needs no call. Hidden:
// the module is part of the image that uses it, so that an access needs no table of addresses.
#define GRANARY_SLOT __attribute__((visibility("hidden")))

extern GRANARY_SLOT _Thread_local void *granary_state_slot __attribute__((tls_model("initial-exec")));
extern GRANARY_SLOT _Thread_local int64_t granary_clock_slot __attribute__((tls_model("initial-exec")));

/// The number of threads that are wiring a machine.
// A thread sees its own change, and needs to see no other. So relaxed accesses suffice.
extern GRANARY_SLOT int granary_wiring_count;

/// Returns the thread's registry, or NULL.
static inline void *granary_state_registry(void) {
    if (__builtin_expect(__atomic_load_n(&granary_wiring_count, __ATOMIC_RELAXED) == 0, 1)) return NULL;
    return granary_state_slot;
}

/// Sets the thread's registry.
static inline void granary_set_state_registry(void *registry) {
    int difference = (registry != NULL) - (granary_state_slot != NULL);
    granary_state_slot = registry;
    __atomic_fetch_add(&granary_wiring_count, difference, __ATOMIC_RELAXED);
}

/// Returns the stored time in nanoseconds since 1970 at which the thread's session clock was zero.
static inline int64_t granary_clock_offset(void) { return granary_clock_slot; }

/// Sets the stored time at which the thread's session clock was zero.
static inline void granary_set_clock_offset(int64_t offset) { granary_clock_slot = offset; }

/// Bytes of an object on which the state of a part of a machine depends.
struct granary_place {
    /// The distance from the beginning of the object.
    uint32_t offset;
    uint32_t count;
};

/// Returns whether two areas contain the same bytes. Another thread may be changing the first one.
bool granary_is_same(const void *bytes, const void *copy, size_t count);

/// The beginning of a block of memory that places in the objects of one class follow.
struct granary_layout {
    /// The number of places whose bytes are copied.
    uint32_t kept_count;
    /// The number of places after them, which must contain one address.
    uint32_t fixed_count;
    const void *fixed;
    /// Whether a copy is a block of memory of its own.
    bool is_large;
    /// What else is known of the layout.
    const void *details;
};

/// The layouts by their numbers. The first place is empty, because a number of 0 stands for no layout.
// Numbers instead of addresses: those would move most parts to the allocator's next size. An entry is set before its number is
// given to anyone, and never changes.
extern GRANARY_SLOT const struct granary_layout *granary_layouts[UINT16_MAX + 1];

/// Returns the layout with a number.
static inline const struct granary_layout *granary_layout_at(uint16_t number) { return granary_layouts[number]; }

/// Gives a number to a layout.
static inline void granary_set_layout(uint16_t number, const struct granary_layout *layout) {
    granary_layouts[number] = layout;
}

/// A copy in which the bytes of places follow each other, or the address of one that is large.
// As large as that of the connection of a subject: a larger one would move most parts to the allocator's next size.
struct granary_copy {
    uint32_t words[3];
};

/// Returns the copy in a block of memory.
static inline struct granary_copy granary_large_copy(void *block) {
    struct granary_copy copy = {{(uint32_t)(uintptr_t)block, (uint32_t)((uint64_t)(uintptr_t)block >> 32), 0}};
    return copy;
}

/// Returns the block of a large copy.
static inline void *granary_copy_block(struct granary_copy copy) {
    return (void *)(uintptr_t)((uint64_t)copy.words[1] << 32 | copy.words[0]);
}

/// Returns the places of a layout.
static inline struct granary_place *granary_layout_places(const struct granary_layout *layout) {
    return (struct granary_place *)(layout + 1);
}

/// Returns whether the places of an object contain the same bytes as their copy.
bool granary_is_unchanged(uint16_t layout_number, const void *object, struct granary_copy copy);

/// Copies the bytes of the places of an object.
void granary_keep_places(uint16_t layout_number, const void *object, struct granary_copy *copy);

#endif
