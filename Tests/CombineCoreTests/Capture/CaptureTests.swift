import CombineCore
import CombineTesting
import Dispatch
import Foundation
import FoundationNetworking
import StateCapture
import Testing

private final class Opaque: Equatable {
    static func == (lhs: Opaque, rhs: Opaque) -> Bool { true }
}

private final class Model {
    @Published var number = 1
    let subject = CurrentValueSubject<String, TestError>("a")
    let signal = PassthroughSubject<Void, TestError>()
    var tokens: Set<AnyCancellable> = []
    var token: AnyCancellable?
    var stream: AnyPublisher<Int, Never> = Empty().eraseToAnyPublisher()
}

@Suite struct CaptureTests {
    private func parts(_ registry: StateRegistry) throws -> [String: ArraySlice<UInt8>] {
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        return Dictionary(StateChanges(bytes[...]).map { ($0.key, $0.json) }) { $1 }
    }

    @Test func `properties and subjects are captured as members, and cancellables are not`() throws {
        let model = Model()
        let registry = StateRegistry(clockOffset: 0)
        registry.wire { registry.registerMembers(of: model, named: "model") }
        model.number = 5
        model.subject.value = "b"
        model.subject.send(completion: .failure(TestError(7)))
        model.signal.send(completion: .finished)
        let parts = try parts(registry)
        #expect(parts.keys.sorted() == ["model.0.number", "model.0.signal", "model.0.subject"])
        #expect(registry.obstacles == [])

        let twin = Model()
        var events: [String] = []
        let restored = StateRegistry(restoring: parts, clockOffset: 0)
        restored.wire {
            restored.registerMembers(of: twin, named: "model")
            twin.$number.sink { events.append("number \($0)") }.store(in: &twin.tokens)
            twin.subject.sink {
                events.append("subject \($0)")
            } receiveValue: {
                events.append("subject \($0)")
            }
            .store(in: &twin.tokens)
            twin.signal.sink {
                events.append("signal \($0)")
            } receiveValue: {
                events.append("signal")
            }
            .store(in: &twin.tokens)
            twin.number = 99
        }
        #expect(restored.resume() == [])
        #expect(twin.number == 5 && twin.subject.value == "b")
        // A subscriber that is new in this build learns that the subjects have ended, but receives no value.
        #expect(events == ["subject failure(TestError(7))", "signal finished"])
        twin.number = 6
        #expect(events.last == "number 6")
    }

    @Test(arguments: ["-9223372036854775808", "-1", "9223372036854775807"])
    func `an operator continues with any number that somebody has stored for it`(number: String) throws {
        func wire(_ subject: PassthroughSubject<Int, Never>) -> [AnyCancellable] {
            let record = Record<Int, Never>(output: [1, 2, 3], completion: .finished)
            return [
                subject.dropFirst(3).sink { _ in }, subject.prefix(3).sink { _ in },
                subject.output(in: 1..<3).sink { _ in }, record.sink { _ in }, [1, 2, 3].publisher.sink { _ in },
                subject.merge(with: subject).sink { _ in },
                subject.tryMap { $0 }.retry(2).sink { _ in
                } receiveValue: { _ in
                },
            ]
        }
        let (subject, twin) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let registry = StateRegistry(clockOffset: 0)
        let tokens = registry.wire { wire(subject) }
        subject.send(1)
        let stored = try parts(registry).mapValues { json in
            Array(String(decoding: json, as: UTF8.self).replacing(/-?\d+/, with: number).utf8)[...]
        }
        let restored = StateRegistry(restoring: stored, clockOffset: 0)
        let twins = restored.wire { wire(twin) }
        _ = restored.resume()
        for value in 1...4 { twin.send(value) }
        #expect(try !parts(restored).isEmpty)
        withExtendedLifetime((tokens, twins)) {}
    }

