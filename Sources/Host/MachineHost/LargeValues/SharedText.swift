/// Immutable text that consists of pieces of shared bytes.
final class SharedText: Sendable {
    /// The size up to which text is written into one buffer instead. Copying is cheaper than handling pieces.
    static let threshold = 64 << 10

    /// A range of shared bytes.
    struct Piece: Sendable {
        let source: SharedBytes
        let range: Range<Int>
    }

    let pieces: [Piece]
    let count: Int
    /// A copy of the text in one buffer.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for piece in pieces { bytes.append(contentsOf: piece.source.bytes[piece.range]) }
        return bytes
    }

    /// The text that this one was built around.
    // `LargeValues.snapshot` holds texts weakly. This reference lets it find the inner text as long as a text around it
    // is being read.
    private let core: SharedText?

    fileprivate init(_ pieces: [Piece], core: SharedText?) {
        self.pieces = pieces
        self.core = core
        count = pieces.reduce(0) { $0 + $1.range.count }
    }
}

/// Builds a ``SharedText``.
struct SharedTextBuilder {
    /// The size at which the builder's own text is cut into a piece, so that it does not grow by copying.
    private static let pieceSize = 64 << 10

    private let ledger: LargeValueLedger
    private var pieces: [SharedText.Piece] = []
    private var own: [UInt8] = []
    private var core: SharedText?

    init(_ ledger: LargeValueLedger) {
        self.ledger = ledger
    }

    /// Calls a closure that appends text which is not shared.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&own)
        if own.count >= SharedTextBuilder.pieceSize { flush() }
    }

    mutating func append(_ value: SharedBytes) {
        append(SharedText.Piece(source: value, range: 0..<value.bytes.count))
    }

    mutating func append(_ piece: SharedText.Piece) {
        guard !piece.range.isEmpty else { return }
        assert(
            piece.range.upperBound <= piece.source.bytes.count,
            "expected a piece of \(piece.source.bytes.count) bytes, got \(piece.range)")
        flush()
        pieces.append(piece)
    }

    /// Appends the pieces of another text and keeps a reference to it.
    mutating func append(_ text: SharedText) {
        assert(core == nil, "expected text around one other text")
        flush()
        pieces += text.pieces
        core = text
    }

    consuming func text() -> SharedText {
        flush()
        return SharedText(pieces, core: core)
    }

    private mutating func flush() {
        guard !own.isEmpty else { return }
        let value = SharedBytes(own, ledger)
        own = []
        pieces.append(SharedText.Piece(source: value, range: 0..<value.bytes.count))
    }
}
