import CombineCore
import MachineHost
import RxCore

/// An output that has a current value: what it sends says only that there is another. It is read when the turn is over, so
/// that what was sent last counts, in whatever order the observers were told.
final class CurrentCell<Output: CurrentValueOutput>: ObservingCell<Output.Element, any Error> {
    private let output: Output

    init(_ output: Output, writer: ValueWriter<Output.Element>, place: CellPlace) {
        self.output = output
        super.init(writer: writer, place: place)
        output.asObservable().publisher.subscribe(self)
    }

    override func take(_ value: Output.Element, on board: OutputBoard) {
        board.mark(self)
    }

    /// Writes nothing once the output has failed: the last value stays.
    override func encode(into json: inout [UInt8]) throws {
        if case .success(let value) = output.currentValue { try writer.append(value, &json, limit: byteLimit) }
    }
}
