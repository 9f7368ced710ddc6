public import CombineCore

/// A machine that can be created with any resolver of its input and output.
public protocol AnyResolverBasedMachineType: MachineType {
    /// Creates a machine by calling the resolver's `polish` once.
    init<R: ResolverType>(input: R.Input, store: R.Store, extra: R.Extra, resolver: R.Type)
    where Input == R.Input, Output == R.Output
}

extension AnyResolverBasedMachineType where Self: ResolverType {
    /// Creates a machine that is its own resolver.
    public init(input: Input, store: Store, extra: Extra) {
        self.init(input: input, store: store, extra: extra, resolver: Self.self)
    }
}

/// A machine that exposes only its input and output in its type, not its resolver.
open class AnyResolverBasedMachine<Input: InputType, Output: OutputType>: AnyResolverBasedMachineType,
    Disconnectable, SelfCapturing
{
    /// The input for views.
    public let input: InputProxy<Input>
    /// The output for views.
    public let output: OutputProxy<Output>
    /// Retains the pipelines.
    private let machine: any Disconnectable & SelfCapturing

    /// Creates a machine by calling the resolver's `polish` once. Stops the process under the same conditions as
    /// ``PrimitiveMachine``.
    public required init<R: ResolverType>(input: R.Input, store: R.Store, extra: R.Extra, resolver: R.Type)
    where Input == R.Input, Output == R.Output {
        let machine = PrimitiveMachine<R>(input: input, store: store, extra: extra)
        self.input = machine.input
        output = machine.output
        self.machine = machine
    }

    /// Cancels every pipeline of the underlying machine.
    package func disconnect() {
        machine.disconnect()
    }

    package var capturedStore: AnyObject { machine.capturedStore }
}

extension AnyResolverBasedMachine: ObservableObject where Output: StoredOutputType {
    /// A publisher that emits before the output changes.
    public var objectWillChange: AnyPublisher<Output.ObjectWillChangePublisher.Output, Never> {
        output.base.objectWillChange.eraseToAnyPublisher()
    }
}
