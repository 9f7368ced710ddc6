/// A store for tests. Each step states the action that is sent or received and the state changes that it causes; the
/// test fails if the feature behaves differently.
///
/// List the steps with `assert(_:file:line:)`, or call `send(_:_:file:line:)` and `receive(_:_:file:line:)`
/// one by one. If effects are tasks, use the asynchronous forms, which wait for them.
/// Failures show the difference between expected and actual values line by line.
///
/// A test store is confined to the test that created it.
public final class TestStore<State, LocalState, Action, LocalAction, Environment> {
    let core: TestCore<State, Action, Environment>
    private let fromLocalAction: (LocalAction) -> Action
    let toLocalState: (State) -> LocalState
    private let reducer: (inout State, Action, Environment) -> Effect<Action, Never>
    private let file: StaticString
    private let line: UInt
    /// How failures show values.
    var valueFormat = TestValueFormat.former
    /// Whether steps have been taken since the last check for running effects, so that `deinit` has to check again.
    var hasUncheckedEffects = false
    /// The state before the step whose closure runs; nil between steps.
    var stateBeforeStep: LocalState?

    /// How completely the test must describe the behaviour of the feature.
    public var exhaustivity = Exhaustivity.on

    /// When the reducer runs for actions of effects. Set it before the first step.
    public var receivedActionReduction: ReceivedActionReduction {
        get { core.reduction }
        set { core.reduction = newValue }
    }

    /// The longest time for which the asynchronous forms wait.
    public var timeout = Duration.seconds(10)

    private init(
        core: TestCore<State, Action, Environment>, state: @escaping (State) -> LocalState,
        action: @escaping (LocalAction) -> Action,
        reducer: @escaping (inout State, Action, Environment) -> Effect<Action, Never>, file: StaticString, line: UInt
    ) {
        self.core = core
        toLocalState = state
        fromLocalAction = action
        self.reducer = reducer
        self.file = file
        self.line = line
    }

    private convenience init(
        state: State, environment: Environment, dependencies: DependencyValues, dismissal: TestDismissal,
        toLocalState: @escaping (State) -> LocalState, fromLocalAction: @escaping (LocalAction) -> Action,
        reducer: @escaping (inout State, Action, Environment) -> Effect<Action, Never>, file: StaticString, line: UInt
    ) {
        let core = TestCore(
            initialState: state, environment: environment, dependencies: dependencies, dismissal: dismissal,
            reducer: reducer)
        self.init(
            core: core, state: toLocalState, action: fromLocalAction, reducer: reducer, file: file, line: line)
    }

    deinit {
        if hasUncheckedEffects { completed(file: file, line: line) }
        core.cancelEffects()
    }

    /// The environment of the reducer. A change applies from the next action on.
    public var environment: Environment {
        get { core.environment }
        set { core.environment = newValue }
    }

    /// The dependencies of reducer types and their effects. A change applies from the next action on.
    public var dependencies: DependencyValues {
        get { core.dependencies }
        set { core.dependencies = newValue }
    }

    /// Whether the feature has dismissed itself, by the dependency `dismiss`.
    public var isDismissed: Bool {
        core.actionQueue.runAll()
        return core.dismissal.isDone
    }

    /// The state after the last step; in the closure of a step, the state before that step.
    public var state: LocalState { stateBeforeStep ?? toLocalState(core.state) }

    /// Returns a new test store of a part of the state and of the actions. It starts with the current state and is
    /// independent of this one.
    public func scope<S, A>(
        state toLocalState: @escaping (LocalState) -> S, action fromLocalAction: @escaping (A) -> LocalAction,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TestStore<State, S, Action, A, Environment> {
        let (outerState, outerAction) = (self.toLocalState, self.fromLocalAction)
        let store = TestStore<State, S, Action, A, Environment>(
            state: core.state, environment: environment, dependencies: dependencies, dismissal: core.dismissal,
            toLocalState: { toLocalState(outerState($0)) }, fromLocalAction: { outerAction(fromLocalAction($0)) },
            reducer: reducer, file: file, line: line)
        store.exhaustivity = exhaustivity
        store.valueFormat = valueFormat
        store.receivedActionReduction = receivedActionReduction
        return store
    }

    /// Returns a new test store of a part of the state. It starts with the current state and is independent of this
    /// one.
    public func scope<S>(
        state toLocalState: @escaping (LocalState) -> S, file: StaticString = #fileID, line: UInt = #line
    ) -> TestStore<State, S, Action, LocalAction, Environment> {
        scope(state: toLocalState, action: { $0 }, file: file, line: line)
    }

    func globalAction(_ action: LocalAction) -> Action {
        fromLocalAction(action)
    }
}

extension TestStore where State == LocalState, Action == LocalAction {
    /// Creates a test store of a reducer value.
    ///
    /// - Parameters:
    ///   - initialState: The initial state.
    ///   - reducer: The reducer under test.
    ///   - environment: The environment of the reducer, with test doubles.
    ///   - file: The file that failures of `deinit` are attributed to.
    ///   - line: The line that failures of `deinit` are attributed to.
    public convenience init(
        initialState: State, reducer: Reducer<State, Action, Environment>, environment: Environment,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let dismissal = TestDismissal()
        self.init(
            state: initialState, environment: environment, dependencies: dismissal.dependencies(),
            dismissal: dismissal, toLocalState: { $0 }, fromLocalAction: { $0 },
            reducer: { reducer.run(&$0, $1, $2) }, file: file, line: line)
    }
}

extension TestStore where State == LocalState, Action == LocalAction, Environment == Void {
    /// Creates a test store of a reducer type. Dependencies have their test values; using one that is not overridden
    /// fails the test.
    ///
    /// - Parameters:
    ///   - initialState: The initial state.
    ///   - reducer: The reducer under test.
    ///   - prepareDependencies: Overrides dependencies of the reducer.
    ///   - file: The file that failures of `deinit` are attributed to.
    ///   - line: The line that failures of `deinit` are attributed to.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, reducer: R,
        prepareDependencies: ((inout DependencyValues) -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) where R.State == State, R.Action == Action {
        self.init(
            initialState: initialState(), reducer: { reducer }, withDependencies: prepareDependencies, file: file,
            line: line)
    }

    /// Creates a test store of the reducer types that a closure lists.
    ///
    /// - Parameters:
    ///   - initialState: The initial state.
    ///   - reducer: The reducer under test.
    ///   - prepareDependencies: Overrides dependencies of the reducer.
    ///   - file: The file that failures of `deinit` are attributed to.
    ///   - line: The line that failures of `deinit` are attributed to.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, @ReducerBuilder<State, Action> reducer: () -> R,
        withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) where R.State == State, R.Action == Action {
        let dismissal = TestDismissal()
        var dependencies = dismissal.dependencies()
        if let prepareDependencies { dependencies.override(prepareDependencies) }
        let (state, made) = DependencyValues.$bound.withValue(dependencies) { (initialState(), reducer()) }
        self.init(
            state: state, environment: (), dependencies: dependencies, dismissal: dismissal, toLocalState: { $0 },
            fromLocalAction: { $0 }, reducer: { state, action, _ in made.reduce(into: &state, action: action) },
            file: file, line: line)
        valueFormat = .current
    }
}

/// A test store of a reducer type.
public typealias TestStoreOf<R: ReducerProtocol> = TestStore<R.State, R.State, R.Action, R.Action, Void>
