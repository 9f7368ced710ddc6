/// What a view sees of a stream: an input to send to and an output to read. A view that asks for no more than this can be
/// given a mock.
public protocol UnioStreamType: AnyObject {
    /// What the view tells the stream.
    associatedtype Input: InputType
    /// What the view reads of the stream.
    associatedtype Output: OutputType

    /// Where the view sends.
    var input: InputWrapper<Input> { get }
    /// Where the view reads.
    var output: OutputWrapper<Output> { get }
}
