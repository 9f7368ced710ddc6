import CombineCore
import CombineTesting
import Dispatch
import Locking
import Testing

/// Tests that several threads can use one stream without lost values, overlapping deliveries or deadlocks.
@Suite struct ThreadSafetyTests {
    typealias Recorder = RecordingSubscriber<Int, Never>
    static let count = 300

    /// A stream that delivers every value of two subjects, on whichever thread it is sent.
    struct Combination: Sendable, CustomStringConvertible {
        let description: String
        let join: @Sendable (PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>) -> AnyPublisher<Int, Never>
    }

    static let combinations: [Combination] = [
        Combination(description: "merge") { $0.merge(with: $1).eraseToAnyPublisher() },
        Combination(description: "merge of many") { Publishers.MergeMany([$0, $1]).eraseToAnyPublisher() },
        Combination(description: "flatMap") { a, b in
            [a, b].publisher.flatMap { $0 }.eraseToAnyPublisher()
        },
        Combination(description: "share") { $0.merge(with: $1).share().eraseToAnyPublisher() },
        Combination(description: "receive(on:)") {
            $0.merge(with: $1).receive(on: ImmediateScheduler.shared).eraseToAnyPublisher()
        },
        Combination(description: "buffer") {
            $0.merge(with: $1).buffer(size: 2_000, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
        },
        Combination(description: "scan") { $0.merge(with: $1).scan(0) { $0 + $1 * 0 + 1 }.eraseToAnyPublisher() },
        Combination(description: "one subject fed by both") { a, b in
            Feeding(a, b).eraseToAnyPublisher()
        },
    ]

    /// A publisher that feeds two others into its own subject.
    struct Feeding: Publisher {
        typealias Output = Int
        typealias Failure = Never
        let sources: [PassthroughSubject<Int, Never>]

        init(_ sources: PassthroughSubject<Int, Never>...) {
            self.sources = sources
        }

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            let subject = PassthroughSubject<Int, Never>()
            let tokens = sources.map { $0.subscribe(subject) }
            subject.handleEvents(receiveCancel: { for token in tokens { token.cancel() } })
                .subscribe(subscriber)
        }
    }

    @Test(arguments: combinations)
    func `deliveries of values from two threads do not overlap, and no value is lost`(combination: Combination) {
        let subjects = Shared([PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()])
        let recorder = Recorder()
        combination.join(subjects.value[0], subjects.value[1]).subscribe(recorder)
        onThreads(2) { index in
            for value in 0..<Self.count { subjects.value[index].send(value) }
        }
        #expect(recorder.values.count == 2 * Self.count)
        #expect(recorder.violations == [])
        recorder.cancel()
    }

    @Test(arguments: combinations)
    func `a cancellation while two threads send stops all deliveries`(combination: Combination) {
        let subjects = Shared([PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()])
        let recorder = Recorder()
        combination.join(subjects.value[0], subjects.value[1]).subscribe(recorder)
        onThreads(3) { index in
            if index == 2 { return recorder.cancel() }
            for value in 0..<Self.count { subjects.value[index].send(value) }
        }
        let before = recorder.values.count
        subjects.value[0].send(1)
        #expect(recorder.values.count == before)
        #expect(recorder.violations.allSatisfy { $0 == .valueAfterCancellation })
    }

    @Test func `zip pairs the values of two threads in order`() {
        let subjects = Shared([PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()])
        let recorder = RecordingSubscriber<[Int], Never>()
        subjects.value[0].zip(subjects.value[1]) { [$0, $1] }.subscribe(recorder)
        onThreads(2) { index in
            for value in 0..<Self.count { subjects.value[index].send(value) }
        }
        #expect(recorder.values == (0..<Self.count).map { [$0, $0] })
        #expect(recorder.violations == [])
    }

    @Test func `combineLatest ends with the latest values of two threads`() {
        let subjects = Shared([CurrentValueSubject<Int, Never>(-1), CurrentValueSubject<Int, Never>(-1)])
        let recorder = RecordingSubscriber<[Int], Never>()
        subjects.value[0].combineLatest(subjects.value[1]) { [$0, $1] }.subscribe(recorder)
        onThreads(2) { index in
            for value in 0..<Self.count { subjects.value[index].send(value) }
        }
        #expect(recorder.values.last == [Self.count - 1, Self.count - 1])
        #expect(recorder.values.count == 2 * Self.count + 1)
        #expect(recorder.violations == [])
    }

    @Test func `switchToLatest follows one publisher at a time while another thread switches it`() {
        let outer = Shared(PassthroughSubject<AnyPublisher<Int, Never>, Never>())
        let inner = Shared(PassthroughSubject<Int, Never>())
        let recorder = Recorder()
        outer.value.switchToLatest().subscribe(recorder)
        onThreads(2) { index in
            for value in 0..<Self.count {
                if index == 0 { outer.value.send(inner.value.eraseToAnyPublisher()) } else { inner.value.send(value) }
            }
        }
        #expect(recorder.violations == [])
        let before = recorder.values.count
        inner.value.send(1)
        #expect(recorder.values.count == before + 1)
    }

    @Test func `subscribers may be added and removed while values are sent`() {
        let subject = Shared(PassthroughSubject<Int, Never>())
        let steady = Recorder()
        subject.value.subscribe(steady)
        onThreads(4) { index in
            for value in 0..<Self.count {
                if index < 2 {
                    subject.value.send(value)
                } else {
                    let passing = Recorder()
                    subject.value.subscribe(passing)
                    passing.cancel()
                }
            }
        }
        #expect(steady.values.count == 2 * Self.count)
        #expect(steady.violations == [])
    }

