package import CombineCore
import MachineHost

/// The latest value of a publisher.
package final class LatestCell<Value, Failure: Error>: ObservingCell<Value, Failure> {
    // A pointer instead of an `Optional`: for a type that is known only at run time, each access to the optional looks
    // up its metadata, which costs more than encoding most values.
    private var latest: UnsafeMutablePointer<Value>?

    package init<P: Publisher>(_ publisher: P, writer: ValueWriter<Value>, place: CellPlace)
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

    package override func encode(into json: inout [UInt8]) throws {
        if let latest { try writer.append(latest.pointee, &json, limit: byteLimit) }
    }

    deinit {
        latest?.deinitialize(count: 1)
        latest?.deallocate()
    }
}
