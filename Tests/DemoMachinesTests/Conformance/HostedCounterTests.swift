import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// Tests of the hosted counters through their HTTP interface.
struct HostedCounterTests {
    @Test(arguments: [MachineCase.counter, .counterPublishers])
    func `an input that is disabled in the view is still accepted`(machine: MachineCase) throws {
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
    func `publishing an equal count is not a change`(machine: MachineCase) throws {
        let harness = try HostHarness([machine.definition])
        let session = harness.makeSession(of: machine.definition.name)
        for _ in 0..<2 {
            let answer = harness.send(.post, session + "/inputs/decrement")
            #expect(answer.text == "{\"version\":0,\"changes\":{}}")
        }
    }

    @Test func `an invalid value for a switch is reported with the expected type`() throws {
        let harness = try HostHarness([MachineCase.counter.definition])
        let session = harness.makeSession(of: "counter")
        let answer = harness.send(.post, session + "/inputs/isOn", body: "\"on\"")
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("The input \\\"isOn\\\": expected a boolean, got the string \\\"on\\\"."))
    }
}
