/// A stream that is wired by a logic value, which it retains. Not thread-safe.
open class InstanceLogicStream<Logic: InstanceLogicType>: UnioStreamType, DisconnectableStream {
    /// The input for views.
    public let input: InputWrapper<Logic.Input>
    /// The output for views.
    public let output: OutputWrapper<Logic.Output>

    private let state: Logic.State
    private var extra: Logic.Extra?
    private var logic: Logic?

    /// Creates a stream by calling the logic's `bind` once.
    public init(input: Logic.Input, state: Logic.State, extra: Logic.Extra, logic: Logic) {
        let input = StreamCapture.members(input, of: Logic.self, named: "input")
        let state = StreamCapture.members(state, of: Logic.self, named: "state")
        let output = logic.bind(from: Dependency(input: input, state: state, extra: extra))
        self.input = InputWrapper(input)
        self.output = OutputWrapper(output)
        self.state = state
        self.extra = extra
        self.logic = logic
    }

    /// Releases the extra and the logic, whose bag ends the subscriptions.
    package func disconnect() {
        logic = nil
        // The extra may retain this stream.
        extra = nil
    }
}
