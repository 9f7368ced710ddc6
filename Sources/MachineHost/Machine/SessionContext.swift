import CombineCore
public import HTTPModel
public import Log

/// What a machine gets from the session that it is made for. Confined to the session's loop.
public final class SessionContext {
    /// The loop that the session lives on.
    public let loop: any EventLoop
    /// Runs work as turns of the session. What it runs dies with the session.
    public let scheduler: SessionScheduler
    /// Where the machine's adapter says what went wrong.
    public let log: Log
    /// The most bytes that a turn's change and what the outputs show may have.
    var maxOutputBytes: Int {
        get { Int(outputLimit) }
        set { outputLimit = Int32(clamping: newValue) }
    }

    @exclusivity(unchecked) private var outputLimit = Int32.max
    /// Whether an output that came from another thread has been reported.
    var hasReportedForeignThread = false
    /// Says which session it was in the log, without naming it.
    var sessionHash: String { scheduler.session?.id.hash ?? "none" }

    /// A context that belongs to no session: what its scheduler is given is dropped, and what its machine shows is looked
    /// at by nobody. Good for looking at a machine's shape, and for tests of a cell.
    public init(loop: any EventLoop, log: Log = .silent) {
        self.loop = loop
        self.log = log
        scheduler = SessionScheduler(loop: loop)
    }

    /// A context for a machine that is only looked at, on a loop of its own on which nothing ever runs.
    public static func inert() -> SessionContext {
        SessionContext(loop: InertLoop())
    }

    /// Makes a machine that is only looked at. What it schedules on the main queue meanwhile, as on the context's scheduler,
    /// never runs: on the process's main thread it would meet no session.
    package static func trying<Machine, Failure: Error>(
        _ make: (SessionContext) throws(Failure) -> Machine
    ) throws(Failure) -> Machine {
        let context = SessionContext.inert()
        return try MainContext.with(MainStandIn(context.scheduler)) { () throws(Failure) in try make(context) }
    }
}

/// A loop that takes everything and does nothing.
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
