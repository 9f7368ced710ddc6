import ComposableArchitecture
import JSONText
import MachineAdapters
import MachineHost

/// Encodes the outputs of a session's state. Confined to the session's loop.
class StateWriter<State> {
    /// Returns whether changes of the state may change an output.
    func isAffected(_ index: Int, by changes: ObservableStateChanges) -> Bool { true }

    /// Accepts a changed state, and encodes the affected outputs if they must be encoded together. Throws ``OutputTooLarge`` for
    /// an output with more bytes than the limit.
    func take(_ state: State, _ changes: ObservableStateChanges, limit: Int32) throws {}

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
    /// The number of the member of the state that an output shows; nil if the output may depend on any member.
    private let sources: [Int?]
    /// The outputs that the next encoding includes.
    private var isWanted: [Bool]
    /// Whether a member's text was released.
    private var hasReleased = false

    /// The maximum size of a text that is kept after it was copied.
    private static var maxTextBytes: Int { 32 << 10 }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - names: The names of the outputs.
    ///   - reported: The names of the members whose changes the state reports, if the view is the state itself.
    init(_ names: [String], reported: [String], view: @escaping (State) -> ViewState) {
        self.names = names
        self.view = view
        sources = names.map { reported.firstIndex(of: $0) }
        isWanted = names.map { _ in true }
        // The names of the registration: a restored session may encode a state first that omits some of them.
        members = StateMembers(names)
    }

    override func isAffected(_ index: Int, by changes: ObservableStateChanges) -> Bool {
        sources[index].map { changes.contains($0) } ?? true
    }

    override func take(_ state: State, _ changes: ObservableStateChanges, limit: Int32) throws {
        for index in names.indices { isWanted[index] = isAffected(index, by: changes) }
        try encode(state, limit)
    }

    private func encode(_ state: State, _ limit: Int32) throws {
        members.byteLimit = limit
        try members.encode(view(state), wanted: isWanted)
    }

    override func append(_ index: Int, of state: State, to json: inout [UInt8], limit: Int32) throws {
        // The outputs are the members, in this order.
        if members.texts[index].isEmpty, !isWanted[index] || hasReleased {
            for other in isWanted.indices { isWanted[other] = other == index }
            try encode(state, limit)
        }
        json.append(contentsOf: members.texts[index])
        guard members.texts[index].count > Self.maxTextBytes else { return }
        // The host now has the text. Keeping a large text here as well would double the session's memory.
        members.release(index)
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
