import CombineCore
import CombineTesting
import Testing

/// Tests of values and completions that an upstream sends before its subscription, which breaks the rules for publishers.
@Suite struct EarlyEventTests {
    typealias Source = ScriptedPublisher<Int, TestError>
    typealias Operation = (Source) -> AnyPublisher<Int, TestError>

    /// A stream that discards its text.
    private struct Discarding: TextOutputStream {
        mutating func write(_ string: String) {}
    }

    /// The operators that forward early values and completions, as Combine's do.
    private let transparent: [(name: String, apply: Operation)] = [
        ("map", { $0.map { $0 }.eraseToAnyPublisher() }),
        ("map of a key path", { $0.map(\.self).eraseToAnyPublisher() }),
        ("filter", { $0.filter { _ in true }.eraseToAnyPublisher() }),
        ("compactMap", { $0.compactMap { $0 }.eraseToAnyPublisher() }),
        ("mapError", { $0.mapError { $0 }.eraseToAnyPublisher() }),
        ("scan", { $0.scan(0, +).eraseToAnyPublisher() }),
        ("breakpoint", { $0.breakpoint().eraseToAnyPublisher() }),
        ("print", { $0.print(to: Discarding()).eraseToAnyPublisher() }),
        ("handleEvents", { $0.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher() }),
    ]

    /// The operators that forward early values, but not an early completion, as Combine's do.
    private let halfTransparent: [(name: String, apply: Operation)] = [
        ("tryMap", { $0.tryMap { $0 }.mapError { $0 as? TestError ?? TestError() }.eraseToAnyPublisher() }),
        ("prefix", { $0.prefix(9).eraseToAnyPublisher() }), ("output", { $0.output(in: 0...).eraseToAnyPublisher() }),
    ]

    /// The operators that drop early values and completions. Some of Combine's trap.
    private let strict: [(name: String, apply: Operation)] = [
        ("receive(on:)", { $0.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() }),
        ("delay", { $0.delay(for: 0, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher() }),
        ("debounce", { $0.debounce(for: 0, scheduler: ImmediateScheduler.shared).eraseToAnyPublisher() }),
        ("removeDuplicates", { $0.removeDuplicates().eraseToAnyPublisher() }),
        ("drop(while:)", { $0.drop { _ in false }.eraseToAnyPublisher() }),
        ("first", { $0.first().eraseToAnyPublisher() }), ("last", { $0.last().eraseToAnyPublisher() }),
        ("replaceEmpty", { $0.replaceEmpty(with: 7).eraseToAnyPublisher() }),
        ("buffer", { $0.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher() }),
    ]

    /// Returns what a subscriber receives when the source sends a value or its completion before the subscription.
    private func earlyEvents(_ apply: Operation, _ send: (Source) -> Void) -> [String] {
        let source = Source(.silent)
        let recorder = apply(source).record()
        send(source)
        return recorder.log
    }

    @Test func `operators forward early events as far as Combine's do`() {
        for (name, apply) in transparent {
            #expect(earlyEvents(apply) { $0.send(1) } == ["1"], "\(name)")
            #expect(earlyEvents(apply) { $0.send(completion: .finished) } == ["finished"], "\(name)")
        }
        for (name, apply) in halfTransparent {
            #expect(earlyEvents(apply) { $0.send(1) } == ["1"], "\(name)")
            #expect(earlyEvents(apply) { $0.send(completion: .finished) } == [], "\(name)")
        }
    }

    @Test func `other operators drop early events and then begin with the subscription`() {
        for (name, apply) in strict {
            #expect(earlyEvents(apply) { $0.send(1) } == [], "\(name)")
            #expect(earlyEvents(apply) { $0.send(completion: .finished) } == [], "\(name)")
            let source = Source(.silent)
            let recorder = apply(source).record()
            source.send(1)
            source.send(completion: .finished)
            source.latest?.sendSubscription()
            source.send(2)
            source.send(completion: .finished)
            #expect(recorder.log.dropFirst() == ["2", "finished"], "\(name)")
        }
    }

    @Test func `an assignment ignores values before its subscription`() {
        final class Target {
            var value = 0
        }
        let target = Target()
        let source = ScriptedPublisher<Int, Never>(.silent)
        let token = source.assign(to: \.value, on: target)
        source.send(1)
        #expect(target.value == 0)
        source.latest?.sendSubscription()
        source.send(2)
        #expect(target.value == 2)
        token.cancel()
    }

    @Test func `a multicast drops what a subject sends before its subscription`() {
        let subject = SilentSubject()
        let recorder = Empty<Int, Never>().multicast(subject: subject).record()
        subject.send(1)
        subject.send(completion: .finished)
        #expect(recorder.log == [])
    }

    /// A subject that sends no subscriptions.
    private final class SilentSubject: CombineCore.Subject {
        typealias Output = Int
        typealias Failure = Never
        private var subscriber: AnySubscriber<Int, Never>?

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            self.subscriber = AnySubscriber(subscriber)
        }

        func send(subscription: any Subscription) {}
        func send(_ value: Int) { _ = subscriber?.receive(value) }
        func send(completion: Subscribers.Completion<Never>) { subscriber?.receive(completion: completion) }
    }
}
