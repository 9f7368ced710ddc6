/// The registry of the machine that the calling thread is wiring.
///
/// Every subscription to a stateful operator reads it, so it must cost a few instructions only: Swift has no
/// thread-local variables of its own, and `pthread_getspecific` is a call.
#ifndef GRANARY_CSTATESLOT_H
#define GRANARY_CSTATESLOT_H

#include <stddef.h>
#include <stdint.h>

// Initial-exec: the module is linked into the program, never loaded by `dlopen`, so that an access needs no call.
extern _Thread_local void *granary_state_slot __attribute__((tls_model("initial-exec")));

/// Returns the thread's registry, or NULL.
static inline void *granary_state_registry(void) { return granary_state_slot; }

/// Sets the thread's registry.
static inline void granary_set_state_registry(void *registry) { granary_state_slot = registry; }

#endif
