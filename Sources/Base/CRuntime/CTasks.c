#include "CTasks.h"

#include <stddef.h>

#define SWIFT_CALL __attribute__((swiftcall))

extern SWIFT_CALL uint64_t swift_task_getJobTaskId(const void *job);
extern SWIFT_CALL const void *swift_task_getCurrent(void);
extern SWIFT_CALL void swift_task_cancel(const void *task);
extern size_t swift_retainCount(const void *object);

/// The beginning of a job.
struct job {
    const void *metadata;
    uintptr_t reference_counts;
    void *scheduler_private[2];
    uint32_t flags;
} __attribute__((aligned(2 * sizeof(void *))));

enum { kind_mask = 0xFF, task_kind = 0, child_flag = 1 << 24 };

bool granary_job_is_task(const void *job) { return (((const struct job *)job)->flags & kind_mask) == task_kind; }

bool granary_task_is_child(const void *task) { return (((const struct job *)task)->flags & child_flag) != 0; }

uint64_t granary_task_id(const void *task) { return swift_task_getJobTaskId(task); }

const void *granary_current_task(void) { return swift_task_getCurrent(); }

void granary_cancel_task(const void *task) { swift_task_cancel(task); }

uintptr_t granary_task_references(const void *task) { return swift_retainCount(task); }
