import CLinux
import Glibc
import HTTP2
import HTTPModel
import Log

/// One client's connection of HTTP/2: many requests at once, each answered on the loop that it belongs to, all written here.
/// Confined to the loop that it is on, which never changes.
///
/// It begins as a ``Connection``, which finds out what the client speaks and then hands its socket over.
final class MultiplexedConnection: EpollHandler, HTTP2ConnectionOwner {
    /// What the connection knows of its socket and its peer.
    struct Flags: OptionSet {
        let rawValue: UInt16
        /// There may be something to read.
        static let canRead = Flags(rawValue: 1 << 0)
        /// The loop tells when the socket takes bytes again.
        static let watchesWriting = Flags(rawValue: 1 << 1)
        /// A step is under way.
        static let isStepping = Flags(rawValue: 1 << 2)
        /// All is said; what the peer still sends is read and dropped.
        static let isLingering = Flags(rawValue: 1 << 3)
        /// The socket is closed.
        static let isClosed = Flags(rawValue: 1 << 4)
        /// The present step has done its share.
        static let yields = Flags(rawValue: 1 << 5)
        /// The peer sends no more, which is told once: what it sent before is read to its end.
        static let peerFinished = Flags(rawValue: 1 << 6)
        /// All that the peer has sent has been read.
        static let hasEnded = Flags(rawValue: 1 << 7)
        /// The peer does not read any more either.
        static let hasHungUp = Flags(rawValue: 1 << 8)
        /// Urgent data came, in front of which a read stops.
        static let urgent = Flags(rawValue: 1 << 9)
    }

    unowned let context: ServerLoop
    let engine: HTTP2Connection
    let secure: SecureChannel?
    var flags: Flags = [.canRead]
    /// Bytes that the socket has not taken, and since when it has taken none.
    var unsent: [UInt8] = []
    var unsentStart = 0
    var waitStart: UInt64 = 0
    /// Bytes that were read in one go and that the engine has not taken yet.
    var unread: [UInt8] = []
    var unreadStart = 0
    /// Bytes that were dropped after the last answer.
    var dropped = 0

    /// Takes over a socket of which these bytes have been read. It is out of the loop's epoll set, and its connection has
    /// been counted.
    init(descriptor: Int32, peer: HTTPPeer, secure: SecureChannel?, context: ServerLoop) {
        self.context = context
        self.secure = secure
        engine = HTTP2Connection(
            sharing: context.http2, scheme: secure == nil ? "http" : "https", peer: peer, now: context.loop.now,
            jitter: Double.random(in: 0...1))
        super.init(descriptor: descriptor)
        engine.owner = self
    }

    /// Starts, with what has been read before.
    func begin(with bytes: [UInt8]) {
        // Of unsent bytes the loop tells when the socket takes them.
        if !unsent.isEmpty { flags.insert(.watchesWriting) }
        let readiness = unsent.isEmpty ? Connection.watched : Connection.watched | granary_writable
        waitStart = context.loop.nanoseconds
        guard context.loop.add(self, for: readiness) >= 0 else {
            flags.insert(.isClosed)
            granary_close(descriptor)
            return context.gauge.leave()
        }
        unread = bytes
        if !bytes.isEmpty { takeUnread() }
        if context.isDraining { engine.drain(now: context.loop.now) }
        step()
    }

    override func becameReady(_ readiness: UInt32) {
        if readiness & granary_failed != 0 { return close(abruptly: true) }
        if readiness & granary_readable != 0 { flags.insert(.canRead) }
        if readiness & granary_urgent != 0 { flags.formUnion([.urgent, .canRead]) }
        if readiness & (granary_peer_finished | granary_hung_up) != 0 { flags.formUnion([.peerFinished, .canRead]) }
        if readiness & granary_hung_up != 0 { flags.insert(.hasHungUp) }
        // A connection that has had its share goes on when it is its turn.
        if !isYielding { step() }
    }

    override func roundEnded() { step() }

