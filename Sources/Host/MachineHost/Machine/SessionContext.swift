public import Access
import CombineCore
public import HTTPModel
import Locking
public import Log
public import StateCapture

/// The services that a session provides to its machine. Confined to the session's loop.
public final class SessionContext {
    /// The session's loop.
    public let loop: any EventLoop
    /// Runs work as turns of the session. Work that has not run when the session ends is dropped.
    public let scheduler: SessionScheduler
    /// The log for the machine's adapter.
    public var log: Log { sharedLog.log }
    // The sessions of a host share the object, because a log takes 48 bytes.
    private let sharedLog: SharedLog
    /// The parts of the machine whose state survives the process; nil if the machine is not captured. Current while the
    /// machine is wired. Released when the session ends, because it retains the parts.
    public var stateRegistry: StateRegistry?
    /// The principal that has created the session; nil if it was created without one. Available to the machine's factory, also
    /// when the session is restored. Its claims and expiry are those of the creation.
    public internal(set) var principal: Principal?
    /// The sender of the input or the batch that the current turn runs; nil in other turns, and for clients without credentials.
    ///
    /// A timer, an effect or a task that an input starts has turns of its own, in which there is no sender: store it with the state
    /// that needs it. The sender is a part of the turn's record, so that it is the same in a replay.
    public var sender: InputSender? { scheduler.session?.turns.current?.sender }
    /// The refusal of the input that the machine is running; nil if the machine has not refused it.
    var refusal: InputRefusal? {
        get { refused?.refusal }
        set { refused = newValue.map { Refused($0) } }
    }
    // An object on demand, because few inputs are refused, and most contexts never have a refusal.
    // Unchecked exclusivity: see `Session`. It is accessed for every input.
    @exclusivity(unchecked) private var refused: Refused?

    private final class Refused {
        let refusal: InputRefusal
        init(_ refusal: InputRefusal) { self.refusal = refusal }
    }

    /// The parameters and the name that the client has stated when it created the session; nil if it has stated neither.
    // Unchecked exclusivity: see `Session`. It is read in every turn.
    @exclusivity(unchecked) var creation: SessionCreation?
    /// The maximum number of bytes of a turn's change and of the current values.
    var maxOutputBytes: Int {
        get { Int(outputLimit) }
        set { outputLimit = Int32(clamping: newValue) }
    }

    /// The declared effects and timers; nil before the first one is declared.
    // Unchecked exclusivity: see `Session`. It is read in every turn.
    @exclusivity(unchecked) package private(set) var declaredEffects: SessionEffects?
    /// The declared effects and timers, created on first use.
    package var effects: SessionEffects {
        if let declaredEffects { return declaredEffects }
        let made = SessionEffects(scheduler)
        declaredEffects = made
        return made
    }

    /// The topics; nil before the first one is used.
    // Beside the effects, because few sessions use topics, and each property takes memory of all sessions.
    var declaredTopics: SessionTopics? { declaredEffects?.topics }
    /// The topics, created on first use.
    var topics: SessionTopics {
        if let declaredTopics { return declaredTopics }
        let made = SessionTopics(scheduler)
        effects.topics = made
        return made
    }

    /// The tasks of asynchronous inputs; nil before the first machine needs them.
    private var ownTasks: SessionTasks?
    /// The tasks of asynchronous inputs, created on first use.
    package var tasks: SessionTasks {
        if let ownTasks { return ownTasks }
        let made = SessionTasks(scheduler, log: log)
        ownTasks = made
        return made
    }

    @exclusivity(unchecked) private var outputLimit = Int32.max
    // Small properties together, so that the context takes no more than 104 bytes.
    /// Whether the machine is running an input, which it may refuse.
    @exclusivity(unchecked) var isRunningInput = false
    /// Whether the machine is only inspected, at registration: there is no client that could have stated parameters.
    package private(set) var isInspected = false
    /// Whether a value from another thread has been logged.
    var hasReportedForeignThread = false
    /// A name of the session for the log, which does not reveal its id.
    var sessionHash: String { scheduler.session?.id.hash ?? "none" }

    /// Creates a context without a session: its scheduler drops all work, and its outputs are never read. For
    /// inspecting a machine and for testing cells.
    public convenience init(loop: any EventLoop, log: Log = .silent) {
        self.init(loop: loop, sharedLog: SharedLog(log))
    }

    /// Creates the context of a session.
    init(loop: any EventLoop, sharedLog: SharedLog) {
        self.loop = loop
        self.sharedLog = sharedLog
        scheduler = SessionScheduler(loop: loop)
    }

    /// Returns a context for a machine that is only inspected, on a loop that never runs anything.
    public static func inert() -> SessionContext {
        let context = SessionContext(loop: InertLoop())
        context.isInspected = true
        return context
    }

    /// Wires a machine that is only inspected. The context's registry is current meanwhile.
    ///
    /// - Parameters:
    ///   - transient: The names of members and operators that are not captured.
    ///   - body: Creates and inspects the machine.
    /// - Returns: The result of the closure, and the registry with what was found.
    package static func inspecting<Result, Failure: Error>(
        transient: Set<String>, _ body: (SessionContext) throws(Failure) -> Result
    ) throws(Failure) -> (Result, StateRegistry) {
        // Work that the factory schedules on the main queue goes to the inert scheduler as well. Otherwise it would run
        // on the process's main thread later, without a session.
        let context = SessionContext.inert()
        // What the factory starts on other threads must not add parts. They have no main context.
        let registry = StateRegistry(clockOffset: 0) { MainContext.isSubstituted }
        registry.transient = transient
        context.stateRegistry = registry
        let result = try MainContext.with(MainQueueSubstitute(context.scheduler)) { () throws(Failure) in
            let result = try registry.wire { () throws(Failure) in try body(context) }
            registry.addObstacleOfValues()
            return result
        }
        return (result, registry)
    }
}

/// A log that contexts share.
final class SharedLog: Sendable {
    let log: Log

    init(_ log: Log) { self.log = log }
}

/// A loop that accepts work and never runs it.
private final class InertLoop: EventLoop, Sendable {
    let index = 0
    let count = 1
    // What a machine that is inspected starts on other threads must not act beside the inspection.
    private let thread = ThreadIdentity.current
    var isCurrent: Bool { ThreadIdentity.current == thread }
    let now = MonotonicTime(nanoseconds: 0)

    func execute(_ work: @escaping @Sendable () -> Void) {}
    func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer { InertTimer() }
}

private final class InertTimer: EventLoopTimer {
    func cancel() {}
}
