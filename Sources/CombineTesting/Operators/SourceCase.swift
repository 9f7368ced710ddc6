public import CombineCore

/// One row of the table of sources, publishers without an upstream, that are held to ``Battery/sources``.
public struct SourceCase: Sendable, CustomStringConvertible {
    /// What the source is called in findings.
    public let name: String
    /// The values that it delivers, as text.
    public let outputs: [String]
    /// How it ends; nil if it does not.
    public let ending: OperatorExpectations.Ending?
    /// How its subscription describes itself.
    public let subscriptionDescription: String
    /// The labels of the children of its subscription's mirror.
    public let mirror: [String?]
    /// Whether its values stay in it for the next subscriber.
    public let repeatsItself: Bool

    /// The type of the publisher under test, with those that it is made of.
    public let publisherType: Any.Type

    let make: @Sendable () -> AnyPublisher<String, any Error>

    /// Makes a row.
    ///
    /// - Parameter make: Makes the source; runs once for each point.
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
            // These two links hold no state and hand everything through.
            make().map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher()
        }
    }

    /// The name.
    public var description: String { name }
}

/// One thing that every source has to get right.
public struct SourcePoint: Sendable, CustomStringConvertible {
    /// The claim, as a sentence about the source.
    public let claim: String

    private let check: @Sendable (SourceBench) -> Void

    init(_ claim: String, _ check: @escaping @Sendable (SourceBench) -> Void) {
        self.claim = claim
        self.check = check
    }

    /// Puts the source to the test.
    ///
    /// - Returns: A sentence for everything that is not as expected; empty if the claim holds.
    public func findings(for sourceCase: SourceCase) -> [String] {
        let bench = SourceBench(sourceCase)
        check(bench)
        return bench.findings
    }

    /// The claim.
    public var description: String { claim }
}

/// Where one source is put to one test.
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

    func expect<T: Equatable>(_ what: String, _ came: T, is expected: T) {
        if came != expected { findings.append("\(what): expected \(expected), came \(came)") }
    }

    /// Expects all values, the ending, and no breach of the rules.
    func expectEverything(_ recorder: Recorder) {
        expect("the values", recorder.values, is: row.outputs)
        expect("the ending", recorder.ending?.rawValue, is: row.ending?.rawValue)
        expect("breaches of the rules", recorder.violations, is: [])
    }
}
