import Synchronization

/// Counts the bytes of a session's large values: each value once, as long as an output, the history, a response or a
/// slow reader references it. Created with the session's first large value.
final class LargeValueLedger: Sendable {
    private let host: SessionHost
    // Atomic, because the last reference to a value may be released on the thread of another loop, which writes a
    // response.
    private let count = Atomic(0)

    init(host: SessionHost) {
        self.host = host
    }

    /// The bytes of all large values that are still referenced.
    var byteCount: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) {
        count.add(bytes, ordering: .relaxed)
        host.retain(bytes)
    }

    func subtract(_ bytes: Int) {
        assert(byteCount >= bytes, "expected at least \(bytes) bytes of large values, got less")
        count.subtract(bytes, ordering: .relaxed)
        host.release(bytes)
    }
}