    @Test func `a current value subject has the value of one of its senders`() {
        let subject = Shared(CurrentValueSubject<Int, Never>(0))
        let recorder = Recorder()
        subject.value.subscribe(recorder)
        onThreads(2) { index in
            for value in 1...Self.count { subject.value.value = value * 2 + index }
        }
        #expect(recorder.values.count == 2 * Self.count + 1)
        #expect([Self.count * 2, Self.count * 2 + 1].contains(subject.value.value))
        #expect(recorder.violations == [])
    }

    @Test func `a published property may be set and read by several threads`() {
        let model = Shared(Model())
        let recorder = Recorder()
        let announced = Lock(0)
        model.value.$count.subscribe(recorder)
        let token = model.value.objectWillChange.sink { announced.withLock { $0 += 1 } }
        onThreads(3) { index in
            for value in 0..<Self.count {
                if index < 2 { model.value.count = value } else { _ = model.value.count }
            }
        }
        #expect(recorder.values.count == 2 * Self.count + 1)
        #expect(announced.withLock { $0 } == 2 * Self.count)
        #expect(recorder.violations == [])
        withExtendedLifetime(token) {}
    }

    private final class Model: ObservableObject {
        @Published var count = 0
    }

    @Test func `objectWillChange is the same publisher on all threads`() {
        for _ in 0..<50 {
            let model = Shared(Model())
            let seen = Lock<Set<ObjectIdentifier>>([])
            onThreads(3) { _ in
                let publisher = model.value.objectWillChange
                seen.withLock { _ = $0.insert(ObjectIdentifier(publisher)) }
                withExtendedLifetime(publisher) {}
            }
            #expect(seen.withLock { $0.count } == 1)
        }
    }

    @Test func `a token that several threads cancel runs its cancellation once`() {
        for _ in 0..<100 {
            let count = Lock(0)
            let token = Shared(AnyCancellable { count.withLock { $0 += 1 } })
            onThreads(3) { _ in token.value.cancel() }
            #expect(count.withLock { $0 } == 1)
        }
    }

    @Test func `a future delivers to subscribers from before and after it is fulfilled`() {
        for _ in 0..<100 {
            let promise = Lock<Shared<Future<Int, Never>.Promise>?>(nil)
            let future = Shared(Future<Int, Never> { given in promise.withLock { $0 = Shared(given) } })
            let recorders = (0..<3).map { _ in Recorder() }
            onThreads(4) { index in
                if index == 3 {
                    promise.withLock { $0 }?.value(.success(7))
                } else {
                    future.value.subscribe(recorders[index])
                }
            }
            #expect(recorders.map(\.values) == [[7], [7], [7]])
            #expect(recorders.flatMap(\.violations) == [])
        }
    }

    @Test func `a future that fails during a subscription delivers the subscription first`() {
        for _ in 0..<100 {
            let promise = Lock<Shared<Future<Int, TestError>.Promise>?>(nil)
            let future = Shared(Future<Int, TestError> { given in promise.withLock { $0 = Shared(given) } })
            let recorder = RecordingSubscriber<Int, TestError>(demand: .none)
            onThreads(2) { index in
                if index == 0 {
                    promise.withLock { $0 }?.value(.failure(TestError(1)))
                } else {
                    future.value.subscribe(recorder)
                }
            }
            #expect(recorder.completion == .failure(TestError(1)))
            #expect(recorder.violations == [])
        }
    }

    @Test func `a shared stream connects and disconnects with subscribers on several threads`() {
        let source = ScriptedPublisher<Int, Never>()
        let shared = Shared(source.share())
        onThreads(3) { _ in
            for _ in 0..<100 {
                let recorder = Recorder()
                shared.value.subscribe(recorder)
                recorder.cancel()
            }
        }
        #expect(source.attachments.allSatisfy { $0.cancellations == 1 })
        let recorder = Recorder()
        shared.value.subscribe(recorder)
        source.send(5)
        #expect(recorder.values == [5])
    }

    @Test func `a sequence that several threads request from delivers each value once`() {
        let recorder = Recorder(demand: .none)
        (0..<900).publisher.subscribe(recorder)
        onThreads(3) { _ in
            for _ in 0..<300 { recorder.request(.max(1)) }
        }
        #expect(recorder.values == Array(0..<900))
        #expect(recorder.completions.count == 1)
        #expect(recorder.violations == [])
    }

    @Test func `flatMap buffers values that children send on several threads until there is demand`() {
        let subjects = Shared((0..<3).map { _ in PassthroughSubject<Int, Never>() })
        let recorder = Recorder(demand: .none)
        subjects.value.publisher.flatMap { $0.buffer(size: 500, prefetch: .byRequest, whenFull: .dropNewest) }
            .subscribe(recorder)
        onThreads(4) { index in
            for value in 0..<100 {
                if index == 3 { recorder.request(.max(3)) } else { subjects.value[index].send(value) }
            }
        }
        recorder.request(.max(300))
        #expect(recorder.values.count == 300)
        #expect(recorder.violations == [])
    }

    @Test func `a merge with bounded demand buffers values that threads send early`() {
        let subjects = Shared((0..<2).map { _ in PassthroughSubject<Int, Never>() })
        let recorder = Recorder(demand: .none)
        let buffered = subjects.value.map { $0.buffer(size: 500, prefetch: .byRequest, whenFull: .dropNewest) }
        buffered[0].merge(with: buffered[1]).subscribe(recorder)
        onThreads(3) { index in
            for value in 0..<150 {
                if index == 2 { recorder.request(.max(1)) } else { subjects.value[index].send(value) }
            }
        }
        recorder.request(.max(150))
        #expect(recorder.values.count == 300)
        #expect(recorder.violations == [])
    }
}
