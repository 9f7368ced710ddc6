import HTTPModel

/// A turn that ended the process before this one.
public struct TrapReport: Sendable {
    /// The incident, which the client of the turn's request receives.
    public let incident: String
    /// The session.
    public let session: StoredSessionID
    /// The name of its machine.
    public let machine: String
    /// Whether the session is not restored for some time, because it has ended too many processes.
    public let isQuarantined: Bool
}

/// Names of incidents, which a client may quote and the log contains.
enum Incident {
    /// Returns a new name: sixteen hexadecimal digits.
    static func random() -> String { Hexadecimal.text(of: UInt64.random(in: .min ... .max)) }
}
