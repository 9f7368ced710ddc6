import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// The counters as clients see them.
struct HostedCounterTests {
    @Test(arguments: [MachineCase.counter, .counterPublishers])
    func `what a view is not to offer counts when it is sent nevertheless`(machine: MachineCase) throws {
        let harness = try HostHarness([machine.definition])
        let session = harness.makeSession(of: machine.definition.name)
        #expect(
            harness.send(.get, session + "/outputs?only=isIncrementEnabled").text == "{\"isIncrementEnabled\":false}")
        let answer = harness.send(.post, session + "/inputs/increment")
        #expect(answer.status == .ok)
        let count = machine.definition.name == "counter" ? "1" : "\"1\""
        #expect(answer.text == "{\"version\":1,\"changes\":{\"count\":\(count)}}")
    }

    @Test(arguments: [MachineCase.counter, .counterPublishers])
    func `a count that is published again unchanged is no change`(machine: MachineCase) throws {
        let harness = try HostHarness([machine.definition])
        let session = harness.makeSession(of: machine.definition.name)
        for _ in 0..<2 {
            let answer = harness.send(.post, session + "/inputs/decrement")
            #expect(answer.text == "{\"version\":0,\"changes\":{}}")
        }
    }

    @Test func `a switch that is read from the wrong value says what it takes`() throws {
        let harness = try HostHarness([MachineCase.counter.definition])
        let session = harness.makeSession(of: "counter")
        let answer = harness.send(.post, session + "/inputs/isOn", body: "\"on\"")
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("The input \\\"isOn\\\": expected a boolean, got the string \\\"on\\\"."))
    }
}
