/// An error of a client's communication with its server.
public enum GranaryError: Error, Equatable, Sendable {
    /// The server refused the request, and repeating it would not help. An input that is refused was not run, except for
    /// the part of a batch that ``ServerProblem/detail`` names.
    case refused(ServerProblem)
    /// The request may have run or not: the answer was lost, and the server no longer remembers the key of the request, or
    /// the attempts are used up. Read the outputs to find out.
    case outcomeUnknown(String)
    /// The server could not be reached, or it asked for patience for too long. The request did not run.
    case unreachable(String)
    /// There is no credential, or the server rejected the renewed one, too.
    case unauthorized(String)
    /// The session has ended.
    case sessionEnded(SessionEnd)
    /// The server sent something that does not fit the types, such as an output of another type. Write the types again.
    case incompatible(String)
    /// A value has no JSON form.
    case invalidValue(String)
    /// Too many inputs wait to be sent.
    case queueFull(limit: Int)
    /// The connection follows as many sessions as one stream can have.
    case tooManySessions(limit: Int)
    /// The connection or the machine was closed by the program.
    case closed
}

/// An error response of the server (RFC 9457).
public struct ServerProblem: Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// The kind, such as `invalid-value`; empty if the response has none, for example because a proxy has sent it.
    public var kind: String
    /// A message that states what was expected and what was received.
    public var detail: String
    /// The id under which the log of the server has the reason of a failure.
    public var incident: String?
    /// The reason why a session has ended, with status 410.
    public var reason: String?

    /// Whether the server itself has sent the response, and not a proxy.
    var isOfServer: Bool { !kind.isEmpty }

    /// Creates a problem.
    public init(status: Int, kind: String = "", detail: String = "", incident: String? = nil, reason: String? = nil) {
        self.status = status
        self.kind = kind
        self.detail = detail
        self.incident = incident
        self.reason = reason
    }
}
