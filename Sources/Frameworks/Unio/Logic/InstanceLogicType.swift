/// A logic that is a value. It wires an ``InstanceLogicStream`` and can hold a bag for subscriptions that live as long
/// as the stream.
///
/// Unio used this form before a stream could be its own logic. Prefer ``LogicType``, because a logic of that form
/// cannot hide state outside ``StateType``.
public protocol InstanceLogicType {
    /// The type of the input.
    associatedtype Input: InputType
    /// The type of the output.
    associatedtype Output: OutputType
    /// The stream's state.
    associatedtype State: StateType
    /// The external dependencies of the stream.
    associatedtype Extra: ExtraType

    /// Wires the stream. The stream's initializer calls it once, before any input can be sent.
    func bind(from dependency: Dependency<Input, State, Extra>) -> Output
}
