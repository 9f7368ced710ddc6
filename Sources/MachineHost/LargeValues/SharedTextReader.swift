import HTTPModel

/// Reads a ``SharedText`` piece by piece, and so serves as a response's body: a slow reader holds a position and no copy.
final class SharedTextReader: HTTPBodyStream {
    private var pieces: ArraySlice<SharedText.Piece>
    /// What the pieces are taken from; `nil` once nothing is read any more.
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
