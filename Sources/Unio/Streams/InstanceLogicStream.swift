/// A stream that is wired by a logic that is a value, which it keeps. Not thread-safe.
open class InstanceLogicStream<Logic: InstanceLogicType>: UnioStreamType, DisconnectableStream {
    /// Where a view sends.
    public let input: InputWrapper<Logic.Input>
    /// Where a view reads.
    public let output: OutputWrapper<Logic.Output>

    private let state: Logic.State
    private var extra: Logic.Extra?
    private var logic: Logic?

    /// Wires the parts, by calling the logic's `bind` once.
    public init(input: Logic.Input, state: Logic.State, extra: Logic.Extra, logic: Logic) {
        let output = logic.bind(from: Dependency(input: input, state: state, extra: extra))
        self.input = InputWrapper(input)
        self.output = OutputWrapper(output)
        self.state = state
        self.extra = extra
        self.logic = logic
    }

    /// Lets go of the logic, whose bag ends the subscriptions, and of the extra.
    package func disconnect() {
        logic = nil
        extra = nil
    }
}
