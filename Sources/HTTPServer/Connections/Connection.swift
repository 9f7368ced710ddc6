import CLinux
import HTTP1
import HTTPModel
import TLS

/// One client's connection: reads requests, has them answered one after the other, and writes the answers. Confined to the
/// loop that it is on, which changes only between two requests.
///
/// It keeps no buffers: it reads into its loop's and writes from its loop's, and holds only the line that is not whole
/// yet and the bytes that the socket did not take.
///
/// Everything that happens to it ends in ``step()``, which goes on until the connection needs something from outside.
final class Connection: EpollHandler, HTTPBodyConsumer {
    /// What the connection is about.
    enum State {
        /// Waiting for a request, or reading one.
        case reading
        /// The request is to be answered here, on the loop that it belongs to.
        case arrived(HTTP1Message)
        /// The responder has promised an answer.
        case waiting
        /// The promise is still to be heard, on the loop on which it was given.
        case promised(DeferredResponse)
        /// The promise was kept.
        case answered(HTTPResponse)
        /// The answer's content is being sent as it is made.
        case streaming(any HTTPBodyStream, HTTP1BodyFraming)
        /// The last answer is on its way; what the peer still sends is read and dropped.
        case lingering
        /// The request is another loop's.
        case leaving(to: ServerLoop, HTTP1Message)
        /// The answer is another loop's to give, piece by piece or later.
        case departing(to: ServerLoop, Prospect)
        /// The request is being answered on another loop, while the socket stays here.
        case visiting(HTTP1Message)
        /// The client speaks HTTP/2, and these are its first bytes.
        case multiplexed([UInt8])
        case closed
    }

    /// An answer that is not whole.
    enum Prospect {
        case made(HTTPResponse)
        case promised(DeferredResponse)
    }

    /// What the connection knows of its socket and its peer.
    struct Flags: OptionSet {
        let rawValue: UInt16
        /// There may be something to read.
        static let canRead = Flags(rawValue: 1 << 0)
        /// The peer sends no more, though it may still read.
        static let peerFinished = Flags(rawValue: 1 << 1)
        /// The loop tells when the socket takes bytes again.
        static let watchesWriting = Flags(rawValue: 1 << 2)
        /// The body stream may have something.
        static let streamIsReady = Flags(rawValue: 1 << 3)
        /// Our side of the connection is shut.
        static let hasFinishedSending = Flags(rawValue: 1 << 4)
        /// A step is under way.
        static let isStepping = Flags(rawValue: 1 << 5)
        /// What is left of the peer's bytes has been read into the loop's buffer.
        static let hasWindow = Flags(rawValue: 1 << 6)
        /// The present step has done its share.
        static let yields = Flags(rawValue: 1 << 7)
        /// No request has come yet.
        static let isFresh = Flags(rawValue: 1 << 8)
        /// Bytes of it are in the loop's outbox.
        static let isPosted = Flags(rawValue: 1 << 9)
        /// The answer is a stream of events, which a client may take at its own pace.
        static let sendsEvents = Flags(rawValue: 1 << 10)
        /// Urgent data came. A read stops in front of it, so one that brings less than there is room for does not show that
        /// the socket is empty.
        static let urgent = Flags(rawValue: 1 << 11)
    }

