/// One request to the server, with everything that repeats it: a state machine without I/O.
///
/// A request that may have run is repeated only if that is safe: because it has an idempotency key that the server still
/// remembers, or because its method permits it. It ends with a response or an error after a bounded number of attempts.
struct RetriedRequest: Sendable {
    /// The reason why the request may be repeated.
    enum Repetition: Equatable, Sendable {
        /// It has an idempotency key, which the server remembers for a time.
        case withKey(retention: Duration)
        /// It is idempotent by itself.
        case always
    }

    /// The action that the owner performs next.
    enum Action: Equatable {
        case send
        case wait(Duration)
        case renewCredential
        case succeed(ClientResponse)
        case fail(GranaryError)
        /// Nothing: the event is about an earlier attempt.
        case ignore
    }

    private enum State: Equatable {
        case idle
        case inFlight
        case waiting
        case awaitingCredential
        case done
    }

    private let policy: RetryPolicy
    private let repetition: Repetition
    /// Whether a successful response has a JSON object. Anything else was cut off in transit.
    private let expectsObject: Bool
    private var state = State.idle
    private var failures = 0
    private var rejections = 0
    private var attemptBegan = Duration.zero
    /// When the first attempt began that may have reached the server.
    private var firstDelivery: Duration?

    /// The number of times that a rejected credential is renewed for one request.
    static let maxRejections = 3

    init(policy: RetryPolicy, repetition: Repetition, expectsObject: Bool = true) {
        self.policy = policy
        self.repetition = repetition
        self.expectsObject = expectsObject
    }

    /// Whether an attempt may have reached the server, or is about to.
    var mayHaveRun: Bool { firstDelivery != nil || state == .inFlight }

    /// Begins the first attempt.
    mutating func begin(at now: Duration) -> Action {
        precondition(state == .idle, "a request begins once, its state is \(state)")
        return attempt(at: now)
    }

    /// Takes the response to the attempt in flight.
    mutating func received(_ response: ClientResponse, at now: Duration, jitter: Double) -> Action {
        guard state == .inFlight else { return .ignore }
        switch response.status {
        case 200..<300:
            guard !expectsObject || response.object != nil else {
                return lost(
                    TransportFailure("the response is not a complete JSON object"), at: now, jitter: jitter)
            }
            state = .done
            return .succeed(response)
        case 401: return rejected(response)
        default: break
        }
        let problem = response.problem
        switch Verdict(problem) {
        case .again(let mayHaveRun):
            if mayHaveRun { firstDelivery = firstDelivery ?? attemptBegan }
            return again("\(problem)", at: now, jitter: jitter, atLeast: response.retryAfter)
        case .final: return end(.refused(problem))
        case .finalUnlessDelivered: return end(.refused(problem), isCertain: false)
        }
    }

    /// Takes the failure of the attempt in flight.
    mutating func lost(_ failure: TransportFailure, at now: Duration, jitter: Double) -> Action {
        guard state == .inFlight else { return .ignore }
        if !failure.isUnsent { firstDelivery = firstDelivery ?? attemptBegan }
        return again(failure.detail, at: now, jitter: jitter)
    }

    /// Continues after a pause.
    mutating func waited(at now: Duration) -> Action {
        guard state == .waiting else { return .ignore }
        return attempt(at: now)
    }

    /// Continues after the renewal of the credential.
    mutating func credentialRenewed(_ isRenewed: Bool, at now: Duration, jitter: Double) -> Action {
        guard state == .awaitingCredential else { return .ignore }
        if isRenewed { return attempt(at: now) }
        return again("the credential could not be renewed", at: now, jitter: jitter)
    }

    /// Ends the request because there is no other credential.
    mutating func credentialIsFinal(_ detail: String) -> Action { end(.unauthorized(detail), isCertain: false) }

    private mutating func attempt(at now: Duration) -> Action {
        if isForgotten(at: now) { return end(.outcomeUnknown("the answer was lost, and so is the key by now")) }
        state = .inFlight
        attemptBegan = now
        return .send
    }

    private mutating func rejected(_ response: ClientResponse) -> Action {
        rejections += 1
        guard rejections <= Self.maxRejections else { return credentialIsFinal(response.problem.detail) }
        state = .awaitingCredential
        return .renewCredential
    }

    private mutating func again(
        _ reason: String, at now: Duration, jitter: Double, atLeast minimum: Duration = .zero
    ) -> Action {
        failures += 1
        guard failures < policy.maxAttempts else {
            return end(.unreachable("\(failures) attempts failed, the last one because \(reason)"), isCertain: false)
        }
        let delay = policy.delay(afterFailure: failures, jitter: jitter, atLeast: minimum)
        guard !isForgotten(at: now + delay) else { return end(.outcomeUnknown("the answer was lost: \(reason)")) }
        state = .waiting
        return .wait(delay)
    }

    /// Whether the server may have forgotten the key of a request that may have run.
    private func isForgotten(at time: Duration) -> Bool {
        guard case .withKey(let retention) = repetition, let firstDelivery else { return false }
        return time - firstDelivery >= retention
    }

    /// Ends the request.
    ///
    /// - Parameter isCertain: Whether the request did not run even if an earlier attempt may have reached the server.
    private mutating func end(_ error: GranaryError, isCertain: Bool = true) -> Action {
        state = .done
        if !isCertain, mayHaveRun, repetition != .always { return .fail(.outcomeUnknown("\(error)")) }
        return .fail(error)
    }
}

/// The meaning of a status other than success for a request.
private enum Verdict {
    /// It may succeed later.
    case again(mayHaveRun: Bool)
    /// It did not run, in this attempt or an earlier one: the server would have repeated the first response.
    case final
    /// This attempt did not run, but an earlier one may have.
    case finalUnlessDelivered

    init(_ problem: ServerProblem) {
        // A response without a kind comes from something in between, which may have passed the request on.
        let isOurs = problem.isOfServer
        switch (problem.status, problem.kind) {
        case (409, "idempotency-conflict"): self = .again(mayHaveRun: true)
        case (408, _), (421, _), (425, _), (429, _), (503, _): self = .again(mayHaveRun: !isOurs)
        case (500, _) where isOurs: self = .final
        case (500, _), (502, _), (504, _): self = .again(mayHaveRun: true)
        // A proxy does not find its server.
        case (404, _) where !isOurs, (410, _) where !isOurs: self = .again(mayHaveRun: true)
        case (409, _), (412, _), (413, _), (415, _), (422, _), (507, _): self = .final
        default: self = .finalUnlessDelivered
        }
    }
}
