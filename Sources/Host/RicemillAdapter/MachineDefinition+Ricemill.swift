public import MachineAdapters
public import MachineHost
public import Ricemill

extension MachineDefinition {
    /// Hosts a Ricemill machine.
    ///
    /// The inputs are the subjects of the machine's `Input` and the `@Published` properties of a `BindableInputType`.
    /// The outputs are those listed in `outputs`. Without a list, they are the publishers and `@Published` properties
    /// of `Output` and its other stored properties that are `Encodable`; those of an object are read at the end of
    /// every turn. A subject without a current value is an event.
    ///
    /// > Important: If the store is the output (`Output == Store`) and there is no list, **every `@Published` property
    /// and every publisher of the store is sent to clients, including private ones**: reflection cannot distinguish
    /// them. Plain stored properties of a store are not sent. List the outputs of a store that contains a secret.
    ///
    /// An input that a view enables only in some states (`isIncrementEnabled`) is always accepted.
    ///
    /// An output that becomes infinite or NaN cannot be encoded as JSON: its session ends with an incident that the log
    /// explains. A trap in a machine ends the process.
    ///
    /// The store survives the process together with the `@Published` properties and current-value subjects of the input and
    /// the operators between them, if their values are `Codable` or consist of such values. A restored machine gets its
    /// members before `polish`. A machine or store that is `Resumable` is notified afterwards.
    ///
    /// The factory is called once at registration, to inspect a machine that is then discarded, and once for each
    /// session, on the session's loop. At registration, the publishers of the output are subscribed to briefly.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - outputs: The outputs, by name and key path into `Output`: `[.value("count", \.count), .event("failed",
    ///     \.failed)]`; nil for all outputs that reflection finds.
    ///   - events: Outputs that emit events (an error message, a navigation): clients receive each value, and there is
    ///     no current value.
    ///   - hidden: Properties that are not available to clients.
    ///   - transient: The names of members and operators that are not captured: what a restored session builds anew or
    ///     loses on purpose.
    ///   - make: Creates the machine of a session.
    /// - Throws: If the machine cannot be hosted: an input's value is not `Decodable`, an output's value is not
    ///   `Encodable`, the machine has no `polish`, or the factory throws. The error names the property.
    public static func ricemill<M: MachineType & SendableMetatype>(
        _ name: String, summary: String, outputs: [ListedOutput<M.Output>]? = nil, events: Set<String> = [],
        hidden: Set<String> = [], transient: Set<String> = [],
        make: @escaping @Sendable (SessionContext) throws -> M
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let options = OutputOptions(listed: outputs?.map { ListedPort($0) }, events: events, hidden: hidden)
        var showsWholeStore = false
        let probe = try MachineProbe<MachineShape>(of: name, transient: transient) {
            context throws(MachineRegistrationError) in
            let machine = try MachineProbe<MachineShape>.make(name, context) { context in
                try MachineDefect.$isOnTrial.withValue(true) { try make(context) }
            }
            let shape = try MachineShape(of: machine, named: name, options: options)
            let parts = MachineParts(capturing: machine)
            showsWholeStore = outputs == nil && parts.isOutputStore
            return (shape, try shape.validate(machine, parts, context: context, named: name), parts.resumables)
        }
        let shape = probe.shape
        var definition = MachineDefinition(
            name: name, summary: summary, inputs: shape.inputs, outputs: shape.outputs
        ) { context in
            let machine = try make(context)
            return try shape.adapt(machine, MachineParts(capturing: machine), context: context)
        }
        definition.showsWholeStore = showsWholeStore
        probe.describe(&definition)
        return definition
    }
}
