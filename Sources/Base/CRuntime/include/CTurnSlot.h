/// The turn that is in progress on a thread, noted where the next process finds it if a trap ends this one.
///
/// Swift cannot catch a trap, and nothing may be allocated or locked in a signal handler. So the handler only flags memory that is
/// mapped to a file: the page cache outlives the process.
#ifndef GRANARY_CTURNSLOT_H
#define GRANARY_CTURNSLOT_H

#include <stdint.h>

/// What is known about the turn in progress on a loop.
struct granary_turn {
    /// One of the states below.
    uint32_t state;
    /// Whether `key` and `request` are set.
    uint32_t has_key;
    uint32_t reserved[2];
    /// The stored id of the session.
    uint64_t session[2];
    /// The digest of the idempotency key.
    uint64_t key[2];
    /// The digest of the request with the key.
    uint64_t request[2];
};

/// The process did not end during a turn of this loop, or not by the turn's own fault.
#define GRANARY_TURN_UNFLAGGED 0
/// The turn ended the process.
#define GRANARY_TURN_TRAPPED 1

// Initial-exec and hidden: see CStateSlot.
extern __attribute__((visibility("hidden"))) _Thread_local struct granary_turn *granary_turn_slot
    __attribute__((tls_model("initial-exec")));

/// Returns the turn in progress on the calling thread, or NULL.
static inline struct granary_turn *granary_current_turn(void) { return granary_turn_slot; }

/// Sets the turn in progress on the calling thread, or NULL.
static inline void granary_set_current_turn(struct granary_turn *turn) { granary_turn_slot = turn; }

/// Flags the turn in progress on the calling thread, if there is one. Safe in a signal handler.
void granary_flag_current_turn(void);

/// Has traps flag the turn in progress on their thread, before they do what they would do anyway. Idempotent.
void granary_watch_traps(void);

/// Gives the calling thread a stack for signal handlers, so that an exhausted stack can be handled as well.
void granary_make_signal_stack(void);

#endif
