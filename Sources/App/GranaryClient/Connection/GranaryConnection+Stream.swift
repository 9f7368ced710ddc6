// Performs the actions of the stream's state machine.
extension GranaryConnection {
    /// The exchange of a stream. Released, it is cancelled.
    final class StreamExchange {
        var exchange: (any TransportExchange)?
        var isStream = false
        var collector: ResponseCollector

        init(limit: Int) { collector = ResponseCollector(limit: limit) }

        deinit { exchange?.cancel() }
    }

    /// Performs actions, and those that follow from them, in order. Then notifies the machines of their status.
    func apply(_ new: [StreamMachine.Action]) {
        actions += new
        guard !isActing else { return }
        isActing = true
        while !actions.isEmpty { perform(actions.removeFirst()) }
        isActing = false
        updateStatuses()
    }

    private func perform(_ action: StreamMachine.Action) {
        switch action {
        case .open(let sessions, let position): open(sessions, position)
        case .close: exchange = nil
        case .wait(let delay):
            timer = clock.schedule(after: delay) { [weak self] in
                guard let self else { return }
                apply(stream.waited(at: clock.now))
            }
        case .watch(let delay):
            watchdog = clock.schedule(after: delay) { [weak self] in
                guard let self else { return }
                apply(stream.watched(at: clock.now, jitter: jitter()))
            }
        case .renewCredential:
            renewCredential(rejected: streamGeneration) { [weak self] renewal in
                guard let self else { return }
                guard renewal != .unavailable else { return apply(stream.credentialIsFinal()) }
                apply(stream.credentialRenewed(renewal == .renewed, at: clock.now, jitter: jitter()))
            }
        case .deliver(let event): deliver(event)
        }
    }

    private func deliver(_ event: StreamMachine.SessionEvent) {
        let machines = followers[event.session]?.compactMap(\.machine) ?? []
        if case .end = event.kind {
            followers[event.session] = nil
        } else if machines.isEmpty {
            // Nobody is interested any more.
            followers[event.session] = nil
            actions += stream.remove(event.session)
        }
        for machine in machines { machine.receive(event) }
    }

    private func updateStatuses() {
        for (session, list) in followers {
            let status = stream.status(of: session)
            for follower in list where status != follower.status {
                follower.status = status
                follower.machine?.update(status)
            }
        }
    }

    private func open(_ sessions: [String], _ position: String?) {
        let new = StreamExchange(limit: configuration.maxResponseBytes)
        exchange = new
        withCredential { [weak self, weak new] credential in
            guard let self, let new, exchange === new else { return }
            guard let credential else { return apply(stream.disconnected(at: clock.now, jitter: jitter())) }
            start(new, sessions, position, credential)
        }
    }

    private func start(
        _ new: StreamExchange, _ sessions: [String], _ position: String?, _ credential: CredentialInUse
    ) {
        let query = sessions.map { "session=\($0.percentEncoded)" }.joined(separator: "&")
        var request = request("GET", "/v1/outputs", query: query)
        request.fields["accept"] = "text/event-stream"
        // Refusals have statuses then, with their reasons.
        request.fields["prefer"] = "status"
        request.fields["last-event-id"] = position
        request.fields["authorization"] = credential.authorization
        streamGeneration = credential.generation
        new.exchange = transport.start(request) { [weak self, weak new] event in
            guard let self, let new, exchange === new else { return }
            receive(event, on: new)
        }
    }

    private func receive(_ event: TransportEvent, on exchange: StreamExchange) {
        let (now, jitter) = (clock.now, jitter())
        switch event {
        case .head(200, let fields) where fields["content-type"]?.hasPrefix("text/event-stream") == true:
            exchange.isStream = true
            apply(stream.opened(at: now))
        case .head(let status, let fields): exchange.collector.take(status: status, fields: fields)
        case .bytes(let bytes) where exchange.isStream: apply(stream.received(bytes, at: now, jitter: jitter))
        case .bytes(let bytes):
            guard !exchange.collector.take(bytes) else { return }
            apply(stream.disconnected(at: now, jitter: jitter))
        case .finished, .failed:
            // The head of a refusal is enough, even if its problem was cut off.
            guard let response = exchange.collector.response else {
                return apply(stream.disconnected(at: now, jitter: jitter))
            }
            apply(stream.refused(response, at: now, jitter: jitter))
        }
    }
}

/// The interface of a machine to its connection.
@MainActor
protocol SessionFollower: AnyObject {
    /// Takes an event of the session.
    func receive(_ event: StreamMachine.SessionEvent)

    /// Takes the status of the session's stream.
    func update(_ status: SessionStatus)

    /// The connection was closed.
    func closed()
}
