import Testing

/// Members together with the operators between them.
@Suite struct OperatorCaptureTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a counter with hidden members and a debounce is the same after a restore`(seed: UInt64) throws {
        let twins = TwinTest(inputs: [
            ("increment", ["null"]), ("finish", ["null"]), ("step", ["1", "3"]), ("text", ["\"a\"", "\"b\""]),
        ])
        try twins.run(try DiaryMachine.definition(), seed: seed)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `an observable object that wires itself is the same after a restore`(seed: UInt64) throws {
        let twins = TwinTest(inputs: [("target", ["10", "30"]), ("warm", ["1", "-2", "5"])])
        try twins.run(try ThermostatMachine.definition(), seed: seed)
    }

    @Test func `what the wiring resets is not reset by a restore`() throws {
        let session = try CapturedSession(try DiaryMachine.definition())
        #expect(session.outputs["board"] == "[]")
        try session.send("increment")
        #expect(session.outputs["board"] == "[1]")
        let restored = try CapturedSession(restoring: session)
        #expect(restored.outputs["board"] == "[1]")
        try restored.send("increment")
        #expect(restored.outputs["board"] == "[1,2]")
    }

    @Test func `a debounce in flight ends once, at its time, after a restore`() throws {
        let session = try CapturedSession(try DiaryMachine.definition())
        session.advance(by: .milliseconds(400))
        try session.send("text", "\"a\"")
        session.advance(by: .milliseconds(200))
        let restored = try CapturedSession(restoring: session)
        restored.advance(by: .milliseconds(99))
        #expect(restored.outputs["summary"] == "\"nothing\"")
        restored.advance(by: .milliseconds(1))
        #expect(restored.outputs["summary"] == "\"nothinga\"")
        restored.advance(by: .seconds(1))
        #expect(restored.outputs["summary"] == "\"nothinga\"")
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `outputs that replay a value are the same after a restore`(seed: UInt64) throws {
        let twins = TwinTest(inputs: [("add", ["0", "1", "2"])])
        try twins.run(try ReplayMachine.definition(), seed: seed)
    }

    @Test func `the wiring of a restored machine emits nothing`() throws {
        let session = try CapturedSession(try ReplayMachine.definition())
        try session.send("add", "2")
        #expect(session.events == ["steps"])
        let restored = try CapturedSession(restoring: session)
        #expect(restored.events == [])
        #expect(restored.outputs == ["level": "12", "label": "\"02\""])
        try restored.send("add", "2")
        #expect(restored.events == ["steps"])
        #expect(restored.outputs == ["level": "14", "label": "\"024\""])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a machine with subjects and an object of its own is the same after a restore`(seed: UInt64) throws {
        let twins = TwinTest(inputs: [
            ("next", ["null"]), ("query", ["\"a\"", "\"b\""]), ("report", ["null"]), ("report", ["null"]),
            ("close", ["null"]),
        ])
        try twins.run(try PagesMachine.definition(), seed: seed)
    }

    @Test func `what polish creates for itself survives a restore`() throws {
        let session = try CapturedSession(try PagesMachine.definition())
        for (input, value) in [("query", "\"a\""), ("next", "null"), ("next", "null"), ("close", "null")] {
            try session.send(input, value)
        }
        let outputs = session.outputs
        let restored = try CapturedSession(restoring: session)
        #expect(restored.outputs == outputs)
        try restored.send("next")
        try restored.send("report")
        #expect(restored.outputs["page"] == "4" && restored.outputs["visits"] == "3")
        #expect(restored.outputs["summary"] == "\"4 3 [\\\"a\\\"]\"")
        #expect(restored.outputs["isClosed"] == "true")
    }

    @Test func `an operator with values that are not Codable is captured by their parts`() throws {
        let session = try CapturedSession(try PhaseMachine.definition())
        try session.send("go")
        let restored = try CapturedSession(restoring: session)
        try restored.send("go")
        #expect(restored.outputs["log"] == "[\"went 1\",\"went 2\"]")
    }
}
