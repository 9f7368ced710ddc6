import CombineCore
import CombineTesting
import Testing

/// Tests of `prefix`, the `reduce` family, recovery from errors, and concatenation.
@Suite struct SequencingSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `prefix finishes with its last value and cancels upstream`() {
        let source = Source(.unruly)
        let recorder = Recorder()
        source.prefix(2).subscribe(recorder)
        source.send(1)
        #expect(recorder.completion == nil)
        source.send(2)
        #expect(recorder.completion == .finished)
        #expect(source.latest?.cancellations == 1)
        source.send(3)
        #expect(recorder.values == [1, 2])
    }

    @Test func `output(in:) finishes with the last position`() {
        let source = Source(.unruly)
        let recorder = Recorder()
        source.output(in: 1..<3).subscribe(recorder)
        for value in 0..<3 { source.send(value) }
        #expect(recorder.values == [1, 2])
        #expect(recorder.completion == .finished)
    }

    @Test func `a prefix of length zero finishes on subscription`() {
        let source = Source(.unruly)
        let recorder = Recorder(demand: .none)
        source.prefix(0).subscribe(recorder)
        #expect(recorder.events.map(\.description) == ["subscription(Output)", "finished"])
        #expect(source.latest?.cancellations == 1)
    }

    @Test func `prefix drops a value sent during the delivery of the last one`() {
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = Recorder(
            .init(onValue: { _, value in
                if value < 5 { subject.send(value + 1) }
                return .none
            }))
        subject.prefix(2).subscribe(recorder)
        subject.send(1)
        #expect(recorder.values == [1, 2])
        #expect(recorder.completions.count == 1)
    }

    @Test(arguments: Self.reductions)
    func `the reduce family makes an unlimited request immediately and holds the result until there is demand`(
        reduction: Reduction
    ) {
        let source = Source(.unruly)
        let recorder = RecordingSubscriber<String, any Error>(demand: .none)
        reduction.apply(source).subscribe(recorder)
        #expect(source.latest?.requests == [.unlimited])
        for value in 1...3 { source.send(value) }
        source.send(completion: .finished)
        #expect(recorder.values == [])
        #expect(recorder.completions.isEmpty)
        recorder.request(.max(1))
        #expect(recorder.values == [reduction.result])
        #expect(recorder.completions.count == 1)
        #expect(source.latest?.requests == [.unlimited])
        #expect(source.latest?.cancellations == (reduction.isEarly ? 1 : 0))
    }

    struct Reduction: Sendable, CustomStringConvertible {
        let description: String
        let result: String
        let isEarly: Bool
        let apply: @Sendable (Source) -> AnyPublisher<String, any Error>

        init<P: Publisher & SendableMetatype>(
            _ name: String, _ result: String, early: Bool = false, _ apply: @escaping @Sendable (Source) -> P
        ) {
            description = name
            self.result = result
            isEarly = early
            self.apply = { apply($0).map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher() }
        }
    }

    static let reductions: [Reduction] = [
        Reduction("first", "1", early: true) { $0.first() },
        Reduction("first(where:)", "2", early: true) { $0.first { $0 > 1 } },
        Reduction("last", "3") { $0.last() },
        Reduction("last(where:)", "2") { $0.last { $0 < 3 } },
        Reduction("reduce", "6") { $0.reduce(0, +) },
        Reduction("count", "3") { $0.count() },
        Reduction("contains", "true", early: true) { $0.contains(2) },
        Reduction("contains(where:)", "false") { $0.contains { $0 > 9 } },
        Reduction("allSatisfy", "false", early: true) { $0.allSatisfy { $0 < 2 } },
        Reduction("min", "1") { $0.min() },
        Reduction("max", "3") { $0.max() },
        Reduction("collect", "[1, 2, 3]") { $0.collect() },
        Reduction("tryReduce", "6") { $0.tryReduce(0, +) },
        Reduction("tryMax", "3") { $0.tryMax { $0 < $1 } },
    ]

    @Test func `catch subscribes to its replacement during the failure and passes on unmet demand`() {
        let source = Source()
        let other = Source(.unruly)
        let recorder = Recorder(demand: .max(3))
        source.catch { _ in other }.subscribe(recorder)
        source.send(1)
        source.send(completion: .failure(TestError(1)))
        #expect(other.latest?.requests == [.max(2)])
        other.send(2)
        other.send(completion: .finished)
        #expect(recorder.values == [1, 2])
        #expect(recorder.completion == .finished)
    }

    @Test func `the handler of catch receives the error, and is not called when upstream finishes`() {
        var errors: [TestError] = []
        let recorder = Recorder()
        Fail<Int, TestError>(error: TestError(4)).catch {
            errors.append($0)
            return Just(0).setFailureType(to: TestError.self)
        }.subscribe(recorder)
        Just(1).setFailureType(to: TestError.self).catch {
            errors.append($0)
            return Empty<Int, TestError>()
        }.subscribe(Recorder())
        #expect(errors == [TestError(4)])
        #expect(recorder.values == [0])
    }

    @Test func `a value that replaces an error waits for demand`() {
        let source = Source()
        let recorder = RecordingSubscriber<Int, Never>(demand: .none)
        source.replaceError(with: 9).subscribe(recorder)
        source.send(completion: .failure(TestError()))
        #expect(recorder.values == [])
        #expect(recorder.completion == nil)
        recorder.request(.max(1))
        #expect(recorder.values == [9])
        #expect(recorder.completion == .finished)
    }

    @Test func `append passes unmet demand from the prefix to the suffix`() {
        let (prefix, suffix) = (Source(), Source())
        let recorder = Recorder(demand: .max(3))
        prefix.append(suffix).subscribe(recorder)
        prefix.send(1)
        #expect(suffix.attachments.isEmpty)
        prefix.send(completion: .finished)
        #expect(suffix.latest?.requests == [.max(2)])
        suffix.send(2)
        recorder.request(.max(5))
        #expect(suffix.latest?.requests == [.max(2), .max(5)])
        #expect(prefix.latest?.requests == [.max(3)])
    }

    @Test func `append releases the prefix once the suffix has begun`() {
        let probe = LifetimeProbe()
        let suffix = Source()
        let recorder = Recorder()
        do {
            let prefix = Source()
            prefix.append(suffix).subscribe(recorder)
            if let attachment = prefix.latest { probe.watch(attachment, as: "the subscription to the prefix") }
            prefix.send(completion: .finished)
        }
        #expect(probe.alive == [])
        suffix.send(1)
        #expect(recorder.values == [1])
    }

    @Test func `a failure of the prefix ends the stream without the suffix`() {
        let (prefix, suffix) = (Source(), Source())
        let recorder = Recorder()
        prefix.append(suffix).subscribe(recorder)
        prefix.send(completion: .failure(TestError(5)))
        #expect(recorder.completion == .failure(TestError(5)))
        #expect(suffix.attachments.isEmpty)
    }

    @Test func `a stream cancelled during the prefix requests nothing from the suffix`() {
        let (prefix, suffix) = (Source(.unruly), Source())
        let recorder = Recorder()
        prefix.append(suffix).subscribe(recorder)
        recorder.cancel()
        prefix.send(completion: .finished)
        #expect(suffix.attachments.allSatisfy { $0.cancellations == 1 && $0.requests.isEmpty })
        #expect(recorder.violations == [])
    }
}
