import CombineCore
import Dispatch
import HTTPModel
import Locking
import Log
import MachineHost
import MachineTesting
import Ricemill
import RicemillAdapter
import Testing

/// Ricemill machines in a host, from the request to the response and the event.
struct HostedRicemillTests {
    private static let kitchen = Result {
        try MachineDefinition.ricemill(
            "kitchen", summary: "Everything.", events: ["error"], hidden: ["secret", "breaker"]
        ) { _ in
            KitchenMachine(input: .init(), store: .init(), extra: .init())
        }
    }

    @Test(arguments: MachinePoint.allCases)
    func `a machine with inputs and outputs of every kind fulfils the contract`(point: MachinePoint) throws {
        let machine = MachineCase(
            try Self.kitchen.get(),
            script: [
                "increment", "add 40", "isOn true", "shout \"a\\nb\"", "isOn false", "fail", "fail", "add -2",
                "shout \"ü\"", "increment",
            ])
        #expect(machine.findings(point) == [])
    }

    @Test func `the changes of one input are one change, including its events in order`() throws {
        let harness = try HostHarness([try Self.kitchen.get()])
        let session = harness.makeSession(of: "kitchen")
        let follower = harness.follow(session)
        follower.read()
        let shouted = harness.send(.post, session + "/inputs/shout", body: "\"hey\"")
        let changes = """
            {"$emitted":[{"output":"said","value":"hey"},{"output":"error","value":"hey"}]}
            """
        #expect(shouted.text == "{\"version\":1,\"changes\":\(changes)}")
        let counted = harness.send(.post, session + "/inputs/increment")
        #expect(counted.text.hasPrefix("{\"version\":2,\"changes\":{\"count\":2,"))
        follower.read()
        #expect(follower.events[1].data == changes)
        #expect(follower.view.emitted.count == 3)
    }

    @Test func `an input whose subject completes does not end the session`() throws {
        let harness = try HostHarness([try Self.kitchen.get()])
        let session = harness.makeSession(of: "kitchen")
        for version in [1, 1] {
            let answer = harness.send(.post, session + "/inputs/fail")
            #expect(answer.text.hasPrefix("{\"version\":\(version),"))
        }
        #expect(harness.send(.post, session + "/inputs/increment").status == .ok)
    }

