import CombineCore
import CombineTesting
import Foundation
import StackTesting
import Testing

/// A quarter of the stack of a shared thread, in bytes. Not in the suite: its own trait must not refer to it.
private let quarterOfStack = 2 << 20

/// Tests that recursive streams do not overflow the stack.
@Suite(.smallStack(bytes: quarterOfStack)) struct DepthSemanticsTests {
    // With 105 bytes per step, these would exceed the gauge's limit, which a delivery through several functions does. The
    // gauge does not see the deallocation of a chain: with 210 bytes per step, it would overflow the small stack.
    private static let steps = 10_000
    private let gauge = StackGauge()

    /// Counts the values and measures the stack depth at each.
    private func run(_ publisher: some Publisher<Int, TestError>) -> (values: Int, last: Int?, isFinished: Bool) {
        var (values, last, isFinished) = (0, Int?.none, false)
        let gauge = gauge
        let token = publisher.sink(
            receiveCompletion: { if case .finished = $0 { isFinished = true } },
            receiveValue: {
                gauge.read()
                values += 1
                last = $0
            })
        withExtendedLifetime(token) {}
        #expect(gauge.growth < Battery.stackLimit)
        return (values, last, isFinished)
    }

    private func just(_ value: Int) -> AnyPublisher<Int, TestError> {
        Just(value).setFailureType(to: TestError.self).eraseToAnyPublisher()
    }

    private var failure: AnyPublisher<Int, TestError> {
        Fail(error: TestError()).eraseToAnyPublisher()
    }

    @Test func `these tests run on a small stack`() {
        #expect(Thread.current.stackSize == quarterOfStack)
    }

    @Test func `a retry that fails repeatedly does not overflow the stack`() {
        var attempts = 0
        let publisher = Deferred { () -> AnyPublisher<Int, TestError> in
            attempts += 1
            gauge.read()
            return attempts > Self.steps
                ? just(7) : attempts.isMultiple(of: 2) ? failure : just(1).append(failure).eraseToAnyPublisher()
        }
        let result = run(publisher.retry(Self.steps))
        #expect(result.values == Self.steps / 2 + 1)
        #expect(result.last == 7 && result.isFinished)
    }

    @Test func `a recursive catch does not overflow the stack`() {
        func attempt(_ number: Int) -> AnyPublisher<Int, TestError> {
            gauge.read()
            return (number < Self.steps ? failure : just(number)).catch { _ in attempt(number + 1) }
                .eraseToAnyPublisher()
        }
        let result = run(attempt(0))
        #expect(result.values == 1 && result.last == Self.steps && result.isFinished)
    }

    @Test func `a recursive catch that delivers values does not overflow the stack`() {
        func attempt(_ number: Int) -> AnyPublisher<Int, TestError> {
            gauge.read()
            if number == Self.steps { return just(number) }
            return just(number).append(failure).catch { _ in Deferred { attempt(number + 1) } }.eraseToAnyPublisher()
        }
        let result = run(attempt(1))
        #expect(result.values == Self.steps && result.last == Self.steps && result.isFinished)
    }

    @Test func `a recursive tryCatch does not overflow the stack`() {
        func attempt(_ number: Int) -> AnyPublisher<Int, any Error> {
            gauge.read()
            let source = number < Self.steps ? failure : just(number)
            return source.tryCatch { _ in attempt(number + 1) }.eraseToAnyPublisher()
        }
        let result = run(attempt(0).mapError { $0 as? TestError ?? TestError() })
        #expect(result.values == 1 && result.last == Self.steps && result.isFinished)
    }

    @Test func `a recursive flatMap does not overflow the stack`() {
        func step(_ number: Int) -> AnyPublisher<Int, TestError> {
            gauge.read()
            if number == Self.steps { return just(number) }
            return just(number).flatMap { step($0 + 1) }.eraseToAnyPublisher()
        }
        let result = run(step(0))
        #expect(result.values == 1 && result.last == Self.steps && result.isFinished)
    }

    @Test func `a recursive flatMap that delivers values does not overflow the stack`() {
        func step(_ number: Int) -> AnyPublisher<Int, TestError> {
            gauge.read()
            if number == Self.steps { return just(number) }
            return just(number).flatMap { value in just(value).append(Deferred { step(value + 1) }) }
                .eraseToAnyPublisher()
        }
        let result = run(step(1))
        #expect(result.values == Self.steps && result.last == Self.steps && result.isFinished)
    }

    @Test func `a recursive switchToLatest does not overflow the stack`() {
        func step(_ number: Int) -> AnyPublisher<Int, TestError> {
            gauge.read()
            if number == Self.steps { return just(number) }
            return just(number).map { step($0 + 1) }.switchToLatest().eraseToAnyPublisher()
        }
        let result = run(step(0))
        #expect(result.values == 1 && result.last == Self.steps && result.isFinished)
    }

    @Test func `a recursive append does not overflow the stack`() {
        func numbers(_ first: Int) -> AnyPublisher<Int, TestError> {
            gauge.read()
            if first == Self.steps { return just(first) }
            return just(first).append(Deferred { numbers(first + 1) }).eraseToAnyPublisher()
        }
        let result = run(numbers(1))
        #expect(result.values == Self.steps && result.last == Self.steps && result.isFinished)
    }

    @Test func `a long chain of appends does not overflow the stack`() {
        var chain = just(1)
        for number in 2...Self.steps { chain = chain.append(number).eraseToAnyPublisher() }
        let result = run(chain)
        #expect(result.values == Self.steps && result.last == Self.steps && result.isFinished)
    }

    @Test func `a long chain of prepends does not overflow the stack`() {
        var chain = just(Self.steps)
        for number in 1..<Self.steps { chain = chain.prepend(Self.steps - number).eraseToAnyPublisher() }
        let result = run(chain)
        #expect(result.values == Self.steps && result.last == Self.steps && result.isFinished)
    }

    @Test func `a long chain of appends with a demand of one value at a time does not overflow the stack`() {
        var chain = just(1)
        for number in 2...Self.steps { chain = chain.append(just(number)).eraseToAnyPublisher() }
        let recorder = RecordingSubscriber<Int, TestError>(
            .init(
                demand: .max(1),
                onValue: { [gauge] _, _ in
                    gauge.read()
                    return .max(1)
                }))
        chain.subscribe(recorder)
        #expect(recorder.values.count == Self.steps)
        #expect(recorder.completion == .finished)
        #expect(recorder.violations == [])
        #expect(gauge.growth < Battery.stackLimit)
    }

    @Test func `a recursive chain stops when it is cancelled`() {
        var chain = just(1)
        for number in 2...1_000 { chain = chain.append(number).eraseToAnyPublisher() }
        #expect(run(chain.prefix(500)).values == 500)
        func numbers(_ first: Int) -> AnyPublisher<Int, TestError> {
            just(first).append(Deferred { numbers(first + 1) }).eraseToAnyPublisher()
        }
        #expect(run(numbers(1).prefix(Self.steps)).values == Self.steps)
    }

    @Test func `a recursive flatMap inside a zero delay does not overflow the stack`() {
        func step(_ number: Int) -> AnyPublisher<Int, TestError> {
            gauge.read()
            if number == Self.steps { return just(number) }
            return just(number).delay(for: 0, scheduler: ImmediateScheduler.shared)
                .flatMap { step($0 + 1) }.eraseToAnyPublisher()
        }
        let result = run(step(0))
        #expect(result.values == 1 && result.last == Self.steps && result.isFinished)
    }

    @Test(arguments: [
        "plain", "delay", "flatMap", "switchToLatest", "retry", "catch", "append", "merge", "zip", "share",
    ])
    func `a stream that feeds itself keeps the order of its values`(name: String) {
        let subject = PassthroughSubject<Int, TestError>()
        let upstream = subject.eraseToAnyPublisher()
        let ones = Publishers.Sequence<Range<Int>, TestError>(sequence: 0..<Self.steps + 1)
        let publishers: [String: AnyPublisher<Int, TestError>] = [
            "plain": upstream,
            "delay": upstream.delay(for: 0, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher(),
            "flatMap": upstream.flatMap { just($0) }.eraseToAnyPublisher(),
            "switchToLatest": upstream.map { just($0) }.switchToLatest().eraseToAnyPublisher(),
            "retry": upstream.retry(3).eraseToAnyPublisher(),
            "catch": upstream.catch { _ in just(0) }.eraseToAnyPublisher(),
            "append": Empty().append(upstream).eraseToAnyPublisher(),
            "merge": upstream.merge(with: Empty()).eraseToAnyPublisher(),
            "zip": upstream.zip(ones) { value, _ in value }.eraseToAnyPublisher(),
            "share": upstream.share().eraseToAnyPublisher(),
        ]
        var values: [Int] = []
        let gauge = gauge
        let token = publishers[name]?.sink(
            receiveCompletion: { _ in },
            receiveValue: { value in
                gauge.read()
                values.append(value)
                if value < Self.steps { subject.send(value + 1) }
            })
        subject.send(1)
        #expect(values == Array(1...Self.steps))
        #expect(gauge.growth < Battery.stackLimit)
        withExtendedLifetime(token) {}
    }

    @Test func `a value sent during a delivery is delivered before send returns, as in Apple's Combine`() {
        let subject = PassthroughSubject<Int, Never>()
        var log: [String] = []
        let token = subject.sink { value in
            log.append("begin \(value)")
            if value < 40 { subject.send(value + 1) }
            log.append("end \(value)")
        }
        subject.send(1)
        #expect(log == (1...40).map { "begin \($0)" } + (1...40).reversed().map { "end \($0)" })
        withExtendedLifetime(token) {}
    }

    @Test func `every value sent during deliveries is delivered once, and so is the completion`() {
        for subject: any Subject<Int, TestError> in [
            PassthroughSubject<Int, TestError>(), CurrentValueSubject<Int, TestError>(0),
        ] {
            var values: [Int] = []
            var (sent, completions) = (0, 0)
            func next() -> Int {
                sent += 1
                return sent
            }
            let token = subject.eraseToAnyPublisher().filter { $0 > 0 }.sink(
                receiveCompletion: { _ in completions += 1 },
                receiveValue: { value in
                    values.append(value)
                    for _ in 0..<2 where sent < 1_000 { subject.send(next()) }
                    if value == 1_000 { subject.send(completion: .finished) }
                })
            subject.send(next())
            #expect(values.sorted() == Array(1...1_000))
            #expect(completions == 1)
            withExtendedLifetime(token) {}
        }
    }

    @Test func `a property that sets itself delivers each nested value once`() {
        let property = Published(wrappedValue: 0)
        var values: [Int] = []
        let token = property.projectedValue.sink { value in
            values.append(value)
            if value < 10_000 { property.wrappedValue = value + 1 }
        }
        #expect(values.count == 10_001)
        #expect(values.first == 0 && values.sorted() == Array(0...10_000))
        withExtendedLifetime(token) {}
    }

    @Test func `a cancellation drops values that are waiting for delivery`() {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        var token: AnyCancellable?
        token = subject.sink { value in
            values.append(value)
            if value < 1_000 { subject.send(value + 1) }
            if value == 500 { token?.cancel() }
        }
        subject.send(1)
        #expect(values.count < 1_000 && values == Array(1...values.count))
        subject.send(1)
        #expect(values.count < 1_000)
    }
}
