import Access
import HTTPModel
import JournalTesting
import MachineTesting

/// A client of a simulation: uses one session after another, sends inputs until it knows their outcome, and follows a stream.
final class SimulatedClient {
    /// The position and the state of a stream, which continue in the next one.
    private struct Following {
        var view = StreamView()
        var lastEventID: String?
        var processed = 0
        /// The version that the beginning of the stream must show at least.
        var floor: UInt64 = 0
        /// The version from which the stream should resume, until its first event.
        var wanted: UInt64?
    }

    private unowned let run: SimulationRun
    /// Who the client's requests come from: only a principal gives names to sessions.
    private let requester: Requester
    private(set) var session: String?
    private var creation: SimulatedRequest?
    /// The requests in flight, by their numbers.
    private var inFlight: [Int: SimulatedRequest] = [:]
    private var receivers: [Int: SimulatedReceiver] = [:]
    /// The requests with keys whose outcome is not known, to be sent again.
    private var unanswered: [SimulatedRequest] = []
    /// Requests with keys that were answered, to be sent again now and then.
    private var answered: [SimulatedRequest] = []
    private var stream: StreamFollower?
    private var following = Following()
    /// The sessions that have ended, which must not come back.
    private var ended: [String] = []
    /// Whether a request was sent that ends the session.
    private var hasRequestedEnd = false
    /// When the last acknowledged input was sent, in nanoseconds since 1970.
    private var lastUse: Int64 = 0

    init(_ run: SimulationRun) {
        self.run = run
        let number = run.nextNumber()
        requester = run.pick(2) == 0 ? .anonymous : .apiKey("client \(number)")
    }

    /// Whether everything that the client has sent is answered.
    var isIdle: Bool { inFlight.isEmpty && unanswered.isEmpty && session != nil }

    /// Does something.
    func act() {
        guard let session else { return create() }
        switch run.pick(100) {
        case ..<30 where !unanswered.isEmpty: send(unanswered.removeFirst())
        case ..<36 where !answered.isEmpty: send(answered[run.pick(answered.count)])
        case ..<42: repeatInFlight()
        case ..<55 where stream == nil: openStream(of: session)
        case ..<58 where stream != nil: cutStream()
        case ..<60 where !ended.isEmpty: probe(ended[run.pick(ended.count)])
        case ..<63 where !inFlight.isEmpty: abandon()
        default:
            guard inFlight.count < 4 else { return }
            send(.random(in: session, mark: run.nextMark, key: run.nextKey, &run.random))
        }
    }

    /// Sends what is left, so that the client becomes idle.
    func finish() {
        guard session != nil else { return create() }
        if !unanswered.isEmpty { send(unanswered.removeFirst()) }
    }

    /// Reads the session and its stream for the last time.
    func look() {
        for session in ended { probe(session) }
        guard let session else { return }
        send(SimulatedRequest(kind: .readSession, method: .get, target: session))
        if stream == nil { openStream(of: session) }
    }

    /// Learns that the server's process has ended: all connections are cut.
    func serverEnded() {
        for (_, request) in inFlight.sorted(by: { $0.key < $1.key }) where request.key != nil {
            // Not a request for a session of before, which has ended.
            if isForSession(request) { keep(request) }
        }
        inFlight = [:]
        receivers = [:]
        cutStream()
    }

    /// Learns that another process continues the sessions: the old one has answered everything, and ends the streams.
    func processLeft() {
        for (_, request) in inFlight.sorted(by: { $0.key < $1.key }) {
            run.checker.sawFault(
                "expected an answer to \(request.method.rawValue) before the process left, got none", in: session ?? "-"
            )
        }
        for _ in 0..<100 where stream != nil { readStream() }
        if stream != nil, following.view.end == nil {
            run.checker.sawFault("expected the stream to end before the process left", in: session ?? "-")
        }
        serverEnded()
    }

    /// Learns that the power has failed, and that sessions may have lost what they have shown.
    func powerFailed() {
        following.floor = 0
    }

    /// Leaves before a request is answered: closes its connection.
    private func abandon() {
        guard let number = inFlight.keys.sorted().randomElement(using: &run.random),
            let request = inFlight.removeValue(forKey: number)
        else { return }
        run.trace?("\(number): the client leaves")
        receivers.removeValue(forKey: number)?.awaitsResponse = false
        if request.key != nil, request.kind != .create, isForSession(request) { keep(request) }
    }

    /// Lets the checker know whether the session may have expired.
    func noteTime() {
        guard let session, run.wallTime - lastUse >= SimulationRun.idleExpiry - 2_000_000_000 else { return }
        run.checker.mayEnd(session)
    }

