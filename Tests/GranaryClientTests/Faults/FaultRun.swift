import CombineCore
import Synchronization
import Testing

@testable import GranaryClient

/// One random schedule: two sessions of one client send numbers through a network with faults, which end after a while.
@MainActor
final class FaultRun {
    private let seed: UInt64
    private let world: TestWorld
    private var schedule: FaultSchedule
    private var isFaulty = true
    private var machines: [RemoteMachine<Tally>] = []
    private var outcomes: [[Int: Result<MachineChange<Tally>, any Error>]] = [[:], [:]]
    private var emitted: [[Int]] = [[], []]
    private var subscriptions: [AnyCancellable] = []
    private static let sendCount = 12

    init(seed: UInt64) throws {
        self.seed = seed
        schedule = FaultSchedule(seed: seed)
        let tokens = TokenSequence()
        world = try TestWorld(credential: .renewing { tokens.next() }, seed: seed) { configuration in
            // More attempts than faults in a row.
            configuration.retry.maxAttempts = 60
        }
        world.transport.fault = { [unowned self] _ in isFaulty ? schedule.fault() : nil }
        world.transport.latency = { [unowned self] in isFaulty ? schedule.latency() : .milliseconds(1) }
    }

    /// Runs the schedule and checks its end.
    func run() async throws {
        for index in 0..<2 {
            let machine = try await world.machine()
            machines.append(machine)
            subscriptions.append(
                machine.events.sink { [weak self] event in
                    if case .added(let number) = event { self?.emitted[index].append(number) }
                })
        }
        try #require(machines[0].id != machines[1].id)
        for number in 1...Self.sendCount {
            for index in 0..<2 { send(number, to: index) }
            await world.pass(schedule.pause(upTo: 8000))
            if let stream = world.transport.openStreams.last, number.isMultiple(of: 3) { disturb(stream) }
        }
        isFaulty = false
        // Everything that is still repeated ends: the longest pause is 30 s.
        await world.pass(.seconds(300))
        try check()
        await checkRest()
    }

    private func send(_ number: Int, to index: Int) {
        let path = "/inputs/add"
        machines[index].enqueue(machines[index].nextSend, Array("\(number)".utf8), path) { [weak self] result in
            guard let self else { return }
            if outcomes[index][number] != nil { Issue.record("seed \(seed): input \(number) ended twice") }
            outcomes[index][number] = result
        }
        machines[index].nextSend += 1
    }

    private func disturb(_ stream: HostStream) {
        if let text = schedule.streamEnd() { stream.inject(text) } else { stream.cut() }
    }

    private func check() throws {
        for index in 0..<2 {
            let outputs = try world.outputs(of: machines[index].id)
            #expect(machines[index].outputs == outputs, "seed \(seed)")
            #expect(machines[index].status == .live, "seed \(seed)")
            #expect(outputs.values == outputs.values.sorted(), "seed \(seed): inputs ran out of order")
            for number in 1...Self.sendCount {
                let runs = outputs.values.count { $0 == number }
                switch outcomes[index][number] {
                case .success: #expect(runs == 1, "seed \(seed): input \(number) succeeded and ran \(runs) times")
                case .failure(GranaryError.outcomeUnknown): #expect(runs <= 1, "seed \(seed): input \(number)")
                case .failure(let error): #expect(runs == 0, "seed \(seed): input \(number) failed: \(error)")
                case nil: Issue.record("seed \(seed): input \(number) has no outcome")
                }
            }
            #expect(Set(emitted[index]).count == emitted[index].count, "seed \(seed): an event was shown twice")
            #expect(emitted[index] == emitted[index].sorted(), "seed \(seed): events are out of order")
        }
    }

    /// Nothing is repeated any more, and nothing is left after the end.
    private func checkRest() async {
        let before = world.transport.requests.count
        await world.pass(.seconds(900))
        #expect(world.transport.requests.count == before, "seed \(seed): requests without a reason")
        #expect(world.transport.openStreams.count == 1, "seed \(seed)")
        world.connection.close()
        #expect(world.transport.openStreams.isEmpty, "seed \(seed)")
        let keys = world.transport.requests.filter { $0.method == "POST" }.map { $0.fields["idempotency-key"] }
        #expect(!keys.contains(nil), "seed \(seed): a request without a key")
    }

    /// How many inputs succeeded, for the test that the schedules are of use.
    var successCount: Int {
        outcomes.reduce(0) { $0 + $1.values.count { if case .success = $0 { true } else { false } } }
    }

    var requestCount: Int { world.transport.requests.count }
}

/// Tokens that are all valid.
private final class TokenSequence: Sendable {
    private let count = Atomic(0)

    func next() -> Credential { .bearer("token-\(count.add(1, ordering: .relaxed).newValue)") }
}
