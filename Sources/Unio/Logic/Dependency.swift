public import RxCore

/// All that a stream's logic may see: the state, the extra, and the read side of the input. Only the stream makes one.
public final class Dependency<Input: InputType, State: StateType, Extra: ExtraType> {
    /// The stream's state.
    public let state: State
    /// What the stream needs from outside.
    public let extra: Extra
    /// The inputs, to be observed and nothing else.
    public let inputObservables: ObservableWrapper<Input>

    private let input: Input

    init(input: Input, state: State, extra: Extra) {
        self.input = input
        self.state = state
        self.extra = extra
        inputObservables = ObservableWrapper(input)
    }

    /// The stream of one input.
    @available(*, deprecated, message: "Use `inputObservables` with the input's name.")
    public func inputObservable<O: ObservableConvertibleType>(for keyPath: KeyPath<Input, O>) -> Observable<O.Element> {
        input[keyPath: keyPath].sealed
    }
}
