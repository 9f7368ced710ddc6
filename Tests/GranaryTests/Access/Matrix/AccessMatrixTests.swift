import HTTPModel
import Testing

@testable import Granary

/// Every method of authentication × every resource × {own, other's, none, expired, forged, replayed}, over sockets.
@Suite(.serialized) struct AccessMatrixTests {
    @Test(arguments: [MatrixServer.Setting.open, .closed], ServedRoutes.Version.allCases)
    func `each client gets what the policy says, and nothing else changes`(
        setting: MatrixServer.Setting, version: ServedRoutes.Version
    ) async throws {
        let server = try MatrixServer(setting)
        do {
            for method in MatrixMethod.allCases where method.isAvailable(in: setting) {
                try MatrixRow(server, setting, method, version).run()
            }
        } catch {
            Issue.record(error)
        }
        await server.stop()
    }
}

/// The part of the matrix for one method.
private struct MatrixRow {
    private let server: MatrixServer
    private let setting: MatrixServer.Setting
    private let method: MatrixMethod
    private let version: ServedRoutes.Version
    private let owner: MatrixPresentation

    init(
        _ server: MatrixServer, _ setting: MatrixServer.Setting, _ method: MatrixMethod,
        _ version: ServedRoutes.Version
    ) throws {
        (self.server, self.setting, self.method, self.version) = (server, setting, method, version)
        owner = try method.owner(of: server, setting)
    }

    func run() throws {
        // The sessions of a presentation are its own, because it may end them.
        let count = try method.presentations(of: server, setting, session: "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA").count
        for index in 0..<count {
            let creator = try client(for: owner)
            let created = try creator.send("POST", "/v1/sessions", owner.fields, body: #"{"machine":"talker"}"#)
            let session = try #require(created.fields.value(.location), "\(method): \(created.text)")
            let presentation = try method.presentations(of: server, setting, session: session)[index]
            try perform(presentation, session: String(session.suffix(22)), creator)
            creator.close()
        }
    }

    private func client(for presentation: MatrixPresentation) throws -> MatrixClient {
        try server.client(version, isSecure: method == .certificate, as: presentation.certificate)
    }

    private func perform(_ presentation: MatrixPresentation, session: String, _ creator: MatrixClient) throws {
        let client = try client(for: presentation)
        defer { client.close() }
        // A ticket with one use is used by somebody else first.
        if presentation.identity == .usedHolder {
            #expect(try client.send("GET", "/v1/sessions/\(session)", presentation.fields).status == 200)
        }
        let policy = MatrixPolicy(
            requiresPrincipal: setting.requiresPrincipal, isOwned: method != .none, isBrowser: presentation.isBrowser)
        let name = "n\(UInt64.random(in: 0..<UInt64.max))"
        var requests = MatrixRequests.all
        if presentation.identity.isPrincipal { requests += MatrixRequests.named }
        if presentation.identity == .owner { requests.append(MatrixRequests.revocation) }
        let mayEnd = presentation.identity == .owner || presentation.identity == .holder || method == .none
        requests += mayEnd ? MatrixRequests.end : [MatrixRequests.revocation, MatrixRequests.end[0]]
        for request in requests {
            let outcome = policy.outcome(of: request, by: presentation.identity)
            let cell = MatrixCell(request, outcome, session: session, name: name, presentation)
            try cell.check(client, "\(method), \(presentation.name), \(version)")
        }
        guard !mayEnd else { return }
        // Nothing of all this has changed the session.
        let left = try creator.send("GET", "/v1/sessions/\(session)", owner.fields)
        #expect(left.status == 200 && left.text.contains(#""version":0"#), "\(method), \(presentation.name)")
    }
}

/// One request of the matrix.
private struct MatrixCell {
    private let request: MatrixRequest
    private let outcome: MatrixOutcome
    private let session: String
    private let name: String
    private let fields: MatrixClient.Fields

    init(
        _ request: MatrixRequest, _ outcome: MatrixOutcome, session: String, name: String,
        _ presentation: MatrixPresentation
    ) {
        (self.request, self.outcome, self.session, self.name) = (request, outcome, session, name)
        fields = presentation.fields + request.fields
    }

    func check(_ client: MatrixClient, _ place: String) throws {
        let place = "\(place): \(request.method) \(request.path) \(request.body ?? "")"
        if case .stream(let event, let data) = outcome {
            let (status, first) = try client.firstEvent(of: filled(request.path), fields)
            #expect(status == 200, "\(place)")
            let isExpected = first?.event == event && first?.data.contains(filled(data)) == true
            return #expect(isExpected, "\(place): \(String(describing: first))")
        }
        var fields = fields
        if request.scope == .stream { fields.append(("accept", "text/event-stream")) }
        let answer = try send(client, filled(request.path), fields)
        switch outcome {
        case .stream: break
        case .answer(let status, let text):
            let matches = answer.status == status && answer.text.hasPrefix(filled(text))
            #expect(matches, "\(place): \(answer.status) \(answer.text)")
            if text.isEmpty { #expect(answer.text.isEmpty || request.path == "/", "\(place)") }
        case .problem(let status, let kind):
            let isExpected = answer.status == status && (request.method == "HEAD" || answer.kind == kind)
            #expect(isExpected, "\(place): \(answer.status) \(answer.text)")
        case .credentials(let reason):
            let isRejected = answer.status == 401 && answer.fields.value(.wwwAuthenticate)?.hasPrefix("Bearer ") == true
            #expect(isRejected, "\(place): \(answer.status)")
            guard request.method != "HEAD" else { return }
            let matches = answer.kind == "invalid-credentials" && answer.text.contains("\"reason\":\"\(reason)\"}")
            #expect(matches, "\(place): \(answer.text)")
        case .unknown:
            let missing = try send(client, request.path.replacing("ID", with: "AAAAAAAAAAAAAAAAAAAAAA"), fields)
            #expect(answer.status == 404, "\(place): \(answer.status) \(answer.text)")
            #expect(answer.lasting == missing.lasting, "\(place)")
            let text = "No session has this id. An unused session expires, and is forgotten some time after its end."
            #expect(request.method == "HEAD" || answer.text.contains(text), "\(place): \(answer.text)")
        }
    }

    private func send(
        _ client: MatrixClient, _ path: String, _ fields: MatrixClient.Fields
    ) throws -> MatrixClient.Answer {
        try client.send(request.method, path, fields, body: request.body.map { filled($0) })
    }

    private func filled(_ text: String) -> String {
        text.replacing("NEW", with: name).replacing("ID", with: session)
    }
}