    @exclusivity(unchecked) unowned(unsafe) var context: ServerLoop
    @exclusivity(unchecked) var state = State.reading
    @exclusivity(unchecked) var flags: Flags = [.isFresh]
    @exclusivity(unchecked) var parser: HTTP1RequestParser
    @exclusivity(unchecked) var exchange = HTTP1Exchange()
    /// Bytes that have been read and not been taken: an unfinished line, requests that came before their turn.
    @exclusivity(unchecked) var leftover: [UInt8] = []
    /// The part of the loop's input buffer that is this connection's, during a step.
    @exclusivity(unchecked) var window: Range<Int> = 0..<0
    /// Bytes that the socket has not taken.
    @exclusivity(unchecked) var unsent: [UInt8] = []
    @exclusivity(unchecked) var unsentStart = 0
    /// What the deadline is about, and since when.
    @exclusivity(unchecked) var wait = Wait.nothing
    @exclusivity(unchecked) var waitStart: UInt64 = 0
    /// What was seen of how the peer takes its answers.
    @exclusivity(unchecked) var uptake = Uptake()
    /// Bytes that were dropped after the last answer.
    @exclusivity(unchecked) var dropped = 0
    /// Whether the connection is at home, on the loop of `context`; everything else is not to be touched there if not, but
    /// for the place in the loop's tables and what follows.
    let presence = Presence()
    /// What the socket became ready for while the connection was away.
    @exclusivity(unchecked) var missed: UInt32 = 0
    /// The other loop that a request was for last, and how many have been for it in a row.
    @exclusivity(unchecked) var lastVisited: Int32 = -1
    @exclusivity(unchecked) var visits: UInt32 = 0
    /// TLS between the socket and all of this; `nil` in cleartext.
    let secure: SecureChannel?
    @exclusivity(unchecked) var peer: HTTPPeer

    private init(descriptor: Int32, peer: HTTPPeer, tls: TLSContext?, context: ServerLoop) {
        self.context = context
        self.peer = peer
        secure = tls.map(SecureChannel.init)
        parser = HTTP1RequestParser(limits: context.configuration.limits)
        super.init(descriptor: descriptor)
    }

    deinit {
        // On the way to a loop that was stopped meanwhile.
        if case .closed = state { return }
        granary_close(descriptor)
    }

    /// Takes over a socket that has just been accepted. One too many gets 503, but not an operator, who has to be able to
    /// ask a server that is full how it is.
    static func open(
        descriptor: Int32, peer: HTTPPeer, tls: TLSContext?, clientLease: ClientLease?, context: ServerLoop
    ) {
        let connection = Connection(descriptor: descriptor, peer: peer, tls: tls, context: context)
        connection.clientLease = clientLease
        let isWithinLimit = context.gauge.enter() || peer.role == .admin
        guard context.loop.add(connection, for: watched) >= 0 else {
            connection.state = .closed
            granary_close(descriptor)
            return context.gauge.leave()
        }
        if isWithinLimit { connection.updateDeadline() } else { connection.turnAway() }
    }

    static let watched = granary_readable | granary_peer_finished | granary_urgent | granary_edge_triggered

    override func becameReady(_ readiness: UInt32) {
        guard presence.isHomeOrExpected() else {
            missed |= readiness
            return
        }
        if readiness & granary_failed != 0 { return close(abruptly: true) }
        if readiness & granary_readable != 0 { flags.insert(.canRead) }
        if readiness & granary_urgent != 0 { flags.formUnion([.urgent, .canRead]) }
        if readiness & (granary_peer_finished | granary_hung_up) != 0 {
            flags.formUnion([.peerFinished, .canRead])
            // A client that has ended its side still gets the whole answer (RFC 9112 §9.6). A stream of events never is whole,
            // and its client says nothing more once it has asked: when it ends its side, it has gone.
            let hasHungUp = readiness & granary_hung_up != 0
            if case .streaming = state, flags.contains(.sendsEvents) || hasHungUp { return close() }
        }
        // A connection that has had its share goes on when it is its turn.
        if isMarked, flags.contains(.yields) { return }
        // A handshake takes as long as many requests, so those go first.
        if let secure, secure.isHandshaking { return context.loop.yield(self) }
        step()
    }

    override func roundEnded() {
        if presence.isHomeOrExpected() { step() }
    }

    override func timePassed(now: UInt64) {
        // Nothing is asked of the peer while its answer is made.
        guard presence.isHome() else { return context.loop.wake(self, at: now + context.times.idle) }
        deadlinePassed(now: now)
    }

