// Provides requests with the credential. At most one renewal runs at a time.
extension GranaryConnection {
    /// The credential of an attempt.
    struct CredentialInUse {
        let authorization: String?
        let generation: Int
    }

    /// The result of a renewal for a request that waits for it.
    enum Renewal {
        case renewed
        case failed
        /// There is no other credential.
        case unavailable
    }

    /// A call of the program's closure.
    final class RunningRenewal {
        let task: Task<Void, Never>
        let timeout: any ScheduledWork
        /// Whether the credential is renewed ahead of its expiry. Otherwise, the server has rejected it, or there was none.
        let isAhead: Bool

        init(task: Task<Void, Never>, timeout: any ScheduledWork, isAhead: Bool) {
            self.task = task
            self.timeout = timeout
            self.isAhead = isAhead
        }

        deinit { task.cancel() }
    }

    /// Calls a closure with the credential, after getting it if necessary; with nil if none exists at the moment.
    func withCredential(_ use: @escaping (CredentialInUse?) -> Void) {
        switch keeper.need() {
        case .use: use(credentialInUse)
        case .unavailable: use(nil)
        case .fetch:
            waiters.append { [weak self] in use($0 == .renewed ? self?.credentialInUse : nil) }
            startRenewal()
        case .wait: waiters.append { [weak self] in use($0 == .renewed ? self?.credentialInUse : nil) }
        }
    }

    /// Calls a closure when there is another credential than a rejected one, or when there is not.
    func renewCredential(rejected generation: Int, _ done: @escaping (Renewal) -> Void) {
        switch keeper.rejected(generation: generation) {
        case .use: done(.renewed)
        case .unavailable: done(.unavailable)
        case .fetch:
            waiters.append(done)
            startRenewal()
        case .wait: waiters.append(done)
        }
    }

    private var credentialInUse: CredentialInUse {
        CredentialInUse(authorization: keeper.current?.authorization, generation: keeper.generation)
    }

    private func startRenewal(isAhead: Bool = false) {
        guard let renew = source.renew, !isClosed else { return answerWaiters(.unavailable) }
        renewalTimer = nil
        let task = Task { @MainActor [weak self] in
            let result: Credential?
            do {
                result = try await renew()
            } catch {
                result = nil
            }
            guard !Task.isCancelled else { return }
            self?.finishRenewal(result)
        }
        let timeout = clock.schedule(after: configuration.credentialTimeout) { [weak self] in
            self?.finishRenewal(nil)
        }
        renewal = RunningRenewal(task: task, timeout: timeout, isAhead: isAhead)
    }

    private func finishRenewal(_ credential: Credential?) {
        guard let renewal else { return }
        let isAhead = renewal.isAhead
        self.renewal = nil
        if let credential, credential.isValid {
            let delay = keeper.obtained(credential, at: clock.now)
            scheduleRenewal(after: delay)
            answerWaiters(.renewed)
            // After a rejection, this could cause the next one, without an end.
            if isAhead { presentCredential() }
        } else {
            scheduleRenewal(after: keeper.failed(at: clock.now))
            answerWaiters(.failed)
        }
    }

    private func scheduleRenewal(after delay: Duration?) {
        renewalTimer = delay.map { delay in
            clock.schedule(after: delay) { [weak self] in
                guard let self, keeper.isDue() else { return }
                startRenewal(isAhead: true)
            }
        }
    }

    func answerWaiters(_ renewal: Renewal) {
        let answered = waiters
        waiters = []
        for answer in answered { answer(renewal) }
    }

    /// Shows the server the new credential for the sessions of the open stream, which otherwise ends with the earlier one.
    private func presentCredential() {
        guard stream.state == .open else { return }
        for session in stream.requested where session.isLive {
            let request = request("HEAD", "/v1/sessions/\(session.id.percentEncoded)")
            // If it fails, the stream ends as unauthorized, and is opened with the new credential.
            perform(request, .always, expectsObject: false) { _ in }
        }
    }
}
