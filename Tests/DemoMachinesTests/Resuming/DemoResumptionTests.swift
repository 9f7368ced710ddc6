import DemoMachines
import Foundation
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// Sessions of every demo continue in another process. `THOROUGH=1` runs more seeds.
struct DemoResumptionTests {
    private static let seeds: ClosedRange<UInt64> =
        ProcessInfo.processInfo.environment["THOROUGH"] == nil ? 1...2 : 1...5

    /// The demos of the Composable Architecture, with ids of the session's series as the server registers them.
    static let composable: [MachineCase] = {
        do {
            return try MachineDefinition.composableDemos().map { demo in
                MachineCase(demo, script: MachineCase.composable.first { $0.description == demo.name }?.script ?? [])
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// The demos whose state, including what is in progress, is captured completely.
    static let captured: [MachineCase] =
        [.observableCounter, .counter, .counterPublishers, .ticTacToe, .gitHubSearch]
        + [.gitHubSearchWithEffects, .unioSearchWithEffects] + UnioConformanceTests.demos + composable.prefix(3)

    /// The demos that start their effects again in an action. The pauses of their scripts end on the grid of their effects.
    private static let restarting = composable.dropFirst(3).filter { $0.description != "composable-downloads" }

    @Test(arguments: captured)
    func `sessions of a demo continue after a restart as if there had been none`(machine: MachineCase) {
        #expect(machine.restartFindings(seeds: Self.seeds) == [])
    }

    @Test(arguments: restarting)
    func `what a demo starts again after a restart ends as if there had been none`(machine: MachineCase) {
        #expect(machine.restartFindings(steps: 0) == [])
    }

    @Test(arguments: captured)
    func `random values and pauses make no difference`(machine: MachineCase) throws {
        try assertResumable(machine.definition, seeds: Self.seeds, steps: 40)
    }

    @Test func `every demo of the Composable Architecture is checked`() {
        #expect(DemoResumptionTests.composable.map(\.description).suffix(1) == ["sync-ups"])
        #expect(DemoResumptionTests.composable.allSatisfy { !$0.script.isEmpty })
    }

    @Test func `a download begins again after a restart and ends`() throws {
        let host = try RestartableHost(MachineDefinition.composableDemos())
        let session = host.harness.makeSession(of: "composable-downloads")
        _ = host.send(.post, session + "/inputs/download.buttonTapped", body: #"{"id":1}"#)
        host.harness.loop.advance(by: .seconds(2))
        try host.restart(after: 60)
        #expect(host.send(.get, session + "/outputs").text.contains(#""mode":"downloading""#))
        host.harness.loop.advance(by: .seconds(4))
        #expect(host.send(.get, session + "/outputs").text.contains(#""mode":"downloading""#))
        host.harness.loop.advance(by: .seconds(2))
        #expect(host.send(.get, session + "/outputs").text.contains(#""mode":"downloaded","progress":1"#))
    }

    @Test func `items keep their ids, get new ones and are sorted after a restart`() throws {
        let host = try RestartableHost(MachineDefinition.composableDemos())
        let session = host.harness.makeSession(of: "composable-todos")
        func ids() -> [String] {
            host.send(.get, session + "/outputs").text.matches(of: /"id":"([^"]+)"/).map { String($0.1) }
        }
        for _ in 0..<2 { _ = host.send(.post, session + "/inputs/addTodoButtonTapped") }
        let before = ids()
        _ = host.send(.post, session + "/inputs/todo.checkBoxToggled", body: #"{"id":"\#(before[0])"}"#)
        try host.restart()
        #expect(ids() == before)
        host.harness.loop.advance(by: .seconds(2))
        #expect(ids() == before.reversed())
        _ = host.send(.post, session + "/inputs/addTodoButtonTapped")
        #expect(Set(ids()).count == 3)
    }
}
