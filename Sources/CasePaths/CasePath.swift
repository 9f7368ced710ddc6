/// The way from an enum to the value in one of its cases and back, as a value.
///
/// It is for enums what a key path is for structures: `/AppAction.login` embeds a login action in an app action, and
/// extracts it from one.
public struct CasePath<Root, Value>: @unchecked Sendable {
    // Sendable because both functions only wrap and unwrap values. They are not marked `@Sendable`, since case paths are
    // made of any function and so of code that was written before the word existed.
    @usableFromInline let embedding: (Value) -> Root
    @usableFromInline let extraction: (Root) -> Value?

    /// Makes a case path of the two ways.
    ///
    /// - Parameters:
    ///   - embed: Wraps a value; always in the same case.
    ///   - extract: The value that was wrapped; nil for a root in another case.
    @inlinable
    public init(embed: @escaping (Value) -> Root, extract: @escaping (Root) -> Value?) {
        embedding = embed
        extraction = extract
    }

    /// Wraps `value` in the case.
    @inlinable
    public func embed(_ value: Value) -> Root {
        embedding(value)
    }

    /// The value in `root`; nil if `root` is in another case.
    @inlinable
    public func extract(from root: Root) -> Value? {
        extraction(root)
    }

    /// The way through this case and on through a case of its value.
    public func appending<AppendedValue>(path: CasePath<Value, AppendedValue>) -> CasePath<Root, AppendedValue> {
        CasePath<Root, AppendedValue>(
            embed: { embedding(path.embedding($0)) }, extract: { extraction($0).flatMap(path.extraction) })
    }
}

extension CasePath: CustomStringConvertible {
    /// Root and value.
    public var description: String { "CasePath<\(Root.self), \(Value.self)>" }
}
