import ComposableArchitecture
import MachineAdapters
import MachineHost
import StateCapture

/// The inputs and outputs of a composable machine, found at registration and used for all sessions.
struct ComposableShape<State, Action>: @unchecked Sendable {
    // Sendable: the closures capture types, routes and functions that the caller provides for all sessions.
    let inputs: [InputDefinition]
    let outputs: [OutputDefinition]
    /// Warnings about the registration, for the log.
    let warnings: [String]
    /// Creates the writer of a session's outputs.
    let makeWriter: () -> StateWriter<State>
    /// Returns the action that is sent after a session was restored.
    var resumed: (@Sendable ([InterruptedWork]) -> Action?)?

    /// The name of the output of a state without members.
    static var wholeName: String { "state" }

    init(
        listing listed: [ListedOutput<State>], named machine: String, options: ComposableOptions
    ) throws(MachineRegistrationError) {
        (inputs, warnings) = try Self.inputs(machine: machine, options: options)
        var outputs: [OutputDefinition] = []
        for output in listed {
            if output.isEvent {
                throw MachineRegistrationError(
                    machine: machine,
                    detail: "its output \"\(output.name)\" cannot be an event: a state has only values")
            }
            guard output.write != nil else {
                throw MachineRegistrationError(
                    machine: machine,
                    detail:
                        "the values of its output \"\(output.name)\", of type \(output.type), cannot be written as JSON: "
                        + "\(output.type) must be Encodable")
            }
            if outputs.contains(where: { $0.name == output.name }) {
                throw MachineRegistrationError(
                    machine: machine, detail: "it has two outputs named \"\(output.name)\"")
            }
            outputs.append(
                OutputDefinition(name: output.name, schema: output.schema, kind: .value, isAlwaysPresent: true))
        }
        self.outputs = outputs
        makeWriter = { ListWriter(listed) }
        try Self.checkNames(of: outputs, machine: machine)
    }

    /// Creates the shape of a machine whose outputs are the members of its state's view.
    ///
    /// - Parameters:
    ///   - machine: The name of the machine.
    ///   - options: The options of the registration.
    ///   - reported: The names of the members whose changes the state reports, if the view is the state itself.
    init<ViewState: Encodable & SendableMetatype>(
        of state: State, named machine: String, options: ComposableOptions, reported: [String],
        view: @escaping (State) -> ViewState
    ) throws(MachineRegistrationError) {
        (inputs, warnings) = try Self.inputs(machine: machine, options: options)
        let shown = view(state)
        let members = StateMembers()
        do {
            try members.encode(shown, isFirst: true)
        } catch {
            throw MachineRegistrationError(machine: machine, detail: "its initial state cannot be encoded: \(error)")
        }
        let isWhole = members.isWhole || members.members.isEmpty || Mirror(reflecting: shown).displayStyle == .enum
        let found =
            isWhole
            ? [StateMembers.Member(name: Self.wholeName, schema: .of(encodable: ViewState.self))] : members.members
        for unknown in options.hidden.subtracting(found.map(\.name)).sorted() {
            throw MachineRegistrationError(machine: machine, detail: "it has no property \"\(unknown)\" to hide")
        }
        outputs = found.filter { !options.hidden.contains($0.name) }
            .map { OutputDefinition(name: $0.name, schema: $0.schema, kind: .value, isAlwaysPresent: true) }
        let names = outputs.map(\.name)
        makeWriter = { isWhole ? WholeWriter(view: view) : MemberWriter(names, reported: reported, view: view) }
        try Self.checkNames(of: outputs, machine: machine)
    }

    private static func checkNames(
        of outputs: [OutputDefinition], machine: String
    ) throws(MachineRegistrationError) {
        if let wrong = outputs.first(where: { !PortName.isAvailable($0.name) }) {
            throw MachineRegistrationError(
                machine: machine, detail: "an output needs a name that does not start with $, got \"\(wrong.name)\"")
        }
    }

    func adapt(_ store: Store<State, Action>, context: SessionContext) -> ComposableMachine<State, Action> {
        ComposableMachine(store, shape: self, context: context)
    }

    private static func inputs(
        machine: String, options: ComposableOptions
    ) throws(MachineRegistrationError) -> ([InputDefinition], warnings: [String]) {
        let catalogue = ActionCatalogue(of: Action.self, options.actions)
        if let reason = catalogue.refused.first { throw MachineRegistrationError(machine: machine, detail: reason) }
        for unknown in options.actions.excluded.union(options.actions.listed ?? []).subtracting(catalogue.known)
            .sorted()
        {
            throw MachineRegistrationError(machine: machine, detail: "it has no action \"\(unknown)\"")
        }
        var inputs: [InputDefinition] = []
        for route in catalogue.routes {
            guard let input = input(route) else {
                throw MachineRegistrationError(
                    machine: machine,
                    detail: "its action \"\(route.name)\" cannot be created from its associated values")
            }
            inputs.append(input)
        }
        inputs += options.bindings
        var names: Set<String> = []
        if let twin = inputs.first(where: { !names.insert($0.name).inserted }) {
            throw MachineRegistrationError(machine: machine, detail: "it has two inputs named \"\(twin.name)\"")
        }
        let suspects = catalogue.suspects.map { "\"\($0)\"" }.joined(separator: ", ")
        let warning =
            "clients may send actions that look like results of effects: \(suspects); list the actions to offer (actions:), or "
            + "exclude some (excluding:)"
        return (inputs, catalogue.suspects.isEmpty ? [] : [warning])
    }

    private static func input(_ route: ActionRoute) -> InputDefinition? {
        let refusal = { @Sendable (missing: MissingState) in route.refusal(missing) }
        guard case .nothing = route.body else {
            return InputDefinition(name: route.name, schema: route.body.schema) { json throws(InputMismatch) in
                let values = try route.body.read(json)
                guard let action = route.action(of: values, as: Action.self) else {
                    preconditionFailure("\(Action.self).\(route.name) cannot be created from its decoded values")
                }
                return prepared(action, refusal: refusal)
            }
        }
        guard let action = route.action(of: [], as: Action.self) else { return nil }
        let constant = ConstantAction(action: action)
        return InputDefinition(name: route.name, schema: .null) { json throws(InputMismatch) in
            _ = try route.body.read(json)
            return prepared(constant.action, refusal: refusal)
        }
    }

    private static func prepared(
        _ action: Action, refusal: @escaping @Sendable (MissingState) -> InputRefusal
    ) -> PreparedInput {
        PreparedInput { machine throws(InputRefusal) in
            guard let machine = machine as? ComposableMachine<State, Action> else {
                preconditionFailure("an input was prepared for a composable machine, run on a \(type(of: machine))")
            }
            if let missing = machine.send(action) { throw refusal(missing) }
        }
    }

    // Sendable: an action without values has no mutable state.
    private struct ConstantAction: @unchecked Sendable {
        let action: Action
    }
}

/// The options of a composable machine's registration.
struct ComposableOptions {
    let actions: ActionSelection
    let hidden: Set<String>
    let bindings: [InputDefinition]
}
