/// The interface of a stream for a view: an input and an output. A view that requires only this protocol can use a
/// mock.
public protocol UnioStreamType: AnyObject {
    /// The type of the input.
    associatedtype Input: InputType
    /// The type of the output.
    associatedtype Output: OutputType

    /// The input for the view.
    var input: InputWrapper<Input> { get }
    /// The output for the view.
    var output: OutputWrapper<Output> { get }
}
