public import CasePaths

extension Reducer {
    /// Returns a reducer that runs this one on the elements of an array, addressed by position.
    ///
    /// Positions change when elements are inserted or removed while an effect runs, so prefer identified arrays. An
    /// action for a position that does not exist is reported and ignored.
    public func forEach<GlobalState, GlobalAction, GlobalEnvironment>(
        state toLocalState: WritableKeyPath<GlobalState, [State]>,
        action toLocalAction: CasePath<GlobalAction, (Int, Action)>,
        environment toLocalEnvironment: @escaping (GlobalEnvironment) -> Environment, _ file: StaticString = #fileID,
        _ line: UInt = #line
    ) -> Reducer<GlobalState, GlobalAction, GlobalEnvironment> {
        Reducer<GlobalState, GlobalAction, GlobalEnvironment> { state, action, environment in
            guard let (index, local) = toLocalAction.extract(from: action) else { return .none }
            guard state[keyPath: toLocalState].indices.contains(index) else {
                MissingState.report(element: index, noun: "element", action: local, file: file, line: line)
                return .none
            }
            return run(&state[keyPath: toLocalState][index], local, toLocalEnvironment(environment))
                .map { toLocalAction.embed((index, $0)) }
        }
    }

    /// Returns a reducer that runs this one on the elements of an identified array, addressed by id.
    ///
    /// An action for an id that does not exist is reported and ignored.
    public func forEach<GlobalState, GlobalAction, GlobalEnvironment, ID>(
        state toLocalState: WritableKeyPath<GlobalState, IdentifiedArray<ID, State>>,
        action toLocalAction: CasePath<GlobalAction, (ID, Action)>,
        environment toLocalEnvironment: @escaping (GlobalEnvironment) -> Environment, _ file: StaticString = #fileID,
        _ line: UInt = #line
    ) -> Reducer<GlobalState, GlobalAction, GlobalEnvironment> {
        Reducer<GlobalState, GlobalAction, GlobalEnvironment> { state, action, environment in
            guard let (id, local) = toLocalAction.extract(from: action) else { return .none }
            let environment = toLocalEnvironment(environment)
            let effect = state[keyPath: toLocalState].modify(id: id) { run(&$0, local, environment) }
            guard let effect else {
                MissingState.report(element: id, action: local, file: file, line: line)
                return .none
            }
            return effect.map { toLocalAction.embed((id, $0)) }
        }
    }

    /// Returns a reducer that runs this one on the values of a dictionary, addressed by key.
    ///
    /// An action for a key that does not exist is reported and ignored.
    public func forEach<GlobalState, GlobalAction, GlobalEnvironment, Key>(
        state toLocalState: WritableKeyPath<GlobalState, [Key: State]>,
        action toLocalAction: CasePath<GlobalAction, (Key, Action)>,
        environment toLocalEnvironment: @escaping (GlobalEnvironment) -> Environment, _ file: StaticString = #fileID,
        _ line: UInt = #line
    ) -> Reducer<GlobalState, GlobalAction, GlobalEnvironment> {
        Reducer<GlobalState, GlobalAction, GlobalEnvironment> { state, action, environment in
            guard let (key, local) = toLocalAction.extract(from: action) else { return .none }
            let environment = toLocalEnvironment(environment)
            let effect = withWrapped(&state[keyPath: toLocalState][key]) { run(&$0, local, environment) }
            guard let effect else {
                MissingState.report(element: key, noun: "value for", action: local, file: file, line: line)
                return .none
            }
            return effect.map { toLocalAction.embed((key, $0)) }
        }
    }
}
