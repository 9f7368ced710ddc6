public import CombineCore
public import CombineSchedulers
public import Dispatch

/// One row of the table of operators that are held to the ``Battery``.
///
/// ```swift
/// OperatorCase("doubled", .init(["2", "4", "6", "8", "10"], description: "Map")) { $0.doubled() }
/// ```
public struct OperatorCase: Sendable, CustomStringConvertible {
    /// Makes the publisher under test over an upstream; time, if it needs any, is the scheduler's.
    public typealias Make =
        @Sendable (
            AnyPublisher<Int, TestError>, TestSchedulerOf<DispatchQueue>
        ) -> AnyPublisher<String, any Error>

    /// What the operator is called in findings.
    public let name: String

    /// What it is expected to do.
    public let expectations: OperatorExpectations

    /// How far the clock is moved after each step.
    public let pace: DispatchQueue.SchedulerTimeType.Stride

    /// The type of the publisher under test, with those that it is made of.
    public let publisherType: Any.Type

    let make: Make

    /// Makes a row for an operator that knows no time.
    ///
    /// - Parameter make: Applies the operator to an upstream; runs once for each stream.
    public init<P: Publisher & SendableMetatype>(
        _ name: String, _ expectations: OperatorExpectations,
        _ make: @escaping @Sendable (AnyPublisher<Int, TestError>) -> P
    ) {
        self.init(name, expectations, pace: .zero) { upstream, _ in make(upstream) }
    }

    /// Makes a row for an operator that gets a scheduler.
    ///
    /// - Parameters:
    ///   - pace: How far the clock is moved after each step; enough for everything that is due to happen.
    ///   - make: Applies the operator to an upstream; runs once for each stream.
    public init<P: Publisher & SendableMetatype>(
        _ name: String, _ expectations: OperatorExpectations, pace: DispatchQueue.SchedulerTimeType.Stride,
        _ make: @escaping @Sendable (AnyPublisher<Int, TestError>, TestSchedulerOf<DispatchQueue>) -> P
    ) {
        self.name = name
        publisherType = P.self
        self.expectations = expectations
        self.pace = pace
        self.make = { upstream, scheduler in
            // These two links hold no state and hand everything through, so they neither hide nor add anything.
            make(upstream, scheduler).map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher()
        }
    }

    /// The name.
    public var description: String { name }
}
