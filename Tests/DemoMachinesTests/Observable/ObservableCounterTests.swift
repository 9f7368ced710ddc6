import DemoMachines
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// Tests of the observable counter: as an object, as a test of an app would use it, and hosted.
struct ObservableCounterTests {
    @Test func `it counts up and down, and not below zero`() {
        let counter = ObservableCounter()
        counter.increment()
        counter.increment()
        #expect(counter.count == 2)
        for _ in 0..<3 { counter.decrement() }
        #expect(counter.count == 0)
    }

    @Test func `an input is answered with the new count, and an equal count is not a change`() throws {
        let harness = try HostHarness([.observableCounter()])
        let session = harness.makeSession(of: "observable-counter")
        let answers = ["increment", "decrement", "decrement"].map { input in
            harness.send(.post, "\(session)/inputs/\(input)").text
        }
        #expect(
            answers == [
                #"{"version":1,"changes":{"count":1}}"#, #"{"version":2,"changes":{"count":0}}"#,
                #"{"version":2,"changes":{}}"#,
            ])
    }

    @Test func `each session counts for itself`() throws {
        let harness = try HostHarness([.observableCounter()])
        let sessions = (0..<2).map { _ in harness.makeSession(of: "observable-counter") }
        _ = harness.send(.post, sessions[0] + "/inputs/increment")
        let outputs = sessions.map { harness.send(.get, $0 + "/outputs").text }
        #expect(outputs == [#"{"count":1}"#, #"{"count":0}"#])
    }
}
