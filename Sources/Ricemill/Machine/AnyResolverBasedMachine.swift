public import CombineCore

/// A machine that can be made with any resolver of its input and output.
public protocol AnyResolverBasedMachineType: MachineType {
    /// Wires the parts, by calling the resolver's `polish` once.
    init<R: ResolverType>(input: R.Input, store: R.Store, extra: R.Extra, resolver: R.Type)
    where Input == R.Input, Output == R.Output
}

extension AnyResolverBasedMachineType where Self: ResolverType {
    /// Wires the parts with the machine as its own resolver.
    public init(input: Input, store: Store, extra: Extra) {
        self.init(input: input, store: store, extra: extra, resolver: Self.self)
    }
}

/// A machine known by its input and output only; which resolver made it does not show in its type.
open class AnyResolverBasedMachine<Input: InputType, Output: OutputType>: AnyResolverBasedMachineType,
    Disconnectable
{
    /// Where a view sends.
    public let input: InputProxy<Input>
    /// Where a view reads.
    public let output: OutputProxy<Output>
    /// Keeps the pipelines going.
    private let machine: any Disconnectable

    /// Wires the parts, by calling the resolver's `polish` once. Stops the process where ``PrimitiveMachine`` does.
    public required init<R: ResolverType>(input: R.Input, store: R.Store, extra: R.Extra, resolver: R.Type)
    where Input == R.Input, Output == R.Output {
        let machine = PrimitiveMachine<R>(input: input, store: store, extra: extra)
        self.input = machine.input
        output = machine.output
        self.machine = machine
    }

    /// Cancels every pipeline of the machine inside.
    package func disconnect() {
        machine.disconnect()
    }
}

extension AnyResolverBasedMachine: ObservableObject where Output: StoredOutputType {
    /// Announces that the output is about to change.
    public var objectWillChange: AnyPublisher<Output.ObjectWillChangePublisher.Output, Never> {
        output.base.objectWillChange.eraseToAnyPublisher()
    }
}
