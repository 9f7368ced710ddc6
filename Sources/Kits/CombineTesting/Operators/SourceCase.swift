public import CombineCore

/// A source, which is a publisher without an upstream, to be checked by ``Battery/sources``.
public struct SourceCase: Sendable, CustomStringConvertible {
    /// The name of the source in findings.
    public let name: String
    /// The delivered values, as text.
    public let outputs: [String]
    /// The ending, or nil if it does not end.
    public let ending: OperatorExpectations.Ending?
    /// The description of its subscription.
    public let subscriptionDescription: String
    /// The labels of the children of its subscription's mirror.
    public let mirror: [String?]
    /// Whether each subscriber receives all values.
    public let repeatsItself: Bool

    /// The type of the publisher under test, including its generic arguments.
    public let publisherType: Any.Type

    let make: @Sendable () -> AnyPublisher<String, any Error>

    /// Creates a case.
    ///
    /// - Parameters:
    ///   - name: The name of the source in findings.
    ///   - outputs: The delivered values, as text.
    ///   - ending: The ending, or nil if it does not end.
    ///   - description: The description of its subscription.
    ///   - mirror: The labels of the children of its subscription's mirror.
    ///   - repeatsItself: Whether each subscriber receives all values.
    ///   - make: Creates the source. Called once for each requirement.
    public init<P: Publisher & SendableMetatype>(
        _ name: String, _ outputs: [String], ending: OperatorExpectations.Ending? = .finished,
        description: String, mirror: [String?] = [], repeatsItself: Bool = true,
        _ make: @escaping @Sendable () -> P
    ) {
        self.name = name
        publisherType = P.self
        self.outputs = outputs
        self.ending = ending
        subscriptionDescription = description
        self.mirror = mirror
        self.repeatsItself = repeatsItself
        self.make = {
            // These operators hold no state and forward everything.
            make().map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher()
        }
    }

    /// The name.
    public var description: String { name }
}

/// A requirement for sources.
public struct SourcePoint: Sendable, CustomStringConvertible {
    /// The requirement, as a sentence about the source.
    public let claim: String

    private let check: @Sendable (SourceBench) -> Void

    init(_ claim: String, _ check: @escaping @Sendable (SourceBench) -> Void) {
        self.claim = claim
        self.check = check
    }

    /// Checks a source.
    ///
    /// - Returns: A sentence for each deviation; empty if the source meets the requirement.
    public func findings(for sourceCase: SourceCase) -> [String] {
        let bench = SourceBench(sourceCase)
        check(bench)
        return bench.findings
    }

    /// The requirement.
    public var description: String { claim }
}

/// The environment of one check of one source.
final class SourceBench {
    typealias Recorder = RecordingSubscriber<String, any Error>

    let row: SourceCase
    private(set) var findings: [String] = []

    init(_ row: SourceCase) {
        self.row = row
    }

    func record(_ script: Recorder.Script = .init()) -> Recorder {
        let recorder = Recorder(script)
        row.make().subscribe(recorder)
        return recorder
    }

    func expect<T: Equatable>(_ what: String, _ actual: T, is expected: T) {
        if actual != expected { findings.append("\(what): expected \(expected), got \(actual)") }
    }

    /// Expects all values, the ending, and no violations.
    func expectEverything(_ recorder: Recorder) {
        expect("the values", recorder.values, is: row.outputs)
        expect("the ending", recorder.ending?.rawValue, is: row.ending?.rawValue)
        expect("the violations", recorder.violations, is: [])
    }
}
