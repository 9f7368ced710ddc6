import CombineCore
import MachineHost

/// The latest value of a publisher.
final class LatestCell<Value, Failure: Error>: ObservingCell<Value, Failure> {
    private var latest: Value?

    init<P: Publisher>(_ publisher: P, writer: ValueWriter<Value>, place: CellPlace)
    where P.Output == Value, P.Failure == Failure {
        super.init(writer: writer, place: place)
        publisher.subscribe(self)
    }

    override func take(_ value: Value, on board: OutputBoard) {
        latest = value
        board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        if let latest { try writer.append(latest, &json) }
    }
}
