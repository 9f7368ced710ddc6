public import CasePaths

/// A feature's logic: what an action does to the state, and which effects it starts.
///
/// A reducer is a value that is made of a function, and of other reducers: ``combine(_:)-(Reducer...)`` runs several on one
/// state, ``pullback(state:action:environment:)`` makes one for a part of the state one for the whole. Types that conform
/// to ``ReducerProtocol`` do the same without an environment; `Reduce(reducer, environment:)` and
/// ``init(_:)-(_)`` lead from one to the other and back.
public struct Reducer<State, Action, Environment>: @unchecked Sendable {
    // Sendable because a reducer keeps no state: it gets all that it changes passed, and the environment too. Its function
    // is not marked `@Sendable`, so that reducers that were written before the word existed compile unchanged.
    @usableFromInline let reducer: (inout State, Action, Environment) -> Effect<Action, Never>

    /// Makes a reducer of a function.
    @inlinable
    public init(_ reducer: @escaping (inout State, Action, Environment) -> Effect<Action, Never>) {
        self.reducer = reducer
    }

    /// A reducer that changes nothing and starts nothing.
    @inlinable
    public static var empty: Reducer {
        Reducer { _, _, _ in .none }
    }

    /// Runs several reducers in their order on the same state, and their effects at the same time.
    ///
    /// The order matters where one of them works on state that another one removes: the child comes first.
    @inlinable
    public static func combine(_ reducers: Reducer...) -> Reducer {
        combine(reducers)
    }

    /// Runs several reducers in their order on the same state, and their effects at the same time.
    @inlinable
    public static func combine(_ reducers: [Reducer]) -> Reducer {
        Reducer { state, action, environment in
            .merge(reducers.map { $0.reducer(&state, action, environment) })
        }
    }

    /// Runs this reducer and then another one on the same state.
    public func combined(with other: Reducer) -> Reducer {
        .combine(self, other)
    }

    /// Makes a reducer of a part one of the whole.
    ///
    /// - Parameters:
    ///   - toLocalState: Where in the whole state the part is.
    ///   - toLocalAction: The case of the whole action that carries the part's; other actions leave the state untouched.
    ///   - toLocalEnvironment: What of the environment the part needs.
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

    /// Makes a reducer of one case of an enum state one of the whole.
    ///
    /// An action that comes while the state is in another case is reported and dropped.
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

    /// Makes a reducer one for optional state.
    ///
    /// An action that comes while there is no state is reported and dropped: combine this reducer before the one that
    /// removes the state, and cancel its effects then.
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

    /// Changes the state and returns the effects.
    @inlinable
    public func run(_ state: inout State, _ action: Action, _ environment: Environment) -> Effect<Action, Never> {
        reducer(&state, action, environment)
    }

    /// Changes the state and returns the effects.
    @inlinable
    public func callAsFunction(
        _ state: inout State, _ action: Action, _ environment: Environment
    ) -> Effect<Action, Never> {
        reducer(&state, action, environment)
    }
}

/// The name that the reducer of a function had when ``ReducerProtocol`` came.
public typealias AnyReducer = Reducer

/// Changes what is in an optional, in place.
func withWrapped<Wrapped, Result>(_ value: inout Wrapped?, _ body: (inout Wrapped) -> Result) -> Result? {
    value.withWrappedValue(body)
}

extension Optional {
    fileprivate mutating func withWrappedValue<Result>(_ body: (inout Wrapped) -> Result) -> Result? {
        guard var wrapped = self else { return nil }
        // The storage is given up meanwhile, so that the copy is the only one and is changed in place.
        self = nil
        defer { self = wrapped }
        return body(&wrapped)
    }
}
