import CombineCore
package import MachineHost
package import StateCapture

/// Hosts a machine whose inputs and outputs were found by reflection. Confined to the session's loop.
package final class AdaptedMachine: HostedMachine {
    package let outputs: OutputBoard
    /// The machine, retained for the lifetime of the session.
    private var machine: AnyObject?
    /// The properties to which inputs send, in the order of the definition.
    // Stored as objects, which take one word each. An `Any` takes four words.
    private var inputs: [AnyObject]
    /// The objects that act after a restore.
    private var resumables: [any Resumable]
    /// The observation of a store whose properties are read when it changes.
    var observation: AnyCancellable?

    init(_ machine: AnyObject, inputs: [Any], outputs: OutputBoard, resumables: [any Resumable] = []) {
        self.machine = machine
        self.inputs = inputs.map { $0 as AnyObject }
        self.outputs = outputs
        self.resumables = resumables
    }

    /// Calls a closure with the property of an input. Does nothing after the session has ended.
    func withInput(_ index: Int, _ body: (Any) -> Void) {
        if inputs.indices.contains(index) { body(inputs[index]) }
    }

    /// Notifies the machine and its store that they were restored.
    package func resumed(_ interrupted: [InterruptedWork]) {
        for resumable in resumables { resumable.resumed(interrupted) }
    }

    /// Ends the subscriptions, and releases the machine.
    package func end() {
        observation?.cancel()
        observation = nil
        for cell in outputs.cells { (cell as? any EndableCell)?.end() }
        (machine as? any Disconnectable)?.disconnect()
        inputs = []
        resumables = []
        machine = nil
    }
}
