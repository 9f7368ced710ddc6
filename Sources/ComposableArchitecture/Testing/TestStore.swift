/// A store for tests: every step says which action is sent or received and what it changes, and the test fails where the
/// feature does anything else.
///
/// A test lists the steps, ``assert(_:file:line:)-(Step...)``, or calls ``send(_:_:file:line:)`` and
/// ``receive(_:_:file:line:)`` one by one; where effects are tasks, the asynchronous forms wait for them. What was stated is
/// compared to what happened, and the difference is shown line by line.
///
/// A test store is confined to the test that made it.
public final class TestStore<State, LocalState, Action: Equatable, LocalAction, Environment> {
    let core: TestCore<State, Action, Environment>
    private let fromLocalAction: (LocalAction) -> Action
    let toLocalState: (State) -> LocalState
    private let reducer: (inout State, Action, Environment) -> Effect<Action, Never>
    private let file: StaticString
    private let line: UInt
    /// Whether steps were taken whose effects have to be over when the test store goes.
    var isOpen = false

    /// How much the test has to state.
    public var exhaustivity = Exhaustivity.on

    /// When actions of effects change the state. Set it before the first step.
    public var receivedActionReduction: ReceivedActionReduction {
        get { core.reduction }
        set { core.reduction = newValue }
    }

    /// How long the asynchronous forms wait for an action or for the end of effects.
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
        state: State, environment: Environment, dependencies: DependencyValues,
        toLocalState: @escaping (State) -> LocalState, fromLocalAction: @escaping (LocalAction) -> Action,
        reducer: @escaping (inout State, Action, Environment) -> Effect<Action, Never>, file: StaticString, line: UInt
    ) {
        let core = TestCore(
            initialState: state, environment: environment, dependencies: dependencies, reducer: reducer)
        self.init(
            core: core, state: toLocalState, action: fromLocalAction, reducer: reducer, file: file, line: line)
    }

    deinit {
        if isOpen { completed(file: file, line: line) }
        core.cancelEffects()
    }

    /// What the reducer depends on; a change holds from the next action on.
    public var environment: Environment {
        get { core.environment }
        set { core.environment = newValue }
    }

    /// What reducer types and their effects depend on; a change holds from the next action on.
    public var dependencies: DependencyValues {
        get { core.dependencies }
        set { core.dependencies = newValue }
    }

    /// The state after the step that was taken last.
    public var state: LocalState { toLocalState(core.state) }

    /// A new test store of a part of the state and of the actions, which starts with the present state and shares nothing
    /// with this one.
    public func scope<S, A>(
        state toLocalState: @escaping (LocalState) -> S, action fromLocalAction: @escaping (A) -> LocalAction,
        file: StaticString = #fileID, line: UInt = #line
    ) -> TestStore<State, S, Action, A, Environment> {
        let (outerState, outerAction) = (self.toLocalState, self.fromLocalAction)
        let store = TestStore<State, S, Action, A, Environment>(
            state: core.state, environment: environment, dependencies: dependencies,
            toLocalState: { toLocalState(outerState($0)) }, fromLocalAction: { outerAction(fromLocalAction($0)) },
            reducer: reducer, file: file, line: line)
        store.exhaustivity = exhaustivity
        store.receivedActionReduction = receivedActionReduction
        return store
    }

    /// A new test store of a part of the state, which starts with the present state and shares nothing with this one.
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
    /// Makes a test store of a reducer value.
    ///
    /// - Parameters:
    ///   - initialState: The state to start with.
    ///   - reducer: What is tested.
    ///   - environment: What it depends on, with stand-ins for the outside world.
    ///   - file: Where it is made.
    ///   - line: Where it is made.
    public convenience init(
        initialState: State, reducer: Reducer<State, Action, Environment>, environment: Environment,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        var dependencies = DependencyValues.current.separated()
        dependencies.context = .test
        self.init(
            state: initialState, environment: environment, dependencies: dependencies, toLocalState: { $0 },
            fromLocalAction: { $0 }, reducer: { reducer.run(&$0, $1, $2) }, file: file, line: line)
    }
}

extension TestStore where State == LocalState, Action == LocalAction, Environment == Void {
    /// Makes a test store of a reducer type. Dependencies have their test values: one that is used without having been
    /// replaced fails the test.
    ///
    /// - Parameters:
    ///   - initialState: The state to start with.
    ///   - reducer: What is tested.
    ///   - prepareDependencies: Replaces what the reducer depends on.
    ///   - file: Where it is made.
    ///   - line: Where it is made.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, reducer: R,
        prepareDependencies: ((inout DependencyValues) -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) where R.State == State, R.Action == Action {
        self.init(
            initialState: initialState(), reducer: { reducer }, withDependencies: prepareDependencies, file: file,
            line: line)
    }

    /// Makes a test store of the reducer types that a closure lists.
    ///
    /// - Parameters:
    ///   - initialState: The state to start with.
    ///   - reducer: What is tested.
    ///   - prepareDependencies: Replaces what the reducer depends on.
    ///   - file: Where it is made.
    ///   - line: Where it is made.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, @ReducerBuilder<State, Action> reducer: () -> R,
        withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) where R.State == State, R.Action == Action {
        var dependencies = DependencyValues.current.separated()
        dependencies.context = .test
        prepareDependencies?(&dependencies)
        let (state, made) = DependencyValues.$bound.withValue(dependencies) { (initialState(), reducer()) }
        self.init(
            state: state, environment: (), dependencies: dependencies, toLocalState: { $0 }, fromLocalAction: { $0 },
            reducer: { state, action, _ in made.reduce(into: &state, action: action) }, file: file, line: line)
    }
}

/// A test store of a reducer type.
public typealias TestStoreOf<R: ReducerProtocol> = TestStore<R.State, R.State, R.Action, R.Action, Void>
where R.Action: Equatable
