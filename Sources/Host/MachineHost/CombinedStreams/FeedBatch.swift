/// Events of sessions of one loop, for the loop that sends them.
struct FeedBatch: Sendable {
    /// Consecutive bytes of one session's stream.
    struct Part: Sendable {
        /// The place of the session in the URL.
        let place: UInt8
        /// Whether the session's stream has ended.
        let isLast: Bool
        /// The end of the part in the bytes of the batch.
        let end: Int
    }

    var bytes: [UInt8] = []
    var parts: [Part] = []
}