    private func create() {
        let request = creation ?? newCreation()
        creation = request
        if inFlight.count < 2 { send(request) }
    }

    private func newCreation() -> SimulatedRequest {
        guard let id = requester.principal?.id, run.pick(2) == 0 else {
            return SimulatedRequest(
                kind: .create, method: .post, target: "/v1/sessions", body: "{\"machine\":\"ledger\"}",
                key: run.nextKey(), firstSent: run.wallTime)
        }
        let name = ["main", "other"][run.pick(2)]
        return SimulatedRequest(
            kind: .create, method: .post, target: "/v1/sessions", body: "{\"machine\":\"ledger\",\"name\":\"\(name)\"}",
            name: "\(id) \(name)", firstSent: run.wallTime)
    }

    /// Reads a session that has ended.
    private func probe(_ session: String) {
        let request = SimulatedRequest(kind: .readSession, method: .get, target: session)
        run.deliver(request.http, from: requester) { [weak self] response in
            guard let self, response.status == .ok else { return }
            run.checker.sawOutputs([:], marks: [], of: .max, in: session)
        }
    }

    private func repeatInFlight() {
        guard let request = inFlight.min(by: { $0.key < $1.key })?.value, request.key != nil, inFlight.count < 6,
            request.kind == .create || isForSession(request)
        else { return }
        send(request)
    }

    /// Returns whether a request is for the session that the client uses, and not for one that it has used before.
    private func isForSession(_ request: SimulatedRequest) -> Bool {
        session.map(request.target.hasPrefix) ?? false
    }

    private func keep(_ request: SimulatedRequest) {
        guard !unanswered.contains(where: { $0.key == request.key }) else { return }
        unanswered.append(request)
    }
}

// Requests and responses.
extension SimulatedClient {
    private func send(_ request: SimulatedRequest) {
        var request = request
        if let session {
            request.floor = run.checker.floor(of: session)
            if request.kind == .delete || request.kind == .failingInput {
                hasRequestedEnd = true
                run.checker.mayEnd(session)
            }
            if request.kind != .refusedInput { run.checker.sent(request.marks, to: session) }
        }
        request.firstSent = request.firstSent ?? run.wallTime
        let number = run.nextNumber()
        inFlight[number] = request
        let receiver = SimulatedReceiver()
        receivers[number] = receiver
        run.trace?("\(number): \(request.method.rawValue) \(request.target) \(request.body ?? "")")
        run.deliver(request.http, from: requester, to: receiver) { [weak self] response in
            self?.receivers[number] = nil
            guard let self, inFlight.removeValue(forKey: number) != nil else { return }
            // Another request of the client has learned that the session has ended.
            guard request.kind == .create || isForSession(request) else { return }
            let response = SimulatedResponse(response)
            if response.text.hasSuffix(",\"dormant\":true}") { run.dormantReads += 1 }
            run.trace?("\(number): \(response.status) \(response.text)")
            receive(response, request)
        }
    }

    private func receive(_ response: SimulatedResponse, _ request: SimulatedRequest) {
        switch (request.kind, response.status) {
        case (_, 503), (_, 429): if request.key != nil, request.kind != .create { keep(request) }
        case (.create, 201), (.create, 200): begin(response.location, request)
        case (.create, 410): if session == nil { creation = nil }
        case (_, 410), (_, 404), (.delete, 204), (.stream, 204), (.failingInput, 500): end("\(response.status)")
        case (.input, 200): acknowledge(request.marks, request, response)
        case (.delayedInput, 200): acknowledge([], request, response)
        case (.partialBatch, 409): acknowledge(request.marks, request, response)
        case (.refusedInput, 409): if let session { run.checker.refused(request.marks, in: session) }
        case (.readSession, 200), (.readOutputs, 200): read(response, request)
        case (.stream, 200): follow(response.stream, request)
        default:
            run.checker.sawFault(
                "\(request.method.rawValue) got \(response.status) \(response.text)", in: session ?? "")
        }
    }

    private func begin(_ location: String, _ request: SimulatedRequest) {
        if let name = request.name {
            run.checker.found(location, named: name)
            run.namedSessions += 1
        } else {
            run.checker.created(location, key: request.key)
        }
        guard session == nil else {
            // The client does not use it, so that it expires.
            if location != session { run.checker.mayEnd(location) }
            return
        }
        session = location
        // The loss of power may undo the end of a session.
        ended.removeAll { $0 == location }
        lastUse = request.firstSent ?? 0
        answered = [request]
        following = Following()
        creation = nil
        hasRequestedEnd = false
        noteTime()
    }

