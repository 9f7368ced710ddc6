import ComposableArchitecture
import MachineHost

/// The inputs and outputs of a composable machine: found when it is registered, used for all of its sessions.
struct ComposableShape<State, Action>: @unchecked Sendable {
    // Sendable because the closures capture types, routes and functions that the caller gave for all sessions.
    let inputs: [InputDefinition]
    let outputs: [OutputDefinition]
    /// Makes what writes the outputs of one session.
    let makeWriter: () -> StateWriter<State>

    /// The name of the output of a state that has no members.
    static var wholeName: String { "state" }

    /// The shape of a machine whose outputs are listed.
    init(
        listing listed: [ListedOutput<State>], named machine: String, wishes: ComposableWishes
    ) throws(MachineRegistrationError) {
        inputs = try Self.inputs(machine: machine, wishes: wishes)
        var outputs: [OutputDefinition] = []
        for output in listed {
            if output.isEvent {
                throw MachineRegistrationError(
                    machine: machine,
                    detail: "its output \"\(output.name)\" cannot be an event: a state has values only")
            }
            guard output.write != nil else {
                throw MachineRegistrationError(
                    machine: machine,
                    detail:
                        "the values of its output \"\(output.name)\", of type \(output.type), cannot be written as JSON: "
                        + "\(output.type) has to be Encodable")
            }
            if outputs.contains(where: { $0.name == output.name }) {
                throw MachineRegistrationError(
                    machine: machine, detail: "it has two outputs named \"\(output.name)\"")
            }
            outputs.append(OutputDefinition(name: output.name, schema: output.schema, kind: .value))
        }
        self.outputs = outputs
        makeWriter = { ListWriter(listed) }
        try Self.checkNames(of: outputs, machine: machine)
    }

    /// The shape of a machine whose outputs are the members of what is shown of its state.
    init<ViewState: Encodable & SendableMetatype>(
        of state: State, named machine: String, wishes: ComposableWishes, view: @escaping (State) -> ViewState
    ) throws(MachineRegistrationError) {
        inputs = try Self.inputs(machine: machine, wishes: wishes)
        let shown = view(state)
        let members = StateMembers()
        do {
            try members.encode(shown, isFirst: true)
        } catch {
            throw MachineRegistrationError(machine: machine, detail: "its first state cannot be written: \(error)")
        }
        let isWhole = members.isWhole || members.members.isEmpty || Mirror(reflecting: shown).displayStyle == .enum
        let found =
            isWhole
            ? [StateMembers.Member(name: Self.wholeName, schema: .of(encodable: ViewState.self))] : members.members
        for unknown in wishes.hidden.subtracting(found.map(\.name)).sorted() {
            throw MachineRegistrationError(machine: machine, detail: "it has no \"\(unknown)\" that could be hidden")
        }
        outputs = found.filter { !wishes.hidden.contains($0.name) }
            .map { OutputDefinition(name: $0.name, schema: $0.schema, kind: .value) }
        let names = outputs.map(\.name)
        makeWriter = { isWhole ? WholeWriter(view: view) : MemberWriter(names, view: view) }
        try Self.checkNames(of: outputs, machine: machine)
    }

    private static func checkNames(
        of outputs: [OutputDefinition], machine: String
    ) throws(MachineRegistrationError) {
        if let wrong = outputs.first(where: { !PortName.isAvailable($0.name) }) {
            throw MachineRegistrationError(
                machine: machine, detail: "an output needs a name that does not begin with $, got \"\(wrong.name)\"")
        }
    }

    /// Makes a store of that shape hostable.
    func adapt(_ store: Store<State, Action>, context: SessionContext) -> ComposableMachine<State, Action> {
        ComposableMachine(store, shape: self, context: context)
    }

    private static func inputs(
        machine: String, wishes: ComposableWishes
    ) throws(MachineRegistrationError) -> [InputDefinition] {
        let catalogue = ActionCatalogue(of: Action.self, answers: wishes.answers, offered: wishes.offered)
        if let reason = catalogue.refused.first { throw MachineRegistrationError(machine: machine, detail: reason) }
        for unknown in wishes.answers.union(wishes.offered).subtracting(catalogue.known).sorted() {
            throw MachineRegistrationError(machine: machine, detail: "it has no action \"\(unknown)\"")
        }
        var inputs: [InputDefinition] = []
        for route in catalogue.routes {
            guard let input = input(route) else {
                throw MachineRegistrationError(
                    machine: machine, detail: "its action \"\(route.name)\" cannot be made from what it carries")
            }
            inputs.append(input)
        }
        inputs += wishes.bindings
        var names: Set<String> = []
        if let twin = inputs.first(where: { !names.insert($0.name).inserted }) {
            throw MachineRegistrationError(machine: machine, detail: "it has two inputs named \"\(twin.name)\"")
        }
        return inputs
    }

    private static func input(_ route: ActionRoute) -> InputDefinition? {
        let refusal = { @Sendable (missing: MissingState) in route.refusal(missing) }
        guard case .nothing = route.body else {
            return InputDefinition(name: route.name, schema: route.body.schema) { json throws(InputMismatch) in
                let values = try route.body.read(json)
                guard let action = route.action(of: values, as: Action.self) else {
                    preconditionFailure("\(Action.self).\(route.name) cannot be made of what was read for it")
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

    /// Sendable because an action without values has nothing that could change.
    private struct ConstantAction: @unchecked Sendable {
        let action: Action
    }
}

/// What the registration of a composable machine says about names.
struct ComposableWishes {
    let answers: Set<String>
    let offered: Set<String>
    let hidden: Set<String>
    let bindings: [InputDefinition]
}
