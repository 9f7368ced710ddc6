/// A stream that can be created with any logic of its input and output.
public protocol AnyLogicBasedStreamType: UnioStreamType {
    /// Creates a stream by calling the logic's `bind` once.
    init<L: LogicType>(input: L.Input, state: L.State, extra: L.Extra, logic: L.Type)
    where Input == L.Input, Output == L.Output
}

extension AnyLogicBasedStreamType where Self: LogicType {
    /// Creates a stream that is its own logic.
    public init(input: Input, state: State, extra: Extra) {
        self.init(input: input, state: state, extra: extra, logic: Self.self)
    }
}

/// A stream that exposes only its input and output in its type, not its logic.
open class AnyLogicBasedStream<Input: InputType, Output: OutputType>: AnyLogicBasedStreamType, DisconnectableStream {
    /// The input for views.
    public let input: InputWrapper<Input>
    /// The output for views.
    public let output: OutputWrapper<Output>
    /// Retains the subscriptions.
    private let stream: any DisconnectableStream

    /// Creates a stream by calling the logic's `bind` once.
    public required init<L: LogicType>(input: L.Input, state: L.State, extra: L.Extra, logic: L.Type)
    where Input == L.Input, Output == L.Output {
        let stream = PrimitiveStream<L>(input: input, state: state, extra: extra)
        self.input = stream.input
        output = stream.output
        self.stream = stream
    }

    /// Ends every subscription of the underlying stream.
    package func disconnect() {
        stream.disconnect()
    }
}
