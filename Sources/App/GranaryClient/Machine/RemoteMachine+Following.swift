// Handles the events of the stream.
extension RemoteMachine: SessionFollower {
    func receive(_ event: StreamMachine.SessionEvent) {
        // What another machine's observer has closed meanwhile.
        guard !isOver else { return }
        do throws(GranaryError) {
            switch event.kind {
            case .snapshot: try takeSnapshot(event)
            case .change: try takeChange(event)
            case .end(let end): take(end)
            }
        } catch {
            let detail = if case .incompatible(let detail) = error { detail } else { "\(error)" }
            // The responses to inputs must not be merged with outputs that lack this change.
            position = SessionPosition(version: nil)
            connection.suspend(id, .incompatible(detail))
        }
    }

    func update(_ status: SessionStatus) {
        guard !isOver else { return }
        switch status {
        case .live: liveSince = liveSince ?? connection.clock.now
        case .connecting, .offline, .ended: liveSince = nil
        }
        if self.status != status { self.status = status }
    }

    func closed() {
        guard !isOver else { return }
        finish(.closed, failing: .closed)
    }

    private func takeSnapshot(_ event: StreamMachine.SessionEvent) throws(GranaryError) {
        let (outputs, names) = try Self.read(event.data)
        let earlier = position.version
        guard position.snapshot(at: event.position) == .replace else { return }
        // The stream of a new machine begins with what the machine shows already.
        if position.version == earlier, earlier != nil, outputs == self.outputs { return }
        show(
            MachineChange(
                kind: .snapshot, version: position.version, changed: names, outputs: outputs, events: []))
    }

    private func takeChange(_ event: StreamMachine.SessionEvent) throws(GranaryError) {
        let values = try OutputValues(event.data)
        guard position.change(at: event.position) == .merge else { return }
        show(try turn(values, version: position.version))
    }

    /// Returns the change of a turn.
    ///
    /// - Parameter isShown: Whether the outputs contain the turn already, and perhaps later ones.
    func turn(
        _ values: OutputValues, version: UInt64?, isShown: Bool = false
    ) throws(GranaryError) -> MachineChange<Schema> {
        var outputs = outputs
        let events = try values.events()
        return try Self.checked {
            if !isShown { try outputs.merge(values) }
            return MachineChange(
                kind: .turn, version: version, changed: values.names, outputs: outputs,
                events: try events.compactMap(Schema.Events.read))
        }
    }

    private func take(_ end: SessionEnd) {
        guard creation != nil, end == .expired || end == .unknown,
            newSessions < connection.configuration.retry.maxAttempts
        else { return finish(end, failing: .sessionEnded(end)) }
        failWaitingSends(.sessionEnded(end))
        beginAnew(after: end)
    }

    /// Creates another session in place of one that has ended.
    private func beginAnew(after end: SessionEnd) {
        let policy = connection.configuration.retry
        let hasSettled = liveSince.map { connection.clock.now - $0 >= policy.settled } ?? false
        newSessions = hasSettled ? 1 : newSessions + 1
        update(.connecting)
        let isFirst = newSessions == 1
        let delay = isFirst ? Duration.zero : policy.delay(afterFailure: newSessions, jitter: connection.jitter())
        restart = connection.clock.schedule(after: delay) { [weak self] in
            guard let self, let creation else { return }
            connection.create(creation) { [weak self] result in self?.begin(result, after: end) }
        }
    }

    private func begin(_ result: Result<SessionDescription, GranaryError>, after end: SessionEnd) {
        guard !isOver else { return }
        restart = nil
        do throws(GranaryError) {
            let session = try result.get()
            var (outputs, names) = try Self.read(session.outputs)
            var position = SessionPosition(version: session.version)
            // The stream has passed the description of the session already if another machine follows it.
            let other = try connection.machine(Schema.self, following: session.id)
            if let other, let shown = other.version, shown > session.version ?? 0 {
                (outputs, names, position) = (other.outputs, other.names, other.position)
            }
            try connection.follow(session.id, self)
            id = session.id
            self.position = position
            show(
                MachineChange(
                    kind: .newSession(after: end), version: position.version, changed: names, outputs: outputs,
                    events: []))
        } catch {
            finish(SessionEnd(error, insteadOf: end), failing: error)
        }
    }
}

extension SessionEnd {
    /// Creates the reason for which no other session could be created.
    fileprivate init(_ error: GranaryError, insteadOf end: SessionEnd) {
        switch error {
        case .refused(let problem): self = .refused(problem)
        case .incompatible(let detail): self = .incompatible(detail)
        case .unauthorized: self = .unauthorized
        case .closed: self = .closed
        default: self = end
        }
    }
}
