import CombineCore

/// The scopes of one hosted session, for effects that an operator creates and subscribes to in a turn of the session,
/// where no scope is current.
///
/// The session owns this object, so the scopes end with it. It is used on the session's thread only.
final class SessionScopes {
    /// The scope of the root store that was created last. Weak, because the scope refers to the session.
    weak var latestStore: EffectScope?
    private(set) lazy var storage = InMemoryStorage(ofSession: ())
    /// The scope for a session without a store. Delivers directly, and so does not refer to the session either.
    private lazy var withoutStore = EffectScope(withoutStoreSharing: storage)

    /// The scope for an effect that was created outside any scope.
    var scope: EffectScope { latestStore ?? withoutStore }

    /// Returns the scopes of a session, or nil if `session` does not store attachments.
    static func of(_ session: any MainSubstitute) -> SessionScopes? {
        if let scopes = session.attachment as? SessionScopes { return scopes }
        session.attachment = SessionScopes()
        return session.attachment as? SessionScopes
    }

    /// Returns the shared values of a session. A session that cannot have a storage shares nothing, rather than everything.
    static func storage(of session: any MainSubstitute) -> InMemoryStorage {
        of(session)?.storage ?? InMemoryStorage(ofSession: ())
    }
}
