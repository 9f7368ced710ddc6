public import MachineAdapters
public import MachineHost
public import Ricemill

extension MachineDefinition {
    /// Hosts a Ricemill machine whose sessions have parameters: `POST /v1/sessions {"machine":"cart","parameters":{"country":"FR"}}`.
    ///
    /// Clients see the schema of the type. Parameters that do not fit it get 422, and no session is created. They are stored with the
    /// session, so that the factory receives them again when the session is restored.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - parameters: The type of the parameters.
    ///   - sample: The parameters of the machine that is inspected at registration; nil for some that the type accepts, such as
    ///     empty texts and zeros.
    ///   - outputs: The outputs, by name and key path into `Output`; nil for all outputs that reflection finds.
    ///   - events: Outputs that emit events.
    ///   - hidden: Properties that are not available to clients.
    ///   - transient: The names of members and operators that are not captured.
    ///   - make: Creates the machine of a session with its parameters.
    /// - Throws: As ``ricemill(_:summary:outputs:events:hidden:transient:make:)``, and if the type accepts no sample.
    public static func ricemill<M: MachineType & SendableMetatype, Parameters: Decodable & Sendable>(
        _ name: String, summary: String, parameters: Parameters.Type, sample: Parameters? = nil,
        outputs: [ListedOutput<M.Output>]? = nil, events: Set<String> = [], hidden: Set<String> = [],
        transient: Set<String> = [], make: @escaping @Sendable (SessionContext, Parameters) throws -> M
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let typed = try TypedParameters(parameters, sample: sample, machine: name)
        return typed.add(
            to: try ricemill(
                name, summary: summary, outputs: outputs, events: events, hidden: hidden, transient: transient,
                make: typed.factory(make)))
    }
}
