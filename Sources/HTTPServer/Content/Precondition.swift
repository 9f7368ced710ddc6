import HTTPModel

/// What the conditions of a request come to, for a target that has a tag and no date (RFC 9110 §13.2.2).
enum Precondition {
    /// The request is to be done.
    case holds
    /// The client has what there is: 304.
    case notModified
    /// The request was meant for something else: 412.
    case failed

    /// Looks at the conditions in their order: `If-Match` first, then `If-None-Match`. Those on dates do not hold for a
    /// target without one, and are left out. `isRead` is true of GET and HEAD.
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
