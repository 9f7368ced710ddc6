public import CombineCore

/// A machine. It wires its parts once, on creation, and retains them. Not thread-safe.
open class PrimitiveMachine<Resolver: ResolverType>: MachineType, Disconnectable, SelfCapturing {
    /// The input for views.
    public let input: InputProxy<Resolver.Input>
    /// The output for views.
    public let output: OutputProxy<Resolver.Output>

    private let store: Resolver.Store
    private var extra: Resolver.Extra?
    private var cancellables: [AnyCancellable]

    /// Creates a machine by calling the resolver's `polish` once.
    ///
    /// Stops the process if the resolver has no `polish`, or if `polish` returns no output and the store is not an
    /// output.
    public init(input: Resolver.Input, store: Resolver.Store, extra: Resolver.Extra) {
        // Before `polish`, so that pipelines are wired to the members of the stored session.
        CapturedParts.register(input: input, of: store)
        CapturedParts.register(store, named: "store")
        let polished = Resolver.polish(input: Publishing(input), store: store, extra: extra)
        self.input = InputProxy(input)
        output = Self.output(of: polished, store: store)
        self.store = store
        self.extra = extra
        cancellables = polished.cancellables
        // After `polish`, which creates the output. Its members are put back in silence.
        if let output = polished.output { CapturedParts.register(output: output, of: store) }
    }

    package var capturedStore: AnyObject { store }

    /// Cancels every pipeline and releases the extra.
    ///
    /// Inputs sent after that have no effect. A pipeline or an extra that retains the machine no longer keeps it alive.
    package func disconnect() {
        let connected = cancellables
        cancellables = []
        // The property is cleared first: a pipeline that is cancelled may release the machine or use it.
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
        // A defect is an error of the program. Only a host that validates the machine can report it instead.
        guard MachineDefect.isOnTrial else { preconditionFailure(defect.description) }
        return OutputProxy(defect: defect)
    }
}

extension PrimitiveMachine: ObservableObject where Resolver.Output == Resolver.Store {
    /// A publisher that emits before the store changes.
    public var objectWillChange: Resolver.Store.ObjectWillChangePublisher { store.objectWillChange }
}
