import CombineCore
public import CombineSchedulers
public import Dispatch
public import FoundationEssentials
import StateCapture

private enum MainQueueKey: DependencyKey {
    static var liveValue: AnySchedulerOf<DispatchQueue> { .main }

    static var testValue: AnySchedulerOf<DispatchQueue> {
        MissingOverride.report("mainQueue")
        return .immediate
    }
}

private enum UUIDKey: DependencyKey {
    // Of the session's series in a hosted machine, also for reducers that get their dependencies otherwise.
    static var liveValue: UUIDGenerator { UUIDGenerator { SessionSeries.nextUUID() } }

    static var testValue: UUIDGenerator {
        UUIDGenerator {
            MissingOverride.report("uuid")
            return UUID()
        }
    }
}

private enum DateKey: DependencyKey {
    static var liveValue: DateGenerator { DateGenerator { Date() } }

    static var testValue: DateGenerator {
        DateGenerator {
            MissingOverride.report("date")
            return Date()
        }
    }
}

private enum ClockKey: DependencyKey {
    static var liveValue: any Clock<Duration> { ContinuousClock() }
    static var testValue: any Clock<Duration> { UnimplementedClock(ContinuousClock(), name: "continuousClock") }
}

private enum SuspendingClockKey: DependencyKey {
    static var liveValue: any Clock<Duration> { SuspendingClock() }
    static var testValue: any Clock<Duration> { UnimplementedClock(SuspendingClock(), name: "suspendingClock") }
}

private enum RandomKey: DependencyKey {
    static var liveValue: WithRandomNumberGenerator { WithRandomNumberGenerator(SystemRandomNumberGenerator()) }

    static var testValue: WithRandomNumberGenerator {
        WithRandomNumberGenerator(drawing: {
            MissingOverride.report("withRandomNumberGenerator")
            return UInt64.random(in: .min ... .max)
        })
    }
}

private enum CalendarKey: DependencyKey {
    static var liveValue: Calendar { .autoupdatingCurrent }

    static var testValue: Calendar {
        MissingOverride.report("calendar")
        return .autoupdatingCurrent
    }
}

private enum LocaleKey: DependencyKey {
    static var liveValue: Locale { .autoupdatingCurrent }

    static var testValue: Locale {
        MissingOverride.report("locale")
        return .autoupdatingCurrent
    }
}

private enum TimeZoneKey: DependencyKey {
    static var liveValue: TimeZone { .autoupdatingCurrent }

    static var testValue: TimeZone {
        MissingOverride.report("timeZone")
        return .autoupdatingCurrent
    }
}

/// Reports dependencies that a test used without overriding them.
enum MissingOverride {
    static func report(_ name: String) {
        // The value may be read in order to change a part of it.
        if DependencyValues.isOverriding { return }
        MissingDependency.report("a test used the dependency \"\(name)\" without overriding it")
    }
}

extension DependencyValues {
    /// Takes dates, UUIDs and random numbers from the series of a session, unless they are overridden.
    func follow(_ series: SessionSeries) {
        setDefault(UUIDKey.self, to: UUIDGenerator { series.uuid() })
        setDefault(DateKey.self, to: DateGenerator { series.now })
        setDefault(RandomKey.self, to: WithRandomNumberGenerator(drawing: { series.random.next() }))
    }

    /// Takes the time for sleeping from the clock of a session, unless it is overridden.
    func follow(_ session: any MainSubstitute) {
        let clock = SessionClock(session)
        setDefault(ClockKey.self, to: clock)
        setDefault(SuspendingClockKey.self, to: clock)
    }

    /// The main queue, or the session's scheduler inside a hosted machine.
    public var mainQueue: AnySchedulerOf<DispatchQueue> {
        get { self[MainQueueKey.self] }
        set { self[MainQueueKey.self] = newValue }
    }

    /// A generator of UUIDs.
    public var uuid: UUIDGenerator {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }

    /// A generator of the current date.
    public var date: DateGenerator {
        get { self[DateKey.self] }
        set { self[DateKey.self] = newValue }
    }

    /// A clock for sleeping and measuring time: that of the session in a hosted machine.
    public var continuousClock: any Clock<Duration> {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }

    /// A clock for sleeping and measuring time, which stops while the system sleeps: that of the session in a hosted machine.
    public var suspendingClock: any Clock<Duration> {
        get { self[SuspendingClockKey.self] }
        set { self[SuspendingClockKey.self] = newValue }
    }

    /// A generator of random values: of the session's series in a hosted machine, so that a restored session continues it.
    public var withRandomNumberGenerator: WithRandomNumberGenerator {
        get { self[RandomKey.self] }
        set { self[RandomKey.self] = newValue }
    }

    /// The calendar. On a server, that of the process: override it with that of the client.
    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    /// The locale. On a server, that of the process: override it with that of the client.
    public var locale: Locale {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }

    /// The time zone. On a server, that of the process: override it with that of the client.
    public var timeZone: TimeZone {
        get { self[TimeZoneKey.self] }
        set { self[TimeZoneKey.self] = newValue }
    }
}
