package import CombineCore
import MachineHost

package final class CurrentCell<Output: CurrentValueOutput, Failure: Error>: ObservingCell<Output.Element, Failure> {
    private let output: Output

    /// Creates a cell for an output whose changes a publisher reports.
    package init<P: Publisher>(_ output: Output, changes: P, writer: ValueWriter<Output.Element>, place: CellPlace)
    where P.Output == Output.Element, P.Failure == Failure {
        self.output = output
        super.init(writer: writer, place: place)
        changes.subscribe(self)
    }

    // The sent value is ignored and the current one is read at the end of the turn: a property commits it later, and if an observer
    // sends another value from inside a delivery, the older one arrives last.
    override func take(_ value: Output.Element, on board: OutputBoard) {
        board.mark(self)
    }

    package override func encode(into json: inout [UInt8]) throws {
        try output.readCurrent { value in try writer.append(value, &json, limit: byteLimit) }
    }
}

/// A stream with a current value that can be read at any time.
package protocol CurrentValueOutput<Element> {
    associatedtype Element

    /// Calls a closure with the value. Does not call it if the stream has failed: clients keep the last value.
    func readCurrent(_ body: (Element) throws -> Void) rethrows
}

extension Published: CurrentValueOutput {
    package func readCurrent(_ body: (Value) throws -> Void) rethrows { try body(wrappedValue) }
}

extension CurrentValueSubject: CurrentValueOutput {
    package func readCurrent(_ body: (Output) throws -> Void) rethrows { try body(value) }
}
