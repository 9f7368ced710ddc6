import CRuntime

/// A task as the Swift runtime refers to it in a job.
struct RuntimeTask {
    private let pointer: UnsafeRawPointer

    /// The task that runs on the calling thread; nil outside of tasks.
    static var current: RuntimeTask? { granary_current_task().map { RuntimeTask(pointer: $0) } }

    /// Returns the task of a job; nil for a job of another kind, such as one that runs the queue of an actor.
    init?(of job: UnownedJob) {
        pointer = unsafeBitCast(job, to: UnsafeRawPointer.self)
        guard granary_job_is_task(pointer) else { return nil }
    }

    private init(pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// A number that no other task of the process has.
    var id: UInt64 { granary_task_id(pointer) }

    /// The task as an object; nil for a child of another task, which is not an object of its own.
    var object: Unmanaged<AnyObject>? { granary_task_is_child(pointer) ? nil : .fromOpaque(pointer) }

    static func cancel(_ task: Unmanaged<AnyObject>) { granary_cancel_task(task.toOpaque()) }

    /// Returns whether a retained task has ended: the runtime retains a task until then.
    static func hasEnded(_ task: Unmanaged<AnyObject>) -> Bool { granary_task_references(task.toOpaque()) <= 1 }
}
