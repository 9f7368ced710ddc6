import MachineHost

/// A stored property that does not report its changes. The property of an object is read again at the end of every
/// turn; a property of a structure cannot change.
final class StoredCell<Value>: OutputCell {
    private let value: Value?
    private let object: AnyObject?
    private let position: Int
    private let writer: ValueWriter<Value>

    init(_ value: Value, position: Int, writer: ValueWriter<Value>, place: CellPlace) {
        object = place.object
        self.value = place.object == nil ? value : nil
        self.position = position
        self.writer = writer
        super.init(index: place.index, isReadEveryTurn: place.object != nil)
        place.board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        if let value = current { try writer.append(value, &json, limit: byteLimit) }
    }

    private var current: Value? {
        guard let object else { return value }
        return ReflectedProperty.value(at: position, of: object) as? Value
    }
}
