/// A type-erased stream that exposes only its input and output. It retains the underlying stream.
public final class AnyUnioStream<Input: InputType, Output: OutputType>: UnioStreamType, DisconnectableStream {
    /// The input for views.
    public let input: InputWrapper<Input>
    /// The output for views.
    public let output: OutputWrapper<Output>
    private let stream: AnyObject

    /// Creates a type-erased stream that retains `stream`.
    public init<Stream: UnioStreamType>(_ stream: Stream) where Stream.Input == Input, Stream.Output == Output {
        input = stream.input
        output = stream.output
        self.stream = stream
    }

    /// Ends every subscription of the underlying stream, unless that stream is of a custom type.
    package func disconnect() {
        // A custom stream type manages its own subscriptions.
        (stream as? any DisconnectableStream)?.disconnect()
    }
}
