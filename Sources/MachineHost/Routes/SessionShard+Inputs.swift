import HTTPModel

extension SessionShard {
    /// `POST /v1/sessions/{id}/inputs/{input}`.
    func takeInput(_ request: HTTPRequest, session id: SessionID, input name: String) throws(ProblemDetails)
        -> HTTPResponse
    {
        let session = try session(id)
        guard let read = session.machineKind.reader(ofInput: name) else {
            let names = session.machineKind.definition.inputs.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw .notFound(
                "The machine \"\(session.machineKind.definition.name)\" has no input of that name; it has: \(names).")
        }
        let fields = PresentFields(of: request.fields)
        if fields.contains(.accept) { try requireJSONAccepted(request) }
        let document = try document(request)
        let prepared: PreparedInput
        do throws(InputMismatch) {
            prepared = try read(document?.slice ?? SessionShard.null)
        } catch {
            let place = error.pointer.isEmpty ? "" : " at \(error.pointer)"
            throw .invalidValue(
                "The input \"\(name)\"\(place): \(error.detail).", [.init(pointer: error.pointer, detail: error.detail)]
            )
        }
        return try run(request, session, fields) { machine in
            currentTurn?.cause = .input(name)
            prepared.run(machine)
        }
    }

    /// `POST /v1/sessions/{id}/inputs`.
    func takeBatch(_ request: HTTPRequest, session id: SessionID) throws(ProblemDetails) -> HTTPResponse {
        let session = try session(id)
        try requireJSONAccepted(request)
        guard let elements = try document(request)?.elements else {
            throw .invalidValue(
                "Expected an array of objects with the members \"input\" and, where it has one, \"value\".",
                [.init(pointer: "", detail: "expected an array")])
        }
        guard elements.count <= host.configuration.maxBatch else {
            let detail = "expected at most \(host.configuration.maxBatch) inputs, \(elements.count) came"
            throw .invalidValue("The batch is too long: \(detail).", [.init(pointer: "", detail: detail)])
        }
        var prepared: [PreparedInput] = []
        var errors: [ProblemDetails.Item] = []
        for (place, element) in elements.enumerated() {
            do throws(InputMismatch) {
                prepared.append(try prepare(element, of: session.machineKind))
            } catch {
                errors.append(.init(pointer: "/\(place)\(error.pointer)", detail: error.detail))
            }
        }
        if let first = errors.first {
            throw .invalidValue("None of the batch was run. At \(first.pointer): \(first.detail).", errors)
        }
        return try run(request, session, PresentFields(of: request.fields)) { machine in
            currentTurn?.cause = .batch
            for input in prepared { input.run(machine) }
        }
    }

    private static let null = Array("null".utf8)[...]

    private func prepare(
        _ element: JSONValue, of machine: RegisteredMachine
    ) throws(InputMismatch) -> PreparedInput {
        guard element.kind == .object else {
            throw InputMismatch(pointer: "", detail: "expected an object, found \(element.kind.rawValue)")
        }
        guard let name = element.member("input")?.string else {
            throw InputMismatch(pointer: "/input", detail: "expected the name of an input")
        }
        guard let read = machine.reader(ofInput: name) else {
            let names = machine.definition.inputs.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw InputMismatch(pointer: "/input", detail: "there is no input of that name; there are: \(names)")
        }
        do throws(InputMismatch) {
            return try read(element.member("value")?.slice ?? SessionShard.null)
        } catch {
            throw InputMismatch(pointer: "/value" + error.pointer, detail: error.detail)
        }
    }

    /// Runs an input or a batch as one turn, if there is room for what it may change and the conditions hold.
    private func run(
        _ request: HTTPRequest, _ session: Session, _ fields: PresentFields, _ work: (any HostedMachine) -> Void
    ) throws(ProblemDetails) -> HTTPResponse {
        guard fields.contains(.idempotencyKey), host.configuration.idempotencyKeys > 0 else {
            try requireRoom(for: request, session)
            if fields.contains(.conditions) { try checkVersion(request, session) }
            return HTTPResponse(status: .ok, fields: jsonFields, body: try turn(session, work))
        }
        return try runKeyed(request, session) { () throws(ProblemDetails) in
            try requireRoom(for: request, session)
            try checkVersion(request, session)
            return try turn(session, work)
        }
    }

    /// Refuses an input of a session, or of a server, that retains as much as it may.
    private func requireRoom(for request: HTTPRequest, _ session: Session) throws(ProblemDetails) {
        let limit = host.configuration.maxSessionBytes
        if session.retainedBytes > limit, session.isFull(limit: limit) {
            throw .sessionFull(session.retainedBytes, limit: limit)
        }
        guard !request.body.isEmpty, !host.hasRoom(forSessionOf: session.retainedBytes + request.body.count) else {
            return
        }
        throw .noRoom
    }

    /// The content of the response to what was run.
    private func turn(
        _ session: Session, _ work: (any HostedMachine) -> Void
    ) throws(ProblemDetails) -> HTTPResponseBody {
        var json: [UInt8] = []
        switch session.turn(work) {
        case .failed(let incident): throw .machineFailed(incident: incident)
        case .unchanged:
            json.reserveCapacity(46)
            SessionShard.appendResultHead(session.version, to: &json)
            json.append("{}")
        case .changed(let data):
            json.reserveCapacity(data.count + 44)
            SessionShard.appendResultHead(session.version, to: &json)
            appendScratch(data, to: &json)
        case .changedMuch(let change):
            var builder = SharedTextBuilder(session.largeValues.ledger)
            builder.append { SessionShard.appendResultHead(session.version, to: &$0) }
            change.appendData(to: &builder)
            builder.append { $0.append(UInt8(ascii: "}")) }
            return .stream(SharedTextReader(builder.text()))
        }
        json.append(UInt8(ascii: "}"))
        return .bytes(json)
    }

    private static func appendResultHead(_ version: UInt64, to json: inout [UInt8]) {
        json.append("{\"version\":")
        Decimal.append(version, to: &json)
        json.append(",\"changes\":")
    }
}
