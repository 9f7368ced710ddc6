public import RxCore

/// A type that creates the output of a stream from its input, state and extra. A stream is usually its own logic.
public protocol LogicType {
    /// The type of the input.
    associatedtype Input: InputType
    /// The type of the output.
    associatedtype Output: OutputType
    /// The stream's state.
    associatedtype State: StateType
    /// The external dependencies of the stream.
    associatedtype Extra: ExtraType

    /// Wires the stream.
    ///
    /// The stream's initializer calls it once, before any input can be sent. Disposables in the bag live as long as the
    /// stream.
    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output
}
