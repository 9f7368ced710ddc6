import CombineCore
import MachineHost

/// The committed value of a `@Published` property.
final class PublishedCell<Value>: ObservingCell<Value, Never> {
    private let property: Published<Value>

    init(_ property: Published<Value>, writer: ValueWriter<Value>, place: CellPlace) {
        self.property = property
        super.init(writer: writer, place: place)
        property.projectedValue.subscribe(self)
    }

    // The publisher sends a value before it is committed. The cell marks the change and reads the property at the end
    // of the turn.
    override func take(_ value: Value, on board: OutputBoard) {
        board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        try writer.append(property.wrappedValue, &json, limit: byteLimit)
    }
}
