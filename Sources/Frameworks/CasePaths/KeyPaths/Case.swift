/// A case of an enum, or the enum itself, at the end of a ``CaseKeyPath``.
///
/// Its members are the cases of the associated value, so that key paths lead through nested enums.
@dynamicMemberLookup
public struct Case<Value>: Sendable {
    private let path: AnyCasePath<Any, Value>

    private init(_ path: AnyCasePath<Any, Value>) {
        self.path = path
    }

    /// Creates the start of key paths: the enum itself.
    public init() {
        self.init(AnyCasePath(embed: { $0 }, extract: { $0 as? Value }))
    }

    /// Creates a case from its two functions.
    ///
    /// - Parameters:
    ///   - embed: Returns an enum in the case.
    ///   - extract: Returns the associated value; nil for an enum in another case.
    public init<Root>(embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?) {
        self.init(AnyCasePath(embed: { embed($0) }, extract: { ($0 as? Root).flatMap(extract) }))
    }

    /// Creates the case that a key path leads to.
    public init<Root>(_ keyPath: CaseKeyPath<Root, Value>) {
        self = Case<Root>()[keyPath: keyPath]
    }

    /// A case of the associated value.
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member>>
    ) -> Case<Member> where Value: CasePathable {
        Case<Member>(path.appending(path: Value.allCasePaths[keyPath: keyPath]))
    }

    /// The value of a case of the associated value that holds an optional: `\.destination.alert` leads through an optional destination.
    @_disfavoredOverload
    public subscript<Member>(
        dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member?>>
    ) -> Case<Member> where Value: CasePathable {
        self[dynamicMember: keyPath].some
    }

    /// A case that no value is in.
    public var never: Case<Never> {
        Case<Never>(.never)
    }

    /// Returns the associated value of an enum; nil in another case.
    func extracting<Root>(_ root: Root) -> Value? {
        path.extract(from: root)
    }

    func embedding<Root>(_ value: Value, in type: Root.Type) -> Root {
        guard let root = path.embed(value) as? Root else {
            preconditionFailure("the case path of \(Value.self) does not lead from \(Root.self)")
        }
        return root
    }
}

/// A case with an erased type.
protocol AnyCase {
    func matches<Root>(_ root: Root) -> Bool
    /// Returns the associated value of an enum; nil in another case.
    func extractingAny<Root>(_ root: Root) -> Any?
}

extension Case: AnyCase {
    func matches<Root>(_ root: Root) -> Bool { extracting(root) != nil }

    func extractingAny<Root>(_ root: Root) -> Any? { extracting(root).map { $0 as Any } }
}

extension AnyCasePath {
    /// Creates the case path of a key path.
    public init(_ keyPath: CaseKeyPath<Root, Value>) {
        let found = Case(keyPath)
        self.init(embed: { found.embedding($0, in: Root.self) }, extract: { found.extracting($0) })
    }
}

extension KeyPath {
    /// Returns an enum in the case of the path.
    public func callAsFunction<Enum, AssociatedValue>(_ value: AssociatedValue) -> Enum
    where Root == Case<Enum>, Value == Case<AssociatedValue> {
        Case(self).embedding(value, in: Enum.self)
    }

    /// Returns an enum in the case of the path, which has no associated value.
    public func callAsFunction<Enum>() -> Enum where Root == Case<Enum>, Value == Case<Void> {
        Case(self).embedding((), in: Enum.self)
    }

    /// Returns whether an enum is in the case of the path, for `case \.row:`.
    public static func ~= <Enum: CasePathable, AssociatedValue>(path: KeyPath, root: Enum) -> Bool
    where Root == Case<Enum>, Value == Case<AssociatedValue> {
        root.is(path)
    }
}

extension _AppendKeyPath {
    /// Returns an enum in the case of the path; nil if the value does not have the type of the associated value.
    @_disfavoredOverload
    public func callAsFunction<Root: CasePathable>(_ value: Any) -> Root? where Self == PartialCaseKeyPath<Root> {
        let found: Any = Case<Root>()[keyPath: self]
        func embed<Value>(_ value: Value) -> Root? {
            if let found = found as? Case<Value> { return found.embedding(value, in: Root.self) }
            return (found as? Case<Value?>)?.embedding(value, in: Root.self)
        }
        return _openExistential(value, do: embed)
    }
}
