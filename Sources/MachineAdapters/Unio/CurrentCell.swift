import CombineCore
import MachineHost
import RxCore

/// An output with a current value.
final class CurrentCell<Output: CurrentValueOutput>: ObservingCell<Output.Element, any Error> {
    private let output: Output

    init(_ output: Output, writer: ValueWriter<Output.Element>, place: CellPlace) {
        self.output = output
        super.init(writer: writer, place: place)
        output.asObservable().publisher.subscribe(self)
    }

    // The sent value is ignored and the current one is read at the end of the turn, so that the last value is used
    // regardless of the order in which observers are notified.
    override func take(_ value: Output.Element, on board: OutputBoard) {
        board.mark(self)
    }

    /// Appends nothing after the output has failed, so that clients keep the last value.
    override func encode(into json: inout [UInt8]) throws {
        if case .success(let value) = output.currentValue { try writer.append(value, &json, limit: byteLimit) }
    }
}
