import MachineHost

/// Writes the outputs of one session's state. Confined to the session's loop.
class StateWriter<State> {
    /// Takes a state that differs from the one before: what is read of it as a whole is read now. Throws
    /// ``OutputTooLarge`` for an output of more bytes than the limit.
    func take(_ state: State, limit: Int32) throws {}

    /// Appends the JSON of the output at that index of the state that was taken last. Throws ``OutputTooLarge`` if it has
    /// more bytes than the limit.
    func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        preconditionFailure("\(Self.self) has to write its outputs")
    }
}

/// Writes the members of what is shown of a state, as it encodes itself.
final class MemberWriter<State, ViewState: Encodable>: StateWriter<State> {
    private let names: [String]
    private let view: (State) -> ViewState
    private let members = StateMembers()
    /// Whether a text of the members has been freed since the state was taken.
    private var hasReleased = false

    /// A text of a member with more bytes is not kept: the host has it then.
    private static var largestText: Int { 32 << 10 }

    init(_ names: [String], view: @escaping (State) -> ViewState) {
        self.names = names
        self.view = view
    }

    override func take(_ state: State, limit: Int32) throws {
        hasReleased = false
        members.byteLimit = limit
        try members.encode(view(state), isFirst: members.members.isEmpty)
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        guard let place = members.place(of: names[index]) else { return }
        if hasReleased, members.texts[place].isEmpty { try take(state, limit: limit) }
        json.append(contentsOf: members.texts[place])
        guard members.texts[place].count > Self.largestText else { return }
        members.release(place)
        hasReleased = true
    }
}

/// Writes what is shown of a state as one output.
final class WholeWriter<State, ViewState: Encodable>: StateWriter<State> {
    private let view: (State) -> ViewState

    init(view: @escaping (State) -> ViewState) {
        self.view = view
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        try JSONTree.append(view(state), to: &json, limit: Int(limit))
    }
}

/// Writes the outputs that a registration lists.
final class ListWriter<State>: StateWriter<State> {
    private let outputs: [ListedOutput<State>]

    init(_ outputs: [ListedOutput<State>]) {
        self.outputs = outputs
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        try outputs[index].write?(state, &json, limit)
    }
}
