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

    /// Replaces the associated value, if this is the case of the path: `shape.circle = 3`. Another case is left unchanged. The value can
    /// only be set; read it as an optional.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<Self.AllCasePaths, AnyCasePath<Self, Value>>) -> Value {
        @available(*, unavailable)
        get { preconditionFailure("the value of a case is read as an optional") }
        set {
            let path = Self.allCasePaths[keyPath: keyPath]
            if path.extract(from: self) != nil { self = path.embed(newValue) }
        }
    }

    /// The associated value, if this is the case of the path.
    public subscript<Value>(case keyPath: CaseKeyPath<Self, Value>) -> Value? {
        Case(keyPath).extracting(self)
    }

    /// The associated value, if this is the case of a path without the type of the value.
    @_disfavoredOverload
    public subscript(case keyPath: PartialCaseKeyPath<Self>) -> Any? {
        (Case<Self>()[keyPath: keyPath] as? any AnyCase)?.extractingAny(self)
    }

    /// Replaces the associated value, if this is the case of the path. Another case is left unchanged. The value can only be set; read it
    /// as an optional.
    @_disfavoredOverload
    public subscript<Value>(case keyPath: CaseKeyPath<Self, Value>) -> Value {
        @available(*, unavailable)
        get { preconditionFailure("the value of a case is read as an optional") }
        set {
            let path = Case(keyPath)
            if path.extracting(self) != nil { self = path.embedding(newValue, in: Self.self) }
        }
    }

    /// Returns whether this is the case of the path.
    public func `is`(_ keyPath: PartialCaseKeyPath<Self>) -> Bool {
        // Without the box that the value would need as `Any`.
        (Case<Self>()[keyPath: keyPath] as? any AnyCase)?.matches(self) ?? false
    }

    /// Modifies the associated value in place. Reports an issue if this is another case.
    ///
    /// - Parameters:
    ///   - keyPath: The path to the case.
    ///   - yield: Modifies the value.
    ///   - fileID: The file that an issue is reported for.
    ///   - filePath: The path of that file. It is not used.
    ///   - line: The line that an issue is reported for.
    ///   - column: The column of that line. It is not used.
    public mutating func modify<Value>(
        _ keyPath: CaseKeyPath<Self, Value>, yield: (inout Value) -> Void, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let path = Case(keyPath)
        guard var value = path.extracting(self) else {
            let message = "Expected to modify \(keyPath), but the value is in another case: \(self)"
            return FoundIssue(message: message, file: fileID, line: line).report()
        }
        yield(&value)
        self = path.embedding(value, in: Self.self)
    }
}

extension Optional where Wrapped: CasePathable {
    /// Returns whether there is a value, in the case of a path from the wrapped enum.
    @_disfavoredOverload
    public func `is`(_ keyPath: PartialCaseKeyPath<Wrapped>) -> Bool {
        self?.is(keyPath) ?? false
    }

    /// Modifies the associated value of the wrapped enum in place. Reports an issue if it is another case, or nil.
    ///
    /// - Parameters:
    ///   - keyPath: The path from the wrapped enum to the case.
    ///   - yield: Modifies the value.
    ///   - fileID: The file that an issue is reported for.
    ///   - filePath: The path of that file. It is not used.
    ///   - line: The line that an issue is reported for.
    ///   - column: The column of that line. It is not used.
    @_disfavoredOverload
    public mutating func modify<Value>(
        _ keyPath: CaseKeyPath<Wrapped, Value>, yield: (inout Value) -> Void, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let path = (\Cases.some).appending(path: keyPath)
        modify(path, yield: yield, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
