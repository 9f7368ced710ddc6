import Foundation
import GranaryClient
import HTTPModel
import MachineTesting

/// What a network and the proxies in it do to one request.
enum NetworkFault: Equatable {
    /// Nothing accepts the connection.
    case refused
    /// The request is lost.
    case lostRequest
    /// The response is cut off after a number of bytes, counted from the first byte of its head.
    case cut(after: Int)
    /// The response is cut off after a number of bytes of its content, and looks complete.
    case short(Int)
    /// The content is longer than it should be.
    case long
    /// The request is delivered twice, the second time after a delay.
    case duplicate(Duration)
    /// The request is delivered, and its response arrives, after a delay.
    case late(Duration)
    /// The response arrives after a delay.
    case slowResponse(Duration)
    /// A proxy answers, with a pause that it asks for, or without.
    case status(Int, retryAfter: Int?)
    /// The request is delivered, and a proxy answers in place of the server.
    case replaced(status: Int)
}

/// A transport to a host in memory, whose time is a clock's, with faults.
@MainActor
final class HostTransport: ClientTransport {
    private let host: HostHarness
    let clock: VirtualClock
    /// Returns what happens to a request; nil for nothing.
    var fault: (ClientRequest) -> NetworkFault? = { _ in nil }
    /// Returns how long a message travels.
    var latency: () -> Duration = { .milliseconds(1) }
    /// The value of `Authorization` that is accepted; nil for any.
    var accepted: String?
    /// Returns the response to a request in place of the host; nil for its own.
    var intercept: (ClientRequest) -> HTTPResponse? = { _ in nil }
    /// All requests that were started.
    private(set) var requests: [ClientRequest] = []
    private(set) var streams: [HostStream] = []
    /// The number of requests that reached the host.
    private(set) var deliveries = 0

    init(_ harness: HostHarness, _ clock: VirtualClock) {
        host = harness
        self.clock = clock
        clock.whenPassing = { [unowned self] in self.harness.loop.advance(by: $0) }
    }

    /// The host. The main actor has no thread of its own, so that the loop follows it.
    var harness: HostHarness {
        host.loop.adopt()
        return host
    }

    /// The streams that are open.
    var openStreams: [HostStream] { streams.filter(\.isOpen) }

    func start(
        _ request: ClientRequest, _ receive: @escaping @MainActor (TransportEvent) -> Void
    ) -> any TransportExchange {
        requests.append(request)
        let exchange = HostExchange(receive)
        let fault = fault(request)
        clock.run(after: latency()) { [self] in
            // A request that was abandoned before it arrived may arrive nevertheless.
            carry(request, fault, exchange)
        }
        return exchange
    }

    private func carry(_ request: ClientRequest, _ fault: NetworkFault?, _ exchange: HostExchange) {
        switch fault {
        case .refused: exchange.send(.failed(TransportFailure("refused", isUnsent: true)))
        case .lostRequest: fail(exchange)
        case .status(let status, let retryAfter): answer(exchange, status, retryAfter)
        case .replaced(let status):
            discard(deliver(request))
            answer(exchange, status, nil)
        case .duplicate(let delay):
            respond(to: request, exchange, cut: nil)
            clock.run(after: delay) { [self] in discard(deliver(request)) }
        case .late(let delay):
            clock.run(after: delay) { [self] in respond(to: request, exchange, cut: nil) }
        case .slowResponse(let delay): respond(to: request, exchange, cut: nil, after: delay)
        case .cut(let count): respond(to: request, exchange, cut: count)
        case .short(let count): respond(to: request, exchange, cut: nil, short: count)
        case .long: respond(to: request, exchange, cut: nil, isLong: true)
        case nil: respond(to: request, exchange, cut: nil)
        }
    }

    private func fail(_ exchange: HostExchange) {
        clock.run(after: latency()) { exchange.send(.failed(TransportFailure("the connection was lost"))) }
    }

    private func answer(_ exchange: HostExchange, _ status: Int, _ retryAfter: Int?) {
        clock.run(after: latency()) {
            exchange.send(.head(status: status, fields: retryAfter.map { ["retry-after": "\($0)"] } ?? [:]))
            exchange.send(.bytes(Array("<html>a proxy</html>".utf8)))
            exchange.send(.finished)
        }
    }

