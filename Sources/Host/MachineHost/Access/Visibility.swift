import Access

// To whom sessions are visible. To others, they do not exist.
extension Requester {
    /// Returns whether a session exists, or has existed, for the requester.
    func sees(_ owner: PrincipalHash?, _ id: @autoclosure () -> StoredSessionID) -> Bool {
        switch self {
        case .anonymous: owner == nil
        case .principal(_, let hash): owner == nil || owner == hash
        case .ticket(let ticket): ticket.session == SessionDigest(id())
        }
    }

    /// Returns whether the requester has a ticket for another session.
    func hasTicket(forOtherThan id: SessionID) -> Bool {
        // Not `guard case`, which copies the requester of each request.
        switch self {
        case .ticket(let ticket): ticket.session != SessionDigest(StoredSessionID(of: id))
        case .anonymous, .principal: false
        }
    }
}

extension SessionDigest {
    init(_ id: StoredSessionID) { self.init(high: id.high, low: id.low) }
}

extension Session {
    /// The id under which the session is stored, or would be.
    var storedID: StoredSessionID { storage?.id ?? StoredSessionID(of: id) }
}
