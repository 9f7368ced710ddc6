/// How far a takeover has come.
struct TakeoverState: Equatable {
    private enum Phase: Equatable {
        /// This server serves alone.
        case alone
        /// A new one has been started, and is not ready.
        case expecting(process: Int32)
        /// The new one serves.
        case handedOver
        /// The server goes down, with or without a successor.
        case ending
    }

    /// What is to be done.
    enum Action: Equatable {
        case nothing
        /// Start the new server.
        case start
        /// Say why not.
        case refuse(String)
        /// Leave the sockets to the new server.
        case handOver(to: Int32)
        /// Make sure that the new server is gone, and go on; with the reason for the log.
        case goOn(killing: Int32, reason: String)
        /// Make sure that the new server is gone: this one ends, and nobody is to come after it.
        case kill(Int32)
    }

    private var phase = Phase.alone

    /// Whether a new server serves.
    var isHandedOver: Bool { phase == .handedOver }

    /// The operator wants a new server.
    func signalCame(isFirstProcess: Bool) -> Action {
        switch phase {
        case .alone where isFirstProcess:
            .refuse("this is the first process of its container, which ends with it")
        case .alone: .start
        case .expecting: .refuse("a new server is being started")
        case .handedOver, .ending: .refuse("this server goes down")
        }
    }

    /// The new server is a process.
    mutating func started(process: Int32) {
        if case .alone = phase { phase = .expecting(process: process) }
    }

    /// The new server has said that it is ready.
    mutating func successorIsReady() -> Action {
        guard case .expecting(let process) = phase else { return .nothing }
        phase = .handedOver
        return .handOver(to: process)
    }

    /// The new server has ended, or has given the line up.
    mutating func successorEnded() -> Action { giveUp("it ended before it was ready") }

    /// The new server has had its time; `process` is the one whose time it was.
    mutating func timePassed(for process: Int32) -> Action {
        guard phase == .expecting(process: process) else { return .nothing }
        return giveUp("it was not ready within http.takeoverTimeout")
    }

    /// This server is to end.
    mutating func end() -> Action {
        defer { if phase != .handedOver { phase = .ending } }
        guard case .expecting(let process) = phase else { return .nothing }
        return .kill(process)
    }

    private mutating func giveUp(_ reason: String) -> Action {
        guard case .expecting(let process) = phase else { return .nothing }
        phase = .alone
        return .goOn(killing: process, reason: reason)
    }
}
