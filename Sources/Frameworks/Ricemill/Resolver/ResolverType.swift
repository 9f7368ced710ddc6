/// A type that creates the output of a machine from its input, store and extra.
///
/// A machine is usually its own resolver. A machine that is declared as `Machine<ViewModel.Resolver>` has a nested one.
public protocol ResolverType {
    /// The type of the input.
    associatedtype Input: InputType
    /// The type of the output.
    associatedtype Output: OutputType
    /// The type of the machine's state.
    associatedtype Store: StoreType
    /// The type of the machine's external dependencies.
    associatedtype Extra: ExtraType

    /// Wires the machine.
    ///
    /// The machine's initializer calls it once, before any input can be sent. Values that publishers emit during the
    /// call are in the store when the initializer returns.
    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output>
}

extension ResolverType {
    /// The default implementation, for a type that is a resolver only because its machine must be one:
    /// `Machine<ViewModel.Resolver>` makes `ViewModel` a resolver, too.
    ///
    /// Creating a machine with it stops the process. A host that registers such a machine rejects it with a
    /// ``MachineDefect``.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
        Polished(defect: .unpolished(String(reflecting: Self.self)))
    }
}
