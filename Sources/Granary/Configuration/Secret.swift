/// A value that may be used but never shown: it describes itself as `set` or `unset`, also in a
/// debugger's or a log's reflection.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String?

    /// No secret.
    public init() {
        value = nil
    }

    /// A secret; an empty text counts as none, since an empty environment variable does.
    public init(_ value: String) {
        self.value = value.isEmpty ? nil : value
    }

    /// The secret itself, for the one call that sends it where it belongs; nil if there is none.
    public func reveal() -> String? { value }

    /// `set` or `unset`.
    public var description: String { value == nil ? "unset" : "set" }

    /// `set` or `unset`.
    public var debugDescription: String { description }

    /// A mirror without children, so that dumping a configuration shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