    func bodyIsReady() {
        guard case .streaming = state else { return }
        flags.insert(.streamIsReady)
        if !flags.contains(.isStepping) { context.loop.mark(self) }
    }

    /// The server is going down: a connection that waits for nothing is closed, the others are after their answer. One
    /// that has just been made has a moment for its request, which is on its way; and so has every one if there is no hurry.
    override func drain() {
        guard presence.isHomeOrExpected(), isIdle else { return }
        if flags.contains(.isFresh) { return updateDeadline() }
        // A request may have come that the loop has not looked at yet.
        flags.insert(.canRead)
        step()
        guard isIdle else { return }
        if context.restEnd > context.loop.nanoseconds { updateDeadline() } else { close() }
    }

    /// Whether nothing of a request has come, and nothing of an answer is left.
    private var isIdle: Bool {
        if case .reading = state, parser.phase == .idle, leftover.isEmpty, unsent.isEmpty { true } else { false }
    }

    /// The loop ends: the connection is closed, or if it is away as soon as it is let go there.
    override func cutOff() {
        if presence.isHomeOrExpected() { close(abruptly: true) }
    }

    /// Closes the connection and frees what it holds; abruptly, so that the kernel forgets unsent bytes too.
    func close(abruptly: Bool = false) {
        if flags.contains(.isPosted), !abruptly { context.outbox.send() }
        let last = state
        if case .closed = last { return }
        state = .closed
        context.loop.remove(self)
        if !abruptly { sayGoodbye() }
        if abruptly { granary_reset(descriptor) } else { granary_close(descriptor) }
        leftover = []
        unsent = []
        clientLease = nil
        if case .streaming(let stream, _) = last { stream.stop() }
        context.gauge.leave()
    }
}

extension Connection {
    /// Goes on as far as it can, and writes what came of it with one call.
    func step() {
        flags.insert(.isStepping)
        var output = context.output.take()
        flags.remove(.yields)
        var budget = StepBudget(pieces: Connection.answersPerStep, unmeasured: Connection.singleRequest)
        while proceed(&output, &budget) {}
        keepWindow()
        post(&output)
        context.output.recycle(&output)
        flags.remove(.isStepping)
        settle()
    }

    /// Requests answered, or parts of a stream read, before others have their turn.
    private static let answersPerStep = 32
    /// What a single request takes of that: to read it, to answer it and to see that no other follows.
    private static let singleRequest = 3

    /// One thing after the other; answers whether there may be more to do.
    private func proceed(_ output: inout [UInt8], _ budget: inout StepBudget) -> Bool {
        switch state {
        case .reading:
            // A peer that does not read its answers gets no more of them.
            guard unsent.isEmpty else { return false }
            guard spend(&budget) else { return false }
            return readRequest(&output)
        case .arrived(let message):
            state = .waiting
            ask(message, &output)
            return true
        case .promised(let promise):
            state = .waiting
            hear(promise)
            return true
        case .answered(let response):
            begin(response, &output)
            return true
        case .streaming(let stream, let framing):
            guard flags.contains(.streamIsReady), unsent.isEmpty, spend(&budget) else { return false }
            return pump(stream, framing, &output)
        case .lingering:
            return linger(&output)
        case .waiting, .leaving, .departing, .visiting, .multiplexed, .closed:
            return false
        }
    }

    private func spend(_ budget: inout StepBudget) -> Bool {
        if budget.take(on: context.loop) { return true }
        flags.insert(.yields)
        return false
    }

    /// After a step: the next deadline, the next turn, or the way to another loop.
    private func settle() {
        switch state {
        case .closed: return
        case .multiplexed(let bytes): giveWay(with: bytes)
        case .leaving(let target, let message): leave(for: target, message)
        case .departing(let target, let prospect): depart(for: target, prospect)
        default:
            if flags.contains(.yields) && unsent.isEmpty { context.loop.yield(self) }
            updateDeadline()
        }
    }
}
