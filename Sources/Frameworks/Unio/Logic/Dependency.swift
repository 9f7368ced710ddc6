public import RxCore

/// The values available to a stream's logic: the state, the extra, and the read side of the input. Only the stream
/// creates one.
public final class Dependency<Input: InputType, State: StateType, Extra: ExtraType> {
    /// The stream's state.
    public let state: State
    /// The external dependencies of the stream.
    public let extra: Extra
    /// The inputs, which can only be observed.
    public let inputObservables: ObservableWrapper<Input>

    private let input: Input

    init(input: Input, state: State, extra: Extra) {
        self.input = input
        self.state = state
        self.extra = extra
        inputObservables = ObservableWrapper(input)
    }

    /// Returns the observable of one input.
    @available(*, deprecated, message: "Use `inputObservables` with the input's name.")
    public func inputObservable<O: ObservableConvertibleType>(for keyPath: KeyPath<Input, O>) -> Observable<O.Element> {
        input[keyPath: keyPath].sealed
    }
}
