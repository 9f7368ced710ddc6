import Access
import HTTPModel

/// The sessions that a client requests in one stream, from the query: `session=A&only=count,isOn&session=B`.
struct CombinedRequest {
    /// A session of the stream.
    struct Member {
        let id: SessionID
        /// The place of the session in the URL.
        let place: UInt8
        /// The value of `only` that follows the session; nil for all outputs.
        var only: String?
    }

    /// The sessions, in the order of the URL.
    private(set) var members: [Member] = []
    /// The request as it arrived.
    let request: HTTPRequest
    /// The requester: a principal, the holder of a ticket, or a client without credentials.
    let requester: Requester
    /// The id of the last event that the client has received; empty if none exists.
    let lastEventID: [UInt8]

    /// Reads the query of a request.
    ///
    /// - Parameter lastEventID: The id of the last event that the client has received, from a field or the query; empty if none exists.
    /// - Throws: A problem with status 400 unless it names 1 to 64 different sessions.
    init(_ request: HTTPRequest, from requester: Requester, after lastEventID: [UInt8]) throws(ProblemDetails) {
        self.request = request
        self.requester = requester
        self.lastEventID = lastEventID
        for pair in (request.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true) else { continue }
            let value = parts.count == 2 ? parts[1] : ""
            switch name {
            case "session": try add(value)
            case "only":
                guard let last = members.indices.last, members[last].only == nil else {
                    throw .malformedQuery("Expected each \"only\" to follow the \"session\" that it limits.")
                }
                guard let only = PercentEncoding.decode(value, plusIsSpace: true) else {
                    throw .malformedQuery("Expected the parameter \"only\" to be percent-encoded UTF-8.")
                }
                members[last].only = only
            default: continue
            }
        }
        guard !members.isEmpty else { throw .malformedQuery("Expected 1 to 64 parameters \"session\", got none.") }
    }

    /// Whether the client has received the ends of all sessions.
    var hasEnded: Bool { CombinedPosition.hasEnded(members.map(\.id), in: lastEventID) }

    private mutating func add(_ text: Substring) throws(ProblemDetails) {
        guard var decoded = PercentEncoding.decode(text), let id = decoded.withUTF8({ SessionID($0) }) else {
            throw .malformedQuery("Expected each \"session\" to be an id of \(SessionID.textCount) characters.")
        }
        guard members.count < CombinedPosition.maxEntries else {
            throw .malformedQuery("Expected 1 to \(CombinedPosition.maxEntries) parameters \"session\", got more.")
        }
        guard !members.contains(where: { $0.id == id }) else {
            throw .malformedQuery("Expected each \"session\" once, got one of them twice.")
        }
        members.append(Member(id: id, place: UInt8(members.count), only: nil))
    }
}
