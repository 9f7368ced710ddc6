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

extension CasePath where Root == Value {
    /// Creates the path from a type to itself.
    public init() {
        self.init(embed: { $0 }, extract: { $0 })
    }
}

extension CasePath {
    /// Modifies the value in `root` in place.
    ///
    /// - Throws: ``ExtractionFailed`` if `root` is in another case, and the errors of `body`.
    public func modify<Result>(_ root: inout Root, _ body: (inout Value) throws -> Result) throws -> Result {
        guard var value = extraction(root) else { throw ExtractionFailed() }
        let result = try body(&value)
        root = embedding(value)
        return result
    }

    /// Returns whether `root` is in the case, for `case /AppAction.login:`.
    public static func ~= (path: CasePath, root: Root) -> Bool {
        path.extraction(root) != nil
    }
}

/// A value was expected in one case of an enum, but was in another one.
public struct ExtractionFailed: Error {}

extension CasePath: CustomStringConvertible, CustomDebugStringConvertible {
    /// The types of root and value.
    public var description: String { "CasePath<\(Root.self), \(Value.self)>" }

    /// The types of root and value, with the current name of the type.
    public var debugDescription: String { "AnyCasePath<\(Root.self), \(Value.self)>" }
}
