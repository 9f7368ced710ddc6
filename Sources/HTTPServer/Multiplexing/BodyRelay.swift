import HTTPModel

/// A body that is made on one loop and sent on another. The sender still pulls: nothing is read, and nothing crosses, but
/// what was asked for, so that a peer that takes nothing costs nothing there either.
enum BodyRelay {
    /// Gives a body of a loop a stand-in on another one.
    static func carry(
        _ body: any HTTPBodyStream, from source: any EventLoop, to target: any EventLoop
    ) -> any HTTPBodyStream {
        let outlet = RelayOutlet(source, contentLength: body.contentLength)
        let inlet = RelayInlet(body, source, target)
        outlet.inlet = inlet
        inlet.outlet = outlet
        return outlet
    }
}

/// The relay's end where the body is sent.
///
/// Sendable, so that the other end can have it called: everything in it is touched on the sending loop only, once it has
/// arrived there.
private final class RelayOutlet: HTTPBodyStream, @unchecked Sendable {
    /// The other end; let go of when nothing more is to be said to it.
    var inlet: RelayInlet?
    private let source: any EventLoop
    private weak var consumer: (any HTTPBodyConsumer)?
    private var bytes: [UInt8] = []
    private var isOver = false
    private var hasAsked = false
    private(set) var trailers = HTTPFields()

    let contentLength: Int?

    init(_ source: any EventLoop, contentLength: Int?) {
        self.source = source
        self.contentLength = contentLength
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        self.consumer = consumer
        tell { $0.start() }
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        if !bytes.isEmpty {
            buffer.append(contentsOf: bytes)
            bytes = []
            // Asked again, there will be a request for the next part: not before the peer takes it.
            return isOver ? .finished : .more
        } else if !isOver, !hasAsked {
            hasAsked = true
            tell { $0.pull(limit) }
        }
        return isOver ? .finished : .waiting
    }

    func stop() {
        tell { $0.stop() }
        inlet = nil
    }

    func receive(_ received: [UInt8], isLast: Bool, _ trailers: HTTPFields) {
        bytes += received
        self.trailers = trailers
        hasAsked = false
        isOver = isLast
        if isLast { inlet = nil }
        consumer?.bodyIsReady()
    }

    private func tell(_ work: @escaping @Sendable (RelayInlet) -> Void) {
        guard let inlet else { return }
        source.execute { work(inlet) }
    }
}

/// The relay's end where the body is made.
///
/// Sendable, so that the other end can have it called: everything in it is touched on the body's loop only.
private final class RelayInlet: HTTPBodyConsumer, @unchecked Sendable {
    /// The other end; let go of when nothing more is to be said to it.
    var outlet: RelayOutlet?
    private let body: any HTTPBodyStream
    private let source: any EventLoop
    private let target: any EventLoop
    /// How much is wanted; 0 while there is no request for more.
    private var wanted = 0
    private var isOver = false
    private var isScheduled = false

    init(_ body: any HTTPBodyStream, _ source: any EventLoop, _ target: any EventLoop) {
        self.body = body
        self.source = source
        self.target = target
    }

    func start() {
        if !isOver { body.start(self) }
    }

    func pull(_ limit: Int) {
        wanted = limit
        read()
    }

    func stop() {
        outlet = nil
        guard !isOver else { return }
        isOver = true
        body.stop()
    }

    func bodyIsReady() {
        // The read comes later: this may be called inside a turn.
        guard wanted > 0, !isScheduled, !isOver else { return }
        isScheduled = true
        source.execute { [self] in
            isScheduled = false
            read()
        }
    }

    private func read() {
        guard wanted > 0, !isOver, let outlet else { return }
        var bytes: [UInt8] = []
        let progress = body.read(into: &bytes, limit: wanted)
        if case .finished = progress { isOver = true }
        guard !bytes.isEmpty || isOver else { return }
        wanted = 0
        let isLast = isOver
        if isLast { self.outlet = nil }
        let trailers = isLast ? body.trailers : HTTPFields()
        target.execute { [bytes] in outlet.receive(bytes, isLast: isLast, trailers) }
    }
}
