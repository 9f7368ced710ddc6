/// Makes the output of a machine from its input, store and extra.
///
/// A machine is usually its own resolver; one that is written as `Machine<ViewModel.Resolver>` has a nested one.
public protocol ResolverType {
    /// What a view tells the machine.
    associatedtype Input: InputType
    /// What a view reads of the machine.
    associatedtype Output: OutputType
    /// The machine's state.
    associatedtype Store: StoreType
    /// What the machine needs from outside.
    associatedtype Extra: ExtraType

    /// Wires the machine. Called once, in the machine's initialiser, before anybody can send it an input; whatever
    /// publishers send during the call is in the store when the initialiser returns.
    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output>
}

extension ResolverType {
    /// Stands in where a type is a resolver only because its machine has to be one (`Machine<ViewModel.Resolver>` makes
    /// `ViewModel` a resolver, too). A machine that is made with it stops the process, or, while it is being
    /// registered with a host, is refused with a ``MachineDefect``.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
        Polished(defect: .unpolished(String(reflecting: Self.self)))
    }
}
