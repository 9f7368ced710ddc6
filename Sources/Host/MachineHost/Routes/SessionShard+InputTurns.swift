import Access
import HTTPModel
import JSONText

/// An input that was refused when it was run, with its index in the batch: the number of inputs that were run before
/// it.
struct RefusedInput: Error {
    let place: Int
    let refusal: InputRefusal
}

// Inputs as turns.
extension SessionShard {
    /// Runs an input or a batch as one turn, if its conditions hold and the session has room.
    ///
    /// - Parameters:
    ///   - trigger: The input or the batch, for the journal.
    ///   - problem: Returns the problem for a refused input.
    func run(
        _ trigger: TurnRecord.Trigger, _ request: HTTPRequest, _ context: inout RequestContext, _ session: Session,
        _ fields: FieldPresence, refusal problem: (RefusedInput) -> ProblemDetails,
        _ work: (any HostedMachine) throws(RefusedInput) -> Void
    ) throws(ProblemDetails) -> HTTPResponse {
        loop.assertCurrent()
        // Also if the input fails: its client learns of the end of the session.
        defer { context.wait(for: session.lastSequence) }
        let requester = context.requester
        let sender = InputSender(requester)
        let view = visibleOutputs(of: session, to: requester)
        guard fields.contains(.idempotencyKey), host.configuration.idempotencyKeys > 0 else {
            try requireRoom(for: request, session, requester)
            if fields.contains(.conditions) { try checkVersion(request, session, view) }
            var refused: RefusedInput?
            let outcome = turn(of: session, trigger, from: sender, in: request.trace) {
                SessionShard.attempt(work, on: $0, &refused)
            }
            if case .failed(let incident) = outcome { throw .machineFailed(incident: incident) }
            if let refused { throw problem(refused) }
            return HTTPResponse(status: .ok, fields: jsonFields, body: content(of: outcome, session, view))
        }
        let cause = TurnCause(trigger: trigger, sender: sender)
        return try runKeyed(cause, request, requester, session, view) { (ended) throws(ProblemDetails) in
            try requireRoom(for: request, session, requester)
            try checkVersion(request, session, view)
            var refused: RefusedInput?
            ended = run(cause, of: session, in: request.trace) { SessionShard.attempt(work, on: $0, &refused) }
            let outcome = ended?.outcome ?? .unchanged
            if case .failed(let incident) = outcome { throw .machineFailed(incident: incident) }
            guard let refused else { return .result(outcome) }
            // Part of the batch was run. Remember the refusal, or a retry would run that part again.
            guard refused.place == 0 else { return .refusal(problem(refused)) }
            throw problem(refused)
        }
    }

    // Not a function inside of `run`, for which the variable would be allocated.
    private static func attempt(
        _ work: (any HostedMachine) throws(RefusedInput) -> Void, on machine: any HostedMachine,
        _ refused: inout RefusedInput?
    ) {
        do throws(RefusedInput) { try work(machine) } catch { refused = error }
    }

    /// Throws if the session or the server has reached its limit of retained bytes.
    private func requireRoom(
        for request: HTTPRequest, _ session: Session, _ requester: Requester
    ) throws(ProblemDetails) {
        if session.storage != nil, let refusal = host.journal?.refusal { throw refusal }
        try requireQuota(session, request, from: requester)
        let limit = host.configuration.maxSessionBytes
        if session.retainedBytes > limit, session.isFull(limit: limit) {
            throw .sessionFull(session.retainedBytes, limit: limit)
        }
        // An input without a body adds almost no bytes, and it may be the input that makes the machine release memory.
        guard !request.body.isEmpty, !host.hasRoom(forSessionOf: session.retainedBytes + request.body.count) else {
            return
        }
        throw .noRoom
    }

    /// Returns the content of the response to an input that has just been run.
    ///
    /// - Parameter view: The outputs that the client sees; nil for all.
    func content(of outcome: TurnOutcome, _ session: Session, _ view: OutputFilter?) -> HTTPResponseBody {
        var json: [UInt8] = []
        switch outcome {
        case .changedLarge(let change):
            var builder = SharedTextBuilder(session.largeValues.ledger)
            builder.append { SessionShard.appendResultHead(session.version, to: &$0) }
            change.appendData(passing: view, to: &builder)
            builder.append { $0.append(UInt8(ascii: "}")) }
            let text = builder.text()
            // What is left of the change may be small enough to be remembered.
            guard view != nil, text.count <= SharedText.threshold else { return .stream(SharedTextReader(text)) }
            return .bytes(text.bytes)
        case .changed(let data):
            json.reserveCapacity(data.count + 44)
            SessionShard.appendResultHead(session.version, to: &json)
            if let view {
                appendChange(data, passing: view, to: &json)
            } else {
                json.append(copyOf: turns.changeText, data)
            }
        case .unchanged, .failed:
            json.reserveCapacity(46)
            SessionShard.appendResultHead(session.version, to: &json)
            json.append("{}")
        }
        json.append(UInt8(ascii: "}"))
        return .bytes(json)
    }

    static func appendResultHead(_ version: UInt64, to json: inout [UInt8]) {
        json.append("{\"version\":")
        JSONWriter.append(version, to: &json)
        json.append(",\"changes\":")
    }
}
