package import Access
public import HTTPModel
public import Log
public import MachineHost
package import Telemetry

/// A host without a socket: sends requests, follows streams, and controls time.
public final class HostHarness {
    /// The host's loop.
    public let loop: VirtualEventLoop
    /// The host.
    public let host: SessionHost
    /// The responder of the loop.
    public let shard: SessionShard
    /// The requester of all requests; nil if they are authenticated like those of clients.
    package var requester: Requester?

    /// Creates a host of machines with one loop. Its wall clock starts at a time, by default 2026-01-01T00:00:00Z, and
    /// advances with the loop's time.
    public init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration(), log: Log = .silent,
        loop: VirtualEventLoop = VirtualEventLoop(), beginning: WallTime = WallTime(seconds: 1_767_225_600),
        journal: JournalWriter? = nil
    ) throws(MachineRegistrationError) {
        self.loop = loop
        let start = loop.now
        host = try SessionHost(
            machines, configuration: configuration, log: log, wallClock: { beginning + (loop.now - start) },
            journal: journal)
        shard = host.makeShard(on: loop)
    }

    /// Creates a host with access control.
    ///
    /// - Parameters:
    ///   - wallClock: Returns the wall time; nil if it begins at `beginning` and is never set.
    ///   - spans: Takes the spans of requests that have one; nil if nothing is traced.
    package init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration(), log: Log = .silent,
        loop: VirtualEventLoop = VirtualEventLoop(), beginning: WallTime = WallTime(seconds: 1_767_225_600),
        journal: JournalWriter? = nil, access: HostAccess, wallClock: (@Sendable () -> WallTime)? = nil,
        spans: (any SpanReceiver)? = nil
    ) throws(MachineRegistrationError) {
        self.loop = loop
        let start = loop.now
        host = try SessionHost(
            machines, configuration: configuration, log: log,
            wallClock: wallClock ?? { beginning + (loop.now - start) }, journal: journal, access: access,
            spans: spans)
        shard = host.makeShard(on: loop)
    }

    /// Sends a request and returns the response. A body is sent as `application/json` unless the fields specify another
    /// type. When this returns, all work that the request scheduled has run, but no time has passed, except 10 ms if the client
    /// continues to exceed its rate, so that the refusal is late.
    public func send(
        _ method: HTTPMethod, _ target: String, body: String? = nil, fields: HTTPFields = HTTPFields(),
        from peer: HTTPPeer = .unknown
    ) -> HarnessAnswer {
        send(method, target, bytes: body.map { Array($0.utf8) }, fields: fields, from: peer)
    }

    /// Sends a request whose body need not be text, like ``send(_:_:body:fields:from:)``.
    public func send(
        _ method: HTTPMethod, _ target: String, bytes: [UInt8]?, fields: HTTPFields = HTTPFields(),
        from peer: HTTPPeer = .unknown
    ) -> HarnessAnswer {
        var request = HTTPRequest(method: method, target: target, fields: fields, body: bytes ?? [], peer: peer)
        if bytes != nil, !fields.contains(.contentType) { request.fields.append(.contentType, "application/json") }
        var response: HTTPResponse?
        switch respond(to: request) {
        case .response(let answer): response = answer
        case .deferred(let promise): promise.whenFulfilled { response = $0 }
        }
        loop.run()
        // Only the refusal of a client that does not wait for its rate needs time (Docs/decisions/0067).
        if response == nil { loop.advance(by: .milliseconds(10)) }
        guard let response else { preconditionFailure("\(method.rawValue) \(target) was not answered") }
        return HarnessAnswer(response)
    }

    /// Returns the response to a request, or its promise.
    package func respond(to request: HTTPRequest) -> HTTPAnswer {
        requester.map { shard.respond(to: request, from: $0) } ?? shard.respond(to: request)
    }

    /// Creates a session and returns its path. Traps on failure.
    ///
    /// - Parameters:
    ///   - machine: The name of the machine.
    ///   - parameters: The parameters of the session, as JSON; nil if it needs none.
    public func makeSession(of machine: String = "scripted", parameters: String? = nil) -> String {
        let answer = send(.post, "/v1/sessions", body: HostHarness.creation(of: machine, parameters))
        guard answer.status == .created, let path = answer.fields.value(.location) else {
            preconditionFailure("no session was created: \(answer.status.code) \(answer.text)")
        }
        return path
    }

    /// Returns the body of a request for a session.
    static func creation(of machine: String, _ parameters: String?) -> String {
        "{\"machine\":\"\(machine)\"\(parameters.map { ",\"parameters\":\($0)" } ?? "")}"
    }

    /// Follows the stream of a session, given its path and an optional query. Traps if the response is not a stream.
    public func follow(_ session: String, query: String = "", after id: String? = nil) -> StreamFollower {
        var fields: HTTPFields = [.accept: "text/event-stream"]
        if let id, let value = HTTPFieldValue(id) { fields.append(.lastEventID, value) }
        let answer = send(.get, session + "/outputs" + query, fields: fields)
        guard let stream = answer.stream else {
            preconditionFailure("no stream was opened: \(answer.status.code) \(answer.text)")
        }
        return StreamFollower(stream)
    }
}

/// A response as a client receives it.
public struct HarnessAnswer {
    /// The status.
    public let status: HTTPStatus
    /// The header fields.
    public let fields: HTTPFields
    /// The content as text; empty if none exists, or if it is a stream of unknown length.
    public let text: String
    /// The content, if it is a stream of unknown length.
    public let stream: (any HTTPBodyStream)?

    package init(_ response: HTTPResponse) {
        status = response.status
        fields = response.fields
        switch response.body {
        case .empty: (text, stream) = ("", nil)
        case .bytes(let bytes): (text, stream) = (String(decoding: bytes, as: UTF8.self), nil)
        case .stream(let body) where body.contentLength != nil:
            (text, stream) = (String(decoding: body.readAll(), as: UTF8.self), nil)
        case .stream(let body): (text, stream) = ("", body)
        }
    }
}
