import Access

/// A session as an operator sees it, without its values. Session ids are credentials, so it has only the stored id.
package struct OperatedSession: Sendable {
    /// The summary that the journal has of it, or would have, with wall times.
    package let summary: SessionSummary
    /// Its situation, as far as its host knows.
    package let situation: SessionSituation
    /// Its durability; nil if this build does not host its machine.
    package let durability: Durability?
    /// Its state in memory; nil if its machine is not in memory.
    package let live: LiveSession?
    /// The number of its open streams, which a session that sleeps may have, too.
    package let streams: Int
    /// Whether this build can read its content.
    package let isReadable: Bool

    package var id: StoredSessionID { summary.id }
    /// The hash of its principal, as it is in the log; nil if everyone who knows its id may use it.
    package var principal: String? { summary.owner?.hash?.description }
}

/// The state of a session in memory, as its loop reports it.
package struct LiveSession: Sendable {
    /// The summary that the journal would have, with wall times.
    let summary: SessionSummary
    let streams: Int
    /// The name of the session in the log of this process.
    package let logName: String
    package let retainedBytes: Int
    /// Whether its machine may be released while nobody uses it.
    package let hibernates: Bool
    /// The reason for which its machine is in memory; nil if it may be released.
    package let awake: AwakeDescription?
    /// The number of scheduled blocks and timers of its machine.
    package let timers: Int
}

/// An open stream of a session.
package struct OperatedStream: Sendable {
    /// The hash of the principal that has opened it, as in the log; nil if it has no principal.
    package let principal: String?
    /// Whether it was opened with a ticket.
    package let isOfTicket: Bool
    /// The version up to which it was sent; nil if nothing was sent yet, or nothing more will be.
    package let version: UInt64?

    init(_ stream: SessionStream) {
        principal = if case .principal(let hash)? = stream.lease?.holder { hash.description } else { nil }
        isOfTicket = stream.lease?.isOfTicket ?? false
        version = stream.sentVersion
    }
}

/// The reason for which the machine of a session is in memory, in words.
package struct AwakeDescription: Sendable, Equatable {
    /// The kind of the reason: `configuration`, `effect`, `work`, `topic`, `timer`, `storage`, `stream` or `use`.
    package let kind: String
    /// The name of the effect, the work or the topic, if it has one.
    package var name: String?
    /// The wall time at which the effect began, or the timer is due, in milliseconds of Unix time.
    package var time: Int64?

    /// - Parameter lead: By how much the wall clock is ahead of stored times, in milliseconds.
    init(_ reason: AwakeReason, wallLead lead: Int64) {
        switch reason {
        case .configuration: kind = "configuration"
        case .effect(let name, let since): (kind, self.name, time) = ("effect", name, since &+ lead)
        case .work(let name): (kind, self.name) = ("work", name)
        case .topic(let name): (kind, self.name) = ("topic", name)
        case .timer(let due): (kind, time) = ("timer", due &+ lead)
        case .storage: kind = "storage"
        case .stream: kind = "stream"
        case .use: kind = "use"
        }
    }

    /// The reason as a clause.
    package var text: String {
        switch kind {
        case "configuration": "sessions do not hibernate (sessions.hibernateAfter)"
        case "effect": "the effect \"\(name ?? "")\" waits for its answer"
        case "work": name.map { "the operator \"\($0)\" has work that would be lost" } ?? "it has scheduled work"
        case "topic": "it follows the topic \"\(name ?? "")\""
        case "timer": "a timer is due soon"
        case "storage": "its last change is not stored yet"
        case "stream": "a client has not received everything"
        default: "it was used a short time ago"
        }
    }
}
