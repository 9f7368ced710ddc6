import CombineCore

/// A reducer value without an environment can be listed among reducer types.
extension Reducer: ReducerProtocol where Environment == Void {
    /// Runs the function.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        run(&state, action, ())
    }
}

extension Reducer {
    /// Creates a reducer value from a reducer type.
    public init<R: ReducerProtocol>(_ reducer: R) where R.State == State, R.Action == Action {
        self.init { state, action, _ in reducer.reduce(into: &state, action: action) }
    }

    /// Creates a reducer value from the reducer types that a closure lists for an environment.
    public init<R: ReducerProtocol>(
        @ReducerBuilder<State, Action> _ build: @escaping (Environment) -> R
    ) where R.State == State, R.Action == Action {
        self.init { state, action, environment in build(environment).reduce(into: &state, action: action) }
    }
}

extension Store {
    /// Creates a root store from a reducer type.
    ///
    /// - Parameters:
    ///   - initialState: The initial state.
    ///   - reducer: The reducer that handles the actions.
    ///   - prepareDependencies: Overrides dependencies for this store.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, reducer: R,
        prepareDependencies: ((inout DependencyValues) -> Void)? = nil
    ) where R.State == State, R.Action == Action {
        self.init(initialState: initialState(), reducer: { reducer }, withDependencies: prepareDependencies)
    }

    /// Creates a root store from the reducer types that a closure lists.
    ///
    /// - Parameters:
    ///   - initialState: The initial state.
    ///   - reducer: The reducers that handle the actions. The closure runs with the store's dependencies.
    ///   - prepareDependencies: Overrides dependencies for this store.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, @ReducerBuilder<State, Action> reducer: () -> R,
        withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
    ) where R.State == State, R.Action == Action {
        var dependencies = DependencyValues.current.forStore()
        if let series = SessionSeries.wired { dependencies.follow(series) }
        if let session = MainContext.current { dependencies.follow(session) }
        if let prepareDependencies { dependencies.override(prepareDependencies) }
        let (state, made) = DependencyValues.$bound.withValue(dependencies) { (initialState(), reducer()) }
        self.init(initialState: state, effectScope: .forStore(dependencies: dependencies)) { state, action in
            made.reduce(into: &state, action: action)
        }
    }
}
