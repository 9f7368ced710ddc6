import Locking

/// The effects that an action started, directly or through the actions of its effects.
///
/// It counts what is under way: running effects, and actions that wait to be worked off.
final class EffectGroup: Sendable {
    private struct State {
        var count = 0
        /// What ends an effect and makes its store forget it.
        var running: [Int: () -> Void] = [:]
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiting = 0
        var isCancelled = false
    }

    private let state = Lock(State())
    private let home: EffectHome

    init(home: EffectHome) {
        self.home = home
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

    /// - Parameter end: Ends the effect and makes its store forget it.
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

    /// Cancels what is running, from anywhere: the work is done where the store is.
    func cancelFromAnywhere() {
        home.deliver { self.cancel() }
    }

    /// Cancels what is running. Nothing more is waited for.
    func cancel() {
        let (running, waiting) = state.withLock { state in
            defer {
                state.isCancelled = true
                state.running = [:]
                state.waiting = [:]
            }
            return (state.running, Array(state.waiting.values))
        }
        for key in running.keys.sorted() { running[key]?() }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when nothing is under way any more, or the calling task is cancelled.
    func finish() async {
        let number = state.withLock { state in
            state.lastWaiting += 1
            return state.lastWaiting
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
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
