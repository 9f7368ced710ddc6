import HTTPModel

// Conditions on the version that a session is at (RFC 9110 §13).
extension SessionShard {
    /// Lets through what is meant for the version that the session is at: `If-Match` has to name it and, where the request
    /// does more than look, `If-None-Match` must not.
    func checkVersion(_ request: HTTPRequest, _ session: Session) throws(ProblemDetails) {
        if let tags = try tags(.ifMatch, of: request), !tags.matchesStrongly(session.version) {
            throw .versionMismatch("If-Match does not name", session.version)
        }
        guard request.method != .get, request.method != .head else { return }
        if let tags = try tags(.ifNoneMatch, of: request), tags.matchesWeakly(session.version) {
            throw .versionMismatch("If-None-Match names", session.version)
        }
    }

    /// Whether the client has this version already, as `If-None-Match` says.
    func isUnchanged(_ version: UInt64, for request: HTTPRequest) -> Bool {
        guard let value = request.fields.list(.ifNoneMatch) else { return false }
        return EntityTags(value)?.matchesWeakly(version) ?? false
    }

    private func tags(_ name: HTTPFieldName, of request: HTTPRequest) throws(ProblemDetails) -> EntityTags? {
        guard let value = request.fields.list(name) else { return nil }
        guard let tags = EntityTags(value) else {
            throw .malformedField(name, expected: "a list of versions in quotes, like \"7\", or *")
        }
        return tags
    }
}

extension HTTPFields {
    /// The value of a field that is a list, its lines put together (RFC 9110 §5.3); nil if there is none.
    func list(_ name: HTTPFieldName) -> String? {
        count(of: name) > 1 ? values(name).joined(separator: ", ") : value(name)
    }
}
