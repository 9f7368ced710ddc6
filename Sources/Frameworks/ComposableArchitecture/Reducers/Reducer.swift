public import CasePaths

/// The logic of a feature: how an action changes the state, and which effects it starts.
///
/// A reducer is a value that wraps a function. `combine(_:)` runs several reducers on the same state;
/// ``pullback(state:action:environment:)`` turns a reducer of a part into one of the whole. Types that conform to
/// ``ReducerProtocol`` do the same without an environment; `Reduce(reducer, environment:)` and `init(_:)` convert
/// between the two.
public struct Reducer<State, Action, Environment>: @unchecked Sendable {
    // Sendable because a reducer keeps no state: the state and the environment are passed to each call. Its function is
    // not `@Sendable`, so that reducers written before Swift 5.5 compile unchanged.
    @usableFromInline let reducer: (inout State, Action, Environment) -> Effect<Action, Never>

    /// Creates a reducer from a function.
    @inlinable
    public init(_ reducer: @escaping (inout State, Action, Environment) -> Effect<Action, Never>) {
        self.reducer = reducer
    }

    /// A reducer that neither changes the state nor starts effects.
    @inlinable
    public static var empty: Reducer {
        Reducer { _, _, _ in .none }
    }

    /// Returns a reducer that runs several reducers in order on the same state, and merges their effects.
    ///
    /// List a child's reducer before the reducer that removes the child's state.
    @inlinable
    public static func combine(_ reducers: Reducer...) -> Reducer {
        combine(reducers)
    }

    /// Returns a reducer that runs several reducers in order on the same state, and merges their effects.
    @inlinable
    public static func combine(_ reducers: [Reducer]) -> Reducer {
        Reducer { state, action, environment in
            .merge(reducers.map { $0.reducer(&state, action, environment) })
        }
    }

    /// Returns a reducer that runs this reducer, then another, on the same state.
    public func combined(with other: Reducer) -> Reducer {
        .combine(self, other)
    }

    /// Returns a reducer of the whole state that runs this one on a part of it.
    ///
    /// - Parameters:
    ///   - toLocalState: The key path to the part of the state.
    ///   - toLocalAction: The case of the global action that wraps this reducer's actions. Other actions are ignored.
    ///   - toLocalEnvironment: Returns this reducer's environment.
    @inlinable
    public func pullback<GlobalState, GlobalAction, GlobalEnvironment>(
        state toLocalState: WritableKeyPath<GlobalState, State>, action toLocalAction: CasePath<GlobalAction, Action>,
        environment toLocalEnvironment: @escaping (GlobalEnvironment) -> Environment
    ) -> Reducer<GlobalState, GlobalAction, GlobalEnvironment> {
        Reducer<GlobalState, GlobalAction, GlobalEnvironment> { state, action, environment in
            guard let local = toLocalAction.extract(from: action) else { return .none }
            return reducer(&state[keyPath: toLocalState], local, toLocalEnvironment(environment))
                .map(toLocalAction.embed)
        }
    }

    /// Returns a reducer of an enum state that runs this one on the value of one case.
    ///
    /// An action that is received while the state is in another case is reported and ignored.
    public func pullback<GlobalState, GlobalAction, GlobalEnvironment>(
        state toLocalState: CasePath<GlobalState, State>, action toLocalAction: CasePath<GlobalAction, Action>,
        environment toLocalEnvironment: @escaping (GlobalEnvironment) -> Environment, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reducer<GlobalState, GlobalAction, GlobalEnvironment> {
        Reducer<GlobalState, GlobalAction, GlobalEnvironment> { state, action, environment in
            guard let localAction = toLocalAction.extract(from: action) else { return .none }
            guard var local = toLocalState.extract(from: state) else {
                MissingState.report(
                    "the state was in another case", absence: "is not the current case", action: localAction,
                    file: file, line: line)
                return .none
            }
            let effect = reducer(&local, localAction, toLocalEnvironment(environment))
            state = toLocalState.embed(local)
            return effect.map(toLocalAction.embed)
        }
    }

    /// Returns a reducer of optional state.
    ///
    /// An action that is received while the state is nil is reported and ignored. Combine this reducer before the one
    /// that sets the state to nil, and cancel its effects then.
    public func optional(_ file: StaticString = #fileID, _ line: UInt = #line) -> Reducer<
        State?, Action, Environment
    > {
        Reducer<State?, Action, Environment> { state, action, environment in
            guard state != nil else {
                MissingState.report("the state was nil", absence: "is nil", action: action, file: file, line: line)
                return .none
            }
            return withWrapped(&state) { reducer(&$0, action, environment) } ?? .none
        }
    }

    /// Handles an action: changes the state and returns the effects.
    @inlinable
    public func run(_ state: inout State, _ action: Action, _ environment: Environment) -> Effect<Action, Never> {
        reducer(&state, action, environment)
    }

    /// Handles an action: changes the state and returns the effects.
    @inlinable
    public func callAsFunction(
        _ state: inout State, _ action: Action, _ environment: Environment
    ) -> Effect<Action, Never> {
        reducer(&state, action, environment)
    }
}

/// The name that ``Reducer`` had when ``ReducerProtocol`` was introduced.
public typealias AnyReducer = Reducer

/// Mutates the value of an optional in place.
func withWrapped<Wrapped, Result>(_ value: inout Wrapped?, _ body: (inout Wrapped) -> Result) -> Result? {
    value.withWrappedValue(body)
}

extension Optional {
    fileprivate mutating func withWrappedValue<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
        guard var wrapped = self else { return nil }
        // Cleared during the call, so that `wrapped` is the only reference and is mutated in place. A copy would cost
        // time proportional to the child's collections for every action.
        self = nil
        defer { self = wrapped }
        return body(&wrapped)
    }
}
