import Combine
import Granary
import MachineTesting
import Testing

/// The machines of the page about durability keep their promises.
@Suite struct DurabilityTests {
    @Test func `a draft continues in another process`() throws {
        try assertResumable(
            draft { _ in Just(()).eraseToAnyPublisher() }, choosing: ["write \"a\"", "write \"b\"", "save"])
    }

    @Test func `a stopwatch continues in another process`() throws {
        try assertResumable(
            stopwatch(), choosing: ["start", "stop", .wait(.milliseconds(700)), .wait(.milliseconds(2100))])
    }

    @Test func `all machines of the page can be captured`() throws {
        let machines = try [
            citySearch { _ in Empty().eraseToAnyPublisher() }, draft { _ in Empty().eraseToAnyPublisher() },
            weather { _ in 20 }, stopwatch(),
        ]
        for machine in machines { #expect(machine.captureObstacles == [], "\(machine.name)") }
    }
}
