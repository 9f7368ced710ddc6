public import CasePaths

extension StackState {
    /// The value of an element that is in a case: `state.path[id: id, case: /Screen.detail]?.title = "new"`.
    ///
    /// It is nil if the element does not exist, or if it is in another case. Setting it to nil removes the element. Setting a value has no
    /// effect if the element does not exist, and reports an issue if it is in another case.
    public subscript<Value>(
        id id: StackElementID, case path: CasePath<Element, Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        get { self[id: id].flatMap { path.extract(from: $0) } }
        set { set(newValue, id: id, path, described: "\(path)", file: file, line: line) }
    }

    /// The value of an element that is in a case: `state.path[id: id, case: \.detail]?.title = "new"`.
    ///
    /// It is nil if the element does not exist, or if it is in another case. Setting it to nil removes the element. Setting a value has no
    /// effect if the element does not exist, and reports an issue if it is in another case.
    public subscript<Value>(
        id id: StackElementID, case path: CaseKeyPath<Element, Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> Value? where Element: CasePathable {
        get { self[id: id]?[case: path] }
        set { set(newValue, id: id, AnyCasePath(path), described: "\(path)", file: file, line: line) }
    }

    private mutating func set<Value>(
        _ value: Value?, id: StackElementID, _ path: CasePath<Element, Value>, described: @autoclosure () -> String,
        file: StaticString, line: UInt
    ) {
        guard let element = self[id: id] else { return }
        guard path.extract(from: element) != nil else {
            return Issues.report(
                "expected the element \(id) of the stack to be in the case \(described()), but it is in another one",
                summary: "expected an element of a stack to be in another case", severity: .warning, file: file,
                line: line)
        }
        self[id: id] = value.map { path.embed($0) }
    }
}

extension PresentationState {
    /// The value of what is presented, if it is in a case: `state.$destination[case: /Destination.detail]?.title = "new"`.
    ///
    /// Setting it to nil dismisses what is presented. Setting it while something else is presented reports an issue.
    public subscript<Value>(
        case path: CasePath<State, Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        get { wrappedValue.flatMap { path.extract(from: $0) } }
        set { set(newValue, path, described: "\(path)", file: file, line: line) }
    }

    /// The value of what is presented, if it is in a case: `state.$destination[case: \.detail]?.title = "new"`.
    ///
    /// Setting it to nil dismisses what is presented. Setting it while something else is presented reports an issue.
    public subscript<Value>(
        case path: CaseKeyPath<State, Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> Value? where State: CasePathable {
        get { wrappedValue?[case: path] }
        set { set(newValue, AnyCasePath(path), described: "\(path)", file: file, line: line) }
    }

    private mutating func set<Value>(
        _ value: Value?, _ path: CasePath<State, Value>, described: @autoclosure () -> String, file: StaticString,
        line: UInt
    ) {
        guard let presented = wrappedValue, path.extract(from: presented) != nil else {
            return Issues.report(
                "expected \(described()) to be presented, but it is not",
                summary: "expected another case to be presented", severity: .warning, file: file, line: line)
        }
        wrappedValue = value.map { path.embed($0) }
    }
}