    private func end(_ detail: String) {
        guard let session else { return }
        run.checker.sawEnd(of: session, detail)
        ended.append(session)
        self.session = nil
        stream?.cut()
        stream = nil
        unanswered = []
        answered = []
        creation = nil
    }

    private func acknowledge(
        _ marks: [String], _ request: SimulatedRequest, _ response: SimulatedResponse
    ) {
        guard let session, let version = response.version else { return }
        run.checker.acknowledged(
            marks, in: session, key: request.key, version: version, change: response.change)
        // A repetition runs nothing, so that it does not count for the next process.
        lastUse = max(lastUse, request.firstSent ?? 0)
        if run.wallTime - lastUse < SimulationRun.idleExpiry - 2_000_000_000, !hasRequestedEnd {
            run.checker.mustLast(session)
        }
        guard request.key != nil else { return }
        unanswered.removeAll { $0.key == request.key }
        answered.append(request)
        if answered.count > 5 { answered.remove(at: run.pick(5)) }
    }

    private func read(_ response: SimulatedResponse, _ request: SimulatedRequest) {
        guard let session, let version = response.version else { return }
        var view = StreamView()
        view.take(ServerSentEvent(event: "snapshot", id: "x.\(version)", data: response.outputs))
        run.checker.sawOutputs(
            view.outputs, marks: LedgerMachine.marks(in: view.outputs["marks"]), of: version, since: request.floor,
            in: session)
    }
}

// Streams.
extension SimulatedClient {
    private func openStream(of session: String) {
        guard !inFlight.values.contains(where: { $0.kind == .stream }) else { return }
        send(
            SimulatedRequest(
                kind: .stream, method: .get, target: session + "/outputs",
                lastEventID: run.pick(5) == 0 ? nil : following.lastEventID))
    }

    private func follow(_ body: (any HTTPBodyStream)?, _ request: SimulatedRequest) {
        guard let body else { return }
        cutStream()
        stream = StreamFollower(body)
        following.processed = 0
        following.floor = request.floor
        following.wanted = request.lastEventID?.split(separator: ".").last.flatMap { UInt64($0) }
    }

    private func cutStream() {
        stream?.cut()
        stream = nil
    }

    /// Reads the stream.
    func readStream() {
        guard let stream, let session else { return }
        stream.readOnce(limit: run.pick(2) == 0 ? 100 : 16384)
        let events = stream.events[following.processed...]
        for event in events { take(event, session) }
        guard self.stream != nil else { return }
        following.processed = stream.events.count
        if stream.hasFinished { self.stream = nil }
    }

    /// Forgets the versions of another epoch, which the event announces. The checker knows whether there may be a new one.
    private func beginAnew(at event: ServerSentEvent) {
        func epoch(_ id: String?) -> Substring? { id?.split(separator: ".").first }
        guard let known = epoch(following.lastEventID), let new = epoch(event.id), known != new else { return }
        following.view = StreamView()
        following.wanted = nil
    }

    private func take(_ event: ServerSentEvent, _ session: String) {
        run.trace?("stream: \(event.event) \(event.id) \(event.data)")
        beginAnew(at: event)
        let faults = following.view.violations.count
        following.view.take(event)
        for fault in following.view.violations.dropFirst(faults) { run.checker.sawFault(fault, in: session) }
        if event.event == "end" {
            let isForStreamOnly = event.data.contains("draining") || event.data.contains("rotated")
            if !isForStreamOnly, self.session == session { end(event.data) }
            return
        }
        following.lastEventID = event.id
        guard let version = following.view.version else { return }
        // The newest change is always kept, also by the next process.
        if event.event == "snapshot", let wanted = following.wanted, version <= wanted + 1 {
            run.checker.sawFault("expected the stream to resume from version \(wanted), got a snapshot", in: session)
        }
        following.wanted = nil
        let epoch = String(event.id.prefix { $0 != "." })
        if event.event == "change" { run.checker.sawChange(event.data, of: version, epoch: epoch, in: session) }
        let outputs = following.view.outputs
        run.checker.sawOutputs(
            outputs, marks: LedgerMachine.marks(in: outputs["marks"]), of: version, epoch: epoch,
            since: event.event == "snapshot" ? following.floor : 0, in: session)
        following.floor = 0
    }
}

/// The connection of a client that waits for a response.
final class SimulatedReceiver: ResponseReceiver {
    /// Whether the client has not left.
    var awaitsResponse = true
    var received: (HTTPResponse) -> Void = { _ in }

    func receive(_ response: HTTPResponse) { received(response) }
}
