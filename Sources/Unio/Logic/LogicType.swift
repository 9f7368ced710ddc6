public import RxCore

/// Makes the output of a stream from its input, state and extra. A stream is usually its own logic.
public protocol LogicType {
    /// What a view tells the stream.
    associatedtype Input: InputType
    /// What a view reads of the stream.
    associatedtype Output: OutputType
    /// The stream's state.
    associatedtype State: StateType
    /// What the stream needs from outside.
    associatedtype Extra: ExtraType

    /// Wires the stream. Called once, in the stream's initialiser, before anybody can send it an input. What is put into
    /// the bag lives as long as the stream.
    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output
}
