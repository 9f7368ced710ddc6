import HTTPModel

/// The result of a request's conditions, for a target with an entity tag and without a date (RFC 9110 §13.2.2).
enum Precondition {
    /// The request is to be performed.
    case holds
    /// The client has the current content: 304.
    case notModified
    /// The request refers to other content: 412.
    case failed

    /// Evaluates the conditions in the order of the RFC: `If-Match`, then `If-None-Match`. Conditions on dates are
    /// ignored, since the target has none. `isRead` is true for GET and HEAD.
    init(_ fields: HTTPFields, tag: HTTPEntityTag, isRead: Bool) {
        if let tags = HTTPEntityTags(.ifMatch, in: fields), !tags.matchesStrongly(tag) {
            self = .failed
        } else if let tags = HTTPEntityTags(.ifNoneMatch, in: fields), tags.matchesWeakly(tag) {
            self = isRead ? .notModified : .failed
        } else {
            self = .holds
        }
    }
}
