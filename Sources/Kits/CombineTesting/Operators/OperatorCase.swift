public import CombineCore
public import CombineSchedulers
public import Dispatch

/// An operator to be checked by the ``Battery``, with its expectations.
///
/// ```swift
/// OperatorCase("doubled", .init(["2", "4", "6", "8", "10"], description: "Map")) { $0.doubled() }
/// ```
public struct OperatorCase: Sendable, CustomStringConvertible {
    /// Creates the publisher under test from an upstream and a scheduler for all timing.
    public typealias Make =
        @Sendable (
            AnyPublisher<Int, TestError>, TestSchedulerOf<DispatchQueue>
        ) -> AnyPublisher<String, any Error>

    /// The name of the operator in findings.
    public let name: String

    /// The expected behaviour.
    public let expectations: OperatorExpectations

    /// The time by which the clock is advanced after each step.
    public let pace: DispatchQueue.SchedulerTimeType.Stride

    /// The type of the publisher under test, including its generic arguments.
    public let publisherType: Any.Type

    let make: Make

    /// Creates a case for an operator that does not use a scheduler.
    ///
    /// - Parameters:
    ///   - name: The name of the operator in findings.
    ///   - expectations: The expected behaviour.
    ///   - make: Applies the operator to an upstream. Called once for each stream.
    public init<P: Publisher & SendableMetatype>(
        _ name: String, _ expectations: OperatorExpectations,
        _ make: @escaping @Sendable (AnyPublisher<Int, TestError>) -> P
    ) {
        self.init(name, expectations, pace: .zero) { upstream, _ in make(upstream) }
    }

    /// Creates a case for an operator that uses a scheduler.
    ///
    /// - Parameters:
    ///   - name: The name of the operator in findings.
    ///   - expectations: The expected behaviour.
    ///   - pace: The time by which the clock is advanced after each step; long enough for all scheduled work.
    ///   - make: Applies the operator to an upstream. Called once for each stream.
    public init<P: Publisher & SendableMetatype>(
        _ name: String, _ expectations: OperatorExpectations, pace: DispatchQueue.SchedulerTimeType.Stride,
        _ make: @escaping @Sendable (AnyPublisher<Int, TestError>, TestSchedulerOf<DispatchQueue>) -> P
    ) {
        self.name = name
        publisherType = P.self
        self.expectations = expectations
        self.pace = pace
        self.make = { upstream, scheduler in
            // These operators hold no state and forward everything, so they neither hide nor add behaviour.
            make(upstream, scheduler).map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher()
        }
    }

    /// The name.
    public var description: String { name }
}
