/// A start of a process that shares a journal with others. A restarted process is another node.
public struct NodeID: Hashable, Comparable, Sendable {
    /// The number that the journal has given it: greater than those of all nodes before.
    public let number: Int64

    /// Creates the id of a node with a number.
    public init(_ number: Int64) { self.number = number }

    /// Returns whether the left node has joined before the right one.
    public static func < (left: NodeID, right: NodeID) -> Bool { left.number < right.number }
}

/// The lease of a node: a counter that grows with each renewal.
public struct NodeLease: Equatable, Sendable {
    /// The node.
    public let node: NodeID
    /// The number of renewals.
    public let counter: Int64
    /// Where the other nodes reach it.
    public let address: String

    /// Creates a lease.
    public init(node: NodeID, counter: Int64, address: String) {
        (self.node, self.counter, self.address) = (node, counter, address)
    }
}

/// The node that holds a session: the only one that may run its turns and store its rows.
public struct SessionHolder: Equatable, Sendable {
    /// The node.
    public let node: NodeID
    /// The number of times that the session has changed its holder, with its creation.
    public let epoch: Int64
    /// Where the other nodes reach the node.
    public let address: String

    /// Creates a holder.
    public init(node: NodeID, epoch: Int64, address: String) {
        (self.node, self.epoch, self.address) = (node, epoch, address)
    }
}

/// A journal that several nodes use at the same time. Each session is held by one of them.
///
/// A call throws `JournalError(.held)` if the node was fenced: others may have claimed its sessions. Nothing that it sends afterwards is
/// stored.
///
/// ``Journal/sessions(dueAt:limit:)`` and ``Journal/nextDueTime()`` leave the sessions of other nodes out, but not those that no node
/// holds, which must be claimed before they are woken. Closing the journal releases the sessions of the node.
public protocol SharedJournal: VerifiedJournal {
    /// This node; nil if the journal was opened for one process alone. The methods below require a node.
    var node: NodeID? { get }

    /// Renews the lease of this node.
    ///
    /// - Returns: The leases of all nodes that are not fenced, as they were after the renewal.
    func renewLease() throws -> [NodeLease]

    /// Fences a node that has stopped, unless it has renewed its lease since: waits for its last transaction, and rejects all that follow.
    /// No node holds its sessions any more.
    ///
    /// - Parameter lease: The lease of another node, which this one has seen unchanged for the whole term.
    /// - Returns: Whether the node is fenced.
    func fence(_ lease: NodeLease) throws -> Bool

    /// Claims a session for this node if no node holds it. What is loaded afterwards contains everything that its holders have stored.
    ///
    /// - Returns: The holder, which may be another node that was faster; nil if the session is not stored.
    func claim(_ session: StoredSessionID) throws -> SessionHolder?

    /// Returns the node that holds a session; nil if the session is not stored, or no node holds it.
    func holder(of session: StoredSessionID) throws -> SessionHolder?

    /// Passes a session of this node to another one. Its snapshot must be stored.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - epoch: The number under which this node holds the session.
    ///   - node: The node that holds it from now on.
    /// - Returns: The holder from now on; nil if the session is not stored, or the other node has ended.
    func move(_ session: StoredSessionID, epoch: Int64, to node: NodeID) throws -> SessionHolder?

    /// Stores a batch, completely or not at all, if this node holds its sessions. It is flushed.
    ///
    /// - Parameters:
    ///   - batch: The changes.
    ///   - epochs: The number under which this node holds each session of the batch; 0 for a session that the batch creates.
    /// - Returns: The sessions that keep the batch from being stored: another node holds them, or a session with the same name. Empty if
    ///   the batch is stored.
    func commit(_ batch: JournalBatch, under epochs: [StoredSessionID: Int64]) throws -> [StoredSessionID]
}
