public import ComposableArchitecture
public import MachineHost

extension MachineDefinition {
    /// Makes a store of the Composable Architecture hostable.
    ///
    /// Inputs are the cases of `Action`, found by reflection (Swift's field descriptors: a module that is compiled without
    /// reflection metadata cannot be hosted). A case that carries one value takes it as its body, one that carries several
    /// takes an object of them, by their labels. A case that carries another action that is not `Decodable` leads on to its
    /// cases, `counter1.incrementButtonTapped`; what it carries beside the action, the id of an element, is a member of
    /// the body, and the value of the last case is its member `value`.
    ///
    /// Outputs are the members of the state as it encodes itself: those that change in a turn are sent. A state that is an
    /// enum, or not written as members, is the one output `state`. Alerts say which inputs their buttons stand for.
    ///
    /// An action for state that does not exist (a removed element, a child that is nil, another case of an enum) is undone,
    /// whatever other reducers did with it, and its client gets a 409. So a reducer of a child has to be combined before the
    /// one that removes the child's state, as the Composable Architecture demands.
    ///
    /// What effects answer with is not offered: cases whose name ends with `Response`, cases that carry a result or an
    /// error, and those that `answers` names.
    ///
    /// The factory is called once here, to look at a store that is then thrown away, and once for each session, on the
    /// session's loop. Effects that are tasks come back there by themselves, others with `receive(on:)` the main queue or
    /// `context.scheduler`.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: One sentence for people.
    ///   - answers: Dotted names of cases that only effects send, and with them of all that lead on from them.
    ///   - offered: Dotted names of cases that look like answers and are offered all the same.
    ///   - hidden: Members of the state that clients do not see.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - make: Makes the store of one session.
    /// - Throws: If the machine cannot be hosted: an action that cannot be read, a name that means nothing, a factory that
    ///   throws. The error names the case, and what is missing.
    public static func composable<State: Encodable & SendableMetatype, Action>(
        _ name: String, summary: String, answers: Set<String> = [], offered: Set<String> = [],
        hidden: Set<String> = [], bindings: [OfferedBinding<State, Action>] = [],
        make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        try composable(
            name, summary: summary, answers: answers, offered: offered, hidden: hidden, bindings: bindings,
            view: { $0 }, make: make)
    }

    /// Makes a store of the Composable Architecture hostable, of whose state clients see what `view` makes of it.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: One sentence for people.
    ///   - answers: Dotted names of cases that only effects send, and with them of all that lead on from them.
    ///   - offered: Dotted names of cases that look like answers and are offered all the same.
    ///   - hidden: Members of the view state that clients do not see.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - view: What clients see of a state. Called at most once a turn.
    ///   - make: Makes the store of one session.
    /// - Throws: As ``composable(_:summary:answers:offered:hidden:bindings:make:)``.
    public static func composable<State, Action, ViewState: Encodable & SendableMetatype>(
        _ name: String, summary: String, answers: Set<String> = [], offered: Set<String> = [],
        hidden: Set<String> = [], bindings: [OfferedBinding<State, Action>] = [],
        view: @escaping @Sendable (State) -> ViewState,
        make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let wishes = ComposableWishes(
            answers: answers, offered: offered, hidden: hidden, bindings: bindings.map(\.input))
        return try composable(name, summary, make) { state throws(MachineRegistrationError) in
            try ComposableShape(of: state, named: name, wishes: wishes, view: view)
        }
    }

    /// Makes a store of the Composable Architecture hostable, of whose state clients see what the registration lists. The
    /// state need not be `Encodable`.
    ///
    /// - Parameters:
    ///   - name: The name in paths.
    ///   - summary: One sentence for people.
    ///   - answers: Dotted names of cases that only effects send, and with them of all that lead on from them.
    ///   - offered: Dotted names of cases that look like answers and are offered all the same.
    ///   - outputs: The outputs, by name and key path into the state: `[.value("count", \.counter.count)]`.
    ///   - bindings: Properties that clients may set by binding actions.
    ///   - make: Makes the store of one session.
    /// - Throws: As ``composable(_:summary:answers:offered:hidden:bindings:make:)``, and if an output is listed twice, is an
    ///   event, or has values that are not `Encodable`.
    public static func composable<State, Action>(
        _ name: String, summary: String, answers: Set<String> = [], offered: Set<String> = [],
        outputs: [ListedOutput<State>], bindings: [OfferedBinding<State, Action>] = [],
        make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let wishes = ComposableWishes(
            answers: answers, offered: offered, hidden: [], bindings: bindings.map(\.input))
        return try composable(name, summary, make) { _ throws(MachineRegistrationError) in
            try ComposableShape(listing: outputs, named: name, wishes: wishes)
        }
    }

    private static func composable<State, Action>(
        _ name: String, _ summary: String, _ make: @escaping @Sendable (SessionContext) throws -> Store<State, Action>,
        shape find: (State) throws(MachineRegistrationError) -> ComposableShape<State, Action>
    ) throws(MachineRegistrationError) -> MachineDefinition {
        let probe: Store<State, Action>
        do {
            probe = try SessionContext.trying(make)
        } catch {
            throw MachineRegistrationError(machine: name, detail: "its factory failed: \(error)")
        }
        let shape = try find(probe.committedState)
        probe.endEffects()
        return MachineDefinition(name: name, summary: summary, inputs: shape.inputs, outputs: shape.outputs) {
            context in shape.adapt(try make(context), context: context)
        }
    }
}
