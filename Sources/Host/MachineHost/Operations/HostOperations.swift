import Dispatch
package import HTTPModel
import Locking
import StateCapture

/// The operations of operators on the sessions of a host: those in memory and those that are stored.
///
/// The methods wait for loops and for the journal, so they must not be called on a loop or on the thread of the journal. Each of them
/// takes the session's stored id, because the id that clients hold is a credential.
package struct HostOperations: Sendable {
    /// The time that a loop has to respond.
    private static let patience = DispatchTimeInterval.seconds(2)

    let host: SessionHost

    package init(_ host: SessionHost) {
        self.host = host
    }

    /// The stored sessions; nil if no sessions are stored.
    var archive: SessionArchive? {
        host.journal.map { SessionArchive(WriterJournalAccess($0), opening: host.seal, now: host.wallClock) }
    }

    /// The wall time in milliseconds of Unix time.
    var wallMilliseconds: Int64 { host.wallClock().sinceBeginning / 1_000_000 }

    /// By how much the wall clock is ahead of stored times, in milliseconds.
    var wallLead: Int64 { host.journal?.clock.deriveWallLead() ?? 0 }

    /// The machines, in the order of their registration.
    package var machines: [(definition: MachineDefinition, durability: Durability)] {
        host.catalogue.machines.map { ($0.definition, $0.durability) }
    }

    // Loops.

    /// Returns the result of a closure on the loop of a session; nil if the loop has no sessions, or does not respond in time.
    func onLoop<Result>(
        of id: StoredSessionID, _ body: @escaping @Sendable (SessionShard) -> Result
    ) -> Result? {
        host.shards.all.first { $0.loop.index == id.loop(of: $0.loop.count) }.flatMap { onLoop($0, body) }
    }

    /// Returns the results of a closure on all loops that respond in time.
    func onAllLoops<Result>(_ body: @escaping @Sendable (SessionShard) -> Result) -> [(index: Int, result: Result?)] {
        let pending = host.shards.all.map { ($0.loop.index, PendingResult(on: $0, body)) }
        // Together, so that several stuck loops cost as much time as one.
        let deadline = DispatchTime.now() + HostOperations.patience
        return pending.map { ($0, $1.wait(until: deadline)) }
    }

    private func onLoop<Result>(
        _ address: ShardTable.Address, _ body: @escaping @Sendable (SessionShard) -> Result
    ) -> Result? {
        PendingResult(on: address, body).wait(until: .now() + HostOperations.patience)
    }

    /// Returns a report of each loop: its index, the numbers of its sessions and streams, and the result of a closure; nil for a loop that
    /// does not respond.
    package func loops<Result: Sendable>(
        _ body: @escaping @Sendable (any EventLoop) -> Result
    ) -> [(index: Int, found: (sessions: Int, streams: Int, result: Result)?)] {
        onAllLoops { shard in
            let counts = shard.operatedCounts
            return (counts.sessions, counts.streams, body(shard.loop))
        }
        .map { ($0.index, $0.result) }
    }

    // Sessions.

    /// Returns the definition of a machine; nil if this build does not host it.
    func definition(_ name: String) -> MachineDefinition? { host.catalogue[name]?.definition }

    /// Returns the stored id of the session with the id that a client holds, or of the one whose stored id begins with some digits.
    ///
    /// - Throws: `ArchiveError` if none exists, or several do.
    package func find(_ name: String) throws -> StoredSessionID {
        if let id = SessionID(text: name) {
            let stored = StoredSessionID(of: id)
            if onLoop(of: stored, { $0.operated(stored) != nil }) == true { return stored }
        } else if name.utf8.count == 32, let id = StoredSessionID(beginning: name.lowercased()) {
            // The usual case, and the only one for sessions that are not stored.
            if onLoop(of: id, { $0.operated(id) != nil }) == true { return id }
        }
        guard let archive else { throw ArchiveError.noSession(HostOperations.quoted(name)) }
        do {
            return try archive.find(name).id
        } catch ArchiveError.noSession {
            throw ArchiveError.noSession(HostOperations.quoted(name))
        }
    }

    /// Returns a name for a message, which must not repeat the id of a session.
    private static func quoted(_ name: String) -> String {
        SessionID(text: name) == nil ? name : "an id of 22 characters"
    }
}

/// The result of a closure on a loop.
private final class PendingResult<Value>: Sendable {
    private let value = Lock(UnsafeTransfer<Value?>(nil))
    private let done = DispatchSemaphore(value: 0)

    init(on address: ShardTable.Address, _ body: @escaping @Sendable (SessionShard) -> Value) {
        address.execute { [self] shard in
            let result = UnsafeTransfer(shard.map(body))
            value.withLock { $0 = result }
            done.signal()
        }
    }

    /// Returns nil if the loop has no shard any more, or does not respond in time.
    func wait(until deadline: DispatchTime) -> Value? {
        guard done.wait(timeout: deadline) == .success else { return nil }
        return value.withLock { $0.value }
    }
}

extension HostOperations {
    /// Whether some values of a machine are never shown, so that nothing may be shown that could contain them.
    package func concealsValues(ofMachine name: String) -> Bool {
        ValueDisclosure(definition(name), isRevealed: true).concealsStates
    }
}
