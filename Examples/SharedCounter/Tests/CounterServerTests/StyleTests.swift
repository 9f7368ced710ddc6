import ComposableAdapter
import ComposableArchitecture
import Granary
import MachineTesting
import SharedCounter
import Testing
import UnioAdapter

@Suite struct StyleTests {
    @Test(arguments: ["unio-counter", "composable-counter"])
    func `the count does not go below zero`(name: String) throws {
        let harness = try HostHarness([
            .unio("unio-counter", summary: "Counts.") { _ in
                CounterStream(input: .init(), state: .init(), extra: .init())
            },
            .composable("composable-counter", summary: "Counts.") { _ in
                Store(initialState: CounterFeature.State(), reducer: CounterFeature())
            },
        ])
        let session = harness.makeSession(of: name)
        let counts = ["increment", "decrement", "decrement"].map { input in
            _ = harness.send(.post, "\(session)/inputs/\(input)")
            return harness.send(.get, "\(session)/outputs").text
        }
        #expect(counts == [#"{"count":1}"#, #"{"count":0}"#, #"{"count":0}"#])
    }
}
