public import MachineAdapters
public import MachineHost
public import Unio

extension MachineDefinition {
    /// Hosts a Unio stream whose sessions have parameters: `POST /v1/sessions {"machine":"cart","parameters":{"country":"FR"}}`.
    ///
    /// Clients see the schema of the type. Parameters that do not fit it get 422, and no session is created. They are stored with the
    /// session, so that the factory receives them again when the session is restored.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - parameters: The type of the parameters.
    ///   - sample: The parameters of the stream that is inspected at registration; nil for some that the type accepts, such as
    ///     empty texts and zeros.
    ///   - outputs: The outputs, by name and key path into `Output`; nil for all outputs that reflection finds.
    ///   - events: Outputs that emit events, regardless of their type.
    ///   - values: Observables that show their latest element although they send none on subscription.
    ///   - hidden: Properties that are not available to clients.
    ///   - transient: The names of members and operators that are not captured.
    ///   - make: Creates the stream of a session with its parameters.
    /// - Throws: As ``unio(_:summary:outputs:events:values:hidden:transient:make:)``, and if the type accepts no sample.
    public static func unio<Stream: UnioStreamType & SendableMetatype, Parameters: Decodable & Sendable>(
        _ name: String, summary: String, parameters: Parameters.Type, sample: Parameters? = nil,
        outputs: [ListedOutput<Stream.Output>]? = nil, events: Set<String> = [], values: Set<String> = [],
        hidden: Set<String> = [], transient: Set<String> = [],
        make: @escaping @Sendable (SessionContext, Parameters) throws -> Stream
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let typed = try TypedParameters(parameters, sample: sample, machine: name)
        return typed.add(
            to: try unio(
                name, summary: summary, outputs: outputs, events: events, values: values, hidden: hidden,
                transient: transient, make: typed.factory(make)))
    }
}
