/// The status of a session's stream.
public enum SessionStatus: Equatable, Sendable {
    /// The stream is being opened.
    case connecting
    /// The outputs are current.
    case live
    /// The stream was lost, and the client waits before it tries again. The outputs are the last known ones.
    case offline
    /// The client no longer follows the session and does not try again by itself.
    case ended(SessionEnd)
}

/// The reason why a client no longer follows a session.
public enum SessionEnd: Equatable, Sendable {
    /// A client deleted the session.
    case deleted
    /// Nobody used the session for too long.
    case expired
    /// The machine failed. The log of the server has the reason under the id.
    case failed(incident: String?)
    /// The server does not know the session: it was forgotten, or the server has restarted and does not store sessions.
    case unknown
    /// The session has ended for a reason that this version of the client does not know.
    case other(String)
    /// There is no valid credential for the session. ``GranaryConnection/reconnect()`` tries again.
    case unauthorized
    /// The server could not be reached for many attempts. ``GranaryConnection/reconnect()`` tries again.
    case unreachable
    /// The server refused the stream. ``GranaryConnection/reconnect()`` tries again.
    case refused(ServerProblem)
    /// An output does not fit the types, as the text says.
    case incompatible(String)
    /// The program closed the machine or the connection.
    case closed

    /// Whether the session itself has ended, and not only the stream of this client.
    public var isFinal: Bool {
        switch self {
        case .deleted, .expired, .failed, .unknown, .other: true
        case .unauthorized, .unreachable, .refused, .incompatible, .closed: false
        }
    }
}
