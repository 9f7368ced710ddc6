import HTTPModel
import JSONText
import MachineHost

// Checks the isolation and the end of sessions.
extension ConformanceRun {
    func checkIsolation() {
        let (used, untouched) = (makeSession(), makeSession())
        let before = outputs(of: untouched)
        let follower = follow(untouched)
        follower.read()
        for step in machine.script {
            if case .wait = step.action { continue }
            perform(step, on: used)
        }
        follower.read()
        expect(outputs(of: untouched) == before, "inputs of one session have changed another")
        expect(follower.events.count == 1, "inputs of one session appear on the stream of another")
        expect(outputs(of: makeSession()) == before, "a new session starts with other outputs than the previous ones")
        let strange = follow(untouched, after: idOfLatest(used))
        strange.read()
        expect(strange.events.first?.event == "snapshot", "a position of one session is accepted by another")
    }

    private func idOfLatest(_ session: String) -> String {
        let follower = follow(session)
        follower.read()
        return follower.lastEventID
    }

    func checkEnding() {
        let session = makeSession()
        let follower = follow(session)
        follower.read()
        perform(on: session)
        follower.read()
        let timers = harness.loop.timerCount
        expect(harness.send(.delete, session).status == .noContent, "the session cannot be deleted")
        follower.read()
        expect(
            follower.view.end == "{\"reason\":\"deleted\"}", "the stream ends with \(follower.view.end ?? "nothing")")
        expect(follower.hasFinished, "the stream of a deleted session continues")
        expect(harness.send(.get, session).status == .gone, "a deleted session does not return 410")
        let back = harness.send(.get, session + "/outputs", fields: [.accept: "text/event-stream"])
        expect(back.status == .noContent, "a stream that reconnects returns \(back.status.code), expected 204")
        for step in machine.script {
            guard let answer = perform(step, on: session) else { continue }
            expect(answer.status == .gone, "\(step) returns \(answer.status.code) for a deleted session")
        }
        expect(harness.loop.timerCount <= timers, "a deleted session still has timers")
        harness.loop.run()
        expect(made.remaining == 0, "\(made.remaining) objects of the machine are not deallocated with its session")
        expect(harness.host.sessionCount == 0 && harness.host.streamCount == 0, "a deleted session is still counted")
    }

    func checkSchemas() {
        let json = harness.send(.get, "/v1/machines/\(definition.name)").text
        let described = members(json)
        for kind in ["inputs", "outputs"] {
            for port in JSONObjectText.elements(of: described[kind] ?? "") ?? [] {
                let port = members(port)
                let defects = SchemaText(json: port["schema"] ?? "")?.defects ?? ["it is not JSON"]
                for defect in defects { expect(false, "the schema of \(port["name"] ?? "?"): \(defect)") }
            }
        }
        let session = makeSession()
        checkShown(outputs(of: session))
        let follower = follow(session)
        follower.read()
        for step in machine.script {
            checkSent(step)
            perform(step, on: session)
            checkShown(outputs(of: session))
            follower.read()
        }
        for event in follower.view.emitted {
            let event = members(event)
            let name = String((event["output"] ?? "").dropFirst().dropLast())
            check(event["value"] ?? "", name, definition.outputs.first { $0.name == name && $0.kind == .event }?.schema)
        }
    }

    private func checkShown(_ outputs: [String: String]) {
        for (name, value) in outputs {
            check(value, name, definition.outputs.first { $0.name == name && $0.kind == .value }?.schema)
        }
    }

    private func checkSent(_ step: MachineStep) {
        guard case .input(let name, let json) = step.action else { return }
        check(json ?? "null", name, definition.inputs.first { $0.name == name }?.schema)
    }

    private func check(_ value: String, _ name: String, _ schema: JSONSchema?) {
        guard let schema else { return expect(false, "\"\(name)\" is not declared") }
        expect(
            SchemaText(schema)?.accepts(value) == true, "\"\(name)\" is \(value), which its schema does not allow")
    }
}
