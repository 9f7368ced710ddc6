/// A value that does not appear in descriptions, dumps and mirrors, which show only `set` or `unset`.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String?

    /// Creates an unset secret.
    public init() {
        value = nil
    }

    /// Creates a secret. An empty text counts as unset, as for environment variables.
    public init(_ value: String) {
        self.value = value.isEmpty ? nil : value
    }

    /// Returns the secret, or `nil` if it is unset.
    public func reveal() -> String? { value }

    /// `set` or `unset`.
    public var description: String { value == nil ? "unset" : "set" }

    /// `set` or `unset`.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
