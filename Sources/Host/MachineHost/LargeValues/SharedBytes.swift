/// The JSON of a large value, shared by the output, the history and all readers instead of copied for each.
final class SharedBytes: Sendable {
    /// The size from which values are shared. Copying a smaller value is cheaper.
    static let threshold = 32 << 10

    let bytes: [UInt8]
    private let ledger: LargeValueLedger

    init(_ bytes: [UInt8], _ ledger: LargeValueLedger) {
        self.bytes = bytes
        self.ledger = ledger
        ledger.add(bytes.count)
    }

    deinit {
        ledger.subtract(bytes.count)
    }
}
