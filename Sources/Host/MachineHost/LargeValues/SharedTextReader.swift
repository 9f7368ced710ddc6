import HTTPModel

/// Reads a ``SharedText`` piece by piece, as the body of a response. A slow reader holds a position instead of a copy.
final class SharedTextReader: HTTPBodyStream {
    private var pieces: ArraySlice<SharedText.Piece>
    /// The text that is being read; nil when reading has ended.
    // Keeps the snapshot alive in `LargeValues`, which holds it weakly, so that other readers share it.
    private var text: SharedText?
    private var offset = 0
    let contentLength: Int?

    init(_ text: SharedText) {
        self.text = text
        pieces = text.pieces[...]
        contentLength = text.count
    }

    func start(_ consumer: any HTTPBodyConsumer) {}

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        var room = limit
        while room > 0, let piece = pieces.first {
            let start = piece.range.lowerBound + offset
            assert(start < piece.range.upperBound, "expected the rest of the piece \(piece.range), got \(start)")
            let count = min(room, piece.range.upperBound - start)
            buffer.append(contentsOf: piece.source.bytes[start..<(start + count)])
            room -= count
            offset += count
            if start + count == piece.range.upperBound {
                pieces.removeFirst()
                offset = 0
            }
        }
        guard pieces.isEmpty else { return .more }
        stop()
        return .finished
    }

    func stop() {
        text = nil
        pieces = []
    }
}
