public import ComposableArchitecture
public import MachineAdapters
public import MachineHost
public import StateCapture

extension MachineDefinition {
    /// Hosts a store of the Composable Architecture.
    ///
    /// The inputs are the cases of `Action`, as `@CasePathable` describes them. Those of other enums are found by reflection of
    /// Swift's field descriptors; a module that is compiled without reflection metadata cannot be hosted. A case with one associated value accepts it as the body,
    /// a case with several accepts an object with their labels as members. A case with another action that is not
    /// `Decodable` leads to the cases of that action: `counter1.incrementButtonTapped`. Its other values, such as the
    /// id of an element, are members of the body, and a single value of the last case is the member `value`.
    ///
    /// The outputs are the members of the state as it encodes itself. The members that change in a turn are sent. Of an
    /// `ObservableState`, only the members that were assigned in the turn are encoded. A state that is an enum, or that does not encode members, becomes the single output `state`. Alerts contain the
    /// inputs that their buttons send.
    ///
    /// An action for state that does not exist (a removed element, a child that is nil, another case of an enum) is
    /// undone, including the changes of other reducers, and the client receives a 409. So combine the reducer of a
    /// child before the reducer that removes the child's state, as the Composable Architecture requires.
    ///
    /// List the actions that clients may send with `actions`. Without a list, every action with a JSON form is offered,
    /// and the host logs a warning if an action looks like the result of an effect: if its name, or the name of a
    /// payload's type, ends with `Response` or `Result`. Actions that carry a `Result`, a `TaskResult` or an error have
    /// no JSON form and are not offered.
    ///
    /// The state survives the process if its members are `Codable` or consist of such values: structures, enumerations,
    /// optionals, collections, and the wrappers of this framework. A restored store gets it in place of `initialState`.
    /// Effects are not captured, because they consist of closures: start them again in the `resumed` action. The
    /// dependencies `uuid` and `date` and the ids of alerts continue the session's series.
    ///
    /// The factory is called once at registration, to inspect a store that is then discarded, and once for each
    /// session, on the session's loop. Effects that are tasks return to the loop by themselves; others with
    /// `receive(on:)` and the main queue or `context.scheduler`.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - actions: Dotted names of the actions to offer, each with all actions that are nested in it; nil for all.
    ///   - excluding: Dotted names of actions that are not offered, each with all actions that are nested in it.
    ///   - hidden: Members of the state that are not available to clients.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - transient: The names of members of the state that are not captured: `search.cache`.
    ///   - resumed: Returns the action that is sent after a session was restored, given the effects that were running
    ///     then, which were not started again; nil if none exists.
    ///   - make: Creates the store of a session.
    /// - Throws: If the machine cannot be hosted: the values of an action cannot be decoded, a name does not exist, or
    ///   the factory throws. The error names the case and the reason.
    public static func composable<State: Encodable & SendableMetatype, Action>(
        _ name: String, summary: String, actions: Set<String>? = nil, excluding: Set<String> = [],
        hidden: Set<String> = [], bindings: [OfferedBinding<State, Action>] = [],
        transient: Set<String> = [], resumed: (@Sendable ([InterruptedWork]) -> Action?)? = nil,
        make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let options = ComposableOptions(
            actions: ActionSelection(listed: actions, excluded: excluding), hidden: hidden,
            bindings: bindings.map(\.input))
        let reported = (State.self as? any ObservableState.Type)?._$memberNames ?? []
        return try composable(name, summary, transient, resumed, make) { state throws(MachineRegistrationError) in
            try ComposableShape(of: state, named: name, options: options, reported: reported, view: { $0 })
        }
    }

    /// Hosts a store of the Composable Architecture whose clients see a view of its state.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - actions: Dotted names of the actions to offer, each with all actions that are nested in it; nil for all.
    ///   - excluding: Dotted names of actions that are not offered, each with all actions that are nested in it.
    ///   - hidden: Members of the view that are not available to clients.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - transient: The names of members of the state that are not captured: `search.cache`.
    ///   - resumed: Returns the action that is sent after a session was restored, given the effects that were running
    ///     then, which were not started again; nil if none exists.
    ///   - view: Returns the view of a state. Called at most once per turn.
    ///   - make: Creates the store of a session.
    /// - Throws: As ``composable(_:summary:actions:excluding:hidden:bindings:transient:resumed:make:)``.
    public static func composable<State, Action, ViewState: Encodable & SendableMetatype>(
        _ name: String, summary: String, actions: Set<String>? = nil, excluding: Set<String> = [],
        hidden: Set<String> = [], bindings: [OfferedBinding<State, Action>] = [],
        transient: Set<String> = [], resumed: (@Sendable ([InterruptedWork]) -> Action?)? = nil,
        view: @escaping @Sendable (State) -> ViewState,
        make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let options = ComposableOptions(
            actions: ActionSelection(listed: actions, excluded: excluding), hidden: hidden,
            bindings: bindings.map(\.input))
        return try composable(name, summary, transient, resumed, make) { state throws(MachineRegistrationError) in
            try ComposableShape(of: state, named: name, options: options, reported: [], view: view)
        }
    }

    /// Hosts a store of the Composable Architecture whose clients see the listed parts of its state. The state need not
    /// be `Encodable`.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: A one-sentence description.
    ///   - actions: Dotted names of the actions to offer, each with all actions that are nested in it; nil for all.
    ///   - excluding: Dotted names of actions that are not offered, each with all actions that are nested in it.
    ///   - outputs: The outputs, by name and key path into the state: `[.value("count", \.counter.count)]`.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - transient: The names of members of the state that are not captured: `search.cache`.
    ///   - resumed: Returns the action that is sent after a session was restored, given the effects that were running
    ///     then, which were not started again; nil if none exists.
    ///   - make: Creates the store of a session.
    /// - Throws: As ``composable(_:summary:actions:excluding:hidden:bindings:transient:resumed:make:)``, and if an output is listed
    ///   twice, is an event, or has values that are not `Encodable`.
    public static func composable<State, Action>(
        _ name: String, summary: String, actions: Set<String>? = nil, excluding: Set<String> = [],
        outputs: [ListedOutput<State>], bindings: [OfferedBinding<State, Action>] = [],
        transient: Set<String> = [], resumed: (@Sendable ([InterruptedWork]) -> Action?)? = nil,
        make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let options = ComposableOptions(
            actions: ActionSelection(listed: actions, excluded: excluding), hidden: [], bindings: bindings.map(\.input))
        return try composable(name, summary, transient, resumed, make) { _ throws(MachineRegistrationError) in
            try ComposableShape(listing: outputs, named: name, options: options)
        }
    }

    private static func composable<State, Action>(
        _ name: String, _ summary: String, _ transient: Set<String>,
        _ resumed: (@Sendable ([InterruptedWork]) -> Action?)?,
        _ make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>,
        shape find: (State) throws(MachineRegistrationError) -> ComposableShape<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let probe = try MachineProbe<ComposableShape<State, Action>>(of: name, transient: transient) {
            context throws(MachineRegistrationError) in
            let store = try MachineProbe<ComposableShape<State, Action>>.make(name, context, make)
            var shape = try find(store.committedState)
            shape.resumed = resumed
            return (shape, shape.adapt(store, context: context), [])
        }
        let shape = probe.shape
        var definition = MachineDefinition(
            name: name, summary: summary, inputs: shape.inputs, outputs: shape.outputs
        ) { context in shape.adapt(try make(context), context: context) }
        definition.warnings = shape.warnings
        probe.describe(&definition)
        return definition
    }
}
