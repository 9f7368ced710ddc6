import HTTPModel
import StateCapture

// The bytes that a session retains.
extension Session {
    /// The estimated size of a session without what it retains for clients, and of each input and output with its subscriptions and
    /// values.
    // Measured in programs for x86-64: a session with five of them takes 5.3 KB.
    private static let ownBytes = 2 << 10
    private static let bytesPerPort = 640
    /// The estimated size of a scheduled block or a running effect. The values it captured cannot be measured.
    private static let bytesPerTimer = 256

    /// The session's large values, created on first use.
    var largeValues: LargeValues {
        if let large { return large }
        let made = LargeValues(host: host)
        large = made
        return made
    }

    /// Measures the session: the bytes of its output values, history, remembered requests and scheduled blocks, and for the host an
    /// estimate of its objects and captured states. Other memory of the machine cannot be measured.
    func noteRetainedBytes() {
        noteRetainedBytes(shown: board?.shownByteCount ?? 0)
    }

    /// Measures the session, given the size of its output values.
    func noteRetainedBytes(shown: Int) {
        var small = shown + history.capacity + context.scheduler.timerCount * Session.bytesPerTimer
        if let effects = context.declaredEffects { small += effects.count * Session.bytesPerTimer }
        if let creation = context.creation { small += creation.byteCount }
        if let idempotency { small += idempotency.byteCount }
        retainedBytes = small
        if let large {
            // Large values are counted by their ledger, once for all references. Subtract them here, or an output's
            // value would count twice.
            small -= large.shown.values.reduce(0) { $0 + $1.bytes.count }
            retainedBytes = small + large.ledger.byteCount
        }
        // Not in `retainedBytes`: the limits of one session are for what requests can make it retain.
        charge(small + machineBytes)
    }

    /// An estimate of the memory of the machine and its parts, without the values that it shows.
    private var machineBytes: Int {
        guard case .live = state else { return 0 }
        return Session.ownBytes + Session.bytesPerPort * machineKind.portCount + (storage?.registry.byteCount ?? 0)
    }

    /// Releases memory of a session over its limit, as far as possible. Returns whether it is still over the limit.
    func isFull(limit: Int) -> Bool {
        context.loop.assertCurrent()
        guard retainedBytes > limit else { return false }
        idempotency?.expire(now: context.loop.now)
        releaseStaleReaders()
        return retainedBytes > limit
    }

    /// Closes streams that hold outdated large values, oldest first, while the session is over its limit.
    // A slow reader keeps the values of its version alive. Closing it in the middle of an event is safe: clients
    // discard an incomplete event, and resume after the last complete one.
    func releaseStaleReaders() {
        context.loop.assertCurrent()
        noteRetainedBytes()
        while retainedBytes > host.configuration.maxSessionBytes,
            let stalest = streams.filter(\.isReadingStaleText).min(by: { $0.cursor < $1.cursor })
        {
            stalest.abort()
            noteRetainedBytes()
        }
    }

    /// Returns the current outputs as a JSON object if they are too large to be copied for each reader; otherwise nil.
    func largeOutputs(only filter: OutputFilter?) -> SharedText? {
        context.loop.assertCurrent()
        guard let board, board.shownByteCount > SharedText.threshold else { return nil }
        return largeValues.snapshot(version, filter) { builder in
            var isEmpty = true
            for cell in board.cells where !cell.shown.isEmpty && shows(outputAt: cell.index, filter) {
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

    /// Returns text that surrounds another, shared text.
    func largeText(
        _ core: SharedText, from start: (inout [UInt8]) -> Void, to end: (inout [UInt8]) -> Void
    ) -> SharedText {
        context.loop.assertCurrent()
        var builder = SharedTextBuilder(largeValues.ledger)
        builder.append(start)
        builder.append(core)
        builder.append(end)
        return builder.text()
    }
}

/// Rounds the bytes that the host counts for a session.
enum RetentionStep {
    // The counter is shared by all loops. Rounding to steps avoids updating it, and moving its cache line between
    // cores, in most turns.
    private static let fine = 1 << 10
    private static let coarse = 16 << 10
    /// The size above which the steps are coarse. There, a step is a small part of it.
    private static let large = 256 << 10

    /// Returns the new charge for a number of bytes; nil if the charge does not change.
    static func roundedCharge(for bytes: Int, now charged: Int) -> Int? {
        assert(bytes >= 0 && charged >= 0, "expected sizes, got \(bytes) bytes after \(charged)")
        if bytes > charged { return roundedUp(bytes) }
        if bytes == 0, charged > 0 { return 0 }
        // Hysteresis: a session whose size swings around a step would otherwise update the counter in every turn.
        guard charged - bytes > 2 * (charged > large ? coarse : fine) else { return nil }
        return roundedUp(bytes)
    }

    private static func roundedUp(_ bytes: Int) -> Int {
        let step = bytes > large ? coarse : fine
        return (bytes + step - 1) / step * step
    }
}
