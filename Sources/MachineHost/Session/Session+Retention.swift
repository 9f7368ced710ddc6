// How many bytes a session retains.
extension Session {
    /// What a block that waits for its time is taken for. What it has captured cannot be measured.
    private static let bytesPerTimer = 256

    /// What the session has of large values; made with the first use.
    var largeValues: LargeValues {
        if let large { return large }
        let made = LargeValues(host: shard.host)
        large = made
        return made
    }

    /// Measures the session anew: the bytes of what the outputs show, the history, keyed requests and blocks that wait. They
    /// stand for the machine's own store as well, which cannot be measured.
    func noteRetainedBytes() {
        noteRetainedBytes(shown: board?.shownByteCount ?? 0)
    }

    /// As ``noteRetainedBytes()``, where it is known how much the outputs show.
    func noteRetainedBytes(shown: Int) {
        var small = shown + history.capacity + context.scheduler.timerCount * Session.bytesPerTimer
        if let idempotency { small += idempotency.byteCount }
        retainedBytes = small
        if let large {
            small -= large.shown.values.reduce(0) { $0 + $1.bytes.count }
            retainedBytes = small + large.ledger.byteCount
        }
        charge(small)
    }

    /// Frees what can be freed of a session that is over its limit; true if it is still over it.
    func isFull(limit: Int) -> Bool {
        guard retainedBytes > limit else { return false }
        idempotency?.expire(now: shard.tick)
        releaseStaleReaders()
        return retainedBytes > limit
    }

    /// Ends the streams that hold large values which are not shown any more, oldest first, while the session is over its
    /// limit. They end in the middle of an event, which clients drop; they come back, and go on from where they were.
    func releaseStaleReaders() {
        noteRetainedBytes()
        while retainedBytes > shard.host.configuration.maxSessionBytes,
            let stalest = streams.filter(\.isReadingStaleText).min(by: { $0.cursor < $1.cursor })
        {
            stalest.cutOff()
            noteRetainedBytes()
        }
    }

    /// The outputs that have a value, as a JSON object, if it is too large to be copied for each reader.
    func largeOutputs(only filter: OutputFilter?) -> SharedText? {
        guard let board, board.shownByteCount > SharedText.threshold else { return nil }
        return largeValues.snapshot(version, filter) { builder in
            var isEmpty = true
            for cell in board.cells where shows(cell, filter) {
                builder.append { text in
                    text.append(UInt8(ascii: isEmpty ? "{" : ","))
                    text.append(contentsOf: machineKind.outputKeys[cell.index])
                }
                isEmpty = false
                if let value = largeValues.shown[cell.index] {
                    builder.append(value)
                } else {
                    builder.append { $0.append(contentsOf: cell.shown) }
                }
            }
            builder.append { $0.append(isEmpty ? "{}" : "}") }
        }
    }

    /// Text with a large one inside.
    func largeText(
        _ core: SharedText, from start: (inout [UInt8]) -> Void, to end: (inout [UInt8]) -> Void
    ) -> SharedText {
        var builder = SharedTextBuilder(largeValues.ledger)
        builder.append(start)
        builder.append(core)
        builder.append(end)
        return builder.text()
    }
}

/// How the host counts a session's bytes: in steps, so that the counter that all loops share is left alone by most turns.
enum RetentionStep {
    private static let fine = 1 << 10
    private static let coarse = 16 << 10

    /// What a session is charged for that many bytes, if the charge has to change; it goes down later than it goes up.
    static func charge(for bytes: Int, now charged: Int) -> Int? {
        if bytes > charged { return roundedUp(bytes) }
        if bytes == 0, charged > 0 { return 0 }
        guard charged - bytes > 2 * (charged > coarse ? coarse : fine) else { return nil }
        return roundedUp(bytes)
    }

    private static func roundedUp(_ bytes: Int) -> Int {
        let step = bytes > coarse ? coarse : fine
        return (bytes + step - 1) / step * step
    }
}
