import JSONText
import MachineHost

/// Encodes the outputs of a session's state. Confined to the session's loop.
class StateWriter<State> {
    /// Accepts a changed state, and encodes it if its outputs must be encoded together. Throws ``OutputTooLarge`` for
    /// an output with more bytes than the limit.
    func take(_ state: State, limit: Int32) throws {}

    /// Appends the JSON of an output of the accepted state. Throws ``OutputTooLarge`` if it has more bytes than the
    /// limit.
    func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        preconditionFailure("\(Self.self) must override append(_:of:to:limit:)")
    }
}

/// Encodes the members of a state's view.
final class MemberWriter<State, ViewState: Encodable>: StateWriter<State> {
    private let names: [String]
    private let view: (State) -> ViewState
    private let members: StateMembers
    /// Whether a member's text was released since the state was accepted.
    private var hasReleased = false

    /// The maximum size of a text that is kept after it was copied.
    private static var largestText: Int { 32 << 10 }

    init(_ names: [String], view: @escaping (State) -> ViewState) {
        self.names = names
        self.view = view
        // The names of the registration: a restored session may encode a state first that omits some of them.
        members = StateMembers(names)
    }

    override func take(_ state: State, limit: Int32) throws {
        hasReleased = false
        members.byteLimit = limit
        try members.encode(view(state))
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        guard let place = members.place(of: names[index]) else { return }
        if hasReleased, members.texts[place].isEmpty { try take(state, limit: limit) }
        json.append(contentsOf: members.texts[place])
        guard members.texts[place].count > Self.largestText else { return }
        // The host now has the text. Keeping a large text here as well would double the session's memory.
        members.release(place)
        hasReleased = true
    }
}

/// Encodes a state's view as one output.
final class WholeWriter<State, ViewState: Encodable>: StateWriter<State> {
    private let view: (State) -> ViewState

    init(view: @escaping (State) -> ViewState) {
        self.view = view
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        try OutputTooLarge.check { try JSONTree.append(view(state), to: &json, limit: Int(limit)) }
    }
}

/// Encodes the outputs that a registration lists.
final class ListWriter<State>: StateWriter<State> {
    private let outputs: [ListedOutput<State>]

    init(_ outputs: [ListedOutput<State>]) {
        self.outputs = outputs
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        try outputs[index].write?(state, &json, limit)
    }
}
