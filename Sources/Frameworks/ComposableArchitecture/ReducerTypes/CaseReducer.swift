/// A reducer of which exactly one child runs at a time. Its state is an enum with a case for each child.
///
/// `@Reducer` of the module `ComposableMacros` adds the conformance to an enum.
public protocol CaseReducer<State, Action>: ReducerProtocol
where State: CaseReducerState, Body == Reduce<State, Action> {
    /// The stores of the cases: an enum with the store of each feature, and with the value of each other case.
    associatedtype CaseScope = Store<State, Action>

    /// The reducers of all cases. It belongs to the type, because the enum lists features and has no useful values.
    static var body: Reduce<State, Action> { get }

    /// Returns the store of the current case.
    static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer where CaseScope == Store<State, Action> {
    /// Returns the store itself: the stores of the cases have no type of their own.
    public static func scope(_ store: Store<State, Action>) -> CaseScope { store }
}

extension CaseReducer {
    /// The reducers of all cases.
    public var body: Reduce<State, Action> { Self.body }
}

/// The state of a ``CaseReducer``.
public protocol CaseReducerState {
    /// The reducer of the state.
    associatedtype StateReducer: CaseReducer where StateReducer.State == Self

    /// The number of the current case and its associated value; the value of a case without one is `Void`.
    var _$case: (number: Int, value: Any) { get }
}
