package import CombineCore
import MachineHost

/// An output that emits events: each value becomes part of the turn's change, and none is stored.
package final class EventCell<Value, Failure: Error>: ObservingCell<Value, Failure> {
    package init<P: Publisher>(_ publisher: P, writer: ValueWriter<Value>, place: CellPlace)
    where P.Output == Value, P.Failure == Failure {
        super.init(writer: writer, place: place)
        publisher.subscribe(self)
    }

    override func take(_ value: Value, on board: OutputBoard) {
        board.emit(self) { try writer.append(value, &$0, limit: byteLimit) }
    }

    package override func encode(into json: inout [UInt8]) throws {}
}
