public import CombineCore

/// A machine: it wires its parts once, when it is made, and keeps them as long as it lives. Not thread-safe.
open class PrimitiveMachine<Resolver: ResolverType>: MachineType, Disconnectable {
    /// Where a view sends.
    public let input: InputProxy<Resolver.Input>
    /// Where a view reads.
    public let output: OutputProxy<Resolver.Output>

    private let store: Resolver.Store
    private var extra: Resolver.Extra?
    private var cancellables: [AnyCancellable]

    /// Wires the parts, by calling the resolver's `polish` once. Stops the process if the resolver has no `polish`, or if
    /// that gives no output and the store is none.
    public init(input: Resolver.Input, store: Resolver.Store, extra: Resolver.Extra) {
        let polished = Resolver.polish(input: Publishing(input), store: store, extra: extra)
        self.input = InputProxy(input)
        output = Self.output(of: polished, store: store)
        self.store = store
        self.extra = extra
        cancellables = polished.cancellables
    }

    /// Cancels every pipeline and lets go of the extra. What is still sent to the machine changes nothing, and a pipeline or
    /// an extra that holds the machine does not keep it any more.
    package func disconnect() {
        let connected = cancellables
        cancellables = []
        for cancellable in connected { cancellable.cancel() }
        extra = nil
    }

    private static func output(
        of polished: Polished<Resolver.Output>, store: Resolver.Store
    ) -> OutputProxy<Resolver.Output> {
        let defect: MachineDefect
        if let found = polished.defect {
            defect = found
        } else if let output = polished.output ?? (store as? Resolver.Output) {
            return OutputProxy(output)
        } else {
            defect = .noOutput(String(reflecting: Resolver.self))
        }
        guard MachineDefect.isOnTrial else { preconditionFailure(defect.description) }
        return OutputProxy(defect: defect)
    }
}

extension PrimitiveMachine: ObservableObject where Resolver.Output == Resolver.Store {
    /// Announces that the store is about to change.
    public var objectWillChange: Resolver.Store.ObjectWillChangePublisher { store.objectWillChange }
}
