import CombineCore
public import HTTPModel
public import Log

/// The services that a session provides to its machine. Confined to the session's loop.
public final class SessionContext {
    /// The session's loop.
    public let loop: any EventLoop
    /// Runs work as turns of the session. Work that has not run when the session ends is dropped.
    public let scheduler: SessionScheduler
    /// The log for the machine's adapter.
    public let log: Log
    /// The maximum number of bytes of a turn's change and of the current values.
    var maxOutputBytes: Int {
        get { Int(outputLimit) }
        set { outputLimit = Int32(clamping: newValue) }
    }

    @exclusivity(unchecked) private var outputLimit = Int32.max
    /// Whether a value from another thread has been logged.
    var hasReportedForeignThread = false
    /// A name of the session for the log, which does not reveal its id.
    var sessionHash: String { scheduler.session?.id.hash ?? "none" }

    /// Creates a context without a session: its scheduler drops all work, and its outputs are never read. For
    /// inspecting a machine and for testing cells.
    public init(loop: any EventLoop, log: Log = .silent) {
        self.loop = loop
        self.log = log
        scheduler = SessionScheduler(loop: loop)
    }

    /// Returns a context for a machine that is only inspected, on a loop that never runs anything.
    public static func inert() -> SessionContext {
        SessionContext(loop: InertLoop())
    }

    /// Creates a machine that is only inspected.
    package static func trying<Machine, Failure: Error>(
        _ make: (SessionContext) throws(Failure) -> Machine
    ) throws(Failure) -> Machine {
        // Work that the factory schedules on the main queue goes to the inert scheduler as well. Otherwise it would run
        // on the process's main thread later, without a session.
        let context = SessionContext.inert()
        return try MainContext.with(MainQueueSubstitute(context.scheduler)) { () throws(Failure) in try make(context) }
    }
}

/// A loop that accepts work and never runs it.
private final class InertLoop: EventLoop, Sendable {
    let index = 0
    let count = 1
    let isCurrent = true
    let now = MonotonicTime(nanoseconds: 0)

    func execute(_ work: @escaping @Sendable () -> Void) {}
    func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer { InertTimer() }
}

private final class InertTimer: EventLoopTimer {
    func cancel() {}
}
