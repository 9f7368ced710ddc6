import CombineCore
import CombineTesting
import Foundation
import FoundationNetworking
import Testing

/// Tests of the descriptions of sources, links and subscribers that the battery does not cover.
@Suite struct DescriptionTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    private final class Root {
        var value = 0
    }

    /// A sequence that is its own iterator.
    private struct Counter: Sequence, IteratorProtocol, CustomStringConvertible {
        var description: String { "Counter" }
        var count = 0

        mutating func next() -> Int? {
            count += 1
            return count > 3 ? nil : count
        }
    }

    private func labels(_ subject: Any?) -> [String?] {
        subject.map { Mirror(reflecting: $0).children.map(\.label) } ?? ["nothing"]
    }

    private func children(_ subject: Any?) -> [String] {
        subject.map { Mirror(reflecting: $0).children.map { "\($0.value)" } } ?? ["nothing"]
    }

    @Test func `the description of an assignment names the type of its object`() {
        let assign = Subscribers.Assign(object: Root(), keyPath: \.value)
        #expect(assign.description == "Assign Root.")
        #expect(assign.playgroundDescription as? String == "Assign Root.")
        #expect(labels(assign) == ["object", "keyPath", "status"])
    }

    @Test func `a data task shows its task, subscriber, publisher and demand`() throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let recorder = RecordingSubscriber<URLSession.DataTaskPublisher.Output, URLError>(demand: .none)
        URLSession.shared.dataTaskPublisher(for: url).subscribe(recorder)
        #expect("\(try #require(recorder.subscription))" == "DataTaskPublisher")
        #expect(labels(recorder.subscription) == ["task", "downstream", "parent", "demand"])
        let held = recorder.subscription
        recorder.cancel()
        #expect(children(held) == ["nil", "nil", "nil", "max(0)"])
    }

    @Test func `a notification subscription shows its centre, name, object and demand`() throws {
        let recorder = RecordingSubscriber<Notification, Never>(demand: .max(2))
        let root = NSObject()
        let name = Notification.Name("DescriptionTests")
        NotificationCenter.default.publisher(for: name, object: root).subscribe(recorder)
        #expect("\(try #require(recorder.subscription))" == "NotificationCenter Observer")
        #expect(labels(recorder.subscription) == ["center", "name", "object", "demand"])
        #expect(children(recorder.subscription).last == "max(2)")
        recorder.cancel()
    }

    @Test func `a sequence subscription has the description of its sequence until it ends`() throws {
        let recorder = RecordingSubscriber<Int, Never>(demand: .none)
        Counter().publisher.subscribe(recorder)
        let subscription = try #require(recorder.subscription)
        #expect("\(subscription)" == "Counter")
        #expect(children(subscription) == ["Counter"])
        recorder.request(.unlimited)
        #expect("\(subscription)" == "Sequence")
        #expect(children(subscription) == ["[]"])
    }

    @Test func `the replacement subscriber of a catch has the same mirror as the first one`() {
        for catching: (Source, Source) -> AnyPublisher<Int, TestError> in [
            { first, second in first.catch { _ in second }.eraseToAnyPublisher() },
            { first, second in
                first.tryCatch { _ in second }.mapError { $0 as? TestError ?? TestError() }.eraseToAnyPublisher()
            },
        ] {
            let (first, second) = (Source(), Source())
            let recorder = Recorder(demand: .max(3))
            catching(first, second).subscribe(recorder)
            first.send(completion: .failure(TestError()))
            #expect(labels(second.latest?.subscriber) == ["downstream", "demand"])
            #expect(children(second.latest?.subscriber).last == "max(3)")
            #expect(["Catch", "TryCatch"].contains(second.latest?.subscriber?.description))
        }
    }

    @Test func `a child of flatMap or switchToLatest shows the subscription it belongs to`() throws {
        for make: (Source, Source) -> AnyPublisher<Int, TestError> in [
            { outer, inner in outer.flatMap { _ in inner }.eraseToAnyPublisher() },
            { outer, inner in outer.map { _ in inner }.switchToLatest().eraseToAnyPublisher() },
        ] {
            let (outer, inner) = (Source(), Source())
            let recorder = Recorder()
            make(outer, inner).subscribe(recorder)
            outer.send(1)
            #expect(labels(inner.latest?.subscriber) == ["parentSubscription"])
            let identifier = try #require(recorder.subscription).combineIdentifier
            #expect(children(inner.latest?.subscriber) == ["\(identifier)"])
        }
    }

    @Test func `autoconnect shows itself to upstream, and upstream's subscription to its subscriber`() throws {
        let source = Source()
        let recorder = Recorder(demand: .none)
        Connected(source).autoconnect().subscribe(recorder)
        let subscriber = source.latest?.subscriber
        #expect(subscriber?.description == "Autoconnect")
        #expect(labels(subscriber) == ["parent", "downstream"])
        #expect("\(try #require(recorder.subscription))" == "Attachment")
        let other = Recorder(demand: .none)
        source.share().subscribe(other)
        #expect("\(try #require(other.subscription))" == "Multicast")
    }

    /// A publisher that is always connected.
    private struct Connected: ConnectablePublisher {
        typealias Output = Int
        typealias Failure = TestError
        let upstream: Source

        init(_ upstream: Source) { self.upstream = upstream }

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
            upstream.receive(subscriber: subscriber)
        }

        func connect() -> any Cancellable { AnyCancellable {} }
    }

    @Test func `a future shows whether anything has been requested`() {
        let recorder = RecordingSubscriber<Int, Never>(demand: .none)
        Future<Int, Never> { _ in }.subscribe(recorder)
        #expect(labels(recorder.subscription) == ["parent", "downstream", "hasAnyDemand", "subject"])
        #expect(children(recorder.subscription)[2] == "false")
        recorder.request(.max(1))
        #expect(children(recorder.subscription)[2] == "true")
        #expect(children(recorder.subscription)[0].contains("Future"))
    }

    @Test func `a property's subscription shows a published subject`() {
        let recorder = RecordingSubscriber<Int, Never>(demand: .none)
        let published = Published(wrappedValue: 1)
        published.projectedValue.subscribe(recorder)
        let shown = children(recorder.subscription)
        #expect(shown[0].contains("PublishedSubject") && shown[3].contains("PublishedSubject"))
    }

    @Test func `a scan shows its last result`() {
        let source = Source()
        source.tryScan(0, +).subscribe(RecordingSubscriber<Int, any Error>())
        #expect(labels(source.latest?.subscriber) == ["downstream", "status", "result"])
        source.send(4)
        #expect(children(source.latest?.subscriber).last == "4")
        let plain = Source()
        plain.scan(0, +).subscribe(Recorder())
        #expect(labels(plain.latest?.subscriber) == ["downstream", "result"])
        plain.send(4)
        #expect(children(plain.latest?.subscriber).last == "4")
    }

    @Test func `a dump of a subscription shows its children and not its superclasses`() throws {
        let (source, subject) = (Source(), PassthroughSubject<Int, TestError>())
        let publishers: [AnyPublisher<Int, TestError>] = [
            Just(1).setFailureType(to: TestError.self).eraseToAnyPublisher(),
            Publishers.Sequence(sequence: [1, 2]).eraseToAnyPublisher(),
            Record(output: [1], completion: .finished).eraseToAnyPublisher(),
            Future { _ in }.eraseToAnyPublisher(), subject.eraseToAnyPublisher(),
            CurrentValueSubject(1).eraseToAnyPublisher(), source.first().eraseToAnyPublisher(),
            source.last().eraseToAnyPublisher(), source.count().eraseToAnyPublisher(),
            source.removeDuplicates().eraseToAnyPublisher(), source.drop { $0 > 3 }.eraseToAnyPublisher(),
            source.collect(2).map(\.count).eraseToAnyPublisher(), source.catch { _ in source }.eraseToAnyPublisher(),
            source.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher(),
            source.debounce(for: 1, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher(),
            source.merge(with: subject).eraseToAnyPublisher(), source.share().eraseToAnyPublisher(),
            source.flatMap { _ in source }.eraseToAnyPublisher(), source.handleEvents().eraseToAnyPublisher(),
        ]
        for publisher in publishers {
            let recorder = RecordingSubscriber<Int, TestError>(demand: .none)
            publisher.subscribe(recorder)
            let subscription = try #require(recorder.subscription)
            var text = ""
            // The description of the subscription and the headings of its children, without what these contain.
            dump(subscription, to: &text, maxDepth: 1)
            #expect(!text.contains("super: "), "\(text)")
            recorder.cancel()
        }
    }

    @Test func `an identifier shows its number`() {
        let mirror = Mirror(reflecting: CombineIdentifier())
        #expect(mirror.children.count == 1)
        #expect(mirror.descendant("rawValue") is UInt64)
    }
}
