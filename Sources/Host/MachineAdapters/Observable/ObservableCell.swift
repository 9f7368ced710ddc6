import MachineHost
import Observation

/// An output of an observable object. Read at the end of a turn that changed something on which it depends.
final class ObservableCell<Root: AnyObject>: OutputCell, ObservingOutput {
    private var root: Root?
    // Weak: a change may be in flight from another thread when the session ends. Never set again, because that thread reads it.
    private weak var board: OutputBoard?
    private let write: ObservableOutput<Root>.Write
    /// Whether the next change marks the cell, so that reading it again need not observe it again.
    private var isObserving = false
    private lazy var mark = ChangeMark(self)
    private lazy var children = ObservedChildren { [weak self] in self?.willChange() }

    init(_ root: Root, write: @escaping ObservableOutput<Root>.Write, place: CellPlace) {
        self.root = root
        self.write = write
        board = place.board
        super.init(index: place.index)
        place.board.mark(self)
    }

    override func encode(into json: inout [UInt8]) throws {
        guard let root else { return }
        guard !isObserving else { return try append(root, &json) }
        isObserving = true
        var failure: (any Error)?
        let mark = mark
        withObservationTracking {
            do { try append(root, &json) } catch { failure = error }
        } onChange: {
            mark.willChange()
        }
        if let failure { throw failure }
    }

    private func append(_ root: Root, _ json: inout [UInt8]) throws {
        // Also what was read before an error.
        defer { children.finishReading() }
        try write(root, &json, byteLimit, children)
    }

    func observe() {
        guard !isObserving, root != nil, let board else { return }
        var json: [UInt8] = []
        // An error is reported by the turn that reads the output.
        do { try encode(into: &json) } catch { board.mark(self) }
    }

    /// Marks the cell. The change itself happens after this notification, so the value is read at the end of the turn.
    func willChange() {
        guard let board else { return }
        guard board.isOnLoop else { return board.perform { [weak self] in self?.willChange() } }
        guard root != nil else { return }
        isObserving = false
        board.mark(self)
    }

    func end() {
        root = nil
        children.end()
    }
}

/// An output that is read only after a change, so that it must be read once to be observed.
protocol ObservingOutput: EndableCell {
    /// Observes the value without sending it: clients know it.
    func observe()

    /// Marks the output, because its object is about to change.
    func willChange()
}

/// The object that an observation retains instead of its cell.
// Sendable: the cell moves to its loop before it changes.
private final class ChangeMark<Root: AnyObject>: @unchecked Sendable {
    private weak var cell: ObservableCell<Root>?

    init(_ cell: ObservableCell<Root>) {
        self.cell = cell
    }

    func willChange() { cell?.willChange() }
}
