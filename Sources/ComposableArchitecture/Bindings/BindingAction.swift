public import CasePaths

/// Sets one property of a state: one action for a whole form.
public struct BindingAction<Root>: Equatable {
    /// The property.
    public let keyPath: PartialKeyPath<Root>
    private let value: Any
    private let assign: (inout Root) -> Void
    private let isEqual: (Any) -> Bool

    private init<Value: Equatable>(
        _ keyPath: PartialKeyPath<Root>, _ value: Value, assign: @escaping (inout Root) -> Void
    ) {
        self.keyPath = keyPath
        self.value = value
        self.assign = assign
        isEqual = { $0 as? Value == value }
    }

    /// Sets a property that is made for it.
    public static func set<Value: Equatable>(
        _ keyPath: WritableKeyPath<Root, BindableState<Value>>, _ value: Value
    ) -> BindingAction {
        BindingAction(keyPath, value) { $0[keyPath: keyPath].wrappedValue = value }
    }

    /// Sets any property.
    public static func set<Value: Equatable>(_ keyPath: WritableKeyPath<Root, Value>, _ value: Value) -> BindingAction {
        BindingAction(keyPath, value) { $0[keyPath: keyPath] = value }
    }

    /// Sets the property of `root`.
    func set(_ root: inout Root) {
        assign(&root)
    }

    /// Whether both set the same property to equal values.
    public static func == (lhs: BindingAction, rhs: BindingAction) -> Bool {
        lhs.keyPath == rhs.keyPath && lhs.isEqual(rhs.value)
    }

    /// Whether an action sets that property, in a pattern: `case .binding(\.$text)`.
    public static func ~= <Value>(
        keyPath: WritableKeyPath<Root, BindableState<Value>>, action: BindingAction
    ) -> Bool {
        keyPath == action.keyPath
    }

    /// Whether an action sets that property, in a pattern: `case .binding(\.text)`.
    public static func ~= <Value>(keyPath: WritableKeyPath<Root, Value>, action: BindingAction) -> Bool {
        keyPath == action.keyPath
    }

    /// The same for a larger state.
    public func pullback<NewRoot>(_ keyPath: WritableKeyPath<NewRoot, Root>) -> BindingAction<NewRoot> {
        BindingAction<NewRoot>(
            appending: self, to: keyPath)
    }

    private init<Inner>(appending action: BindingAction<Inner>, to keyPath: WritableKeyPath<Root, Inner>) {
        self.keyPath = (keyPath as AnyKeyPath).appending(path: action.keyPath) as? PartialKeyPath<Root> ?? keyPath
        value = action.value
        assign = { action.assign(&$0[keyPath: keyPath]) }
        isEqual = action.isEqual
    }
}

extension BindingAction: CustomDebugOutputConvertible {
    /// What is set, and to what.
    public var debugOutput: String {
        "BindingAction.set(\n\("\(keyPath)".indented),\n\(ComposableArchitecture.debugOutput(value).indented)\n)"
    }
}

/// An action with a case for all bindings of its state.
public protocol BindableAction<State> {
    /// The state whose properties are set.
    associatedtype State
    /// The case.
    static func binding(_ action: BindingAction<State>) -> Self
}

extension BindableAction {
    /// Sets a property of the state: `viewStore.send(.set(\.$text, "new"))`.
    public static func set<Value: Equatable>(
        _ keyPath: WritableKeyPath<State, BindableState<Value>>, _ value: Value
    ) -> Self {
        binding(.set(keyPath, value))
    }
}

extension Reducer {
    /// The same reducer, before which binding actions set what they say.
    public func binding(action toBindingAction: CasePath<Action, BindingAction<State>>) -> Reducer {
        Reducer { state, action, environment in
            toBindingAction.extract(from: action)?.set(&state)
            return run(&state, action, environment)
        }
    }

    /// The same reducer, before which binding actions set what they say.
    public func binding() -> Reducer where Action: BindableAction, Action.State == State {
        binding(action: .case(Action.binding))
    }
}

/// A reducer that does what binding actions say; to be listed before the one that reacts to them.
public struct BindingReducer<State, Action: BindableAction>: ReducerProtocol where Action.State == State {
    private let path = CasePath<Action, BindingAction<State>>.case(Action.binding)

    /// Makes it.
    public init() {}

    /// Sets what the action says.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        path.extract(from: action)?.set(&state)
        return .none
    }
}
