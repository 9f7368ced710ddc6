/// A reducer value that depends on nothing can be listed among reducer types.
extension Reducer: ReducerProtocol where Environment == Void {
    /// Runs the function.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        run(&state, action, ())
    }
}

extension Reducer {
    /// Makes a reducer value of a reducer type.
    public init<R: ReducerProtocol>(_ reducer: R) where R.State == State, R.Action == Action {
        self.init { state, action, _ in reducer.reduce(into: &state, action: action) }
    }

    /// Makes a reducer value of the reducer types that a closure lists for an environment.
    public init<R: ReducerProtocol>(
        @ReducerBuilder<State, Action> _ build: @escaping (Environment) -> R
    ) where R.State == State, R.Action == Action {
        self.init { state, action, environment in build(environment).reduce(into: &state, action: action) }
    }
}

extension Store {
    /// Makes a root store of a reducer type.
    ///
    /// - Parameters:
    ///   - initialState: The state to start with.
    ///   - reducer: What changes the state.
    ///   - prepareDependencies: Replaces what the reducer depends on, for this store.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, reducer: R,
        prepareDependencies: ((inout DependencyValues) -> Void)? = nil
    ) where R.State == State, R.Action == Action {
        self.init(initialState: initialState(), reducer: { reducer }, withDependencies: prepareDependencies)
    }

    /// Makes a root store of the reducer types that a closure lists.
    ///
    /// - Parameters:
    ///   - initialState: The state to start with.
    ///   - reducer: What changes the state. It is made with the store's dependencies.
    ///   - prepareDependencies: Replaces what the reducer depends on, for this store.
    public convenience init<R: ReducerProtocol>(
        initialState: @autoclosure () -> State, @ReducerBuilder<State, Action> reducer: () -> R,
        withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
    ) where R.State == State, R.Action == Action {
        var dependencies = DependencyValues.current.separated()
        prepareDependencies?(&dependencies)
        let (state, made) = DependencyValues.$bound.withValue(dependencies) { (initialState(), reducer()) }
        self.init(initialState: state, home: .forStore(dependencies: dependencies)) { state, action in
            made.reduce(into: &state, action: action)
        }
    }
}
