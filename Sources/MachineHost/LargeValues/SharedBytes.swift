/// The JSON of a value that is too large to be kept more than once: the output, the history and all readers share it.
final class SharedBytes: Sendable {
    /// Smaller values are copied, which costs less than sharing them.
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
