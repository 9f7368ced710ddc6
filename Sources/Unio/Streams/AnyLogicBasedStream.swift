/// A stream that can be made with any logic of its input and output.
public protocol AnyLogicBasedStreamType: UnioStreamType {
    /// Wires the parts, by calling the logic's `bind` once.
    init<L: LogicType>(input: L.Input, state: L.State, extra: L.Extra, logic: L.Type)
    where Input == L.Input, Output == L.Output
}

extension AnyLogicBasedStreamType where Self: LogicType {
    /// Wires the parts with the stream as its own logic.
    public init(input: Input, state: State, extra: Extra) {
        self.init(input: input, state: state, extra: extra, logic: Self.self)
    }
}

/// A stream known by its input and output only; which logic made it does not show in its type.
open class AnyLogicBasedStream<Input: InputType, Output: OutputType>: AnyLogicBasedStreamType, DisconnectableStream {
    /// Where a view sends.
    public let input: InputWrapper<Input>
    /// Where a view reads.
    public let output: OutputWrapper<Output>
    /// Keeps the subscriptions going.
    private let stream: any DisconnectableStream

    /// Wires the parts, by calling the logic's `bind` once.
    public required init<L: LogicType>(input: L.Input, state: L.State, extra: L.Extra, logic: L.Type)
    where Input == L.Input, Output == L.Output {
        let stream = PrimitiveStream<L>(input: input, state: state, extra: extra)
        self.input = stream.input
        output = stream.output
        self.stream = stream
    }

    /// Ends every subscription of the stream inside.
    package func disconnect() {
        stream.disconnect()
    }
}
