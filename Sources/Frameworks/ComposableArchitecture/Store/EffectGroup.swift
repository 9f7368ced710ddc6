import Locking

/// The effects that an action started, directly or through the actions of those effects.
///
/// It counts running effects and pending actions.
final class EffectGroup: Sendable {
    private struct State {
        var count = 0
        /// Closures that cancel an effect and remove it from its store, by effect number.
        var running: [Int: () -> Void] = [:]
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiting = 0
        var isCancelled = false
    }

    private let state = Lock(State())
    private let scope: EffectScope

    init(scope: EffectScope) {
        self.scope = scope
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    var isOver: Bool { state.withLock { $0.count == 0 } }

    func hold() {
        state.withLock { $0.count += 1 }
    }

    func release() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// - Parameter end: Cancels the effect and removes it from its store.
    func add(number: Int, _ end: @escaping () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.running[number] = end }
            return state.isCancelled
        }
        if isCancelled { end() }
    }

    func remove(_ number: Int) {
        let token = state.withLock { $0.running.removeValue(forKey: number) }
        withExtendedLifetime(token) {}
    }

    /// Cancels the running effects. May be called from any thread: the work is done where the store is confined.
    func cancelFromAnywhere() {
        scope.deliver { self.cancel() }
    }

    /// Cancels the running effects and resumes all waiting callers.
    func cancel() {
        let (running, waiting) = state.withLock { state in
            defer {
                state.isCancelled = true
                state.running = [:]
                state.waiting = [:]
            }
            return (state.running, Array(state.waiting.values))
        }
        // In the order in which the effects started, so that the order that a test observes does not depend on hashing.
        for key in running.keys.sorted() { running[key]?() }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when no effect is running and no action is pending, or when the calling task is cancelled.
    func finish() async {
        let number = state.withLock { state in
            state.lastWaiting += 1
            return state.lastWaiting
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // `onCancel` may have run before the continuation was stored; nothing would resume it then.
                    if state.count == 0 || state.isCancelled || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
