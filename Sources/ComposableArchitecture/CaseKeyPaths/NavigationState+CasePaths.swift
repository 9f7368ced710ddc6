public import CasePaths

extension StackState where Element: CasePathable {
    /// The value of an element that is in a case: `state.path[id: id, case: \.detail]?.title = "new"`.
    ///
    /// It is nil if the element does not exist, or if it is in another case. Setting it to nil removes the element. Setting a value has no
    /// effect if the element does not exist, and reports an issue if it is in another case.
    public subscript<Value>(
        id id: StackElementID, case path: CaseKeyPath<Element, Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        get { self[id: id]?[case: path] }
        set {
            guard let element = self[id: id] else { return }
            guard element.is(path) else {
                return Issues.report(
                    "expected the element \(id) of the stack to be in the case \(path), but it is in another one",
                    summary: "expected an element of a stack to be in another case", severity: .warning, file: file,
                    line: line)
            }
            self[id: id] = newValue.map { AnyCasePath(path).embed($0) }
        }
    }
}

extension PresentationState where State: CasePathable {
    /// The value of what is presented, if it is in a case: `state.$destination[case: \.detail]?.title = "new"`.
    ///
    /// Setting it to nil dismisses what is presented. Setting it while something else is presented reports an issue.
    public subscript<Value>(
        case path: CaseKeyPath<State, Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> Value? {
        get { wrappedValue?[case: path] }
        set {
            guard let presented = wrappedValue, presented.is(path) else {
                return Issues.report(
                    "expected \(path) to be presented, but it is not", summary: "expected another case to be presented",
                    severity: .warning, file: file, line: line)
            }
            wrappedValue = newValue.map { AnyCasePath(path).embed($0) }
        }
    }
}
