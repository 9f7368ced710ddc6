public import CombineSchedulers
public import Dispatch
public import FoundationEssentials

/// A generator of UUIDs.
public struct UUIDGenerator: Sendable {
    private let generate: @Sendable () -> UUID

    /// Creates a generator that calls a closure.
    public init(_ generate: @escaping @Sendable () -> UUID) {
        self.generate = generate
    }

    /// Returns a new UUID.
    public func callAsFunction() -> UUID {
        generate()
    }

    /// Returns a generator that always returns the same UUID.
    public static func constant(_ uuid: UUID) -> UUIDGenerator {
        UUIDGenerator { uuid }
    }
}

/// A generator of the current date.
public struct DateGenerator: Sendable {
    private let generate: @Sendable () -> Date

    /// Creates a generator that calls a closure.
    public init(_ generate: @escaping @Sendable () -> Date) {
        self.generate = generate
    }

    /// The current date.
    public var now: Date { generate() }

    /// The current date.
    public func callAsFunction() -> Date {
        generate()
    }

    /// Returns a generator that always returns the same date.
    public static func constant(_ now: Date) -> DateGenerator {
        DateGenerator { now }
    }
}

private enum MainQueueKey: DependencyKey {
    static var liveValue: AnySchedulerOf<DispatchQueue> { .main }

    static var testValue: AnySchedulerOf<DispatchQueue> {
        Unimplemented.report("mainQueue")
        return .immediate
    }
}

private enum UUIDKey: DependencyKey {
    // Of the session's series in a hosted machine, also for reducers that get their dependencies otherwise.
    static var liveValue: UUIDGenerator { UUIDGenerator { SessionSeries.nextUUID() } }

    static var testValue: UUIDGenerator {
        UUIDGenerator {
            Unimplemented.report("uuid")
            return UUID()
        }
    }
}

private enum DateKey: DependencyKey {
    static var liveValue: DateGenerator { DateGenerator { Date() } }

    static var testValue: DateGenerator {
        DateGenerator {
            Unimplemented.report("date")
            return Date()
        }
    }
}

private enum ClockKey: DependencyKey {
    static var liveValue: any Clock<Duration> { ContinuousClock() }

    static var testValue: any Clock<Duration> {
        Unimplemented.report("continuousClock")
        return ContinuousClock()
    }
}

/// Reports dependencies that a test used without overriding them.
private enum Unimplemented {
    static func report(_ name: String) {
        Issues.report("a test used the dependency \"\(name)\" without overriding it")
    }
}

extension DependencyValues {
    /// Takes dates and UUIDs from the series of a session, unless they are overridden.
    func follow(_ series: SessionSeries) {
        setDefault(UUIDKey.self, to: UUIDGenerator { series.uuid() })
        setDefault(DateKey.self, to: DateGenerator { series.now })
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

    /// A clock for sleeping and measuring time.
    public var continuousClock: any Clock<Duration> {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }
}
