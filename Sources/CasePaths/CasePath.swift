/// A pair of functions that embed a value in an enum case and extract it again.
///
/// Case paths are to enums what key paths are to structures: `/AppAction.login` embeds a login action in an app action,
/// and extracts it from one.
public struct CasePath<Root, Value>: @unchecked Sendable {
    // Sendable because both functions only wrap and unwrap values. They are not `@Sendable`, because case paths are
    // created from any function, including code written before Swift 5.5.
    @usableFromInline let embedding: (Value) -> Root
    @usableFromInline let extraction: (Root) -> Value?

    /// Creates a case path from its two functions.
    ///
    /// - Parameters:
    ///   - embed: Wraps a value, always in the same case.
    ///   - extract: Returns the wrapped value, or nil for a root in another case.
    @inlinable
    public init(embed: @escaping (Value) -> Root, extract: @escaping (Root) -> Value?) {
        embedding = embed
        extraction = extract
    }

    /// Returns `value` wrapped in the case.
    @inlinable
    public func embed(_ value: Value) -> Root {
        embedding(value)
    }

    /// Returns the value in `root`, or nil if `root` is in another case.
    @inlinable
    public func extract(from root: Root) -> Value? {
        extraction(root)
    }

    /// Returns the path through this case and then through a case of its value.
    public func appending<AppendedValue>(path: CasePath<Value, AppendedValue>) -> CasePath<Root, AppendedValue> {
        CasePath<Root, AppendedValue>(
            embed: { embedding(path.embedding($0)) }, extract: { extraction($0).flatMap(path.extraction) })
    }
}

extension CasePath: CustomStringConvertible {
    /// The types of root and value.
    public var description: String { "CasePath<\(Root.self), \(Value.self)>" }
}
