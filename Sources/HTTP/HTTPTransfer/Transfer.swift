import Synchronization

/// A request in flight.
package final class Transfer: Sendable {
    private let cancellation = Atomic(false)
    private let loop: TransferLoop

    init(on loop: TransferLoop) { self.loop = loop }

    var isCancelled: Bool { cancellation.load(ordering: .acquiring) }

    /// Cancels the transfer unless it has ended. Callable from any thread, also in its receiver, and more than once.
    ///
    /// The receiver gets ``TransferFailure/cancelled`` as its last event. No other event begins after `cancel` has returned.
    package func cancel() {
        guard !cancellation.exchange(true, ordering: .releasing) else { return }
        loop.wake()
    }
}
