struct TakeoverState: Equatable {
    private enum Phase: Equatable {
        /// The server is being started.
        case preparing(isRequested: Bool)
        /// No takeover is in progress.
        case serving
        /// A new server has been started and is not ready.
        case starting(process: Int32)
        /// The new server is ready. This one waits for effects, stops turns and stores everything.
        case releasing(process: Int32)
        /// The new server has ended while this one was releasing the sessions, which takes them back when it has.
        case recalling(process: Int32, reason: String)
        /// The new server opens the sessions.
        case offering(process: Int32)
        /// The new server has confirmed that it can continue the sessions.
        case consenting(process: Int32)
        /// The new server serves.
        case handedOver
        /// This server shuts down.
        case ending
    }

    /// The action that an event requires.
    enum Action: Equatable {
        case nothing
        case start
        /// Log why no new server is started.
        case refuse(String)
        case release
        /// Stop releasing the sessions, because nobody will take them, and end the new server.
        case recall(killing: Int32)
        /// Pass the sessions to the new server.
        case offer(to: Int32)
        /// Let the new server begin.
        case consent(to: Int32)
        /// Stop accepting connections in favor of the new server.
        case handOver(to: Int32)
        /// Kill the new server, take the sessions back if they were released, and continue to serve.
        case resume(killing: Int32, reason: String)
        /// Take the sessions back, because this server shuts down and must answer the requests that wait.
        case takeBack
        /// Kill the new server, because this server must stop and must not have a successor.
        case kill(Int32)
    }

    private var phase = Phase.preparing(isRequested: false)

    var isHandedOver: Bool { phase == .handedOver }

    /// Handles the readiness of this server.
    ///
    /// - Returns: The action for a request that arrived before.
    mutating func serverIsReady(isFirstProcess: Bool) -> Action {
        guard case .preparing(let isRequested) = phase else { return .nothing }
        phase = .serving
        return isRequested ? takeoverRequested(isFirstProcess: isFirstProcess) : .nothing
    }

    mutating func takeoverRequested(isFirstProcess: Bool) -> Action {
        switch phase {
        // A server responds a moment before it can be replaced. A request in that moment must not be lost.
        case .preparing:
            phase = .preparing(isRequested: true)
            return .nothing
        case .serving where isFirstProcess:
            return .refuse("this is the first process of its container, and the container would stop when it exits")
        case .serving: return .start
        case .starting, .releasing, .recalling, .offering, .consenting:
            return .refuse("another takeover is in progress")
        case .handedOver, .ending: return .refuse("this server is shutting down")
        }
    }

    /// Records that the new server was started.
    mutating func started(process: Int32) {
        if case .serving = phase { phase = .starting(process: process) }
    }

    /// Handles the readiness of the new server.
    mutating func successorIsReady() -> Action {
        guard case .starting(let process) = phase else { return .nothing }
        phase = .releasing(process: process)
        return .release
    }

    /// Handles the failure of the release: turns have not ended in time, or it was cancelled. This server keeps the sessions.
    mutating func releaseWasAbandoned() -> Action {
        guard case .releasing(let process) = phase else { return sessionsWereReleased() }
        phase = .serving
        return .resume(killing: process, reason: "turns in progress did not end within http.takeoverTimeout")
    }

    /// Handles the end of the release: this server takes no more turns, and everything is stored.
    mutating func sessionsWereReleased() -> Action {
        switch phase {
        case .releasing(let process):
            phase = .offering(process: process)
            return .offer(to: process)
        case .recalling(let process, let reason):
            phase = .serving
            return .resume(killing: process, reason: reason)
        case .ending: return .takeBack
        default: return .nothing
        }
    }

    /// Handles the confirmation that the new server can continue the sessions.
    mutating func successorConfirmed() -> Action {
        guard case .offering(let process) = phase else { return .nothing }
        phase = .consenting(process: process)
        return .consent(to: process)
    }

    /// Handles the result of the consent, without which the new server does not begin.
    mutating func consentWasSent(_ isSent: Bool) -> Action {
        guard case .consenting(let process) = phase else { return .nothing }
        guard isSent else { return abandon("the new server ended before it could begin") }
        phase = .handedOver
        return .handOver(to: process)
    }

    /// Handles the end of the new server or of its channel.
    mutating func successorEnded() -> Action {
        switch phase {
        case .starting: return abandon("the new server exited before it was ready")
        case .releasing(let process):
            phase = .recalling(process: process, reason: "the new server exited before it received the sessions")
            return .recall(killing: process)
        case .offering: return abandon("the new server exited before it had opened the sessions")
        default: return .nothing
        }
    }

    /// Handles the timeout of the start of the new server `process`.
    mutating func timeoutFired(for process: Int32) -> Action {
        guard phase == .starting(process: process) else { return .nothing }
        return abandon("the new server was not ready within http.takeoverTimeout")
    }

    /// Handles the timeout of the offer to the new server `process`.
    mutating func offerTimeoutFired(for process: Int32) -> Action {
        guard phase == .offering(process: process) else { return .nothing }
        return abandon("the new server had not opened the sessions within http.takeoverTimeout")
    }

    /// Handles the shutdown of this server.
    mutating func end() -> Action {
        defer { if phase != .handedOver { phase = .ending } }
        switch phase {
        case .starting(let process), .releasing(let process), .recalling(let process, _), .offering(let process),
            .consenting(let process):
            return .kill(process)
        case .preparing, .serving, .handedOver, .ending: return .nothing
        }
    }

    private mutating func abandon(_ reason: String) -> Action {
        switch phase {
        case .starting(let process), .offering(let process), .consenting(let process):
            phase = .serving
            return .resume(killing: process, reason: reason)
        default: return .nothing
        }
    }
}
