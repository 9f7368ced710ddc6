#ifndef GRANARY_TASKS_H
#define GRANARY_TASKS_H

#include <stdbool.h>
#include <stdint.h>

// What the Swift runtime knows of tasks, and the standard library does not offer. The functions belong to the stable interface of
// the runtime, which compiled programs call; the layout of a job is that of `SwiftJob` in the toolchain's `ExecutorImpl.h`.

/// Whether a job is a part of a task.
bool granary_job_is_task(const void *_Nonnull job);

/// Whether the task of a job is a child, which is not an object of its own.
bool granary_task_is_child(const void *_Nonnull task);

/// The number of a task, which no other task of the process has.
uint64_t granary_task_id(const void *_Nonnull task);

/// The task that runs on the calling thread; null if none exists.
const void *_Nullable granary_current_task(void);

/// Cancels a task.
void granary_cancel_task(const void *_Nonnull task);

/// The number of references to a task that is an object.
uintptr_t granary_task_references(const void *_Nonnull task);

#endif
