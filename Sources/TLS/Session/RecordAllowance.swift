/// How much a client may send that brings no content. New keys and alerts are a few bytes on the wire and a multiple of
/// that in work, and the library counts only some of them.
struct RecordAllowance {
    /// Some thousand changes of keys, and more than a record that comes in pieces.
    private static let most = 64 << 10
    /// What a record of one byte weighs beyond that byte, twice.
    private static let perByte = 64

    private var left = most

    /// Takes so many bytes of which so much content came; answers whether they were there.
    mutating func take(received: Int, content: Int) -> Bool {
        left = min(RecordAllowance.most, left - received + content * (1 + RecordAllowance.perByte))
        return left >= 0
    }
}
