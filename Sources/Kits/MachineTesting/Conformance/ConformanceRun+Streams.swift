import HTTPModel
import JSONText
import MachineHost

// Checks the events of streams.
extension ConformanceRun {
    func checkAtomicity() {
        let session = makeSession()
        let follower = follow(session)
        follower.read()
        for step in machine.script {
            let before = follower.events.count
            let answer = perform(step, on: session)
            follower.read()
            guard let answer else { continue }
            let body = members(answer.text)
            let events = follower.events[before...]
            let changes = body["changes"].map { $0 == "{}" ? [] : [$0] } ?? []
            expect(
                events.prefix(1).map(\.data) == changes, "the changes of \(step) on the stream differ from its response"
            )
            expect(
                follower.view.version == version(of: session), "the stream is not at the session's version")
        }
        expect(
            follower.view.outputs == outputs(of: session), "the outputs on the stream differ from those of the session")
        takeViolations(of: follower.view)
        checkBatches(against: follower.view.outputs)
    }

    /// Checks that inputs without a wait in between are one turn when they are sent as a batch, and lead to the same
    /// state.
    private func checkBatches(against outputs: [String: String]) {
        let session = makeSession()
        let follower = follow(session)
        follower.read()
        for part in batches {
            if case .wait = part[0].action {
                perform(part[0], on: session)
                continue
            }
            let version = version(of: session)
            let answer = harness.send(.post, session + "/inputs", body: "[\(part.map(element).joined(separator: ","))]")
            expect(answer.status == .ok, "a batch returns \(answer.status.code), expected 200: \(answer.text)")
            let reached = members(answer.text)["version"].flatMap { UInt64($0) } ?? 0
            expect(reached <= version + 1, "a batch is more than one turn: \(version) to \(reached)")
        }
        follower.read()
        takeViolations(of: follower.view)
        let shown = self.outputs(of: session)
        expect(shown == outputs, "a batch leads to \(shown), its separate inputs to \(outputs)")
        expect(
            follower.view.outputs == shown, "the outputs on the stream differ from those of the session after a batch")
    }

    /// The script, divided at its waits.
    private var batches: [[MachineStep]] {
        var batches: [[MachineStep]] = []
        for step in machine.script {
            if case .input = step.action, case .input? = batches.last?[0].action {
                batches[batches.count - 1].append(step)
            } else {
                batches.append([step])
            }
        }
        return batches
    }

    private func element(_ step: MachineStep) -> String {
        guard case .input(let name, let json) = step.action else { return "" }
        let value = json.map { ",\"value\":\($0)" } ?? ""
        return "{\"input\":\(JSONWriter.quoted(name))\(value)}"
    }

    func checkResumption() {
        let session = makeSession()
        let whole = follow(session)
        whole.read()
        perform(on: session) { whole.read() }
        expect(whole.view.outputs == outputs(of: session), "the outputs on the stream differ from those of the session")
        takeViolations(of: whole.view)
        var parser = EventStreamParser()
        var seen = StreamView()
        for place in 0...whole.bytes.count {
            let completed = place == 0 ? [] : parser.receive(CollectionOfOne(whole.bytes[place - 1]))
            for event in completed { seen.take(event) }
            // Within an event, the client resumes like at its beginning. A few of these places suffice, with pieces of all sizes.
            guard !completed.isEmpty || place.isMultiple(of: 7) || place == whole.bytes.count else { continue }
            var view = seen
            let id = parser.lastEventID
            let rest = follow(session, after: id.isEmpty ? nil : id)
            rest.read(limit: place % 61 + 1)
            for event in rest.events { view.take(event) }
            rest.cut()
            expect(
                view.outputs == whole.view.outputs, "cut at byte \(place), the client has the outputs \(view.outputs)")
            expect(
                view.version == whole.view.version, "cut at byte \(place), the client has version \(view.version ?? 0)")
            expect(
                id.isEmpty || view.emitted == whole.view.emitted,
                "cut at byte \(place), the client has the events \(view.emitted)")
            takeViolations(of: view)
            guard findings.isEmpty else { return }
        }
    }

    func checkFiltering() {
        let session = makeSession()
        let streams = definition.outputs.map { output in
            (output: output, follower: follow(session, query: "?only=\(PercentEncoding.encode(output.name))"))
        }
        for stream in streams { stream.follower.read() }
        perform(on: session) { for stream in streams { stream.follower.read() } }
        let shown = outputs(of: session)
        for (output, follower) in streams {
            follower.read()
            let expected = shown.filter { $0.key == output.name }
            expect(
                follower.view.outputs == expected,
                "expected only \"\(output.name)\" on the stream, got \(follower.view.outputs)")
            let json = harness.send(.get, "\(session)/outputs?only=\(PercentEncoding.encode(output.name))").text
            expect(members(json) == expected, "expected only \"\(output.name)\", got \(json)")
            let own = follower.view.emitted.allSatisfy { members($0)["output"] == JSONWriter.quoted(output.name) }
            expect(own, "expected only events of \"\(output.name)\", got \(follower.view.emitted)")
        }
        let unknown = harness.send(.get, session + "/outputs?only=$none")
        expect(unknown.status == .notFound, "an unknown output returns \(unknown.status.code), expected 404")
    }

    func checkSlowness() {
        let session = makeSession()
        let stalled = follow(session)
        stalled.read()
        let notified = stalled.readyCount
        for _ in 0..<20 { perform(on: session) }
        let limit = notified + 1 + Int(harness.loop.now.nanoseconds / 15_000_000_000)
        expect(
            stalled.readyCount <= limit, "a stream that is not read was notified \(stalled.readyCount - notified) times"
        )
        stalled.read(limit: 100)
        expect(stalled.view.outputs == outputs(of: session), "a slow stream ends with \(stalled.view.outputs)")
        expect(stalled.view.version == version(of: session), "a slow stream ends at another version")
        takeViolations(of: stalled.view)
    }
}
