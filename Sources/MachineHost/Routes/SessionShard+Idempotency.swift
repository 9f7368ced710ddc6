import HTTPModel

// Requests with an `Idempotency-Key`.
extension SessionShard {
    /// A key for a new session is a capability: whoever sends it gets the session.
    private static let shortestCreationKey = 22
    private static let longestKey = 255

    /// What a keyed input led to, to be repeated for the same key.
    enum KeyedOutcome {
        /// The content of the response to what was run.
        case result(HTTPResponseBody)
        /// A refusal after a part of a batch was run.
        case refusal(ProblemDetails)
    }

    /// Runs a keyed input, or repeats the first response.
    func runKeyed(
        _ request: HTTPRequest, _ session: Session, _ run: () throws(ProblemDetails) -> KeyedOutcome
    ) throws(ProblemDetails) -> HTTPResponse {
        let key = try key(of: request, shortest: 1)
        let window = session.idempotency ?? IdempotencyWindow()
        session.idempotency = window
        defer { session.noteRetainedBytes() }
        switch window.receive(key, request: digest(of: request), now: tick, limits: idempotencyLimits) {
        case .run: break
        case .replay(let body):
            return replay(
                SessionShard.rememberedRefusal(body)
                    ?? HTTPResponse(status: .ok, fields: jsonFields, body: .bytes(body)))
        case .mismatch: throw .idempotencyMismatch
        case .running: throw .idempotencyConflict
        case .full(let seconds): throw .tooManyKeys("The session remembers", retryAfter: seconds)
        }
        do throws(ProblemDetails) {
            switch try run() {
            case .result(let body):
                window.finish(
                    key, response: body.bytes, short: { SessionShard.shortResult(session.version) },
                    limits: idempotencyLimits)
                return HTTPResponse(status: .ok, fields: jsonFields, body: body)
            case .refusal(let problem):
                let response = problem.response
                let remembered = SessionShard.remembered(refusal: response)
                window.finish(key, response: remembered, short: { remembered }, limits: idempotencyLimits)
                return response
            }
        } catch {
            window.abandon(key)
            throw error
        }
    }

    /// Makes a session for a keyed request, or repeats the first response.
    func createKeyed(
        _ request: HTTPRequest, of machine: RegisteredMachine
    ) throws(ProblemDetails) -> HTTPResponse {
        let key = try key(of: request, shortest: SessionShard.shortestCreationKey)
        let window = creations ?? IdempotencyWindow()
        creations = window
        defer { chargeCreations() }
        switch window.receive(key, request: digest(of: request), now: tick, limits: creationLimits) {
        case .run: break
        case .replay(let content):
            let id = String(decoding: content.prefix(SessionID.textCount), as: UTF8.self)
            return replay(created(id, body: .bytes(Array(content.dropFirst(SessionID.textCount)))))
        case .mismatch: throw .idempotencyMismatch
        case .running: throw .idempotencyConflict
        case .full(let seconds): throw .tooManyKeys("The server remembers", retryAfter: seconds)
        }
        do throws(ProblemDetails) {
            let session = try makeSession(of: machine, for: request.peer)
            let body = description(of: session)
            let id = session.id.text
            window.finish(
                key, response: body.bytes.map { Array(id.utf8) + $0 },
                short: { Array(id.utf8) + self.shortDescription(of: session) }, limits: creationLimits)
            return created(id, body: body)
        } catch {
            window.abandon(key)
            throw error
        }
    }

    /// The loop that remembers a keyed request for a new session: each key has one. `nil` without a key.
    func creationLoop(of request: HTTPRequest) -> Int? {
        guard host.configuration.idempotencyKeys > 0, request.fields.contains(.idempotencyKey),
            let key = try? key(of: request, shortest: 1)
        else { return nil }
        return Int(key.low % UInt64(loop.count))
    }

    /// The response to a keyed input whose changes were too large to be remembered.
    private static func shortResult(_ version: UInt64) -> [UInt8] {
        var json: [UInt8] = []
        json.append("{\"version\":")
        Decimal.append(version, to: &json)
        json.append(",\"changes\":null}")
        return json
    }

    /// A refusal as it is remembered: told from a result by its first byte, which no JSON has.
    private static func remembered(refusal response: HTTPResponse) -> [UInt8] {
        [0] + (response.body.bytes ?? [])
    }

    /// The response that was remembered as a refusal; nil if a result was.
    private static func rememberedRefusal(_ remembered: [UInt8]) -> HTTPResponse? {
        guard remembered.first == 0 else { return nil }
        var response = ProblemDetails.missingState(batchInput: 0, InputRefusal(reason: ""), version: 0).response
        response.body = .bytes(Array(remembered.dropFirst()))
        return response
    }

    private func replay(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields.append(.idempotencyReplayed, "true")
        return response
    }

    /// The digest of the key, which may be in quotes.
    private func key(of request: HTTPRequest, shortest: Int) throws(ProblemDetails) -> RequestDigest {
        var key = Substring(request.fields.value(.idempotencyKey) ?? "")
        if key.count >= 2, key.first == "\"", key.last == "\"" { key = key.dropFirst().dropLast() }
        let lengths = shortest...SessionShard.longestKey
        guard lengths.contains(key.utf8.count), request.fields.count(of: .idempotencyKey) == 1 else {
            throw .malformedField(
                .idempotencyKey, expected: "one key of \(lengths.lowerBound) to \(lengths.upperBound) characters")
        }
        return host.digestKey.digest(of: key.utf8)
    }

    private func digest(of request: HTTPRequest) -> RequestDigest {
        host.digestKey.digest(
            path: request.target.utf8.prefix { $0 != UInt8(ascii: "?") }, body: request.body)
    }
}