    @Test func `values that Extra sends from another thread are transferred to the session and logged once`() throws {
        let events = Lock<[LogEvent]>([])
        let source = Lock<PassthroughSubject<Int, Never>?>(nil)
        let definition = try ExternalMachine.definition { source.set($0) }
        let harness = try HostHarness(
            [definition], log: Log(level: .debug) { event in events.withLock { $0.append(event) } })
        let session = harness.makeSession(of: "outside")
        let follower = harness.follow(session)
        follower.read()
        let subject = Transferred(value: try #require(source.withLock { $0 }))
        for value in [1, 2, 3] {
            onAnotherThread { subject.value.send(value) }
            #expect(!follower.isReady)
            harness.loop.run()
            follower.read()
            #expect(follower.view.outputs == ["latest": "\(value)"])
            #expect(follower.view.emitted.last == "{\"output\":\"rang\",\"value\":\(value)}")
        }
        #expect(follower.events.map(\.event) == ["snapshot", "change", "change", "change"])
        #expect(follower.view.violations == [])
        let warnings = events.withLock { $0 }
        #expect(warnings.map(\.message) == ["output sent from another thread"])
        source.set(nil)
    }

    @Test func `a value that is sent on the loop does not overtake one of another thread`() throws {
        let source = Lock<PassthroughSubject<Int, Never>?>(nil)
        let harness = try HostHarness([try ExternalMachine.definition { source.set($0) }])
        let session = harness.makeSession(of: "outside")
        let follower = harness.follow(session)
        follower.read()
        let subject = Transferred(value: try #require(source.withLock { $0 }))
        onAnotherThread {
            subject.value.send(1)
            subject.value.send(2)
        }
        subject.value.send(3)
        harness.loop.run()
        follower.read()
        #expect(follower.view.outputs == ["latest": "3"])
        #expect(follower.view.emitted == [1, 2, 3].map { "{\"output\":\"rang\",\"value\":\($0)}" })
        // Neither does a completion.
        onAnotherThread { subject.value.send(4) }
        subject.value.send(completion: .finished)
        harness.loop.run()
        follower.read()
        #expect(follower.view.outputs == ["latest": "4"])
        #expect(follower.view.violations == [])
        source.set(nil)
    }

    @Test func `the last value from another thread is shown even if its publisher completes immediately`() throws {
        let source = Lock<PassthroughSubject<Int, Never>?>(nil)
        let harness = try HostHarness([try ExternalMachine.definition { source.set($0) }])
        let session = harness.makeSession(of: "outside")
        let subject = Transferred(value: try #require(source.withLock { $0 }))
        onAnotherThread {
            subject.value.send(1)
            subject.value.send(2)
            subject.value.send(completion: .finished)
        }
        harness.loop.run()
        #expect(harness.send(.get, session + "/outputs").text == #"{"latest":2}"#)
        source.set(nil)
    }

    @Test func `a publisher that is subscribed on another thread is shown`() throws {
        let scheduler = ThreadScheduler()
        let harness = try HostHarness([
            try .ricemill("outside", summary: "") { _ in
                let source = Deferred { Just(7) }.subscribe(on: scheduler).eraseToAnyPublisher()
                return ExternalMachine(
                    input: .init(), store: .init(source), extra: .init(source: PassthroughSubject()))
            }
        ])
        let session = harness.makeSession(of: "outside")
        // The subscription, which the loop requests from another thread, and the value with the completion.
        for _ in 1...2 {
            scheduler.actions.wait()
            harness.loop.run()
        }
        #expect(harness.send(.get, session + "/outputs").text == #"{"latest":7}"#)
    }

    /// A publisher that sends a subscription when the test says so.
    private final class LatePublisher: Publisher, Sendable {
        typealias Output = Int
        typealias Failure = Never

        let log = Lock<[String]>([])
        private let subscriber = Lock<Transferred<AnySubscriber<Int, Never>>?>(nil)

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            self.subscriber.set(Transferred(value: AnySubscriber(subscriber)))
        }

        func attach(_ name: String) {
            subscriber.withLock { $0 }?.value.receive(subscription: Attachment(name, log))
        }
    }

    private final class Attachment: Subscription {
        let name: String
        let log: Lock<[String]>

        init(_ name: String, _ log: Lock<[String]>) {
            self.name = name
            self.log = log
        }

        func request(_ demand: Subscribers.Demand) { log.withLock { $0.append("\(name) requested") } }
        func cancel() { log.withLock { $0.append("\(name) cancelled") } }
    }

    @Test func `an output has one subscription, which does not outlive the session`() throws {
        let publisher = LatePublisher()
        let harness = try HostHarness([
            try .ricemill("outside", summary: "") { _ in
                ExternalMachine(
                    input: .init(), store: .init(publisher.eraseToAnyPublisher()),
                    extra: .init(source: PassthroughSubject()))
            }
        ])
        let session = harness.makeSession(of: "outside")
        publisher.attach("first")
        publisher.attach("second")
        #expect(publisher.log.withLock { $0 } == ["first requested", "second cancelled"])
        _ = harness.send(.delete, session)
        #expect(publisher.log.withLock { $0 }.last == "first cancelled")
        publisher.log.set([])
        let next = harness.makeSession(of: "outside")
        // The session ends before its loop learns of the subscription.
        onAnotherThread { publisher.attach("third") }
        _ = harness.send(.delete, next)
        #expect(publisher.log.withLock { $0 } == ["third cancelled"])
    }

    @Test func `a subject that is set again by an observer shows its last value`() throws {
        let harness = try HostHarness([
            try .ricemill("settling", summary: "") { _ in
                SettlingMachine(input: .init(), store: .init(), extra: .init())
            }
        ])
        let session = harness.makeSession(of: "settling")
        let raised = harness.send(.post, session + "/inputs/raise")
        #expect(raised.text == #"{"version":1,"changes":{"level":10,"list":[10],"fallible":10}}"#)
    }

    @Test func `the main queue is the session's loop in a hosted machine`() throws {
        let threads = Lock<[Bool]>([])
        let definition = try MainQueueMachine.definition { threads.append($0) }
        threads.set([])
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "mainly")
        let answer = harness.send(.post, session + "/inputs/go")
        #expect(answer.text == "{\"version\":0,\"changes\":{}}")
        #expect(harness.send(.get, session).text.contains("\"outputs\":{\"count\":1}"))
        #expect(threads.withLock { $0 } == [true])
        _ = harness.send(.post, session + "/inputs/goLater")
        harness.loop.advance(by: .milliseconds(299))
        #expect(threads.withLock { $0.count } == 1)
        harness.loop.advance(by: .milliseconds(1))
        #expect(harness.send(.get, session).text.contains("\"outputs\":{\"count\":2}"))
    }

    @Test func `a machine that is created for inspection only runs nothing on the main queue`() async throws {
        let threads = Lock<[Bool]>([])
        let held = Lock<[AnyCancellable]>([])
        _ = try MachineDefinition.ricemill("mainly", summary: "") { _ in
            held.append(Just(()).receive(on: DispatchQueue.main).sink { threads.append(true) })
            return MainQueueMachine(input: .init(), store: .init(), extra: .init { _ in })
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        #expect(threads.withLock { $0 }.isEmpty)
        held.set([])
    }

    @Test func `a number that JSON cannot represent ends its own session only, with an incident`() throws {
        let events = Lock<[LogEvent]>([])
        let definition = try MachineDefinition.ricemill("ratio", summary: "") { _ in
            RatioMachine(input: .init(), store: .init(), extra: .init())
        }
        let harness = try HostHarness(
            [definition], log: Log(level: .error) { event in events.withLock { $0.append(event) } })
        for divisor in ["0", "-0.0"] {
            let (broken, healthy) = (harness.makeSession(of: "ratio"), harness.makeSession(of: "ratio"))
            let follower = harness.follow(broken)
            follower.read()
            #expect(harness.send(.post, broken + "/inputs/divideBy", body: "4").text.contains("0.25"))
            let answer = harness.send(.post, broken + "/inputs/divideBy", body: divisor)
            #expect(answer.status == .internalServerError)
            #expect(!answer.text.contains("inf"))
            follower.read()
            #expect(follower.events.map(\.event) == ["snapshot", "change", "end"])
            #expect(harness.send(.get, broken).status == .gone)
            #expect(harness.send(.post, healthy + "/inputs/divideBy", body: "2").status == .ok)
        }
        let reasons = events.withLock { $0 }.flatMap(\.fields).filter { $0.name == "reason" }.map { "\($0.value)" }
        #expect(reasons.count == 2)
        // The log must not contain the client's values.
        #expect(reasons.allSatisfy { $0.contains("EncodingError.invalidValue of type Swift.Double") })
        #expect(!reasons.contains { $0.contains("inf") })
    }

    @Test func `a machine that its own pipeline retains is freed with its session`() throws {
        let made = Lock<WeakMachine?>(nil)
        let definition = try MachineDefinition.ricemill("self-held", summary: "") { _ in
            let extra = SelfRetainingMachine.Extra()
            let machine = SelfRetainingMachine(input: .init(), store: .init(), extra: extra)
            extra.machine = machine
            made.set(WeakMachine(machine))
            return machine
        }
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "self-held")
        #expect(harness.send(.post, session + "/inputs/touch").text.contains("\"touches\":1"))
        #expect(made.withLock { $0 }?.object != nil)
        _ = harness.send(.delete, session)
        #expect(made.withLock { $0 }?.object == nil)
    }
}

extension Lock {
    fileprivate func set(_ value: Value) { withLock { $0 = value } }

    fileprivate func append<Element>(_ element: Element) where Value == [Element] { withLock { $0.append(element) } }
}

/// Sendable because tests access it on the loop's thread only.
private final class WeakMachine: @unchecked Sendable {
    weak var object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }
}
