import MachineAdapters
import MachineHost
import Unio

/// A computed output. It does not report its changes, so it is computed at the end of every turn.
final class ComputedCell<Value>: OutputCell {
    private let computed: Computed<Value>
    private let writer: ValueWriter<Value>

    init(_ computed: Computed<Value>, writer: ValueWriter<Value>, place: CellPlace) {
        self.computed = computed
        self.writer = writer
        super.init(index: place.index, isReadEveryTurn: true)
        place.board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        try writer.append(computed.value, &json, limit: byteLimit)
    }
}
