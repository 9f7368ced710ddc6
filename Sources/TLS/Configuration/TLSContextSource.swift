import Locking

/// The context that new connections get, which can be exchanged while the server runs: those that are there keep theirs.
/// From any thread.
public final class TLSContextSource: Sendable {
    private let present: Lock<TLSContext>
    private let tickets = TLSTicketKeys()

    /// Makes the first context, or throws what is wrong with the configuration.
    public init(_ configuration: TLSConfiguration) throws(TLSError) {
        present = Lock(try TLSContext(configuration, tickets: tickets))
    }

    /// What the next connection gets.
    public var current: TLSContext { present.withLock { $0 } }

    /// Has new connections use another configuration. Where something is wrong with that it throws, and all stays as it was.
    public func replace(with configuration: TLSConfiguration) throws(TLSError) {
        let next = try TLSContext(configuration, tickets: tickets)
        present.withLock { $0 = next }
    }

    /// Makes a new key for tickets; to be called every hour or so.
    public func rotateTicketKeys() {
        tickets.rotate()
    }
}
