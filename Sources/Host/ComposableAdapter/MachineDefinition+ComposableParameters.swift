public import ComposableArchitecture
public import MachineAdapters
public import MachineHost

extension MachineDefinition {
    /// Hosts a store of the Composable Architecture whose sessions have parameters:
    /// `POST /v1/sessions {"machine":"cart","parameters":{"country":"FR"}}`.
    ///
    /// Clients see the schema of the type. Parameters that do not fit it get 422, and no session is created. They are stored with the
    /// session, so that the factory receives them again when the session is restored.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - parameters: The type of the parameters.
    ///   - sample: The parameters of the store that is inspected at registration; nil for some that the type accepts, such as
    ///     empty texts and zeros.
    ///   - actions: Dotted names of the actions to offer, each with all actions that are nested in it; nil for all.
    ///   - excluding: Dotted names of actions that are not offered, each with all actions that are nested in it.
    ///   - hidden: Members of the state that are not available to clients.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - transient: The names of members of the state that are not captured.
    ///   - resumed: Returns the action that is sent after a session was restored; nil if none exists.
    ///   - make: Creates the store of a session with its parameters.
    /// - Throws: As ``composable(_:summary:actions:excluding:hidden:bindings:transient:resumed:make:)``, and if the type accepts no
    ///   sample.
    public static func composable<State: Encodable & SendableMetatype, Action, Parameters: Decodable & Sendable>(
        _ name: String, summary: String, parameters: Parameters.Type, sample: Parameters? = nil,
        actions: Set<String>? = nil, excluding: Set<String> = [], hidden: Set<String> = [],
        bindings: [OfferedBinding<State, Action>] = [], transient: Set<String> = [],
        resumed: (@Sendable ([InterruptedWork]) -> Action?)? = nil,
        make: @escaping @Sendable (SessionContext, Parameters) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let typed = try TypedParameters(parameters, sample: sample, machine: name)
        return typed.add(
            to: try composable(
                name, summary: summary, actions: actions, excluding: excluding, hidden: hidden, bindings: bindings,
                transient: transient, resumed: resumed, make: typed.factory(make)))
    }

    /// Hosts a store of the Composable Architecture whose sessions have parameters, and whose clients see a view of its state.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - parameters: The type of the parameters.
    ///   - sample: The parameters of the store that is inspected at registration; nil for some that the type accepts.
    ///   - actions: Dotted names of the actions to offer, each with all actions that are nested in it; nil for all.
    ///   - excluding: Dotted names of actions that are not offered, each with all actions that are nested in it.
    ///   - hidden: Members of the view that are not available to clients.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - transient: The names of members of the state that are not captured.
    ///   - resumed: Returns the action that is sent after a session was restored; nil if none exists.
    ///   - view: Returns the view of a state. Called at most once per turn.
    ///   - make: Creates the store of a session with its parameters.
    /// - Throws: As ``composable(_:summary:actions:excluding:hidden:bindings:transient:resumed:view:make:)``, and if the type accepts
    ///   no sample.
    public static func composable<
        State, Action, ViewState: Encodable & SendableMetatype, Parameters: Decodable & Sendable
    >(
        _ name: String, summary: String, parameters: Parameters.Type, sample: Parameters? = nil,
        actions: Set<String>? = nil, excluding: Set<String> = [], hidden: Set<String> = [],
        bindings: [OfferedBinding<State, Action>] = [], transient: Set<String> = [],
        resumed: (@Sendable ([InterruptedWork]) -> Action?)? = nil,
        view: @escaping @Sendable (State) -> ViewState,
        make: @escaping @Sendable (SessionContext, Parameters) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let typed = try TypedParameters(parameters, sample: sample, machine: name)
        return typed.add(
            to: try composable(
                name, summary: summary, actions: actions, excluding: excluding, hidden: hidden, bindings: bindings,
                transient: transient, resumed: resumed, view: view, make: typed.factory(make)))
    }

    /// Hosts a store of the Composable Architecture whose sessions have parameters, and whose clients see the listed parts of its
    /// state.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - parameters: The type of the parameters.
    ///   - sample: The parameters of the store that is inspected at registration; nil for some that the type accepts.
    ///   - actions: Dotted names of the actions to offer, each with all actions that are nested in it; nil for all.
    ///   - excluding: Dotted names of actions that are not offered, each with all actions that are nested in it.
    ///   - outputs: The outputs, by name and key path into the state.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - transient: The names of members of the state that are not captured.
    ///   - resumed: Returns the action that is sent after a session was restored; nil if none exists.
    ///   - make: Creates the store of a session with its parameters.
    /// - Throws: As ``composable(_:summary:actions:excluding:outputs:bindings:transient:resumed:make:)``, and if the type accepts no
    ///   sample.
    public static func composable<State, Action, Parameters: Decodable & Sendable>(
        _ name: String, summary: String, parameters: Parameters.Type, sample: Parameters? = nil,
        actions: Set<String>? = nil, excluding: Set<String> = [], outputs: [ListedOutput<State>],
        bindings: [OfferedBinding<State, Action>] = [], transient: Set<String> = [],
        resumed: (@Sendable ([InterruptedWork]) -> Action?)? = nil,
        make: @escaping @Sendable (SessionContext, Parameters) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let typed = try TypedParameters(parameters, sample: sample, machine: name)
        return typed.add(
            to: try composable(
                name, summary: summary, actions: actions, excluding: excluding, outputs: outputs, bindings: bindings,
                transient: transient, resumed: resumed, make: typed.factory(make)))
    }
}
