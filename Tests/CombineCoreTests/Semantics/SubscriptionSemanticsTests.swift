import CombineCore
import CombineTesting
import Locking
import Testing

/// Tests of subscriptions, reentrancy, cancellation and completion.
@Suite struct SubscriptionSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, Never>

    @Test func `a sink keeps its first subscription and cancels a second one`() {
        let first = ScriptedPublisher<Int, Never>(.unruly)
        let second = ScriptedPublisher<Int, Never>(.unruly)
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        first.subscribe(sink)
        second.subscribe(sink)
        #expect(first.latest?.cancellations == 0)
        #expect(second.latest?.cancellations == 1)
        #expect(second.latest?.requests == [])
    }

    @Test func `a synchronous stream completes before sink returns its token`() {
        var token: AnyCancellable?
        var got: [Int] = []
        token = [1, 2, 3].publisher.sink {
            got.append($0)
            token?.cancel()
        }
        #expect(got == [1, 2, 3])
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [1, 3])
    func `a request during a delivery neither recurses nor reorders values`(step: Int) {
        let deepest = Lock(0)
        let depth = Lock(0)
        let recorder = Recorder(
            .init(
                demand: .max(1),
                onValue: { recorder, _ in
                    let now = depth.withLock { depth in
                        depth += 1
                        return depth
                    }
                    deepest.withLock { $0 = max($0, now) }
                    recorder.request(.max(step))
                    depth.withLock { $0 -= 1 }
                    return .none
                }))
        (0..<20_000).publisher.subscribe(recorder)
        #expect(recorder.values == Array(0..<20_000))
        #expect(deepest.withLock { $0 } == 1)
    }

    @Test func `a single value is delivered once even if its subscriber requests more during the delivery`() {
        let recorder = Recorder(
            .init(
                demand: .max(1),
                onValue: { recorder, _ in
                    recorder.request(.unlimited)
                    return .none
                }))
        Just(1).subscribe(recorder)
        #expect(recorder.values == [1])
        #expect(recorder.completions.count == 1)
    }

    @Test func `a value sent during a delivery reaches all subscribers before that delivery continues`() {
        let subject = PassthroughSubject<Int, Never>()
        var log: [String] = []
        let first = subject.sink { value in
            log.append("a\(value)")
            if value == 1 { subject.send(2) }
        }
        let second = subject.sink { log.append("b\($0)") }
        subject.send(1)
        #expect(log == ["a1", "a2", "b2", "b1"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a subscriber added during a send does not receive that value`() {
        let subject = PassthroughSubject<Int, Never>()
        var got: [Int] = []
        var tokens = Set<AnyCancellable>()
        subject.sink { value in
            if value == 1 { subject.sink { got.append($0) }.store(in: &tokens) }
        }.store(in: &tokens)
        subject.send(1)
        #expect(got == [])
        subject.send(2)
        #expect(got == [2])
    }

    @Test func `a subscriber cancelled during a send receives no more values`() {
        let subject = PassthroughSubject<Int, Never>()
        var got: [Int] = []
        var later: AnyCancellable?
        let first = subject.sink { _ in later?.cancel() }
        later = subject.sink { got.append($0) }
        subject.send(1)
        #expect(got == [])
        withExtendedLifetime((first, later)) {}
    }

    @Test(arguments: [2, 3, 50])
    func `a subject delivers to its subscribers in the order of their subscriptions`(count: Int) {
        let passthrough = PassthroughSubject<Int, Never>()
        let current = CurrentValueSubject<Int, Never>(0)
        let model = Model()
        var order: [Int] = []
        var tokens: [AnyCancellable] = []
        for number in 0..<count {
            passthrough.sink { _ in order.append(number) }.store(in: &tokens)
            current.dropFirst().sink { _ in order.append(number) }.store(in: &tokens)
            model.$value.dropFirst().sink { _ in order.append(number) }.store(in: &tokens)
            model.objectWillChange.sink { order.append(number) }.store(in: &tokens)
        }
        passthrough.send(1)
        current.send(1)
        model.value = 1
        let each = Array(0..<count)
        #expect(order == each + each + each + each)
    }

    @Test func `the order of delivery is kept when subscribers are added and removed`() {
        let subject = PassthroughSubject<Int, Never>()
        var order: [Int] = []
        var tokens: [Int: AnyCancellable] = [:]
        for number in 0..<40 { tokens[number] = subject.sink { _ in order.append(number) } }
        for number in 0..<40 where number % 3 != 0 { tokens[number] = nil }
        for number in 40..<44 { tokens[number] = subject.sink { _ in order.append(number) } }
        subject.send(1)
        #expect(order == (0..<40).filter { $0 % 3 == 0 } + [40, 41, 42, 43])
    }

    @Test func `an object that a cancellation deallocates may use the subject from its deinit`() {
        let subject = PassthroughSubject<Int, Never>()
        let echo = PassthroughSubject<Int, Never>()
        var got: [Int] = []
        let listener = echo.sink { got.append($0) }
        let token = subject.sink { [object = OnDeinit { echo.send(subject.zeroAfterUse) }] _ in object.touch() }
        token.cancel()
        #expect(got == [0])
        withExtendedLifetime(listener) {}
    }

    @Test func `a replaced value may send to a subject from its deinit`() {
        var seen: [Int] = []
        let numbers = PassthroughSubject<Int, Never>()
        let listener = numbers.sink { seen.append($0) }
        let subject = CurrentValueSubject<OnDeinit?, Never>(OnDeinit { numbers.send(1) })
        subject.send(OnDeinit { numbers.send(2) })
        #expect(seen == [1])
        subject.value = nil
        #expect(seen == [1, 2])
        withExtendedLifetime(listener) {}
    }

    @Test func `a cancellation during a delivery takes effect immediately and may be repeated`() {
        let source = ScriptedPublisher<Int, Never>(.unruly)
        let recorder = Recorder(
            .init(onValue: { recorder, _ in
                let subscription = recorder.subscription
                recorder.cancel()
                subscription?.cancel()
                return .max(5)
            }))
        source.tryMap { $0 }.ignoreFailure().subscribe(recorder)
        #expect(source.send(1) == .max(5))
        #expect(source.send(2) == Subscribers.Demand.none)
        #expect(source.latest?.cancellations == 1)
        #expect(recorder.values == [1])
    }

    @Test func `a completed subject ignores sent values and replays its completion to late subscribers`() {
        let subject = PassthroughSubject<Int, TestError>()
        let early = RecordingSubscriber<Int, TestError>()
        subject.subscribe(early)
        subject.send(completion: .failure(TestError(1)))
        subject.send(1)
        subject.send(completion: .finished)
        let late = RecordingSubscriber<Int, TestError>()
        subject.subscribe(late)
        #expect(early.events.map(\.description) == ["subscription(PassthroughSubject)", "failure(TestError(1))"])
        #expect(late.events.map(\.description) == ["subscription(Empty)", "failure(TestError(1))"])
    }

    @Test func `a completed current value subject stores its value but does not deliver it`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        subject.send(completion: .finished)
        subject.send(2)
        subject.value = 3
        let late = Recorder()
        subject.subscribe(late)
        #expect(subject.value == 3)
        #expect(late.events.map(\.description) == ["subscription(Empty)", "finished"])
    }

    private final class Model: ObservableObject {
        @Published var value = 0
    }
}

extension PassthroughSubject {
    /// Uses the subject from inside a `deinit`, and returns zero.
    fileprivate var zeroAfterUse: Int {
        send(subscription: Subscriptions.empty)
        return 0
    }
}

extension Publisher where Failure == any Error {
    /// Replaces a failure, which the test does not expect, with a finish, so that a subscriber that cannot fail fits.
    fileprivate func ignoreFailure() -> Publishers.Catch<Self, Empty<Output, Never>> {
        self.catch { _ in Empty() }
    }
}

/// Runs a closure when it is deallocated.
final class OnDeinit {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    func touch() {}

    deinit {
        action()
    }
}
