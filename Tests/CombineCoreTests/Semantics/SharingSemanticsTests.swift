import CombineCore
import CombineTesting
import Testing

/// Tests of `share` and `multicast`.
@Suite struct SharingSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, Never>
    typealias Source = ScriptedPublisher<Int, Never>

    @Test func `share connects with its first subscriber, disconnects with its last, and can connect again`() {
        let source = Source()
        let shared = source.share()
        #expect(source.attachments.isEmpty)
        let (first, second, third) = (Recorder(), Recorder(), Recorder())
        shared.subscribe(first)
        shared.subscribe(second)
        #expect(source.attachments.count == 1)
        source.send(1)
        first.cancel()
        #expect(source.latest?.cancellations == 0)
        source.send(2)
        second.cancel()
        #expect(source.latest?.cancellations == 1)
        shared.subscribe(third)
        #expect(source.attachments.count == 2)
        source.send(3)
        #expect([first, second, third].map(\.values) == [[1], [1, 2], [3]])
    }

    @Test func `the second subscriber of a shared synchronous source receives only the completion`() {
        let shared = Just(1).share()
        let (first, second) = (Recorder(), Recorder())
        shared.subscribe(first)
        shared.subscribe(second)
        #expect(first.values == [1])
        #expect(second.values == [])
        #expect([first, second].map(\.completion) == [.finished, .finished])
    }

    @Test func `a shared publisher is equal only to itself`() {
        let shared = Just(1).share()
        #expect(shared == shared)
        #expect(shared != Just(1).share())
    }

    @Test func `a shared publisher delivers to its subscribers in the order of their subscriptions`() {
        let source = PassthroughSubject<Int, Never>()
        let shared = source.share()
        var order: [Int] = []
        var tokens: [AnyCancellable] = []
        for number in 0..<20 { shared.sink { _ in order.append(number) }.store(in: &tokens) }
        source.send(1)
        #expect(order == Array(0..<20))
    }

    @Test func `multicast subscribes upstream when it is connected and cancels when it is disconnected`() {
        let source = Source()
        let multicast = source.multicast { PassthroughSubject() }
        let recorder = Recorder()
        multicast.subscribe(recorder)
        #expect(source.attachments.isEmpty)
        let connection = multicast.connect()
        #expect(source.attachments.count == 1)
        source.send(1)
        recorder.cancel()
        #expect(source.latest?.cancellations == 0)
        connection.cancel()
        #expect(source.latest?.cancellations == 1)
        #expect(recorder.values == [1])
    }

    @Test func `a connected multicast without subscribers drops values`() {
        let subject = PassthroughSubject<Int, Never>()
        let multicast = subject.multicast(subject: PassthroughSubject())
        let connection = multicast.connect()
        subject.send(1)
        let recorder = Recorder()
        multicast.subscribe(recorder)
        subject.send(2)
        #expect(recorder.values == [2])
        connection.cancel()
    }

    @Test func `a multicast can be connected again after it was disconnected`() {
        let source = Source()
        let multicast = source.multicast { PassthroughSubject() }
        let recorder = Recorder()
        multicast.subscribe(recorder)
        multicast.connect().cancel()
        let again = multicast.connect()
        source.send(2)
        #expect(recorder.values == [2])
        #expect(source.attachments.map(\.cancellations) == [1, 0])
        again.cancel()
    }

    @Test func `multicast creates its subject once, when it is first needed`() {
        var made = 0
        let multicast = Source().multicast {
            made += 1
            return PassthroughSubject<Int, Never>()
        }
        #expect(made == 0)
        multicast.subscribe(Recorder())
        multicast.subscribe(Recorder())
        multicast.connect().cancel()
        #expect(made == 1)
    }

    @Test func `a connection may be released before or after its multicast`() {
        for connectionFirst in [true, false] {
            var connection: (any Cancellable)?
            var multicast: Publishers.Multicast<Source, PassthroughSubject<Int, Never>>? = Source().multicast {
                PassthroughSubject()
            }
            connection = multicast?.connect()
            if connectionFirst {
                connection?.cancel()
                connection = nil
                multicast = nil
            } else {
                multicast = nil
                connection?.cancel()
            }
            #expect(multicast == nil)
        }
    }

    @Test func `a connection keeps the stream alive until it is cancelled`() {
        let probe = LifetimeProbe()
        let recorder = Recorder()
        var connection: (any Cancellable)?
        let source = Source()
        do {
            let subject = probe.watch(PassthroughSubject<Int, Never>(), as: "the subject")
            let multicast = source.multicast(subject: subject)
            multicast.subscribe(recorder)
            connection = multicast.connect()
        }
        source.send(1)
        #expect(recorder.values == [1])
        #expect(probe.alive == ["the subject"])
        connection?.cancel()
        recorder.cancel()
        #expect(probe.alive == [])
    }

    @Test func `a shared publisher does not connect if its only subscriber cancels while subscribing`() {
        let source = Source()
        source.share().subscribe(Recorder(.init(demand: .none, onSubscription: { $0.cancel() })))
        #expect(source.attachments.isEmpty)
    }

    @Test func `a publisher that is subscribed to again while its first subscriber attaches connects once`() {
        let source = Source()
        let shared = source.share()
        let second = Recorder()
        let first = Recorder(.init(onSubscription: { _ in shared.subscribe(second) }))
        shared.subscribe(first)
        #expect(source.attachments.count == 1)
        source.send(1)
        #expect([first, second].map(\.values) == [[1], [1]])
        second.cancel()
        #expect(source.latest?.cancellations == 0)
        first.cancel()
        #expect(source.latest?.cancellations == 1)
    }

    @Test func `the last subscriber disconnects before it leaves`() {
        var order: [String] = []
        let source = Source()
        let connectable = source.handleEvents(receiveCancel: { order.append("connection") }).multicast {
            PassthroughSubject<Int, Never>()
        }
        let recorder = Recorder()
        Cancelling(connectable) { order.append("subscription") }.autoconnect().subscribe(recorder)
        recorder.cancel()
        #expect(order == ["connection", "subscription"])
    }

    /// A connectable publisher that reports the cancellations of its subscribers.
    private struct Cancelling<Upstream: ConnectablePublisher>: ConnectablePublisher {
        typealias Output = Upstream.Output
        typealias Failure = Upstream.Failure
        let upstream: Upstream
        let onCancel: () -> Void

        init(_ upstream: Upstream, _ onCancel: @escaping () -> Void) {
            self.upstream = upstream
            self.onCancel = onCancel
        }

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.handleEvents(receiveCancel: onCancel).receive(subscriber: subscriber)
        }

        func connect() -> any Cancellable { upstream.connect() }
    }

    @Test func `the token of a connection retains the subject`() {
        let probe = LifetimeProbe()
        let source = Source()
        let connection = source.multicast(
            subject: probe.watch(PassthroughSubject<Int, Never>(), as: "the subject")
        ).connect()
        #expect(probe.alive == ["the subject"])
        #expect(source.latest?.cancellations == 0)
        connection.cancel()
        #expect(probe.alive == [])
        #expect(source.latest?.cancellations == 1)
    }

    @Test func `a subject releases upstream subscriptions that were cancelled or have finished`() throws {
        let subject = PassthroughSubject<Int, Never>()
        let current = CurrentValueSubject<Int, Never>(0)
        var tokens: [AnyCancellable] = []
        for cancels in [true, false, true] {
            let source = Source()
            source.subscribe(subject).store(in: &tokens)
            let other = Source()
            other.subscribe(current).store(in: &tokens)
            if cancels {
                for token in tokens { token.cancel() }
            } else {
                source.send(completion: .finished)
                other.send(completion: .finished)
            }
        }
        for feeds in [Mirror(reflecting: subject), Mirror(reflecting: current)].map({ $0.descendant("upstreams") }) {
            #expect(Mirror(reflecting: try #require(feeds)).children.isEmpty)
        }
    }

    @Test func `a shared stream cancels its upstream each time its only subscriber cancels`() throws {
        let source = Source()
        let shared = source.share()
        for _ in 0..<5 {
            let recorder = Recorder()
            shared.subscribe(recorder)
            recorder.cancel()
        }
        #expect(source.attachments.map(\.cancellations) == [1, 1, 1, 1, 1])
    }
}
