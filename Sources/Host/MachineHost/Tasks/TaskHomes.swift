import CombineCore
import Locking

/// The sessions to which tasks belong, so that what the tasks do on the main actor runs on the loops of their sessions.
///
/// The runtime does not say for whom a job is. So a task belongs to a session if the session starts it: in a turn, or in
/// another task of the session. It is found again by its number.
enum TaskHomes {
    /// The place at which a task was started.
    enum Origin {
        /// It was started on the main actor or by the session itself.
        case session
        /// It was started elsewhere, such as a detached one.
        case elsewhere
    }

    private struct Entry {
        let home: SessionScheduler
        /// The retained task; nil for a child, which is not an object of its own.
        let task: Unmanaged<AnyObject>?
        let origin: Origin
    }

    // Sendable: the lock protects the entries, and a task is a thread-safe object.
    private struct State: @unchecked Sendable {
        var entries: [UInt64: Entry] = [:]
        /// The number of entries after which those of ended tasks are removed.
        var limit = 64
    }

    private static let state = Lock(State())

    /// Returns the session to which the task of a job belongs; nil if it belongs to none. Remembers a task that a session starts.
    static func home(of job: UnownedJob, origin: Origin) -> SessionScheduler? {
        guard let task = RuntimeTask(of: job) else { return nil }
        if let known = state.withLock({ $0.entries[task.id]?.home }) { return known }
        guard let home = currentHome else { return nil }
        remember(task, home, origin)
        return home
    }

    static func remember(_ task: RuntimeTask, _ home: SessionScheduler, _ origin: Origin = .session) {
        let ended = state.withLock { state -> [Unmanaged<AnyObject>] in
            guard state.entries[task.id] == nil else { return [] }
            let entry = Entry(home: home, task: task.object?.retain(), origin: origin)
            state.entries[task.id] = entry
            return state.entries.count > state.limit ? removeEnded(&state) : []
        }
        // Outside of the lock: the last reference to a task may release objects that run code.
        for task in ended { task.release() }
    }

    /// Forgets a task that is about to end.
    static func forget(_ task: RuntimeTask) {
        state.withLock { $0.entries.removeValue(forKey: task.id) }?.task?.release()
    }

    /// Cancels the tasks of a session that has ended.
    static func cancelTasks(of home: SessionScheduler) {
        let tasks = state.withLock { state in
            state.entries.values.compactMap { entry in
                entry.home === home && entry.origin == .session ? entry.task?.retain() : nil
            }
        }
        for task in tasks {
            RuntimeTask.cancel(task)
            task.release()
        }
    }

    /// The session whose task or turn runs on the calling thread.
    private static var currentHome: SessionScheduler? {
        if let task = RuntimeTask.current, let home = state.withLock({ $0.entries[task.id]?.home }) { return home }
        return (MainContext.current as? MainQueueSubstitute)?.scheduler
    }

    private static func removeEnded(_ state: inout State) -> [Unmanaged<AnyObject>] {
        var ended: [Unmanaged<AnyObject>] = []
        for (id, entry) in state.entries {
            guard let task = entry.task, RuntimeTask.hasEnded(task) else { continue }
            ended.append(task)
            state.entries[id] = nil
        }
        // A child does not outlive the task that waits for it.
        let homes = Set(state.entries.values.filter { $0.task != nil }.map { ObjectIdentifier($0.home) })
        state.entries = state.entries.filter { homes.contains(ObjectIdentifier($0.value.home)) }
        state.limit = max(64, 2 * state.entries.count)
        return ended
    }
}