    @Test func `a merge of a build that requested nothing before there was demand loses no value`() throws {
        func wire(_ registry: StateRegistry) -> (CurrentValueSubject<Int, Never>, RecordingSubscriber<Int, Never>) {
            let current = CurrentValueSubject<Int, Never>(7)
            let recorder = RecordingSubscriber<Int, Never>(demand: .none)
            registry.wire {
                registry.register(holder: current, named: "current")
                [1, 2].publisher.merge(with: current).receive(subscriber: recorder)
            }
            return (current, recorder)
        }
        let registry = StateRegistry(clockOffset: 0)
        let first = wire(registry)
        var stored: [String: ArraySlice<UInt8>] = [:]
        for (key, json) in try parts(registry) {
            var text = String(decoding: json, as: UTF8.self)
            // As that build stored it: the sequence has delivered nothing, and the value of the subject waits for demand.
            if key.hasPrefix("merge") { text = #"[{"finished":0,"others":[],"kept":[],"busy":[]}]"# }
            if key.hasPrefix("sequence") { text = text.replacing(/\d+/, with: "0") }
            if key.hasPrefix("CurrentValueSubject") { text = text.replacing(/\d+/, with: "-1") }
            stored[key] = Array(text.utf8)[...]
        }
        let restored = StateRegistry(restoring: stored, clockOffset: 0)
        let (current, recorder) = wire(restored)
        #expect(restored.resume() == [] && restored.mismatches == [])
        #expect(recorder.values == [])
        recorder.request(.max(4))
        #expect(recorder.values == [1, 7, 2])
        current.send(8)
        #expect(recorder.values == [1, 7, 2, 8])
        withExtendedLifetime(first) {}
    }

    @Test func `an operator with a value that is not Codable is named`() {
        let subject = PassthroughSubject<Opaque, Never>()
        let registry = StateRegistry(clockOffset: 0)
        var tokens: [AnyCancellable] = []
        registry.wire {
            tokens.append(subject.debounce(for: .seconds(1), scheduler: DispatchQueue.main).sink { _ in })
            tokens.append(subject.removeDuplicates().sink { _ in })
            tokens.append(subject.combineLatest(Just(1)).sink { _ in })
            tokens.append(subject.collect().sink { _ in })
            tokens.append(subject.map { _ in 1 }.scan(0, +).sink { _ in })
        }
        #expect(registry.obstacles.map(\.part) == ["debounce", "removeDuplicates", "combineLatest", "Collect"])
        #expect(registry.obstacles.allSatisfy { $0.type.hasSuffix("Opaque") })
    }

    @Test func `a turn that changes nothing captures nothing`() throws {
        let subject = PassthroughSubject<Int, Never>()
        let registry = StateRegistry(clockOffset: 0)
        let token = registry.wire {
            subject.scan(0, +).removeDuplicates().map { [$0] }.scan([], +).zip(subject).collect(5).sink { _ in }
        }
        subject.send(1)
        _ = try parts(registry)
        #expect(try parts(registry).isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `a future of a restored machine keeps its result and does no work`() throws {
        var calls = 0
        var values: [Int] = []
        func wire() -> (Future<Int, Never>, AnyCancellable) {
            let future = Future<Int, Never> { promise in
                calls += 1
                promise(.success(5))
            }
            return (future, future.sink { values.append($0) })
        }
        let registry = StateRegistry(clockOffset: 0)
        let first = registry.wire(wire)
        #expect(calls == 1 && values == [5])
        let restored = StateRegistry(restoring: try parts(registry), clockOffset: 0)
        let second = restored.wire(wire)
        _ = restored.resume()
        #expect(calls == 1 && values == [5])
        let token = second.0.sink { values.append($0) }
        #expect(values == [5, 5])
        withExtendedLifetime((first, second, token)) {}
    }

    @Test func `a request of the wiring is not sent again`() throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let restored = StateRegistry(restoring: [:], clockOffset: 0)
        var subscriptions: [any Subscription] = []
        let token = restored.wire {
            URLSession.shared.dataTaskPublisher(for: url).handleEvents(receiveSubscription: { subscriptions.append($0) }
            )
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        _ = restored.resume()
        #expect(subscriptions.count == 1 && String(describing: subscriptions[0]) == "Empty")
        withExtendedLifetime(token) {}
    }

    @Test func `a subscriber at the edge ignores what a source of its own kind sends while the machine is wired`() {
        struct Eager: Publisher {
            typealias Output = Int
            typealias Failure = Never
            let subject: PassthroughSubject<Int, Never>

            func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
                subscriber.receive(subscription: Subscriptions.empty)
                _ = subscriber.receive(1)
                subject.sink { _ = subscriber.receive($0) }.store(in: &tokens)
            }
        }
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        let restored = StateRegistry(restoring: [:], clockOffset: 0)
        let token = restored.wire { Eager(subject: subject).sink { values.append($0) } }
        _ = restored.resume()
        subject.send(2)
        #expect(values == [2])
        withExtendedLifetime(token) {}
        tokens = []
    }

    @Test func `the end of a stream is not reported again`() throws {
        var events: [String] = []
        func wire() -> AnyCancellable {
            Just(1).sink {
                events.append("\($0)")
            } receiveValue: {
                events.append("\($0)")
            }
        }
        let registry = StateRegistry(clockOffset: 0)
        let first = registry.wire(wire)
        #expect(events == ["1", "finished"])
        let restored = StateRegistry(restoring: try parts(registry), clockOffset: 0)
        let second = restored.wire(wire)
        _ = restored.resume()
        #expect(events == ["1", "finished"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `an overdue debounce fires once, and an overdue timer continues on its grid`() throws {
        var events: [String] = []
        let subject = PassthroughSubject<Int, Never>()
        var tokens: [AnyCancellable] = []
        func wire() {
            let main = DispatchQueue.main
            tokens.append(subject.debounce(for: .milliseconds(100), scheduler: main).sink { events.append("\($0)") })
            let timer = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
            tokens.append(timer.sink { _ in events.append("tick") })
        }
        let first = VirtualMain()
        let registry = StateRegistry(clockOffset: 0)
        MainContext.with(first) { registry.wire { wire() } }
        MainContext.with(first) { subject.send(3) }
        let parts = try parts(registry)
        tokens = []
        // 2.5 s later.
        let second = VirtualMain(now: .milliseconds(500))
        let restored = StateRegistry(restoring: parts, clockOffset: 1_002_000_000_000)
        MainContext.with(second) { restored.wire { wire() } }
        _ = MainContext.with(second) { restored.resume() }
        #expect(events == [])
        second.advance()
        #expect(events == ["3", "tick"])
        second.advance(by: .milliseconds(499))
        #expect(events == ["3", "tick"])
        second.advance(by: .milliseconds(1))
        #expect(events == ["3", "tick", "tick"])
    }
}

private nonisolated(unsafe) var tokens: Set<AnyCancellable> = []
