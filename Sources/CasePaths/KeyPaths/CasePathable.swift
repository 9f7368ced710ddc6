import IssueReporting

/// The current name of ``CasePath``.
public typealias AnyCasePath = CasePath

/// An enum with a case path for each of its cases. `@CasePathable` adds the conformance.
///
/// Key paths then lead to cases as they lead to properties: `\.destination.alert` is a ``CaseKeyPath``.
public protocol CasePathable {
    /// A collection of the case paths: one property for each case.
    associatedtype AllCasePaths
    /// The case paths.
    static var allCasePaths: AllCasePaths { get }
    /// The descriptions of the cases; empty if there are none.
    static var _$cases: [CaseDescription] { get }
}

extension CasePathable {
    /// No descriptions.
    public static var _$cases: [CaseDescription] { [] }
}

/// An enum whose case paths can be listed.
public protocol CasePathIterable: CasePathable
where AllCasePaths: Sequence, AllCasePaths.Element == PartialCaseKeyPath<Self> {}

/// A collection of case paths that knows the case of a value.
public protocol CasePathReflectable<Root> {
    /// The enum.
    associatedtype Root: CasePathable
    /// The case that `root` is in.
    subscript(root: Root) -> PartialCaseKeyPath<Root> { get }
}

/// A key path to a case of an enum: `\Action.Cases.row.tapped`, or `\.row.tapped` where the enum is known.
public typealias CaseKeyPath<Root, Value> = KeyPath<Case<Root>, Case<Value>>

/// A key path to a case of an enum, without the type of the associated value.
public typealias PartialCaseKeyPath<Root> = PartialKeyPath<Case<Root>>

extension CasePathable {
    /// The start of key paths to cases.
    public typealias Cases = Case<Self>

    /// The associated value, if this is the case of the path. For enums with `@dynamicMemberLookup`.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Self.AllCasePaths, AnyCasePath<Self, Value>>) -> Value? {
        Self.allCasePaths[keyPath: keyPath].extract(from: self)
    }

    /// The associated value, if this is the case of the path.
    public subscript<Value>(case keyPath: CaseKeyPath<Self, Value>) -> Value? {
        Case(keyPath).extracting(self)
    }

    /// Sets this value to the case of the path. The associated value can only be set; read it as an optional.
    @_disfavoredOverload
    public subscript<Value>(case keyPath: CaseKeyPath<Self, Value>) -> Value {
        @available(*, unavailable)
        get { preconditionFailure("the value of a case is read as an optional") }
        set { self = Case(keyPath).embedding(newValue, in: Self.self) }
    }

    /// Returns whether this is the case of the path.
    public func `is`(_ keyPath: PartialCaseKeyPath<Self>) -> Bool {
        guard let found = Case<Self>()[keyPath: keyPath] as? any AnyCase else { return false }
        return found.matches(self)
    }

    /// Modifies the associated value in place. Reports an issue if this is another case.
    public mutating func modify<Value>(
        _ keyPath: CaseKeyPath<Self, Value>, yield: (inout Value) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let path = Case(keyPath)
        guard var value = path.extracting(self) else {
            let message = "Expected to modify \(keyPath), but the value is in another case: \(self)"
            return FoundIssue(message: message, file: file, line: line).report()
        }
        yield(&value)
        self = path.embedding(value, in: Self.self)
    }
}
