/// Limits the bytes that a client may send without content. Key updates and alerts are small but cause disproportionate
/// work, and the library limits only some of them.
struct RecordAllowance {
    /// Enough for thousands of key updates, and for more than one record that arrives in pieces.
    private static let maxBytes = 64 << 10
    /// Twice the overhead of a record with one byte of content.
    private static let perByte = 64

    private var left = maxBytes

    /// Accounts for received bytes and the resulting content; returns whether the allowance suffices.
    mutating func take(received: Int, content: Int) -> Bool {
        left = min(RecordAllowance.maxBytes, left - received + content * (1 + RecordAllowance.perByte))
        return left >= 0
    }
}
