import CombineCore
import CombineTesting
import Testing

/// Tests of the behaviour that passthrough and current value subjects share, and of their differences.
@Suite struct SubjectTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>

    /// One of the two kinds of subject.
    struct Kind: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable () -> any Subject<Int, TestError>
    }

    static let kinds = [
        Kind(description: "PassthroughSubject") { PassthroughSubject<Int, TestError>() },
        Kind(description: "CurrentValueSubject") { CurrentValueSubject<Int, TestError>(0) },
    ]

    private func attach(_ recorder: Recorder, to subject: any Subject<Int, TestError>) {
        subject.subscribe(recorder)
    }

    @Test(arguments: kinds)
    func `a subject delivers its completion in the order of the subscriptions`(kind: Kind) {
        let subject = kind.make()
        var order: [Int] = []
        var tokens: [AnyCancellable] = []
        for number in 0..<10 {
            subject.sink(receiveCompletion: { _ in order.append(number) }, receiveValue: { _ in }).store(in: &tokens)
        }
        subject.send(completion: .finished)
        #expect(order == Array(0..<10))
    }

    @Test func `a value set after the completion is stored but not sent`() {
        let subject = CurrentValueSubject<Int, TestError>(1)
        let recorder = Recorder()
        attach(recorder, to: subject)
        subject.send(completion: .finished)
        subject.send(2)
        #expect(subject.value == 1)
        subject.value = 3
        #expect(subject.value == 3)
        #expect(recorder.values == [1])
    }

    @Test func `an object will change publisher delivers without demand`() {
        let publisher = ObservableObjectPublisher()
        let recorder = RecordingSubscriber<Void, Never>(demand: .none)
        publisher.subscribe(recorder)
        publisher.send()
        recorder.request(.none)
        publisher.send()
        #expect(recorder.values.count == 2)
        recorder.cancel()
        publisher.send()
        #expect(recorder.values.count == 2)
    }

    @Test(arguments: kinds)
    func `a subject delivers a failure with its error`(kind: Kind) {
        let subject = kind.make()
        let recorder = Recorder()
        attach(recorder, to: subject)
        subject.send(completion: .failure(TestError(6)))
        #expect(recorder.completion == .failure(TestError(6)))
    }

    @Test(arguments: kinds)
    func `a subscriber may cancel itself and others during the completion`(kind: Kind) {
        let subject = kind.make()
        var tokens: [AnyCancellable] = []
        var ends = 0
        for _ in 0..<3 {
            subject.sink(
                receiveCompletion: { _ in
                    ends += 1
                    tokens.removeAll()
                }, receiveValue: { _ in }
            ).store(in: &tokens)
        }
        subject.send(completion: .finished)
        // The first one cancels the others before their turn.
        #expect(ends == 1)
    }

    @Test(arguments: kinds)
    func `a subject may be completed during the delivery of a value`(kind: Kind) {
        let subject = kind.make()
        let first = Recorder(
            .init(onValue: { _, value in
                if value == 1 { subject.send(completion: .finished) }
                return .none
            }))
        let second = Recorder()
        attach(first, to: subject)
        attach(second, to: subject)
        subject.send(1)
        #expect(first.completions.count == 1)
        #expect(second.completions.count == 1)
        // The completion overtakes the value, so the value never reaches the second subscriber.
        #expect(!second.values.contains(1))
        #expect(first.violations + second.violations == [])
    }

    @Test(arguments: kinds)
    func `a subject accepts values from a publisher and from direct calls`(kind: Kind) {
        let subject = kind.make()
        let recorder = Recorder()
        attach(recorder, to: subject)
        let source = ScriptedPublisher<Int, TestError>()
        source.subscribe(AnySubscriber(Relay(subject)))
        #expect(source.latest?.requests == [.unlimited])
        source.send(1)
        subject.send(2)
        source.send(completion: .finished)
        #expect(recorder.values.suffix(2) == [1, 2])
        #expect(recorder.completion == .finished)
    }

    /// A concrete subject that forwards to a subject of unknown type.
    private final class Relay: Subject {
        typealias Output = Int
        typealias Failure = TestError
        let subject: any Subject<Int, TestError>

        init(_ subject: any Subject<Int, TestError>) {
            self.subject = subject
        }

        func send(_ value: Int) { subject.send(value) }
        func send(completion: Subscribers.Completion<TestError>) { subject.send(completion: completion) }
        func send(subscription: any Subscription) { subject.send(subscription: subscription) }
        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
            subject.receive(subscriber: subscriber)
        }
    }

    @Test func `a passthrough subject requests from its upstreams when it first has demand`() {
        let subject = PassthroughSubject<Int, TestError>()
        let source = ScriptedPublisher<Int, TestError>()
        let token = source.subscribe(subject)
        #expect(source.latest?.requests == [])
        let recorder = Recorder(demand: .none)
        subject.subscribe(recorder)
        #expect(source.latest?.requests == [])
        recorder.request(.max(2))
        #expect(source.latest?.requests == [.unlimited])
        let late = ScriptedPublisher<Int, TestError>()
        let other = late.subscribe(subject)
        #expect(late.latest?.requests == [.unlimited])
        withExtendedLifetime((token, other)) {}
    }

    @Test func `a current value subject requests from its upstreams immediately`() {
        let subject = CurrentValueSubject<Int, TestError>(0)
        let source = ScriptedPublisher<Int, TestError>()
        let token = source.subscribe(subject)
        #expect(source.latest?.requests == [.unlimited])
        source.send(4)
        #expect(subject.value == 4)
        token.cancel()
        #expect(source.latest?.cancellations == 1)
        source.send(5)
        #expect(subject.value == 4)
    }

    @Test func `a deallocated subject cancels its upstream subscriptions`() {
        final class Held: Subscription {
            var cancellations = 0
            func request(_ demand: Subscribers.Demand) {}
            func cancel() { cancellations += 1 }
        }
        let held = [Held(), Held()]
        do {
            let passthrough = PassthroughSubject<Int, Never>()
            passthrough.send(subscription: held[0])
            let current = CurrentValueSubject<Int, Never>(1)
            current.send(subscription: held[1])
        }
        #expect(held.map(\.cancellations) == [1, 1])
    }

    @Test func `an event without a value can be sent`() {
        let subject = PassthroughSubject<Void, Never>()
        var count = 0
        let token = subject.sink { count += 1 }
        subject.send()
        subject.send(())
        #expect(count == 2)
        withExtendedLifetime(token) {}
    }

    @Test func `a current value subject delivers its value to each new subscriber`() {
        let subject = CurrentValueSubject<Int, TestError>(1)
        let first = Recorder()
        subject.subscribe(first)
        subject.value = 2
        let second = Recorder()
        subject.subscribe(second)
        #expect(first.values == [1, 2])
        #expect(second.values == [2])
        #expect(subject.value == 2)
    }

    @Test func `a current value subject already has the new value while it is sent`() {
        let subject = CurrentValueSubject<Int, TestError>(0)
        var seen: [Int] = []
        let token = subject.sink(receiveCompletion: { _ in }, receiveValue: { seen += [$0, subject.value] })
        subject.send(3)
        #expect(seen == [0, 0, 3, 3])
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [1, 2, 9, 100])
    func `any number of subscribers may cancel in any order`(count: Int) {
        let subject = PassthroughSubject<Int, TestError>()
        let recorders = (0..<count).map { _ in Recorder() }
        for recorder in recorders { subject.subscribe(recorder) }
        // A permutation: a step that has no factor in common with any of the counts.
        let order = (0..<count).map { ($0 * 7) % count }
        for index in order {
            subject.send(index)
            recorders[index].cancel()
        }
        subject.send(-1)
        for (turn, index) in order.enumerated() where Set(order).count == count {
            #expect(recorders[index].values == Array(order.prefix(turn + 1)))
        }
    }

    @Test func `subscriptions of subjects describe themselves`() {
        #expect(PassthroughSubject<Int, Never>().description == "PassthroughSubject")
        #expect(CurrentValueSubject<Int, Never>(1).description == "CurrentValueSubject")
    }
}
