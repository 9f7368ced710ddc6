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

    /// A case that no value is in.
    public var never: Case<Never> {
        Case<Never>(.never)
    }

    /// Returns the associated value of an enum; nil in another case.
    func extracting<Root>(_ root: Root) -> Value? {
        path.extract(from: root)
    }

    /// Returns an enum in this case.
    func embedding<Root>(_ value: Value, in type: Root.Type) -> Root {
        guard let root = path.embed(value) as? Root else {
            preconditionFailure("the case path of \(Value.self) does not lead from \(Root.self)")
        }
        return root
    }
}

/// A case with an erased type.
protocol AnyCase {
    /// Returns whether an enum is in the case.
    func matches<Root>(_ root: Root) -> Bool
}

extension Case: AnyCase {
    func matches<Root>(_ root: Root) -> Bool { extracting(root) != nil }
}

extension AnyCasePath {
    /// Creates the case path of a key path.
    public init(_ keyPath: CaseKeyPath<Root, Value>) {
        let found = Case(keyPath)
        self.init(embed: { found.embedding($0, in: Root.self) }, extract: { found.extracting($0) })
    }
}

extension _AppendKeyPath {
    /// Returns an enum in the case of the path.
    public func callAsFunction<Root: CasePathable, Value>(_ value: Value) -> Root
    where Self == CaseKeyPath<Root, Value> {
        Case(self).embedding(value, in: Root.self)
    }

    /// Returns an enum in the case of the path, which has no associated value.
    public func callAsFunction<Root: CasePathable>() -> Root where Self == CaseKeyPath<Root, Void> {
        Case(self).embedding((), in: Root.self)
    }

    /// Returns whether an enum is in the case of the path, for `case \.row:`.
    public static func ~= <Root: CasePathable, Value>(path: Self, root: Root) -> Bool
    where Self == CaseKeyPath<Root, Value> {
        root.is(path)
    }
}

extension PartialCaseKeyPath {
    /// Returns an enum in the case of the path, if the value has the type of the associated value.
    public func callAsFunction<Enum: CasePathable, Value>(_ value: Value) -> Enum? where Root == Case<Enum> {
        func embed(_ found: Any) -> Enum? { (found as? Case<Value>)?.embedding(value, in: Enum.self) }
        return embed(Case<Enum>()[keyPath: self])
    }
}
