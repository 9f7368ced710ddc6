import CombineCore
import MachineHost

/// The committed value of a `@Published` property: what it sends says only that there will be another.
final class PublishedCell<Value>: ObservingCell<Value, Never> {
    private let property: Published<Value>

    init(_ property: Published<Value>, writer: ValueWriter<Value>, place: CellPlace) {
        self.property = property
        super.init(writer: writer, place: place)
        property.projectedValue.subscribe(self)
    }

    override func take(_ value: Value, on board: OutputBoard) {
        board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        try writer.append(property.wrappedValue, &json, limit: byteLimit)
    }
}
