/// Decides what `granary dev` does: when it builds, and when it starts, replaces or stops the server.
///
/// It does nothing itself. Each event returns the actions that follow from it, in order.
public struct DevelopmentState: Equatable, Sendable {
    /// Something that happened.
    public enum Event: Equatable, Sendable {
        /// The command was started.
        case began
        /// Source files have changed.
        case filesChanged
        /// A build has ended, and the program is or is not another one than before.
        case built(isNew: Bool)
        /// A build has failed, with what the compiler printed.
        case buildFailed(String)
        /// A server is ready: the first one, or the one that has replaced another.
        case serverReady
        /// A new server could not replace the running one, which continues.
        case serverRefused(ServerProblem)
        /// No server runs any more.
        ///
        /// - Parameter problem: What it printed about the reason.
        /// - Parameter isEarly: Whether it ended soon after it was ready, or before.
        case serverEnded(problem: ServerProblem, isEarly: Bool)
        /// The developer has answered whether sessions may be deleted.
        case answered(mayDelete: Bool)
        /// The sessions of a machine were deleted, or could not be.
        case sessionsDeleted(error: String?)
        /// The developer ends the command.
        case interrupted
    }

    /// Something to do.
    public enum Action: Equatable, Sendable {
        /// Build the program.
        case build
        /// Stop the build that is in progress. Its end is an event.
        case cancelBuild
        /// Start a server.
        case start
        /// Replace the server with one of the new build.
        case replace
        /// Stop the server. Its end is an event.
        case stop
        /// Ask whether the stored sessions of a machine may be deleted, because the new build cannot continue them.
        case ask(ServerProblem)
        /// Delete the stored sessions of a machine, while no server runs.
        case deleteSessions(machine: String)
        /// Show pages and the terminal what is going on.
        case show(DevelopmentStatus)
        /// End the command.
        case exit
    }

    private enum Server: Equatable {
        case none, starting, running, replacing
        /// It is stopped so that the sessions of a machine can be deleted.
        case stoppingToDelete(machine: String)
        case deleting
        case stoppingToExit
    }

    private var server = Server.none
    private var isBuilding = false
    private var isExiting = false
    /// Whether files have changed since the build began.
    private var isOutdated = false
    /// Whether a build has ended that the server does not run.
    private var isServerOutdated = false
    /// The number of programs that were built.
    private var build = 0
    private var problem: ServerProblem?

    /// Whether a server is being replaced.
    public var isReplacing: Bool { server == .replacing }

    /// Creates the state of a command that has not begun.
    public init() {}

    /// Returns what to do after an event.
    public mutating func after(_ event: Event) -> [Action] {
        if isExiting { return afterWhileExiting(event) }
        switch event {
        case .began: return beginBuild()
        case .filesChanged:
            isOutdated = isBuilding
            return isBuilding ? [] : beginBuild()
        case .built(let isNew): return built(isNew)
        case .buildFailed(let output):
            isBuilding = false
            guard !isOutdated else { return beginBuild() }
            return [.show(status(.failed(output)))]
        case .serverReady: return serverReady()
        case .serverRefused(let problem):
            guard server == .replacing else { return [] }
            server = .running
            return refused(problem)
        case .serverEnded(let problem, let isEarly): return serverEnded(problem, isEarly)
        case .answered(let mayDelete): return answered(mayDelete)
        case .sessionsDeleted(let error):
            guard server == .deleting else { return [] }
            server = .none
            if let error { return [.show(status(.failed(error)))] }
            return start()
        case .interrupted: return interrupted()
        }
    }

    private mutating func beginBuild() -> [Action] {
        (isBuilding, isOutdated) = (true, false)
        return [.show(status(.building)), .build]
    }

    private mutating func built(_ isNew: Bool) -> [Action] {
        isBuilding = false
        if isNew {
            build += 1
            isServerOutdated = true
        }
        // Files that changed in the meantime make this build one that nobody wants to see.
        guard !isOutdated else { return beginBuild() }
        switch server {
        case .none: return start()
        case .running: return isServerOutdated ? replace() : [.show(status(.serving))]
        // When it is ready or has ended, the new build follows.
        case .starting, .replacing, .stoppingToDelete, .deleting, .stoppingToExit: return []
        }
    }

    private mutating func start() -> [Action] {
        (server, isServerOutdated, problem) = (.starting, false, nil)
        return [.start]
    }

    private mutating func replace() -> [Action] {
        (server, isServerOutdated, problem) = (.replacing, false, nil)
        return [.replace]
    }

    private mutating func serverReady() -> [Action] {
        guard server == .starting || server == .replacing else { return [] }
        server = .running
        let shown: [Action] = isBuilding ? [] : [.show(status(.serving))]
        return isServerOutdated && !isBuilding ? shown + replace() : shown
    }

    /// Handles the problem of a new server: another build may have solved it already.
    private mutating func refused(_ problem: ServerProblem) -> [Action] {
        guard !isBuilding else { return [] }
        if isServerOutdated { return server == .running ? replace() : start() }
        self.problem = problem
        guard problem.machine != nil else { return [.show(status(.failed(problem.text)))] }
        return [.show(status(.failed(problem.text))), .ask(problem)]
    }

    private mutating func serverEnded(_ problem: ServerProblem, _ isEarly: Bool) -> [Action] {
        switch server {
        case .stoppingToDelete(let machine):
            server = .deleting
            return [.deleteSessions(machine: machine)]
        case .starting, .replacing:
            server = .none
            return refused(problem)
        case .running:
            server = .none
            // A server that always ends soon would be started again and again.
            return isEarly ? refused(problem) : start()
        case .none, .deleting, .stoppingToExit: return []
        }
    }

    private mutating func answered(_ mayDelete: Bool) -> [Action] {
        // The question is out of date if another build has ended since.
        guard let machine = problem?.machine, !isBuilding, !isServerOutdated else { return [] }
        problem = nil
        guard mayDelete else { return [] }
        switch server {
        case .running:
            server = .stoppingToDelete(machine: machine)
            return [.stop]
        case .none:
            server = .deleting
            return [.deleteSessions(machine: machine)]
        case .starting, .replacing, .stoppingToDelete, .deleting, .stoppingToExit: return []
        }
    }

    private mutating func interrupted() -> [Action] {
        isExiting = true
        let cancelled: [Action] = isBuilding ? [.cancelBuild] : []
        switch server {
        case .none, .deleting: return cancelled + [.exit]
        case .starting, .running, .replacing, .stoppingToDelete, .stoppingToExit:
            server = .stoppingToExit
            return cancelled + [.stop]
        }
    }

    private mutating func afterWhileExiting(_ event: Event) -> [Action] {
        guard server == .stoppingToExit else { return [] }
        switch event {
        // The request to stop may have reached a server that another one had already replaced.
        case .serverReady: return [.stop]
        case .serverEnded:
            server = .none
            return [.exit]
        default: return []
        }
    }

    private func status(_ state: DevelopmentStatus.State) -> DevelopmentStatus {
        DevelopmentStatus(build: build, state: state)
    }
}
