import CombineCore
import MachineHost

/// What a key path leads to that is not a stream: it is read again at the end of every turn.
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
    /// Marks the cell when the object is about to change: also outside of a turn, which the mark then opens.
    func marking(_ cell: OutputCell, on board: OutputBoard) -> AnyCancellable {
        objectWillChange.sink { [weak board, weak cell] _ in
            guard let board, let cell else { return }
            if board.isOnLoop { return board.mark(cell) }
            board.perform { [weak board, weak cell] in
                if let board, let cell { board.mark(cell) }
            }
        }
    }
}
