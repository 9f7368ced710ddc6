package import CombineCore
import MachineHost

/// An output with a current value.
package final class CurrentCell<Output: CurrentValueOutput>: ObservingCell<Output.Element, any Error> {
    private let output: Output

    /// Creates a cell for an output whose changes a publisher reports.
    package init<P: Publisher>(_ output: Output, changes: P, writer: ValueWriter<Output.Element>, place: CellPlace)
    where P.Output == Output.Element, P.Failure == any Error {
        self.output = output
        super.init(writer: writer, place: place)
        changes.subscribe(self)
    }

    // The sent value is ignored and the current one is read at the end of the turn, so that the last value is used
    // regardless of the order in which observers are notified.
    override func take(_ value: Output.Element, on board: OutputBoard) {
        board.mark(self)
    }

    /// Appends nothing after the output has failed, so that clients keep the last value.
    package override func encode(into json: inout [UInt8]) throws {
        if case .success(let value) = output.currentValue { try writer.append(value, &json, limit: byteLimit) }
    }
}

/// A stream with a current value that can be read at any time.
package protocol CurrentValueOutput<Element> {
    associatedtype Element

    /// The value, or the error with which the stream has failed.
    var currentValue: Result<Element, any Error> { get }
}
