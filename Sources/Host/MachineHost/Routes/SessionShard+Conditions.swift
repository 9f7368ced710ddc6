import HTTPModel

// Conditional requests (RFC 9110 §13): the entity tag of a session is the position of its version in the client's stream. The version
// alone, which the client knows from the response to an input, is as good in the session's first epoch. In a later one, it may be that
// of another history.
extension SessionShard {
    /// Checks the conditions of a request against the session's version: `If-Match` must name it and, unless the method
    /// is GET or HEAD, `If-None-Match` must not.
    func checkVersion(
        _ request: HTTPRequest, _ session: Session, _ view: OutputFilter?
    ) throws(ProblemDetails) {
        if let tags = try tags(.ifMatch, of: request), !tags.matchesStrongly(session.tags(for: view)) {
            throw .versionMismatch("If-Match does not name", session.position(for: view))
        }
        // For GET and HEAD, a matching `If-None-Match` is not an error: `isUnchanged` turns it into a 304.
        guard request.method != .get, request.method != .head else { return }
        if let tags = try tags(.ifNoneMatch, of: request), tags.matchesWeakly(session.tags(for: view)) {
            throw .versionMismatch("If-None-Match names", session.position(for: view))
        }
    }

    /// Returns whether the client already has the session's version in its view, according to `If-None-Match`.
    func isUnchanged(_ session: Session, _ view: OutputFilter?, for request: HTTPRequest) -> Bool {
        guard let value = request.fields.list(.ifNoneMatch), let tags = EntityTags(value) else { return false }
        // In a view, not the version alone: the client may have had another view of it.
        return tags.matchesWeakly(
            view == nil ? session.tags(for: nil) : [session.position(for: view).text])
    }

    private func tags(_ name: HTTPFieldName, of request: HTTPRequest) throws(ProblemDetails) -> EntityTags? {
        guard let value = request.fields.list(name) else { return nil }
        guard let tags = EntityTags(value) else {
            throw .malformedField(name, expected: "a list of entity tags in quotes, or *")
        }
        return tags
    }
}

extension HTTPFields {
    /// Returns the value of a list field, with its lines joined (RFC 9110 §5.3); nil if the field is missing.
    func list(_ name: HTTPFieldName) -> String? {
        guard let first = value(name) else { return nil }
        return count(of: name) > 1 ? values(name).joined(separator: ", ") : first
    }
}

extension Session {
    /// Returns what a condition may call the session's version, without quotes.
    fileprivate func tags(for view: OutputFilter?) -> [String] {
        let tag = position(for: view).text
        return isInFirstEpoch ? [tag, "\(version)"] : [tag]
    }
}
