/// What a view sees of a machine: an input to send to and an output to read. A view that asks for no more than this can
/// be given a stand-in.
public protocol MachineType: AnyObject {
    /// What the view tells the machine.
    associatedtype Input: InputType
    /// What the view reads of the machine.
    associatedtype Output: OutputType

    /// Where the view sends.
    var input: InputProxy<Input> { get }
    /// Where the view reads.
    var output: OutputProxy<Output> { get }
}
