public import CasePaths

/// Changes the value of an optional in a test. The test fails if the optional is nil, or if the closure leaves the value unchanged.
///
/// ```swift
/// await store.send(.child(.increment)) {
///     XCTModify(&$0.child) { $0.count = 1 }
/// }
/// ```
///
/// In the step of a ``TestStore`` that is not exhaustive, the closure may leave the value unchanged.
public func XCTModify<Wrapped>(
    _ optional: inout Wrapped?, _ message: @autoclosure () -> String = "", _ body: (inout Wrapped) throws -> Void,
    file: StaticString = #fileID, line: UInt = #line
) {
    Modification(message: message(), file: file, line: line)
        .apply(to: &optional, extract: { $0 }, embed: { $0 }, body)
}

/// Changes the value of a case in a test. The test fails if the enumeration is in another case, or if the closure leaves the value
/// unchanged.
public func XCTModify<Root: CasePathable, Value>(
    _ root: inout Root, case keyPath: CaseKeyPath<Root, Value>, _ message: @autoclosure () -> String = "",
    _ body: (inout Value) throws -> Void, file: StaticString = #fileID, line: UInt = #line
) {
    Modification(message: message(), file: file, line: line)
        .apply(to: &root, extract: { $0[case: keyPath] }, embed: { keyPath($0) }, body)
}

/// A change that a test makes to a value that must exist.
struct Modification {
    /// Whether the change must differ from the present value.
    @TaskLocal static var isRequired = true

    let message: String
    let file: StaticString
    let line: UInt

    func apply<Root, Value>(
        to root: inout Root, extract: (Root) -> Value?, embed: (Value) -> Root, _ body: (inout Value) throws -> Void
    ) {
        guard var value = extract(root) else {
            return report("Expected a value of the type \(Value.self) to modify, got none.")
        }
        let before = value
        do {
            try body(&value)
        } catch {
            return report("The closure of a modification threw an error: \(error)")
        }
        root = embed(value)
        guard Self.isRequired, let before = before as? any Equatable, before.isEqual(to: value) else { return }
        report("Expected the value of the type \(Value.self) to be modified, but it was unchanged.")
    }

    private func report(_ problem: String) {
        Issues.report(message.isEmpty ? problem : "\(problem) - \(message)", file: file, line: line)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { other as? Self == self }
}
