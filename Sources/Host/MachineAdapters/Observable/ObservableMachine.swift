import CombineCore
import Log
import MachineHost
import StateCapture

/// Hosts an observable object. Confined to the session's loop.
final class ObservableMachine<Root: AnyObject>: HostedMachine {
    let outputs: OutputBoard
    /// The tasks of asynchronous inputs.
    let tasks: SessionTasks
    private var root: Root?
    private var resumables: [any Resumable]
    private var observation: AnyCancellable?
    private let rejection: (@Sendable (any Error) -> InputRejection)?

    init(_ root: Root, shape: ObservableShape<Root>, context: SessionContext) {
        self.root = root
        outputs = OutputBoard(context: context)
        tasks = context.tasks
        rejection = shape.rejection
        resumables = [root as AnyObject].compactMap { $0 as? any Resumable }
        if let registry = StateRegistry.current {
            registry.registerMembers(of: root, named: "machine")
            if shape.hasTasks { registry.register(tasks) }
        }
        for (index, port) in shape.ports.enumerated() {
            let place = CellPlace(
                index: index, board: outputs, object: root, output: root, name: port.name, log: context.log)
            outputs.add(port.makeCell(root, place))
        }
        if let object = root as? any ObservableObject { observation = observe(object) }
    }

    /// The objects that act after a restore.
    var resumableObjects: [any Resumable] { resumables }

    func run(_ input: ObservableInput<Root>.Run) throws(InputRefusal) {
        if let root { try input(root, self) }
    }

    /// Returns the refusal of an input whose method has thrown an error.
    func refusal(for error: any Error) -> InputRefusal {
        // A registration without a rule has no method that throws.
        rejection?(error).refusal ?? InputRefusal(reason: "it has failed", kind: .machine)
    }

    func resumed(_ interrupted: [InterruptedWork]) {
        // A restored machine has not been read, because clients know its outputs.
        for cell in outputs.cells { (cell as? any ObservingOutput)?.observe() }
        for resumable in resumables { resumable.resumed(interrupted) }
    }

    func end() {
        observation = nil
        for cell in outputs.cells { (cell as? any EndableCell)?.end() }
        tasks.end()
        resumables = []
        root = nil
    }

    private func observe(_ object: some ObservableObject) -> AnyCancellable {
        object.objectWillChange.sink { [weak self] _ in
            guard let self else { return }
            for cell in outputs.cells { (cell as? any ObservingOutput)?.willChange() }
        }
    }
}