    /// Passes a request to the host without delay.
    func deliver(_ request: ClientRequest) -> HarnessAnswer {
        deliveries += 1
        if let response = intercept(request) { return HarnessAnswer(response) }
        var fields = HTTPFields()
        for (name, value) in request.fields.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPFieldName(name), let value = HTTPFieldValue(value) { fields.append(name, value) }
        }
        let components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        let query = components?.percentEncodedQuery.map { "?\($0)" } ?? ""
        return harness.send(
            HTTPMethod(rawValue: request.method), (components?.percentEncodedPath ?? "") + query, bytes: request.body,
            fields: fields)
    }

    private func respond(
        to request: ClientRequest, _ exchange: HostExchange, cut: Int?, short: Int? = nil, isLong: Bool = false,
        after delay: Duration = .zero
    ) {
        if let accepted, request.fields["authorization"] != accepted {
            exchange.send(.head(status: 401, fields: ["content-type": "application/problem+json"]))
            exchange.send(.bytes(Array(#"{"type":"/problems/invalid-credentials","detail":"expired"}"#.utf8)))
            return exchange.send(.finished)
        }
        let answer = deliver(request)
        let head = (status: Int(answer.status.code), fields: Self.fields(answer))
        let headCount = 17 + head.fields.reduce(2) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
        if let cut, cut < headCount {
            discard(answer)
            return fail(exchange)
        }
        guard !exchange.isCancelled else { return discard(answer) }
        let rest = cut.map { $0 - headCount }
        if let body = answer.stream {
            exchange.send(.head(status: head.status, fields: head.fields))
            let stream = HostStream(body, exchange, limit: rest ?? short, looksComplete: short != nil, on: self)
            streams.append(stream)
            exchange.whenCancelled = { stream.stop() }
            return stream.begin()
        }
        clock.run(after: latency() + delay) { [self] in
            exchange.send(.head(status: head.status, fields: head.fields))
            let text = Array(answer.text.utf8)
            if let rest, rest < text.count {
                exchange.send(.bytes(Array(text.prefix(rest))))
                return fail(exchange)
            }
            exchange.send(.bytes(Array(text.prefix(short ?? text.count)) + (isLong ? Array("HTTP/1.1 200".utf8) : [])))
            exchange.send(.finished)
        }
    }

    /// Leaves a response that nobody receives.
    private func discard(_ answer: HarnessAnswer) {
        harness.loop.adopt()
        answer.stream?.start(NoConsumer())
        answer.stream?.stop()
    }

    private final class NoConsumer: HTTPBodyConsumer {
        func bodyIsReady() {}
    }

    private static func fields(_ answer: HarnessAnswer) -> [String: String] {
        var fields: [String: String] = [:]
        answer.fields.forEach { name, value in
            fields[String(decoding: name, as: UTF8.self).lowercased()] = String(decoding: value, as: UTF8.self)
        }
        return fields
    }
}

/// A request to a host in memory, while it is in progress.
final class HostExchange: TransportExchange {
    @MainActor private var receive: (@MainActor (TransportEvent) -> Void)?
    @MainActor var whenCancelled: () -> Void = {}
    @MainActor private(set) var isCancelled = false

    @MainActor
    init(_ receive: @escaping @MainActor (TransportEvent) -> Void) { self.receive = receive }

    @MainActor
    func send(_ event: TransportEvent) {
        let receive = receive
        switch event {
        case .finished, .failed: self.receive = nil
        case .head, .bytes: break
        }
        receive?(event)
    }

    nonisolated func cancel() {
        MainActor.assumeIsolated {
            isCancelled = true
            receive = nil
            whenCancelled()
            whenCancelled = {}
        }
    }
}

/// The content of a stream of a host in memory.
@MainActor
final class HostStream: @MainActor HTTPBodyConsumer {
    private(set) var isOpen = true
    private let body: any HTTPBodyStream
    private let exchange: HostExchange
    private let looksComplete: Bool
    private weak let transport: HostTransport?
    private var limit: Int?
    private var isScheduled = false
    private var isMuted = false

    init(
        _ body: any HTTPBodyStream, _ exchange: HostExchange, limit: Int?, looksComplete: Bool,
        on transport: HostTransport
    ) {
        self.body = body
        self.exchange = exchange
        self.limit = limit
        self.looksComplete = looksComplete
        self.transport = transport
    }

    func begin() {
        body.start(self)
        bodyIsReady()
    }

    func bodyIsReady() {
        guard isOpen, !isMuted, !isScheduled, let transport else { return }
        isScheduled = true
        transport.clock.run(after: transport.latency()) { [weak self] in self?.read() }
    }

    /// Cuts the connection.
    func cut() {
        guard isOpen else { return }
        stop()
        exchange.send(.failed(TransportFailure("the connection was lost")))
    }

    /// Sends bytes that the host has not sent, and ends the stream.
    func inject(_ text: String) {
        guard isOpen else { return }
        stop()
        exchange.send(.bytes(Array(text.utf8)))
        exchange.send(.finished)
    }

    /// Stops sending without closing the connection, as a host that is gone.
    func mute() { isMuted = true }

    func stop() {
        guard isOpen else { return }
        isOpen = false
        transport?.harness.loop.adopt()
        body.stop()
    }

    private func read() {
        isScheduled = false
        guard isOpen, let transport else { return }
        transport.harness.loop.adopt()
        var bytes: [UInt8] = []
        let progress = body.read(into: &bytes, limit: 1024)
        if let limit {
            if bytes.count >= limit {
                exchange.send(.bytes(Array(bytes.prefix(limit))))
                guard looksComplete else { return cut() }
                stop()
                return exchange.send(.finished)
            }
            self.limit = limit - bytes.count
        }
        if !bytes.isEmpty { exchange.send(.bytes(bytes)) }
        switch progress {
        case .more: bodyIsReady()
        case .waiting: break
        case .finished:
            isOpen = false
            exchange.send(.finished)
        }
    }
}
