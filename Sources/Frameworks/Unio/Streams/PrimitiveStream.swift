import RxCore

/// A stream. It wires its parts once, on creation, and retains them. Not thread-safe.
open class PrimitiveStream<Logic: LogicType>: UnioStreamType, DisconnectableStream {
    /// The input for views.
    public let input: InputWrapper<Logic.Input>
    /// The output for views.
    public let output: OutputWrapper<Logic.Output>

    private let state: Logic.State
    private var extra: Logic.Extra?
    private let disposeBag = DisposeBag()

    /// Creates a stream by calling the logic's `bind` once.
    public init(input: Logic.Input, state: Logic.State, extra: Logic.Extra) {
        let input = StreamCapture.members(input, of: Logic.self, named: "input")
        let state = StreamCapture.members(state, of: Logic.self, named: "state")
        let dependency = Dependency(input: input, state: state, extra: extra)
        let output = Logic.bind(from: dependency, disposeBag: disposeBag)
        self.input = InputWrapper(input)
        self.output = OutputWrapper(output)
        self.state = state
        self.extra = extra
    }

    /// Ends every subscription and releases the extra. Inputs sent after that have no effect.
    package func disconnect() {
        // Disposed of explicitly, not only released: the extra or a subscription may still hold the bag.
        disposeBag.disposeOfAll()
        // The extra may retain this stream.
        extra = nil
    }
}
