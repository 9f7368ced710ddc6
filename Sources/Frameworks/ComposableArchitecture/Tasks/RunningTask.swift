import CombineCore

/// A task as a `Cancellable`.
struct RunningTask: Cancellable {
    private let stop: @Sendable () -> Void

    init(_ stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    func cancel() {
        stop()
    }
}
