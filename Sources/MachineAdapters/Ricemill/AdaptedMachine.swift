import CombineCore
import MachineHost
import Ricemill

/// A machine that an adapter made hostable: the host's side of it. Confined to the session's loop.
final class AdaptedMachine: HostedMachine {
    let outputs: OutputBoard
    /// Keeps the machine going.
    private var machine: AnyObject?
    /// What the inputs send to, in the order of the definition: objects, which take a word each.
    private var inputs: [AnyObject]
    /// Of the store, where an output has to be read when it changes.
    var observation: AnyCancellable?

    init(_ machine: AnyObject, inputs: [Any], outputs: OutputBoard) {
        self.machine = machine
        self.inputs = inputs.map { $0 as AnyObject }
        self.outputs = outputs
    }

    /// Calls the closure with what the input sends to; does nothing once the session has ended.
    func withInput(_ index: Int, _ body: (Any) -> Void) {
        if inputs.indices.contains(index) { body(inputs[index]) }
    }

    func end() {
        observation?.cancel()
        observation = nil
        for cell in outputs.cells { (cell as? any EndableCell)?.end() }
        (machine as? any Disconnectable)?.disconnect()
        inputs = []
        machine = nil
    }
}
