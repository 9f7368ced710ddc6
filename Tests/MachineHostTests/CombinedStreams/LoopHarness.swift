import HTTPModel
import MachineTesting

@testable import MachineHost

/// A host on several virtual loops, whose rounds the test runs in the order that it wants.
final class LoopHarness {
    let host: SessionHost
    let loops: [VirtualEventLoop]
    var shards: [SessionShard]
    /// The loops that do not run.
    var stalled: Set<Int> = []

    init(
        _ count: Int, of definition: MachineDefinition = counter(), access: HostAccess = HostAccess(),
        _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HostConfiguration()
        configure(&configuration)
        host = try SessionHost([definition], configuration: configuration, access: access)
        loops = (0..<count).map { VirtualEventLoop(index: $0, count: count) }
        shards = loops.map { [host] in host.makeShard(on: $0) }
    }

    /// Runs all loops that are not stalled until none has anything to do.
    func run() {
        while loops.reduce(false, { stalled.contains($1.index) ? $0 : $1.runRound() || $0 }) {}
    }

    /// Lets time pass on all loops, second by second.
    func advance(by seconds: Int) {
        for _ in 0..<seconds {
            for loop in loops {
                if stalled.contains(loop.index) { loop.stall(for: .seconds(1)) } else { loop.advance(by: .seconds(1)) }
            }
            run()
        }
    }

    /// Lets a short time pass on all loops.
    func advance(byMilliseconds milliseconds: Int) {
        for _ in 0..<milliseconds {
            for loop in loops { loop.advance(by: .milliseconds(1)) }
            run()
        }
    }

    /// Creates a session on a loop and returns its id.
    func makeSession(on loop: Int) -> String {
        let answer = send(
            HTTPRequest(
                method: .post, target: "/v1/sessions", fields: [.contentType: "application/json"],
                body: Array("{\"machine\":\"scripted\"}".utf8)), on: loop)
        return answer?.fields.value(.location).map { String($0.suffix(SessionID.textCount)) } ?? ""
    }

    /// Sends a request to a loop, and returns the response if there is one immediately.
    @discardableResult
    func send(_ request: HTTPRequest, on loop: Int) -> HTTPResponse? {
        guard case .response(let response) = shards[loop].respond(to: request) else { return nil }
        return response
    }

    /// Sends an input to the loop of a session.
    @discardableResult
    func input(_ session: String, _ name: String, _ value: String = "") -> HTTPResponse? {
        let target = "/v1/sessions/\(session)/inputs/\(name)"
        let fields: HTTPFields = value.isEmpty ? [:] : [.contentType: "application/json"]
        return send(
            HTTPRequest(method: .post, target: target, fields: fields, body: Array(value.utf8)), on: loop(of: session))
    }

    func delete(_ session: String) {
        send(HTTPRequest(method: .delete, target: "/v1/sessions/\(session)"), on: loop(of: session))
    }

    func loop(of session: String) -> Int {
        var text = session
        return text.withUTF8 { SessionID($0)?.loop(of: loops.count) } ?? 0
    }

    /// Responds to a request for a combined stream on a loop.
    func open(_ query: String, on loop: Int = 0, after id: String = "") -> HTTPResponse? {
        var fields: HTTPFields = [.accept: "text/event-stream"]
        if let value = HTTPFieldValue(id), !id.isEmpty { fields.append(.lastEventID, value) }
        return send(HTTPRequest(method: .get, target: "/v1/outputs?" + query, fields: fields), on: loop)
    }

    /// Connects a client on a loop to a combined stream, from its last position. Returns whether there is one.
    @discardableResult
    func connect(_ client: CombinedClient, to sessions: [String], on loop: Int = 0) -> Bool {
        let query = sessions.map { "session=\($0)" }.joined(separator: "&")
        guard case .stream(let body) = open(query, on: loop, after: client.lastEventID)?.body else { return false }
        client.connect(body)
        return true
    }

    /// Returns the current outputs of a session as text.
    func outputs(of session: String) -> String {
        let response = send(HTTPRequest(method: .get, target: "/v1/sessions/\(session)/outputs"), on: loop(of: session))
        return String(decoding: response?.body.bytes ?? [], as: UTF8.self)
    }

    /// Lets clients and loops run until nothing is left to read.
    func settle(_ clients: CombinedClient...) {
        for _ in 0..<50 {
            run()
            for client in clients { client.read() }
        }
    }
}
