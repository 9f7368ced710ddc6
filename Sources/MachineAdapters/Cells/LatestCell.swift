import CombineCore
import MachineHost

/// The latest value of a publisher.
///
/// The value lies behind a pointer: an `Optional` of a type that is only known when the program runs costs a look-up of
/// that optional's metadata each time it is touched, which is more than writing most values.
final class LatestCell<Value, Failure: Error>: ObservingCell<Value, Failure> {
    private var latest: UnsafeMutablePointer<Value>?

    init<P: Publisher>(_ publisher: P, writer: ValueWriter<Value>, place: CellPlace)
    where P.Output == Value, P.Failure == Failure {
        super.init(writer: writer, place: place)
        publisher.subscribe(self)
    }

    override func take(_ value: Value, on board: OutputBoard) {
        if let latest {
            latest.pointee = value
        } else {
            let first = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            first.initialize(to: value)
            latest = first
        }
        board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        if let latest { try writer.append(latest.pointee, &json, limit: byteLimit) }
    }

    deinit {
        latest?.deinitialize(count: 1)
        latest?.deallocate()
    }
}
