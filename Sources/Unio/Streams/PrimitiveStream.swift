import RxCore

/// A stream: it wires its parts once, when it is made, and keeps them as long as it lives. Not thread-safe.
open class PrimitiveStream<Logic: LogicType>: UnioStreamType, DisconnectableStream {
    /// Where a view sends.
    public let input: InputWrapper<Logic.Input>
    /// Where a view reads.
    public let output: OutputWrapper<Logic.Output>

    private let state: Logic.State
    private var extra: Logic.Extra?
    private let disposeBag = DisposeBag()

    /// Wires the parts, by calling the logic's `bind` once.
    public init(input: Logic.Input, state: Logic.State, extra: Logic.Extra) {
        let dependency = Dependency(input: input, state: state, extra: extra)
        let output = Logic.bind(from: dependency, disposeBag: disposeBag)
        self.input = InputWrapper(input)
        self.output = OutputWrapper(output)
        self.state = state
        self.extra = extra
    }

    /// Ends every subscription and lets go of the extra. What is still sent to the stream changes nothing.
    package func disconnect() {
        disposeBag.disposeOfAll()
        extra = nil
    }
}
