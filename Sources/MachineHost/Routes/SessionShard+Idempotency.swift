import HTTPModel

// Requests with an `Idempotency-Key`.
extension SessionShard {
    private static let longestKey = 255

    /// The outcome of an input with a key, to be repeated for the same key.
    enum KeyedOutcome {
        /// The content of the response to an input that was run.
        case result(HTTPResponseBody)
        /// A refusal after part of a batch was run.
        case refusal(ProblemDetails)
    }

    /// Runs an input with a key, or repeats its first response.
    func runKeyed(
        _ request: HTTPRequest, _ session: Session, _ run: () throws(ProblemDetails) -> KeyedOutcome
    ) throws(ProblemDetails) -> HTTPResponse {
        let key = try key(of: request, shortest: 1)
        let window = session.idempotency ?? IdempotencyWindow()
        session.idempotency = window
        defer { session.noteRetainedBytes() }
        let digest = digest(of: request)
        switch window.receive(key, request: digest, now: tick, limits: idempotencyLimits) {
        case .run: break
        case .replay(let body):
            return replay(
                SessionShard.rememberedRefusal(body)
                    ?? HTTPResponse(status: .ok, fields: jsonFields, body: .bytes(body)))
        case .mismatch: throw .idempotencyMismatch
        case .running: throw .idempotencyConflict
        case .full(let seconds): throw .tooManyKeys("The session remembers", retryAfter: seconds)
        }
        // The row of the turn contains the response, which is not known before the turn has ended.
        session.storage?.awaitsResponse = true
        defer {
            session.storage?.awaitsResponse = false
            recordKeyed(session, key, digest, response: window.response(to: key))
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
            // The input was refused before it changed anything: the client may correct the cause and use the key again.
            window.abandon(key)
            throw error
        }
    }

    /// Returns the shortened response to an input whose changes are too large to be remembered.
    private static func shortResult(_ version: UInt64) -> [UInt8] {
        var json: [UInt8] = []
        json.append("{\"version\":")
        Decimal.append(version, to: &json)
        json.append(",\"changes\":null}")
        return json
    }

    /// Returns the remembered form of a refusal.
    private static func remembered(refusal response: HTTPResponse) -> [UInt8] {
        // The first byte distinguishes it from a result: no JSON text starts with a zero byte.
        [0] + (response.body.bytes ?? [])
    }

    /// Returns the response that was remembered as a refusal; nil if a result was remembered.
    private static func rememberedRefusal(_ remembered: [UInt8]) -> HTTPResponse? {
        guard remembered.first == 0 else { return nil }
        var response = ProblemDetails.missingState(batchInput: 0, InputRefusal(reason: ""), version: 0).response
        response.body = .bytes(Array(remembered.dropFirst()))
        return response
    }

    /// Marks a response as a repetition.
    func replay(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields.append(.idempotencyReplayed, "true")
        return response
    }

    private func key(of request: HTTPRequest, shortest: Int) throws(ProblemDetails) -> RequestDigest {
        host.digestKey.digest(of: try keyText(of: request, shortest: shortest).utf8)
    }

    /// Returns the key without quotes.
    func keyText(of request: HTTPRequest, shortest: Int) throws(ProblemDetails) -> Substring {
        var key = Substring(request.fields.value(.idempotencyKey) ?? "")
        if key.count >= 2, key.first == "\"", key.last == "\"" { key = key.dropFirst().dropLast() }
        let lengths = shortest...SessionShard.longestKey
        guard lengths.contains(key.utf8.count), request.fields.count(of: .idempotencyKey) == 1 else {
            throw .malformedField(
                .idempotencyKey, expected: "one key of \(lengths.lowerBound) to \(lengths.upperBound) characters")
        }
        return key
    }

    func digest(of request: HTTPRequest) -> RequestDigest {
        host.digestKey.digest(
            path: request.target.utf8.prefix { $0 != UInt8(ascii: "?") }, body: request.body)
    }
}
