/// A logic that is a value: it wires a stream of its own kind, ``InstanceLogicStream``, and can hold a bag for what lives
/// as long as the stream.
///
/// Streams were written like this before a stream could be its own logic; ``LogicType`` is the form to prefer, since there
/// a logic cannot hide state outside of ``StateType``.
public protocol InstanceLogicType {
    /// What a view tells the stream.
    associatedtype Input: InputType
    /// What a view reads of the stream.
    associatedtype Output: OutputType
    /// The stream's state.
    associatedtype State: StateType
    /// What the stream needs from outside.
    associatedtype Extra: ExtraType

    /// Wires the stream. Called once, in the stream's initialiser, before anybody can send it an input.
    func bind(from dependency: Dependency<Input, State, Extra>) -> Output
}
