public import FoundationEssentials
import Locking

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

    /// A generator that returns `UUID(0)`, `UUID(1)` and so on.
    public static var incrementing: UUIDGenerator {
        let next = Lock(0)
        return UUIDGenerator {
            UUID(
                next.withLock { next in
                    defer { next += 1 }
                    return next
                })
        }
    }
}

/// A generator of the current date.
public struct DateGenerator: Sendable {
    private var generate: @Sendable () -> Date

    /// Creates a generator that calls a closure.
    public init(_ generate: @escaping @Sendable () -> Date) {
        self.generate = generate
    }

    /// The current date. Setting it makes the generator always return the same date.
    public var now: Date {
        get { generate() }
        set { generate = { newValue } }
    }

    /// The current date.
    public func callAsFunction() -> Date {
        generate()
    }

    /// Returns a generator that always returns the same date.
    public static func constant(_ now: Date) -> DateGenerator {
        DateGenerator { now }
    }
}

extension UUID {
    /// Creates a UUID whose last twelve hexadecimal digits are a number, for tests: `00000000-0000-0000-0000-00000000002A`.
    ///
    /// - Parameter number: A number from 0 to 2⁴⁸ − 1. Higher bits are ignored.
    public init(_ number: Int) {
        func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
        self.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(5), byte(4), byte(3), byte(2), byte(1), byte(0)))
    }
}

/// A generator of random values, of which a closure takes some.
public final class WithRandomNumberGenerator: Sendable {
    private struct Generator: RandomNumberGenerator {
        let draw: @Sendable () -> UInt64

        func next() -> UInt64 { draw() }
    }

    private let draw: @Sendable () -> UInt64

    /// Creates a generator that uses another one.
    public init<Source: RandomNumberGenerator & Sendable>(_ source: Source) {
        let state = Lock(source)
        draw = { state.withLock { $0.next() } }
    }

    init(drawing draw: @escaping @Sendable () -> UInt64) {
        self.draw = draw
    }

    /// Returns what a closure makes of random values: `withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }`.
    ///
    /// May be called from any thread.
    public func callAsFunction<Result>(_ work: (inout any RandomNumberGenerator) -> Result) -> Result {
        var generator: any RandomNumberGenerator = Generator(draw: draw)
        return work(&generator)
    }
}
