/// A promise to the clients of a session that the server broke.
public struct SessionViolation: Equatable, Sendable, CustomStringConvertible {
    /// The kinds of promises.
    public enum Kind: String, Sendable, CaseIterable {
        /// The effect of an acknowledged input disappeared.
        case lostInput = "lost input"
        /// The effect of an input appeared more than once, or its key was answered in two ways.
        case repeatedInput = "repeated input"
        /// An effect appeared that no input had, or that of a refused input.
        case inventedInput = "invented input"
        /// A session disappeared, although nobody deleted it and its time was not over.
        case lostSession = "lost session"
        /// A session that had ended took part again.
        case revivedSession = "revived session"
        /// A name led to another session, although the one before had not ended.
        case lostName = "lost name"
        /// A client saw an older version than one that was seen before.
        case lostVersion = "lost version"
        /// A stream left out a version, or repeated one.
        case unevenVersions = "uneven versions"
        /// One version had two contents.
        case twoContents = "two contents"
        /// The versions started anew, although nothing may have been lost.
        case newEpoch = "new epoch"
        /// The versions went on, although some that clients have seen may have been lost.
        case oldEpoch = "old epoch"
    }

    /// The kind.
    public let kind: Kind
    /// The session.
    public let session: String
    /// A message that states what was expected and what was seen.
    public let detail: String

    /// The violation as one line.
    public var description: String { "\(kind.rawValue) in \(session): \(detail)" }
}
