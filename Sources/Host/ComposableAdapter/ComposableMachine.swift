import CombineCore
import ComposableArchitecture
import Log
import MachineHost
import StateCapture

/// Hosts a store. Confined to the session's loop.
final class ComposableMachine<State, Action>: HostedMachine {
    let outputs: OutputBoard
    private var store: Store<State, Action>?
    private var observation: AnyCancellable?
    private let writer: StateWriter<State>
    private let action: (([InterruptedWork]) -> Action?)?
    /// Whether the state has changed since it was last encoded.
    private var isStale = true
    /// The changes whose cells are marked; nil if none are. Those of a restored machine are not, although nothing has been encoded
    /// yet.
    private var marked = StateRegistry.isRestoring ? nil : ObservableStateChanges.all

    init(_ store: Store<State, Action>, shape: ComposableShape<State, Action>, context: SessionContext) {
        outputs = OutputBoard(context: context)
        self.store = store
        writer = shape.makeWriter()
        action = shape.resumed
        for index in shape.outputs.indices { outputs.add(StateCell(index: index, machine: self)) }
        let log = context.log
        store.reportIssues { issue in
            log.limited(.warning, "composable machine reported an issue", ["issue": .text(issue.summary)])
        }
        observation = store.observe { [weak self] in self?.stateWillChange() }
        if let effects = context.declaredEffects {
            effects.run = { [weak store] effect, names in
                if let effect = effect as? EffectTask<Action> { store?.run(effect, cancellableBy: names) }
            }
        }
    }

    /// Sends a client's action. If the targeted state does not exist, changes nothing and returns the missing state.
    func send(_ action: Action) -> MissingState? {
        store?.sendForClient(action)
    }

    func resumed(_ interrupted: [InterruptedWork]) {
        if let action = action?(interrupted) { store?.sendForHost(action) }
    }

    func end() {
        observation?.cancel()
        store?.endEffects()
        store = nil
    }

    private func stateWillChange() {
        guard outputs.isOnLoop else { return outputs.perform { [weak self] in self?.mark() } }
        mark()
    }

    private func mark() {
        guard let store else { return }
        isStale = true
        // Cells are marked once per turn, regardless of the number of actions that change the state.
        let changes = store.pendingChanges
        guard changes != marked else { return }
        marked = changes
        for cell in outputs.cells where writer.isAffected(cell.index, by: changes) {
            outputs.mark(cell)
        }
    }

    /// Appends the JSON of an output of the current state.
    fileprivate func append(_ index: Int, to json: inout [UInt8], limit: Int32) throws {
        guard let store else { return }
        // The first output that is read after a change encodes the whole state once; the others use the result.
        marked = nil
        if isStale {
            isStale = false
            try writer.take(store.committedState, store.takePendingChanges(), limit: limit)
        }
        try writer.append(index, of: store.committedState, to: &json, limit: limit)
    }
}

/// An output of a store's state.
private final class StateCell<State, Action>: OutputCell {
    // The machine owns the board, which owns its cells.
    private unowned let machine: ComposableMachine<State, Action>

    init(index: Int, machine: ComposableMachine<State, Action>) {
        self.machine = machine
        super.init(index: index)
    }

    override func encode(into json: inout [UInt8]) throws {
        try machine.append(index, to: &json, limit: byteLimit)
    }
}
