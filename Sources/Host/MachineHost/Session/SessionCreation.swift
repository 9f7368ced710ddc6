/// The parameters and the name that a client has stated when it created a session. Confined to the session's loop.
///
/// A class, because most sessions have neither and then hold only a nil reference.
final class SessionCreation {
    /// The parameters as JSON; nil if the machine took none.
    let parameters: ArraySlice<UInt8>?
    /// The decoded parameters; nil if the machine takes none, or is not wired yet.
    var value: (any Sendable)?
    /// The name; nil if it has none.
    let name: SessionName?

    /// Creates the statement of a client. Returns nil if it has stated nothing.
    init?(parameters: ArraySlice<UInt8>?, value: (any Sendable)? = nil, name: SessionName?) {
        guard parameters != nil || name != nil else { return nil }
        self.parameters = parameters
        self.value = value
        self.name = name
    }

    /// Creates the statement of a stored session's client, without decoding the parameters.
    convenience init?(_ stored: StoredSession) {
        self.init(parameters: stored.parameters, name: stored.named?.name)
    }

    /// The size that the session is charged for it.
    var byteCount: Int { (parameters?.count ?? 0) + (name?.text.utf8.count ?? 0) }
}
