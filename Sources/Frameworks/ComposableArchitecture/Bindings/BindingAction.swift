public import CasePaths

/// An action that sets one property of a state, so that a form needs a single action.
///
/// It is `Sendable` as it is in current versions, which demand it of the values, too: bind properties to values, not to objects.
public struct BindingAction<Root>: Equatable, @unchecked Sendable {
    // Sendable because nothing in it changes: key paths, and closures that only capture them and the value.
    /// The key path of the property.
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

    /// Returns an action that sets a bindable property.
    public static func set<Value: Equatable>(
        _ keyPath: WritableKeyPath<Root, BindableState<Value>>, _ value: Value
    ) -> BindingAction {
        BindingAction(keyPath, value) { $0[keyPath: keyPath].wrappedValue = value }
    }

    /// Returns an action that sets any property.
    public static func set<Value: Equatable>(_ keyPath: WritableKeyPath<Root, Value>, _ value: Value) -> BindingAction {
        BindingAction(keyPath, value) { $0[keyPath: keyPath] = value }
    }

    /// Returns the new value, if the action sets the property at a key path.
    func value<Value>(settingTo keyPath: PartialKeyPath<Root>) -> Value? {
        keyPath == self.keyPath ? value as? Value : nil
    }

    /// Applies the action to `root`.
    func set(_ root: inout Root) {
        assign(&root)
    }

    /// Returns whether both actions set the same property to equal values.
    public static func == (lhs: BindingAction, rhs: BindingAction) -> Bool {
        lhs.keyPath == rhs.keyPath && lhs.isEqual(rhs.value)
    }

    /// Returns whether an action sets a property, for patterns such as `case .binding(\.$text)`.
    public static func ~= <Value>(
        keyPath: WritableKeyPath<Root, BindableState<Value>>, action: BindingAction
    ) -> Bool {
        keyPath == action.keyPath
    }

    /// Returns whether an action sets a property, for patterns such as `case .binding(\.$text)`.
    public static func ~= <Value>(keyPath: WritableKeyPath<Root, Value>, action: BindingAction) -> Bool {
        keyPath == action.keyPath
    }

    /// Returns this action for a state that contains this action's state.
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
    /// The property and its new value.
    public var debugOutput: String {
        "BindingAction.set(\n\("\(keyPath)".indented),\n\(ComposableArchitecture.debugOutput(value).indented)\n)"
    }
}

/// An action with one case for all bindings of its state.
public protocol BindableAction<State> {
    /// The state whose properties are set.
    associatedtype State
    /// The case that wraps binding actions.
    static func binding(_ action: BindingAction<State>) -> Self
}

extension BindableAction {
    /// Returns an action that sets a property of the state: `viewStore.send(.set(\.$text, "new"))`.
    public static func set<Value: Equatable>(
        _ keyPath: WritableKeyPath<State, BindableState<Value>>, _ value: Value
    ) -> Self {
        binding(.set(keyPath, value))
    }

    /// Returns an action that sets a property of observable state: `store.send(.set(\.text, "new"))`.
    public static func set<Value: Equatable>(_ keyPath: WritableKeyPath<State, Value>, _ value: Value) -> Self
    where State: ObservableState {
        binding(.set(keyPath, value))
    }
}

extension Reducer {
    /// Returns a reducer that applies binding actions to the state, then runs this reducer.
    public func binding(action toBindingAction: CasePath<Action, BindingAction<State>>) -> Reducer {
        Reducer { state, action, environment in
            toBindingAction.extract(from: action)?.set(&state)
            return run(&state, action, environment)
        }
    }

    /// Returns a reducer that applies binding actions to the state, then runs this reducer.
    public func binding() -> Reducer where Action: BindableAction, Action.State == State {
        binding(action: .case(Action.binding))
    }
}

/// A reducer that applies binding actions to the state. List it before the reducer that reacts to them.
public struct BindingReducer<State, Action, ViewAction: BindableAction>: ReducerProtocol
where ViewAction.State == State {
    private let toBindingAction: (Action) -> BindingAction<State>?

    /// Creates the reducer.
    public init() where Action == ViewAction {
        let path = CasePath<Action, BindingAction<State>>.case(Action.binding)
        toBindingAction = { path.extract(from: $0) }
    }

    /// Creates the reducer of the binding actions in a case of the actions, such as that of the view: `BindingReducer(action: \.view)`.
    public init(action toViewAction: CaseKeyPath<Action, ViewAction>) where Action: CasePathable {
        let view = AnyCasePath(toViewAction)
        let path = CasePath<ViewAction, BindingAction<State>>.case(ViewAction.binding)
        toBindingAction = { view.extract(from: $0).flatMap { path.extract(from: $0) } }
    }

    /// Applies the action if it is a binding action.
    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        toBindingAction(action)?.set(&state)
        return .none
    }
}
