import CLinux
import HTTPModel

/// What was seen of how a peer takes what is sent to it.
struct Uptake {
    /// When it was looked last; in the present wait if that is not before its start.
    var lookedAt: UInt64 = 0
    /// The bytes that it had acknowledged then.
    var acknowledged: UInt64 = 0
    /// When to look again, and until when it has to have taken more.
    var nextLook: UInt64 = 0
}

// An answer that the kernel has taken is not yet the peer's. One that reads a few bytes now and then holds the connection,
// and the kernel's memory, for as long as it likes; the server sees it as idle.
extension Connection {
    /// When to look, while the connection waits for its next request or for the socket to take more.
    var nextLook: UInt64 {
        if flags.contains(.sendsEvents) { return .max }
        return uptake.lookedAt >= waitStart ? uptake.nextLook : waitStart + context.times.firstLook
    }

    /// Looks whether the peer has taken what it was sent, or takes it fast enough; cuts it off if not.
    func lookAtUptake(now: UInt64) {
        var seen = granary_peer_progress()
        let isKnown = granary_get_peer_progress(descriptor, &seen) == 0
        guard isKnown, seen.outstanding > 0 || !unsent.isEmpty else {
            // Nothing is owed, or it cannot be known: a socket of this machine.
            if case .linger = wait { return close() }
            uptake = Uptake(lookedAt: now, acknowledged: seen.acknowledged, nextLook: .max)
            return updateDeadline()
        }
        // Whoever takes much at a time may rest between, but no longer than one whom the socket waits for.
        let earned = context.times.answer(acknowledged: seen.acknowledged &- uptake.acknowledged)
        let latest = now + context.times.firstLook + context.times.write
        let isFirst = uptake.lookedAt < waitStart
        let due = min((isFirst ? now + context.times.firstLook : uptake.nextLook) + earned, latest)
        guard due > now else { return close(abruptly: true) }
        uptake = Uptake(lookedAt: now, acknowledged: seen.acknowledged, nextLook: due)
        updateDeadline()
    }
}
