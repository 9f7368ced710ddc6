import MachineHost

/// Writes the outputs of one session's state. Confined to the session's loop.
class StateWriter<State> {
    /// Takes a state that differs from the one before: what is read of it as a whole is read now.
    func take(_ state: State) throws {}

    /// Appends the JSON of the output at that index of the state that was taken last.
    func append(_ index: Int, of state: State, to json: inout [UInt8]) throws {
        preconditionFailure("\(Self.self) has to write its outputs")
    }
}

/// Writes the members of what is shown of a state, as it encodes itself.
final class MemberWriter<State, ViewState: Encodable>: StateWriter<State> {
    private let names: [String]
    private let view: (State) -> ViewState
    private let members = StateMembers()

    init(_ names: [String], view: @escaping (State) -> ViewState) {
        self.names = names
        self.view = view
    }

    override func take(_ state: State) throws {
        try members.encode(view(state), isFirst: members.members.isEmpty)
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8]) throws {
        if let place = members.place(of: names[index]) { json.append(contentsOf: members.texts[place]) }
    }
}

/// Writes what is shown of a state as one output.
final class WholeWriter<State, ViewState: Encodable>: StateWriter<State> {
    private let view: (State) -> ViewState

    init(view: @escaping (State) -> ViewState) {
        self.view = view
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8]) throws {
        try JSONTree.append(view(state), to: &json)
    }
}

/// Writes the outputs that a registration lists.
final class ListWriter<State>: StateWriter<State> {
    private let outputs: [ListedOutput<State>]

    init(_ outputs: [ListedOutput<State>]) {
        self.outputs = outputs
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8]) throws {
        try outputs[index].write?(state, &json)
    }
}
