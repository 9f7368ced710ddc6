public import MachineHost
public import Ricemill

extension MachineDefinition {
    /// Makes a Ricemill machine hostable.
    ///
    /// Inputs are the subjects of the machine's `Input`, and the `@Published` properties of a `BindableInputType`. Outputs
    /// are those that `outputs` lists. Without a list they are the publishers and `@Published` properties of its `Output`,
    /// and its other stored properties that are `Encodable` (those of an object are read again at the end of every turn).
    /// A subject without a current value is an event.
    ///
    /// > Important: Where the store is the output (`Output == Store`) and there is no list, **every `@Published` property and
    /// > every publisher of the store is sent to clients, also a private one**: reflection cannot tell it apart. Plain stored
    /// > properties of a store are not sent. List the outputs of a store that keeps a secret.
    ///
    /// What a view offers only at times (`isIncrementEnabled`) is accepted at any time.
    ///
    /// An output that becomes infinite or no number cannot be written as JSON: its session ends with an incident, which the
    /// log explains. A trap in a machine ends the process.
    ///
    /// The factory is called once here, to look at a machine that is then thrown away, and once for each session, on the
    /// session's loop.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: One sentence for people.
    ///   - outputs: The outputs, by name and key path into `Output`: `[.value("count", \.count), .event("failed", \.failed)]`;
    ///     nil for all that reflection finds.
    ///   - events: Outputs that only happen (an error message, a navigation): clients get each of their values, and never
    ///     a current one.
    ///   - hidden: Properties that clients do not see.
    ///   - make: Makes the machine of one session.
    /// - Throws: If the machine cannot be hosted: an input whose value is not `Decodable`, an output whose value is not
    ///   `Encodable`, a machine without a `polish`, a factory that throws. The error names the property.
    public static func ricemill<M: MachineType & SendableMetatype>(
        _ name: String, summary: String, outputs: [ListedOutput<M.Output>]? = nil, events: Set<String> = [],
        hidden: Set<String> = [],
        make: @escaping @Sendable (SessionContext) throws -> M
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let probe: M
        do {
            probe = try MachineDefect.$isOnTrial.withValue(true) { try SessionContext.trying(make) }
        } catch {
            throw MachineRegistrationError(machine: name, detail: "its factory failed: \(error)")
        }
        let wishes = OutputWishes(listed: outputs?.map { ListedPort($0) }, events: events, hidden: hidden)
        let shape = try MachineShape(of: probe, named: name, wishes: wishes)
        var definition = MachineDefinition(
            name: name, summary: summary, inputs: shape.inputs, outputs: shape.outputs
        ) { context in
            let machine = try make(context)
            return try shape.adapt(machine, MachineParts(of: machine), context: context)
        }
        definition.showsWholeStore = outputs == nil && MachineParts(of: probe).isOutputStore
        return definition
    }
}
