/// The state machine of a takeover.
struct TakeoverState: Equatable {
    private enum Phase: Equatable {
        /// The server is being started.
        case preparing(isRequested: Bool)
        /// No takeover is in progress.
        case serving
        /// A new server has been started and is not ready.
        case starting(process: Int32)
        /// The new server serves.
        case handedOver
        /// This server shuts down.
        case ending
    }

    /// The action that an event requires.
    enum Action: Equatable {
        case nothing
        /// Start the new server.
        case start
        /// Log why no new server is started.
        case refuse(String)
        /// Stop accepting connections in favor of the new server.
        case handOver(to: Int32)
        /// Kill the new server and continue to serve.
        case resume(killing: Int32, reason: String)
        /// Kill the new server, because this server must stop and must not have a successor.
        case kill(Int32)
    }

    private var phase = Phase.preparing(isRequested: false)

    /// Whether a new server has taken over.
    var isHandedOver: Bool { phase == .handedOver }

    /// Handles the readiness of this server.
    ///
    /// - Returns: The action for a request that arrived before.
    mutating func serverIsReady(isFirstProcess: Bool) -> Action {
        guard case .preparing(let isRequested) = phase else { return .nothing }
        phase = .serving
        return isRequested ? takeoverRequested(isFirstProcess: isFirstProcess) : .nothing
    }

    /// Handles a request for a takeover.
    mutating func takeoverRequested(isFirstProcess: Bool) -> Action {
        switch phase {
        // A server responds a moment before it can be replaced. A request in that moment must not be lost.
        case .preparing:
            phase = .preparing(isRequested: true)
            return .nothing
        case .serving where isFirstProcess:
            return .refuse("this is the first process of its container, and the container would stop when it exits")
        case .serving: return .start
        case .starting: return .refuse("another takeover is in progress")
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
        phase = .handedOver
        return .handOver(to: process)
    }

    /// Handles the end of the new server or of its channel.
    mutating func successorEnded() -> Action { abandon("the new server exited before it was ready") }

    /// Handles the timeout of the new server `process`.
    mutating func timeoutFired(for process: Int32) -> Action {
        guard phase == .starting(process: process) else { return .nothing }
        return abandon("the new server was not ready within http.takeoverTimeout")
    }

    /// Handles the shutdown of this server.
    mutating func end() -> Action {
        defer { if phase != .handedOver { phase = .ending } }
        guard case .starting(let process) = phase else { return .nothing }
        return .kill(process)
    }

    private mutating func abandon(_ reason: String) -> Action {
        guard case .starting(let process) = phase else { return .nothing }
        phase = .serving
        return .resume(killing: process, reason: reason)
    }
}
