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
            throw .invalidValue(of: "The input \"\(name)\"", error)
        }
        return try run(request, session, fields, refusal: { .missingState(input: name, $0.refusal) }) {
            machine throws(RefusedInput) in
            do throws(InputRefusal) { try prepared.run(machine) } catch { throw RefusedInput(place: 0, refusal: error) }
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
            let detail = "expected at most \(host.configuration.maxBatch) inputs, got \(elements.count)"
            throw .invalidValue("The batch is too long: \(detail).", [.init(pointer: "", detail: detail)])
        }
        var prepared: [PreparedInput] = []
        var errors: [ProblemDetails.Item] = []
        for (place, element) in elements.enumerated() {
            do throws(InputMismatch) {
                prepared.append(try prepare(element, of: session.machineKind))
            } catch {
                errors += error.inside("/\(place)").items.map { .init(pointer: $0.pointer, detail: $0.detail) }
            }
        }
        if let first = errors.first {
            let errors = Array(errors.prefix(InputMismatch.most * 4))
            throw .invalidValue("None of the batch was run. At \(first.pointer): \(first.detail.sentence)", errors)
        }
        return try run(
            request, session, PresentFields(of: request.fields),
            refusal: { .missingState(batchInput: $0.place, $0.refusal, version: session.version) }
        ) { machine throws(RefusedInput) in
            for (place, input) in prepared.enumerated() {
                do throws(InputRefusal) { try input.run(machine) } catch {
                    throw RefusedInput(place: place, refusal: error)
                }
            }
        }
    }

    /// An input that was refused when it was run, and its place: how many were run before it.
    private struct RefusedInput: Error {
        let place: Int
        let refusal: InputRefusal
    }

    private static let null = Array("null".utf8)[...]

    private func prepare(
        _ element: JSONValue, of machine: RegisteredMachine
    ) throws(InputMismatch) -> PreparedInput {
        guard element.kind == .object else {
            throw InputMismatch(pointer: "", detail: "expected an object, got \(element.kind.rawValue)")
        }
        if let unknown = InputMismatch(unknownMembersOf: element, known: ["input", "value"]) { throw unknown }
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
            throw error.inside("/value")
        }
    }

    /// Runs an input or a batch as one turn, if the conditions hold.
    private func run(
        _ request: HTTPRequest, _ session: Session, _ fields: PresentFields,
        refusal problem: (RefusedInput) -> ProblemDetails, _ work: (any HostedMachine) throws(RefusedInput) -> Void
    ) throws(ProblemDetails) -> HTTPResponse {
        guard fields.contains(.idempotencyKey), host.configuration.idempotencyKeys > 0 else {
            if fields.contains(.conditions) { try checkVersion(request, session) }
            switch try turn(session, work) {
            case .result(let body): return answer(body)
            case .refused(let refused): throw problem(refused)
            }
        }
        let key = try idempotencyKey(request)
        let window = session.idempotency ?? IdempotencyWindow()
        session.idempotency = window
        let verdict = window.receive(
            key, request: SessionShard.remembered(request), now: tick, limits: idempotencyLimits)
        switch verdict {
        case .run: return try runKeyed(request, session, key: key, refusal: problem, work)
        case .replay(let body):
            var response = SessionShard.rememberedRefusal(body) ?? answer(body)
            response.fields.append(.idempotencyReplayed, "true")
            return response
        case .mismatch: throw .idempotencyMismatch
        case .underWay: throw .idempotencyConflict
        }
    }

    private func runKeyed(
        _ request: HTTPRequest, _ session: Session, key: String, refusal problem: (RefusedInput) -> ProblemDetails,
        _ work: (any HostedMachine) throws(RefusedInput) -> Void
    ) throws(ProblemDetails) -> HTTPResponse {
        do throws(ProblemDetails) {
            try checkVersion(request, session)
            switch try turn(session, work) {
            case .result(let body):
                session.idempotency?.finish(key, answer: body, limits: idempotencyLimits)
                return answer(body)
            case .refused(let refused) where refused.place > 0:
                // A part of the batch was run, and must not be run again by a retry.
                let response = problem(refused).response
                let remembered = SessionShard.remembered(refusal: response)
                session.idempotency?.finish(key, answer: remembered, limits: idempotencyLimits)
                return response
            case .refused(let refused): throw problem(refused)
            }
        } catch {
            session.idempotency?.abandon(key)
            throw error
        }
    }

    private enum InputOutcome {
        /// The content of the response to what was run.
        case result([UInt8])
        case refused(RefusedInput)
    }

    private func turn(
        _ session: Session, _ work: (any HostedMachine) throws(RefusedInput) -> Void
    ) throws(ProblemDetails) -> InputOutcome {
        var refused: RefusedInput?
        let outcome = session.turn { machine in
            do throws(RefusedInput) { try work(machine) } catch { refused = error }
        }
        if case .failed(let incident) = outcome { throw .machineFailed(incident: incident) }
        if let refused { return .refused(refused) }
        var json: [UInt8] = []
        if case .changed(let data) = outcome {
            json.reserveCapacity(data.count + 44)
        } else {
            json.reserveCapacity(46)
        }
        json.append("{\"version\":")
        Decimal.append(session.version, to: &json)
        json.append(",\"changes\":")
        if case .changed(let data) = outcome { appendScratch(data, to: &json) } else { json.append("{}") }
        json.append(UInt8(ascii: "}"))
        return .result(json)
    }

    private func answer(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, fields: jsonFields, body: .bytes(body))
    }

    /// A refusal as it is remembered under an idempotency key: told from a result by its first byte, which no JSON has.
    private static func remembered(refusal response: HTTPResponse) -> [UInt8] {
        guard case .bytes(let body) = response.body else { return [0] }
        return [0] + body
    }

    /// The response that was remembered as a refusal; nil if a result was.
    private static func rememberedRefusal(_ remembered: [UInt8]) -> HTTPResponse? {
        guard remembered.first == 0 else { return nil }
        var response = ProblemDetails.missingState(batchInput: 0, InputRefusal(reason: ""), version: 0).response
        response.body = .bytes(Array(remembered.dropFirst()))
        return response
    }

    /// The key, with or without its quotes.
    private func idempotencyKey(_ request: HTTPRequest) throws(ProblemDetails) -> String {
        var key = Substring(request.fields.value(.idempotencyKey) ?? "")
        if key.count >= 2, key.first == "\"", key.last == "\"" { key = key.dropFirst().dropLast() }
        guard (1...255).contains(key.utf8.count), request.fields.count(of: .idempotencyKey) == 1 else {
            throw .malformedField(.idempotencyKey, expected: "one key of 1 to 255 characters")
        }
        return String(key)
    }

    /// What tells two requests to inputs apart. The target is bounded from the body by a byte that it cannot have.
    private static func remembered(_ request: HTTPRequest) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(request.target.utf8.count + 1 + request.body.count)
        bytes.append(contentsOf: request.target.utf8)
        bytes.append(0)
        bytes.append(contentsOf: request.body)
        return bytes
    }
}
