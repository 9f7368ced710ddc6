/// A stream whose type is hidden: only its input and output show. It keeps the hidden stream alive.
public final class AnyUnioStream<Input: InputType, Output: OutputType>: UnioStreamType, DisconnectableStream {
    /// Where a view sends.
    public let input: InputWrapper<Input>
    /// Where a view reads.
    public let output: OutputWrapper<Output>
    private let stream: AnyObject

    /// Hides the type of `stream`.
    public init<Stream: UnioStreamType>(_ stream: Stream) where Stream.Input == Input, Stream.Output == Output {
        input = stream.input
        output = stream.output
        self.stream = stream
    }

    /// Ends every subscription of the stream inside, unless that is of a kind of its own.
    package func disconnect() {
        (stream as? any DisconnectableStream)?.disconnect()
    }
}
