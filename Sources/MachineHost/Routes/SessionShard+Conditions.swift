import HTTPModel

// Conditional requests (RFC 9110 §13): the entity tag of a session is its version and, if the client does not see all outputs, its
// view. A condition may name the version alone, which the client knows from the response to an input.
extension SessionShard {
    /// Checks the conditions of a request against the session's version: `If-Match` must name it and, unless the method
    /// is GET or HEAD, `If-None-Match` must not.
    func checkVersion(
        _ request: HTTPRequest, _ session: Session, _ view: OutputFilter?
    ) throws(ProblemDetails) {
        let suffix = view?.entityTagSuffix
        if let tags = try tags(.ifMatch, of: request), !tags.matchesStrongly(session.version, suffix) {
            throw .versionMismatch("If-Match does not name", session.version)
        }
        // For GET and HEAD, a matching `If-None-Match` is not an error: `isUnchanged` turns it into a 304.
        guard request.method != .get, request.method != .head else { return }
        if let tags = try tags(.ifNoneMatch, of: request), tags.matchesWeakly(session.version, suffix) {
            throw .versionMismatch("If-None-Match names", session.version)
        }
    }

    /// Returns whether the client already has a version of its view, according to `If-None-Match`.
    func isUnchanged(_ version: UInt64, _ view: OutputFilter?, for request: HTTPRequest) -> Bool {
        guard let value = request.fields.list(.ifNoneMatch), let tags = EntityTags(value) else { return false }
        guard let suffix = view?.entityTagSuffix else { return tags.matchesWeakly(version) }
        // Not the version alone: the client may have had another view of it.
        return tags.matchesWeakly("\(version)\(suffix)")
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
    /// Returns the value of a list field, with its lines joined (RFC 9110 §5.3); nil if the field is missing.
    func list(_ name: HTTPFieldName) -> String? {
        count(of: name) > 1 ? values(name).joined(separator: ", ") : value(name)
    }
}
