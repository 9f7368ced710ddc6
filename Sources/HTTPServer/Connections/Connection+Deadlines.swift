import HTTP1
import HTTPModel

extension Connection {
    /// What a deadline is about.
    enum Wait {
        /// There is none: the next step is the server's.
        case nothing
        /// The end of the handshake of TLS.
        case handshake
        /// The first byte of the first request.
        case first
        /// The first byte of the next request.
        case idle
        case head
        case body
        /// A peer that has to take bytes.
        case write
        /// A peer that has to close.
        case linger
        /// Content for a peer that sends no more, and that may be gone: only sending to it would show that.
        case content
    }

    /// Looks again at what the connection waits for, and until when.
    func updateDeadline() {
        let next = presentWait
        if next != wait {
            wait = next
            waitStart = context.loop.nanoseconds
        }
        if let deadline { context.loop.wake(self, at: deadline) }
    }

    private var presentWait: Wait {
        if !unsent.isEmpty { return .write }
        switch state {
        case .reading:
            if let secure, secure.isHandshaking { return .handshake }
            switch parser.phase {
            case .idle: return leftover.isEmpty ? (flags.contains(.isFresh) ? .first : .idle) : .head
            case .head: return .head
            case .body: return .body
            }
        case .lingering: return .linger
        case .streaming: return flags.contains(.peerFinished) ? .content : .nothing
        case .arrived, .waiting, .promised, .answered, .leaving, .departing, .visiting, .multiplexed,
            .closed:
            return .nothing
        }
    }

    private var deadline: UInt64? {
        switch wait {
        case .nothing: nil
        case .first where context.isDraining: waitStart + min(context.times.head, context.times.linger)
        // Nothing has been asked yet, and may never be.
        case .handshake where context.isDraining: waitStart + min(context.times.handshake, context.times.linger)
        case .handshake: waitStart + context.times.handshake
        case .first, .head: waitStart + context.times.head
        case .idle where context.isDraining: min(waitStart + context.times.idle, context.restEnd)
        case .idle: min(waitStart + context.times.idle, nextLook)
        case .body: waitStart + context.times.body(received: parser.bodyCount)
        case .write: min(waitStart + context.times.write, nextLook)
        case .content: waitStart + context.times.firstLook
        case .linger: uptake.lookedAt >= waitStart ? uptake.nextLook : waitStart + context.times.linger
        }
    }

    /// Whether a connection that waits for its next request has waited long enough.
    private func isRestOver(now: UInt64) -> Bool {
        waitStart + context.times.idle <= now || context.isDraining && context.restEnd <= now
    }

    /// Called at the deadline, or earlier where it has been put off since.
    func deadlinePassed(now: UInt64) {
        guard let deadline else { return }
        guard deadline <= now else { return context.loop.wake(self, at: deadline) }
        switch wait {
        case .nothing: break
        case .handshake, .first, .content: close()
        case .idle: if isRestOver(now: now) { close() } else { lookAtUptake(now: now) }
        case .write: if waitStart + context.times.write <= now { close(abruptly: true) } else { lookAtUptake(now: now) }
        case .linger: lookAtUptake(now: now)
        case .head, .body:
            var output = context.output.take()
            refuse(.requestTimeout, &output)
            flush(&output)
            context.output.recycle(&output)
            step()
        }
    }
}