    override func timePassed(now: UInt64) {
        if !unsent.isEmpty || flags.contains(.isLingering) {
            let limit = flags.contains(.isLingering) && unsent.isEmpty ? context.times.linger : context.times.write
            if waitStart + limit <= now { return close(abruptly: !unsent.isEmpty) }
        }
        if let silenceEnd, silenceEnd <= now { return close() }
        engine.timePassed(now: context.loop.now)
        step()
    }

    func connectionHasOutput() {
        if !flags.contains(.isStepping) { context.loop.mark(self) }
    }

    /// The server is going down: the client opens no more streams, and those that are open are ended.
    override func drain() {
        engine.drain(now: context.loop.now)
        // It may be called from inside a step, by an answer that ends the server.
        connectionHasOutput()
    }

    override func cutOff() { close(abruptly: true) }

    /// Closes the connection and frees what it holds; abruptly, so that the kernel forgets unsent bytes too.
    func close(abruptly: Bool = false) {
        guard !flags.contains(.isClosed) else { return }
        flags.insert(.isClosed)
        context.loop.remove(self)
        if abruptly { granary_reset(descriptor) } else { granary_close(descriptor) }
        unsent = []
        unread = []
        clientLease = nil
        engine.close()
        context.gauge.leave()
    }
}

extension MultiplexedConnection {
    /// Reads and writes between two looks at other connections.
    private static let roundsPerStep = 8
    /// What answering what has come takes of that: to read and answer it, and to see that nothing follows.
    private static let singleExchange = 2

    /// Goes on as far as it can.
    func step() {
        guard !flags.contains(.isClosed), !flags.contains(.isStepping) else { return }
        flags.insert(.isStepping)
        flags.remove(.yields)
        var budget = StepBudget(
            pieces: MultiplexedConnection.roundsPerStep, unmeasured: MultiplexedConnection.singleExchange)
        while !flags.contains(.isClosed) {
            let hasRead = read()
            answerAll()
            let isWithinBudget = budget.take(on: context.loop)
            // What was read in one go is answered in one go, unless the rest of it has to wait.
            let readsOn = hasRead && isWithinBudget && !unread.isEmpty
            let hasWritten = !readsOn && write()
            guard hasRead || hasWritten else { break }
            if !isWithinBudget {
                flags.insert(.yields)
                break
            }
        }
        flags.remove(.isStepping)
        settle()
    }

    /// After a step: the end, the next turn, or the next deadline.
    private func settle() {
        guard !flags.contains(.isClosed) else { return }
        if isDone {
            sayGoodbye()
            return close()
        }
        if engine.isFinished, unsent.isEmpty { linger() }
        guard !flags.contains(.isClosed) else { return }
        // An answer may have been made while another's content was read.
        if unsent.isEmpty {
            if flags.contains(.yields) { context.loop.yield(self) } else if engine.hasOutput { context.loop.mark(self) }
        }
        if flags.contains(.isLingering) { context.loop.wake(self, at: waitStart + context.times.linger) }
        if !unsent.isEmpty { context.loop.wake(self, at: waitStart + context.times.write) }
        if let silenceEnd { context.loop.wake(self, at: silenceEnd) }
        if let deadline = engine.deadline { context.loop.wake(self, at: deadline.nanoseconds) }
    }

    /// Closes our half and reads on for a while, so that the peer reads the farewell instead of a reset.
    private func linger() {
        guard !flags.contains(.isLingering) else { return }
        if let ending = engine.ending {
            context.log.limited(.info, "a connection of HTTP/2 was ended", ["reason": .text(ending.description)])
        }
        flags.insert(.isLingering)
        unread = []
        waitStart = context.loop.nanoseconds
        sayGoodbye()
        guard !flags.contains(.isClosed) else { return }
        if unsent.isEmpty { _ = granary_finish_sending(descriptor) }
        flags.insert(.canRead)
        if read() { context.loop.mark(self) }
    }

    /// Says over TLS that nothing more is sent.
    private func sayGoodbye() {
        guard let secure else { return }
        secure.close()
        var output = context.output.take()
        if secure.seal(&output, on: context) { flush(&output) }
        context.output.recycle(&output)
    }
}
