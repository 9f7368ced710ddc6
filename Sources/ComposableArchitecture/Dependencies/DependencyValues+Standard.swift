public import CombineSchedulers
public import Dispatch
public import FoundationEssentials

/// Makes UUIDs.
public struct UUIDGenerator: Sendable {
    private let generate: @Sendable () -> UUID

    /// Makes them with a function.
    public init(_ generate: @escaping @Sendable () -> UUID) {
        self.generate = generate
    }

    /// A new one.
    public func callAsFunction() -> UUID {
        generate()
    }

    /// The same one each time.
    public static func constant(_ uuid: UUID) -> UUIDGenerator {
        UUIDGenerator { uuid }
    }
}

/// Tells the time of day.
public struct DateGenerator: Sendable {
    private let generate: @Sendable () -> Date

    /// Tells it with a function.
    public init(_ generate: @escaping @Sendable () -> Date) {
        self.generate = generate
    }

    /// The present moment.
    public var now: Date { generate() }

    /// The present moment.
    public func callAsFunction() -> Date {
        generate()
    }

    /// The same moment each time.
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
    static var liveValue: UUIDGenerator { UUIDGenerator { UUID() } }

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

/// Dependencies that a test used without having replaced them.
private enum Unimplemented {
    static func report(_ name: String) {
        Issues.report("a test used the dependency \"\(name)\" without having replaced it")
    }
}

extension DependencyValues {
    /// The main queue: inside a hosted machine, the session's own scheduler.
    public var mainQueue: AnySchedulerOf<DispatchQueue> {
        get { self[MainQueueKey.self] }
        set { self[MainQueueKey.self] = newValue }
    }

    /// Makes UUIDs.
    public var uuid: UUIDGenerator {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }

    /// Tells the time of day.
    public var date: DateGenerator {
        get { self[DateKey.self] }
        set { self[DateKey.self] = newValue }
    }

    /// A clock to sleep on.
    public var continuousClock: any Clock<Duration> {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }
}
