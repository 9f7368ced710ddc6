import CombineCore

/// A task that is cancelled as a subscription is.
struct RunningTask: Cancellable {
    private let stop: @Sendable () -> Void

    init(_ stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    func cancel() {
        stop()
    }
}
