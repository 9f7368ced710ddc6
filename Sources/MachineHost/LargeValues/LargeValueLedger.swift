import Synchronization

/// Counts the bytes of one session's large values: each value once, for as long as anything holds it (an output, the
/// history, a response, a slow reader). Created with a session's first large value.
///
/// The last reference to a value may be released on another loop's thread, so the counter is atomic.
final class LargeValueLedger: Sendable {
    private let host: SessionHost
    private let count = Atomic(0)

    init(host: SessionHost) {
        self.host = host
    }

    /// The bytes of all large values that are still held.
    var byteCount: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) {
        count.add(bytes, ordering: .relaxed)
        host.retain(bytes)
    }

    func subtract(_ bytes: Int) {
        count.subtract(bytes, ordering: .relaxed)
        host.release(bytes)
    }
}
