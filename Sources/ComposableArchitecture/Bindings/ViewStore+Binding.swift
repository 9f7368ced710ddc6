/// A value that is read from a view store and written by sending it an action.
///
/// It is what a view's control is bound to; on a server the control is elsewhere, and its writes come as inputs.
@propertyWrapper
@dynamicMemberLookup
public struct StoreBinding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
        self.read = read
        self.write = write
    }

    /// The value; setting it sends an action.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// A property of the value, which is set by setting the whole value.
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
    /// A binding of what `get` makes of the state, which sends what `toAction` makes of a new value.
    public func binding<LocalState>(
        get: @escaping (State) -> LocalState, send toAction: @escaping (LocalState) -> Action
    ) -> StoreBinding<LocalState> {
        StoreBinding(read: { get(self.state) }, write: { self.send(toAction($0)) })
    }

    /// A binding of what `get` makes of the state, which sends `action` whatever the new value is.
    public func binding<LocalState>(
        get: @escaping (State) -> LocalState, send action: Action
    ) -> StoreBinding<LocalState> {
        binding(get: get, send: { _ in action })
    }

    /// A binding of the state, which sends what `toAction` makes of a new one.
    public func binding(send toAction: @escaping (State) -> Action) -> StoreBinding<State> {
        binding(get: { $0 }, send: toAction)
    }

    /// A binding of the state, which sends `action` whatever the new one is.
    public func binding(send action: Action) -> StoreBinding<State> {
        binding(get: { $0 }, send: { _ in action })
    }

    /// A binding of a property that is made for it.
    public func binding<Value: Equatable>(
        _ keyPath: WritableKeyPath<State, BindableState<Value>>
    ) -> StoreBinding<Value> where Action: BindableAction, Action.State == State {
        binding(get: { $0[keyPath: keyPath].wrappedValue }, send: { .binding(.set(keyPath, $0)) })
    }
}
