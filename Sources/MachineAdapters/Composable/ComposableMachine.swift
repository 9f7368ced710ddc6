import CombineCore
import ComposableArchitecture
import Log
import MachineHost

/// A store that was made hostable. Confined to the session's loop.
final class ComposableMachine<State, Action, ViewState: Encodable & SendableMetatype>: HostedMachine {
    let outputs: OutputBoard
    private var store: Store<State, Action>?
    private var observation: AnyCancellable?
    private let view: (State) -> ViewState
    private let members = StateMembers()
    private let isWhole: Bool
    /// Whether the state has changed since the members were last written.
    private var isStale = true
    /// Whether a text of the members has been freed since.
    private var hasReleased = false

    init(
        _ store: Store<State, Action>, shape: ComposableShape<State, Action, ViewState>,
        view: @escaping (State) -> ViewState, context: SessionContext
    ) {
        outputs = OutputBoard(context: context)
        self.store = store
        self.view = view
        isWhole = shape.isWhole
        for (index, output) in shape.outputs.enumerated() {
            outputs.add(StateCell(index: index, name: output.name, machine: self))
        }
        let log = context.log
        store.reportIssues { issue in
            log.limited(.warning, "composable machine reported", ["issue": .text(issue.summary)])
        }
        observation = store.observe { [weak self] in self?.stateWillChange() }
    }

    func send(_ action: Action) {
        store?.sendFromView(action)
    }

    func end() {
        observation?.cancel()
        store?.endEffects()
        store = nil
    }

    private func stateWillChange() {
        guard outputs.isOnLoop else { return outputs.perform { [weak self] in self?.markAll() } }
        markAll()
    }

    private func markAll() {
        guard !isStale, store != nil else { return }
        isStale = true
        for cell in outputs.cells { outputs.mark(cell) }
    }

    /// A text of a member with more bytes is not kept: the host has it then.
    private static var largestText: Int { 32 << 10 }

    /// Appends the JSON of a member of the state that there is now.
    fileprivate func append(_ name: String, to json: inout [UInt8], limit: Int32) throws {
        guard let store else { return }
        if isStale || hasReleased && members.place(of: name).map({ members.texts[$0].isEmpty }) == true {
            isStale = false
            hasReleased = false
            members.byteLimit = limit
            if !isWhole { try members.encode(view(store.committedState), isFirst: members.members.isEmpty) }
        }
        if isWhole { return try JSONTree.append(view(store.committedState), to: &json, limit: Int(limit)) }
        guard let place = members.place(of: name) else { return }
        json.append(contentsOf: members.texts[place])
        guard members.texts[place].count > Self.largestText else { return }
        members.release(place)
        hasReleased = true
    }
}

/// A member of a state.
private final class StateCell<State, Action, ViewState: Encodable & SendableMetatype>: OutputCell {
    private let name: String
    private unowned let machine: ComposableMachine<State, Action, ViewState>

    init(index: Int, name: String, machine: ComposableMachine<State, Action, ViewState>) {
        self.name = name
        self.machine = machine
        super.init(index: index)
    }

    override func encode(into json: inout [UInt8]) throws {
        try machine.append(name, to: &json, limit: byteLimit)
    }
}
