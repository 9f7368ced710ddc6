import CombineCore
import Dispatch
import HTTPModel
import MachineHost
import StateCapture

/// A machine whose output follows its input after a pause.
final class Typist: HostedMachine {
    /// The pause, after which the last text is shown.
    static let pause = DispatchQueue.SchedulerTimeType.Stride.seconds(5)

    let outputs: OutputBoard
    private let typed = PassthroughSubject<String, Never>()
    private let shown = Cell(index: 0)
    private var cancellable: AnyCancellable?

    private init(_ context: SessionContext) {
        outputs = OutputBoard(context: context)
        outputs.add(shown)
        StateRegistry.current?.register(shown)
        cancellable = typed.debounce(for: Typist.pause, scheduler: context.scheduler).sink { [unowned self] text in
            shown.text = text
            outputs.mark(shown)
        }
    }

    func end() { cancellable = nil }

    static var definition: MachineDefinition {
        var definition = MachineDefinition(
            name: "typist", summary: "Shows what was typed.",
            inputs: [
                InputDefinition(name: "type", schema: .any) { json in
                    let text = String(decoding: json, as: UTF8.self)
                    return PreparedInput { machine in (machine as? Typist)?.typed.send(text) }
                }
            ],
            outputs: [OutputDefinition(name: "text", schema: .any, kind: .value)], make: { Typist($0) })
        definition.captureObstacles = []
        return definition
    }

    private final class Cell: OutputCell, StatefulPart {
        static var partName: StaticString { "text" }
        var text = "\"\""
        var partState: String? { text }

        func restore(_ state: String?) { text = state ?? text }

        override func encode(into json: inout [UInt8]) { json.append(contentsOf: text.utf8) }
    }
}
