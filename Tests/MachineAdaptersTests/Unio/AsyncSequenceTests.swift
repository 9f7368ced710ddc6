import CombineCore
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import RxCore
import Testing

/// Asynchronous sequences as observables, in the machine of a session.
struct AsyncSequenceTests {
    private let numbers: AsyncStream<Int>
    private let feed: AsyncStream<Int>.Continuation
    /// Whether each element arrived in a turn of the session, in order.
    private let turns = Lock<[Bool]>([])

    init() {
        (numbers, feed) = AsyncStream.makeStream(of: Int.self)
    }

    private func machine(_ wire: @escaping @Sendable (ScriptedMachine) -> any Disposable) -> MachineDefinition {
        ScriptedMachine.definition(
            outputs: ["seen"],
            made: { machine in
                let subscription = wire(machine)
                machine.whenEnded = { subscription.dispose() }
            })
    }

    private func show(_ text: String, on machine: ScriptedMachine) {
        turns.withLock { $0.append(MainContext.current != nil) }
        machine.set("seen", to: "\"\(text)\"")
    }

    private func counting() throws -> HostHarness {
        let test = UnsafeTransfer(self)
        return try HostHarness([
            machine { machine in
                test.value.numbers.asObservable().subscribe(
                    onNext: { test.value.show("\($0)", on: machine) },
                    onCompleted: { test.value.show("end", on: machine) })
            }
        ])
    }

    @Test func `each element arrives as a turn on the loop of the session`() throws {
        let harness = try counting()
        let session = harness.makeSession()
        let follower = harness.follow(session)
        follower.read()
        for number in 1...3 { feed.yield(number) }
        feed.finish()
        harness.loop.run()
        follower.read()
        #expect(turns.withLock { $0 } == [true, true, true, true])
        #expect(
            follower.events.filter { $0.event == "change" }.map(\.data) == [1, 2, 3].map { #"{"seen":"\#($0)"}"# }
                + [#"{"seen":"end"}"#])
    }

    @Test func `nothing arrives after the end of the session`() throws {
        let harness = try counting()
        let session = harness.makeSession()
        feed.yield(1)
        harness.loop.run()
        feed.yield(2)
        _ = harness.send(.delete, session)
        feed.yield(3)
        harness.loop.run()
        #expect(turns.withLock { $0.count } == 1)
    }

    @Test func `the element of an asynchronous single arrives as a turn`() throws {
        let test = UnsafeTransfer(self)
        let harness = try HostHarness([
            machine { machine in
                Single.create { "one" }.subscribe(onSuccess: { test.value.show($0, on: machine) })
            }
        ])
        let session = harness.makeSession()
        harness.loop.run()
        #expect(turns.withLock { $0 } == [true])
        #expect(harness.send(.get, session + "/outputs").text == #"{"seen":"one"}"#)
    }
}
