import CombineCore

struct RunningTask: Cancellable {
    private let stop: @Sendable () -> Void

    init(_ stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    func cancel() {
        stop()
    }
}
