import CombineCore
import MachineHost

/// An output at a key path that does not lead to a stream. It is read at the end of every turn.
final class KeyPathCell<Root>: OutputCell {
    private let root: Root
    private let write: (Root, inout [UInt8], Int32) throws -> Void

    init(_ root: Root, write: @escaping (Root, inout [UInt8], Int32) throws -> Void, place: CellPlace) {
        self.root = root
        self.write = write
        super.init(index: place.index, isReadEveryTurn: true)
        place.board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        try write(root, &json, byteLimit)
    }
}

extension ObservableObject {
    /// Marks a cell when the object is about to change. Outside of a turn, this opens one.
    func marking(_ cell: OutputCell, on board: OutputBoard) -> AnyCancellable {
        objectWillChange.sink { [weak board, weak cell] _ in
            guard let board, let cell else { return }
            // The change itself happens after this notification. Marking is enough, because the value is read at the
            // end of the turn.
            if board.isOnLoop { return board.mark(cell) }
            board.perform { [weak board, weak cell] in
                if let board, let cell { board.mark(cell) }
            }
        }
    }
}
