import Locking
import Synchronization

/// The context for new connections, which can be replaced while the server runs. Existing connections keep theirs.
/// Usable from any thread.
public final class TLSContextSource: Sendable {
    private let present: Lock<TLSContext>
    private let tickets = TLSTicketKeys()
    private let replacements = Atomic(0)

    /// Creates the first context, or throws if the configuration is invalid.
    public init(_ configuration: TLSConfiguration) throws(TLSError) {
        present = Lock(try TLSContext(configuration, tickets: tickets))
    }

    /// The context for the next connection.
    public var current: TLSContext { present.withLock { $0 } }

    /// The number of replacements, from which the owner of a copy learns cheaply that ``current`` has changed.
    package var generation: Int { replacements.load(ordering: .acquiring) }

    /// Replaces the configuration for new connections. Throws and keeps the current one if the new one is invalid.
    public func replace(with configuration: TLSConfiguration) throws(TLSError) {
        let next = try TLSContext(configuration, tickets: tickets)
        present.withLock { $0 = next }
        replacements.add(1, ordering: .releasing)
    }

    /// Creates a new ticket key. Call it about once an hour.
    public func rotateTicketKeys() {
        tickets.rotate()
    }
}
