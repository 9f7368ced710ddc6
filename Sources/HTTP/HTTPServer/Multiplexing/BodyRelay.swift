import HTTPModel

/// A body that is produced on one loop and sent on another. The sender pulls: only the requested bytes are read and
/// transferred to its loop, so a peer that reads nothing costs nothing on either loop.
enum BodyRelay {
    /// Returns a body for the loop `target` that relays a body of the loop `source`.
    static func carry(
        _ body: any HTTPBodyStream, from source: any EventLoop, to target: any EventLoop
    ) -> any HTTPBodyStream {
        let outlet = RelayOutlet(contentLength: body.contentLength)
        let inlet = RelayInlet(body, source, target)
        outlet.inlet = inlet
        inlet.outlet = outlet
        return outlet
    }
}

/// The end of a relay on the loop that sends the body.
///
/// Sendable, because closures for this end are created on the other loop. All properties are accessed only on the
/// sending loop.
private final class RelayOutlet: HTTPBodyStream, @unchecked Sendable {
    /// The other end. Both ends refer to each other, so each clears its reference when it has no more messages for the
    /// other.
    var inlet: RelayInlet?
    // Many relays wait for content: the small properties fill the gap behind the beginning.
    private var beginning: Beginning
    private var hasEnded = false
    private var isRequested = false
    private var bytes: [UInt8] = []
    private(set) var trailers = HTTPFields()

    private enum Beginning {
        case pending(contentLength: Int?)
        // Not weak: that would cost an allocation of its own.
        case started(any HTTPBodyConsumer)
        case over
    }

    var contentLength: Int? {
        if case .pending(let length) = beginning { length } else { nil }
    }

    init(contentLength: Int?) {
        beginning = .pending(contentLength: contentLength)
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        beginning = .started(consumer)
        execute { $0.start() }
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        if !bytes.isEmpty {
            buffer.append(contentsOf: bytes)
            bytes = []
            // The next part is requested by the next read, which happens only after the peer has accepted this part.
            if !hasEnded { return .more }
        } else if !hasEnded, !isRequested {
            isRequested = true
            execute { $0.pull(limit) }
        }
        guard hasEnded else { return .waiting }
        beginning = .over
        return .finished
    }

    func stop() {
        execute { $0.stop() }
        inlet = nil
        beginning = .over
    }

    func receive(_ received: [UInt8], isLast: Bool, _ trailers: HTTPFields) {
        bytes += received
        self.trailers = trailers
        isRequested = false
        hasEnded = isLast
        if isLast { inlet = nil }
        if case .started(let consumer) = beginning { consumer.bodyIsReady() }
    }

    /// Executes work for the other end on that end's loop.
    private func execute(_ work: @escaping @Sendable (RelayInlet) -> Void) {
        guard let inlet else { return }
        inlet.source.execute { work(inlet) }
    }
}

/// The end of a relay on the loop that produces the body.
///
/// Sendable, because closures for this end are created on the other loop. All properties are accessed only on the
/// body's loop.
private final class RelayInlet: HTTPBodyConsumer, @unchecked Sendable {
    /// The other end; `nil` when there are no more messages for it.
    var outlet: RelayOutlet?
    private let body: any HTTPBodyStream
    /// The loop of the body. Constant, so both loops may use it.
    let source: any EventLoop
    private let target: any EventLoop
    /// The number of requested bytes; 0 while no request is pending.
    private var requested = 0
    private var hasEnded = false
    private var isScheduled = false

    init(_ body: any HTTPBodyStream, _ source: any EventLoop, _ target: any EventLoop) {
        self.body = body
        self.source = source
        self.target = target
    }

    func start() {
        if !hasEnded { body.start(self) }
    }

    func pull(_ limit: Int) {
        requested = limit
        read()
    }

    func stop() {
        outlet = nil
        guard !hasEnded else { return }
        hasEnded = true
        body.stop()
    }

    func bodyIsReady() {
        guard requested > 0, !isScheduled, !hasEnded else { return }
        isScheduled = true
        // Read later, because a body may call this method inside a turn that has more to write.
        source.execute { [self] in
            isScheduled = false
            read()
        }
    }

    private func read() {
        guard requested > 0, !hasEnded, let outlet else { return }
        var bytes: [UInt8] = []
        let progress = body.read(into: &bytes, limit: requested)
        if case .finished = progress { hasEnded = true }
        guard !bytes.isEmpty || hasEnded else { return }
        requested = 0
        let isLast = hasEnded
        if isLast { self.outlet = nil }
        // Trailers may be read only once the body is finished.
        let trailers = isLast ? body.trailers : HTTPFields()
        target.execute { [bytes] in outlet.receive(bytes, isLast: isLast, trailers) }
    }
}
