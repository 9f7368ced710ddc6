/// A value that is read from a view store and written by sending an action.
///
/// Views bind their controls to it. On a server, the control is on the client, and its changes arrive as inputs.
@propertyWrapper
@dynamicMemberLookup
public struct StoreBinding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
        self.read = read
        self.write = write
    }

    /// The value. Setting it sends an action.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// A binding to a property of the value. Setting it sets the whole value.
    public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> StoreBinding<Member> {
        StoreBinding<Member>(
            read: { read()[keyPath: keyPath] },
            write: { member in
                var value = read()
                value[keyPath: keyPath] = member
                write(value)
            })
    }
}

extension ViewStore {
    /// Returns a binding to a value derived from the state. Setting it sends the action that `toAction` returns.
    public func binding<LocalState>(
        get: @escaping (State) -> LocalState, send toAction: @escaping (LocalState) -> Action
    ) -> StoreBinding<LocalState> {
        StoreBinding(read: { get(self.state) }, write: { self.send(toAction($0)) })
    }

    /// Returns a binding to a value derived from the state. Setting it sends `action`, regardless of the new value.
    public func binding<LocalState>(
        get: @escaping (State) -> LocalState, send action: Action
    ) -> StoreBinding<LocalState> {
        binding(get: get, send: { _ in action })
    }

    /// Returns a binding to the state. Setting it sends the action that `toAction` returns.
    public func binding(send toAction: @escaping (State) -> Action) -> StoreBinding<State> {
        binding(get: { $0 }, send: toAction)
    }

    /// Returns a binding to the state. Setting it sends `action`, regardless of the new value.
    public func binding(send action: Action) -> StoreBinding<State> {
        binding(get: { $0 }, send: { _ in action })
    }

    /// Returns a binding to a bindable property.
    public func binding<Value: Equatable>(
        _ keyPath: WritableKeyPath<State, BindableState<Value>>
    ) -> StoreBinding<Value> where Action: BindableAction, Action.State == State {
        binding(get: { $0[keyPath: keyPath].wrappedValue }, send: { .binding(.set(keyPath, $0)) })
    }
}
