import JSONText

extension RemoteMachine {
    /// Sends an input and returns its turn.
    ///
    /// Inputs are sent in the order of the calls, the next one after the response to the one before. Each has a key, so that a
    /// lost response is requested again without running the input twice. While the server cannot be reached, inputs wait.
    /// Cancelling the task withdraws an input that was not sent yet; otherwise, the input runs, and only the call ends.
    ///
    /// - Returns: The turn. Its outputs are those after the turn, or after a later one that is known already. If the server no longer has the
    ///   changes of a repeated request, because they are large, `changed` is empty, and the stream shows them.
    /// - Throws: A ``GranaryError``, or a `CancellationError`.
    @discardableResult
    public func send(_ input: Schema.Inputs) async throws -> MachineChange<Schema> {
        let message = input.inputMessage()
        let body = try message.json()
        return try await send(body, to: "/inputs/\(message.name.percentEncoded)")
    }

    /// Sends several inputs, which run as one turn, in order.
    ///
    /// - Throws: A ``GranaryError``, or a `CancellationError`. If an input of the batch does not fit, none was run.
    @discardableResult
    public func send(_ inputs: [Schema.Inputs]) async throws -> MachineChange<Schema> {
        var body = [UInt8(ascii: "[")]
        for input in inputs {
            if body.count > 1 { body.append(UInt8(ascii: ",")) }
            let message = input.inputMessage()
            body += Array("{\"input\":".utf8)
            JSONWriter.append(message.name, to: &body)
            body += Array(",\"value\":".utf8)
            body += try message.json()
            body.append(UInt8(ascii: "}"))
        }
        return try await send(body + [UInt8(ascii: "]")], to: "/inputs")
    }

    /// Deletes the session on the server.
    ///
    /// - Throws: A ``GranaryError``.
    public func delete() async throws {
        let session = id
        try await withCheckedThrowingContinuation { continuation in
            delete { continuation.resume(with: $0) }
        }
        guard id == session, !isOver else { return }
        connection.leave(session, self)
        finish(.deleted, failing: .sessionEnded(.deleted))
    }

    private func delete(_ done: @escaping (Result<Void, GranaryError>) -> Void) {
        let request = connection.request("DELETE", "/v1/sessions/\(id.percentEncoded)")
        connection.perform(request, .always, expectsObject: false) { result in
            switch result {
            case .success: done(.success(()))
            // An earlier attempt, or somebody else, has deleted it.
            case .failure(.refused(let problem)) where problem.status == 404 || problem.status == 410:
                done(.success(()))
            case .failure(let error): done(.failure(error))
            }
        }
    }

    private func send(_ body: [UInt8], to path: String) async throws -> MachineChange<Schema> {
        try Task.checkCancellation()
        let number = nextSend
        nextSend += 1
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                enqueue(number, body, path) { waiter.resume(with: $0) }
            }
        } onCancel: {
            Task { @MainActor in self.cancel(number) }
        }
    }

    /// Adds an input to the queue, and calls a closure once with its turn.
    func enqueue(
        _ number: Int, _ body: [UInt8], _ path: String,
        done: @escaping (Result<MachineChange<Schema>, any Error>) -> Void
    ) {
        if let error = refusal { return done(.failure(error)) }
        let send = PendingSend(path: path, body: body, key: connection.randomKey(), done: done)
        switch queue.add(number) {
        case .full: done(.failure(GranaryError.queueFull(limit: connection.configuration.maxQueuedInputs)))
        case .wait: sends[number] = send
        case .start:
            sends[number] = send
            start(number)
        }
    }

    /// The reason why inputs cannot be sent; nil if they can.
    private var refusal: GranaryError? {
        if restart != nil { return .sessionEnded(.unknown) }
        guard case .ended(let end) = status, end.isFinal || end == .closed else { return nil }
        return end == .closed ? .closed : .sessionEnded(end)
    }

    private func start(_ number: Int) {
        guard let send = sends[number] else { return }
        var request = connection.request("POST", "/v1/sessions/\(id.percentEncoded)\(send.path)", body: send.body)
        request.fields["idempotency-key"] = "\"\(send.key)\""
        let session = id
        connection.perform(request, .withKey(retention: connection.configuration.keyRetention)) { [self] result in
            let turn = result.mapError(Self.withSessionEnd).flatMap { take($0, from: session) }
            let next = queue.finish(number)
            sends.removeValue(forKey: number)?.done?(turn.mapError { $0 })
            if let next { start(next) }
        }
    }

    /// Takes the response to an input.
    private func take(
        _ response: ClientResponse, from session: String
    ) -> Result<MachineChange<Schema>, GranaryError> {
        Result { () throws(GranaryError) in
            guard let object = response.object,
                let version = object.member("version").flatMap({ UInt64(json: $0.slice) })
            else { throw .incompatible("expected a response with the member \"version\"") }
            let changes = object.member("changes").flatMap { $0.kind == .object ? Array($0.slice) : nil }
            let isShown = position.version.map { version <= $0 } ?? false
            let turn = try turn(
                try OutputValues(changes ?? Array("{}".utf8)), version: version, isShown: isShown)
            if changes != nil, session == id, !isOver, position.response(version: version) == .merge { show(turn) }
            return turn
        }
    }

    private static func withSessionEnd(_ error: GranaryError) -> GranaryError {
        guard case .refused(let problem) = error, problem.status == 410 else { return error }
        switch problem.reason {
        case "deleted": return .sessionEnded(.deleted)
        case "expired": return .sessionEnded(.expired)
        case "failed": return .sessionEnded(.failed(incident: problem.incident))
        default: return .sessionEnded(.other(problem.reason ?? ""))
        }
    }

    /// Ends a call. Its input is withdrawn if it was not sent yet.
    private func cancel(_ number: Int) {
        if queue.withdraw(number) {
            sends.removeValue(forKey: number)?.done?(.failure(CancellationError()))
        } else if let done = sends[number]?.done {
            sends[number]?.done = nil
            done(.failure(CancellationError()))
        }
    }

    /// Fails the inputs that were not sent yet.
    func failWaitingSends(_ error: GranaryError) {
        for number in queue.withdrawAll() { sends.removeValue(forKey: number)?.done?(.failure(error)) }
    }

    /// An input that waits to be sent, or for its response.
    struct PendingSend {
        /// The path below that of the session.
        let path: String
        let body: [UInt8]
        /// The key under which the server knows the request, the same in every attempt.
        let key: String
        /// Receives the turn; nil if nobody waits for it any more.
        var done: ((Result<MachineChange<Schema>, any Error>) -> Void)?
    }
}
