/// A request of a connection while it is repeated, until its completion is called once.
@MainActor
final class RunningRequest {
    private let connection: GranaryConnection
    private let request: ClientRequest
    private var machine: RetriedRequest
    private var completion: ((Result<ClientResponse, GranaryError>) -> Void)?
    private var exchange: (any TransportExchange)?
    private var timer: (any ScheduledWork)?
    private var collector: ResponseCollector
    /// Why the server has rejected the credential.
    private var rejection: String { collector.response?.problem.detail ?? "" }
    /// The credential of the current attempt.
    private var generation = 0
    /// Counts the attempts, so that events of earlier ones are ignored.
    private var attempt = 0

    init(
        _ request: ClientRequest, _ machine: RetriedRequest, on connection: GranaryConnection,
        completion: @escaping (Result<ClientResponse, GranaryError>) -> Void
    ) {
        self.connection = connection
        self.request = request
        self.machine = machine
        self.completion = completion
        collector = ResponseCollector(limit: connection.configuration.maxResponseBytes)
    }

    /// Begins the first attempt.
    func begin() { act(on: machine.begin(at: connection.clock.now)) }

    /// Ends the request without a response.
    func abandon(_ error: GranaryError) {
        finish(.failure(machine.mayHaveRun ? .outcomeUnknown("\(error)") : error))
    }

    private func act(on action: RetriedRequest.Action) {
        switch action {
        case .send:
            attempt += 1
            // Not the credential of the connection, which this request is to obtain.
            if let own = request.fields["authorization"] { return send(.init(authorization: own, generation: 0)) }
            connection.withCredential { [self, attempt] credential in
                guard attempt == self.attempt, completion != nil else { return }
                send(credential)
            }
        case .wait(let delay):
            timer = connection.clock.schedule(after: delay) { [self] in
                act(on: machine.waited(at: connection.clock.now))
            }
        case .renewCredential:
            if request.fields["authorization"] != nil {
                return act(on: machine.credentialIsFinal(rejection.isEmpty ? "it was rejected" : rejection))
            }
            connection.renewCredential(rejected: generation) { [self] renewal in
                guard completion != nil else { return }
                guard renewal != .unavailable else { return act(on: machine.credentialIsFinal("it was rejected")) }
                let (now, jitter) = (connection.clock.now, connection.jitter())
                act(on: machine.credentialRenewed(renewal == .renewed, at: now, jitter: jitter))
            }
        case .succeed(let response): finish(.success(response))
        case .fail(let error): finish(.failure(error))
        case .ignore: break
        }
    }

    private func send(_ credential: GranaryConnection.CredentialInUse?) {
        guard let credential else {
            return lose(TransportFailure("there is no credential at the moment", isUnsent: true))
        }
        var request = request
        request.fields["authorization"] = credential.authorization
        generation = credential.generation
        collector = ResponseCollector(limit: collector.limit)
        exchange = connection.transport.start(request) { [weak self, attempt] event in
            guard let self, attempt == self.attempt else { return }
            receive(event)
        }
        timer = connection.clock.schedule(after: connection.configuration.requestTimeout) { [self] in
            lose(TransportFailure("there was no response in time"))
        }
    }

    private func receive(_ event: TransportEvent) {
        switch event {
        case .head(let status, let fields): collector.take(status: status, fields: fields)
        case .bytes(let bytes):
            guard collector.take(bytes) else { return lose(TransportFailure("the response is too large")) }
        case .finished:
            guard let response = collector.response else { return lose(TransportFailure("there was no response")) }
            endAttempt()
            act(on: machine.received(response, at: connection.clock.now, jitter: connection.jitter()))
        case .failed(let failure): lose(failure)
        }
    }

    private func lose(_ failure: TransportFailure) {
        endAttempt()
        act(on: machine.lost(failure, at: connection.clock.now, jitter: connection.jitter()))
    }

    private func endAttempt() {
        attempt += 1
        exchange?.cancel()
        exchange = nil
        timer = nil
    }

    private func finish(_ result: Result<ClientResponse, GranaryError>) {
        guard let completion else { return }
        self.completion = nil
        endAttempt()
        connection.forget(self)
        completion(result)
    }
}
