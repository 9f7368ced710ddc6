/// The interface of a machine for a view: an input and an output. A view that requires only this protocol can use a
/// mock.
public protocol MachineType: AnyObject {
    /// The type of the input.
    associatedtype Input: InputType
    /// The type of the output.
    associatedtype Output: OutputType

    /// The input for the view.
    var input: InputProxy<Input> { get }
    /// The output for the view.
    var output: OutputProxy<Output> { get }
}
