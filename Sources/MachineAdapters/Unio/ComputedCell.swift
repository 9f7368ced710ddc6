import MachineHost
import Unio

/// An output that is computed: again at the end of every turn, since it tells nobody when it changes.
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
