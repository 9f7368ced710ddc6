import HTTPModel
import JSONText
import MachineHost

// Checks the creation of a session, and the responses to inputs.
extension ConformanceRun {
    func checkCreation() {
        let answer = harness.send(.post, "/v1/sessions", body: machine.creation)
        expect(answer.status == .created, "no session was created: \(answer.status.code) \(answer.text)")
        let body = members(answer.text)
        let id = String((body["id"] ?? "").dropFirst().dropLast())
        expect(id.utf8.count == 22, "expected an id of 22 characters, got \(id)")
        expect(answer.fields.value(.location) == "/v1/sessions/\(id)", "Location does not name the session")
        expect(body["version"] == "0", "expected version 0 of a new session, got \(body["version"] ?? "none")")
        let tag = answer.fields.value(.eTag) ?? "none"
        expect(
            tag.utf8.count == 10 && tag.hasPrefix("\"") && tag.hasSuffix(".0\""),
            "expected the entity tag of a new session to be an epoch and version 0, got \(tag)")
        expect(body["machine"] == "\"\(definition.name)\"", "the response does not name the session's machine")
        let declared = Set(definition.outputs.filter { $0.kind == .value }.map(\.name))
        for name in members(body["outputs"] ?? "").keys where !declared.contains(name) {
            expect(false, "\"\(name)\" has a value but is not an output with a value")
        }
        let session = "/v1/sessions/\(id)"
        expect(
            harness.send(.get, session).text == answer.text,
            "GET of a new session differs from the response that created it")
        expect(
            outputs(of: session) == members(body["outputs"] ?? ""), "the outputs differ from the session's outputs")
    }

    func checkAcceptance() {
        let session = makeSession()
        let names = Set(definition.outputs.map(\.name))
        var version = version(of: session)
        for step in machine.script {
            guard let answer = perform(step, on: session) else {
                version = self.version(of: session)
                continue
            }
            guard answer.status == .ok else {
                expect(false, "\(step) returns \(answer.status.code), expected 200: \(answer.text)")
                continue
            }
            let body = members(answer.text)
            let changes = members(body["changes"] ?? "")
            let expected = version + (changes.isEmpty ? 0 : 1)
            expect(
                body["version"] == "\(expected)",
                "\(step) returns version \(body["version"] ?? "none"), expected \(expected)")
            for name in changes.keys where name != "$emitted" {
                expect(names.contains(name), "\(step) changes \"\(name)\", which is not an output")
            }
            version = self.version(of: session)
        }
    }

    func checkRefusal() {
        let session = makeSession()
        let before = (version(of: session), outputs(of: session))
        for input in definition.inputs {
            let path = "\(session)/inputs/\(PercentEncoding.encode(input.name))"
            expectStatus(.badRequest, harness.send(.post, path, body: "{"), "\(input.name) with a broken body")
            let typed = harness.send(.post, path, body: "null", fields: [.contentType: "text/plain"])
            expectStatus(.unsupportedMediaType, typed, "\(input.name) with text")
            for value in misfits(of: input) {
                let answer = harness.send(.post, path, body: value)
                expectStatus(.unprocessableContent, answer, "\(input.name) with \(value)")
                expect(
                    answer.text.contains("\"errors\":[{\"pointer\":"),
                    "the error for \(input.name) with \(value) has no pointer")
                let batch = "[{\"input\":\(JSONWriter.quoted(input.name)),\"value\":\(value)}]"
                let refused = harness.send(.post, session + "/inputs", body: batch)
                expectStatus(.unprocessableContent, refused, "a batch of \(input.name) with \(value)")
                expect(
                    refused.text.contains("\"pointer\":\"/0/value"),
                    "the error of a batch has no pointer: \(refused.text)")
            }
        }
        expectStatus(.notFound, harness.send(.post, session + "/inputs/$none"), "an unknown input")
        expect(
            before == (version(of: session), outputs(of: session)), "refused inputs have changed the session")
    }

    func checkConditions() {
        let session = makeSession()
        for (index, step) in machine.script.enumerated() {
            guard case .input = step.action else {
                perform(step, on: session)
                continue
            }
            let version = version(of: session)
            let stale = perform(step, on: session, fields: [.ifMatch: tag(version + 1)])
            expectStatus(.preconditionFailed, stale, "\(step) for a future version")
            expect(self.version(of: session) == version, "\(step) was run although its condition failed")
            let keyed: HTTPFields = [.ifMatch: tag(version), .idempotencyKey: tag(UInt64(index))]
            let first = perform(step, on: session, fields: keyed)
            expectStatus(.ok, first, "\(step) for the current version")
            let after = self.version(of: session)
            let again = perform(step, on: session, fields: keyed)
            expect(again?.text == first?.text, "\(step) with the same key has a different response")
            expect(again?.fields.value(.idempotencyReplayed) == "true", "\(step) with the same key is not replayed")
            expect(self.version(of: session) == after, "\(step) with the same key was run again")
            let known = harness.send(.get, session, fields: [.ifNoneMatch: tag(after)])
            expectStatus(.notModified, known, "GET of a known version")
        }
    }

    func checkLimits() {
        let sessions = (0..<harness.host.configuration.maxSessions).map { _ in makeSession() }
        let session = sessions[0]
        let before = (version(of: session), outputs(of: session))
        let create = machine.creation
        let full = harness.send(.post, "/v1/sessions", body: create)
        expectStatus(.serviceUnavailable, full, "a session over the limit")
        expect(full.fields.contains(.retryAfter), "the refusal of a session over the limit has no Retry-After")
        _ = harness.send(.delete, sessions[1])
        expectStatus(.created, harness.send(.post, "/v1/sessions", body: create), "a session within the limit")
        checkStreamLimit(session)
        for input in definition.inputs {
            let path = "\(session)/inputs/\(PercentEncoding.encode(input.name))"
            let depth = harness.host.configuration.maxNesting + 1
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            expectStatus(.badRequest, harness.send(.post, path, body: deep), "\(input.name) nested too deeply")
            let element = "{\"input\":\(JSONWriter.quoted(input.name))}"
            let long = Array(repeating: element, count: harness.host.configuration.maxBatch + 1)
            let batch = "[\(long.joined(separator: ","))]"
            let refused = harness.send(.post, session + "/inputs", body: batch)
            expectStatus(.unprocessableContent, refused, "a batch of \(long.count) inputs")
        }
        expect(before == (version(of: session), outputs(of: session)), "requests over a limit have changed the session")
    }

    private func checkStreamLimit(_ session: String) {
        let stream: HTTPFields = [.accept: "text/event-stream"]
        let followers = (0..<harness.host.configuration.maxStreamsPerSession).map { _ in follow(session) }
        // An `EventSource` would give up on any other status.
        let refused = harness.send(.get, session + "/outputs", fields: stream)
        expectStatus(.ok, refused, "a stream over the limit")
        expect(refused.text.hasPrefix("retry: "), "the refusal of a stream over the limit has no reconnection time")
        expect(refused.text.contains(#""reason":"busy""#), "a stream over the limit does not end with the reason busy")
        let status = harness.send(
            .get, session + "/outputs", fields: [.accept: "text/event-stream", .prefer: "status"])
        expectStatus(.tooManyRequests, status, "a stream over the limit, with the status preferred")
        expect(status.fields.contains(.retryAfter), "the refusal of a stream over the limit has no Retry-After")
        followers[0].cut()
        expectStatus(.ok, harness.send(.get, session + "/outputs", fields: stream), "a stream within the limit")
        for follower in followers { follower.cut() }
    }

    private func tag(_ number: UInt64) -> HTTPFieldValue { HTTPFieldValue("\"\(number)\"") ?? "" }

    /// Returns values that the input's schema excludes.
    private func misfits(of input: InputDefinition) -> [String] {
        guard let schema = SchemaText(input.schema, isInput: true) else { return [] }
        return ["null", "true", "-1.5", "\"\\u0000?\"", "[[[]]]", "{\"$\":{}}"].filter { schema.accepts($0) == false }
    }

    private func expectStatus(_ status: HTTPStatus, _ answer: HarnessAnswer?, _ what: String) {
        guard let answer, answer.status != status else { return }
        expect(false, "\(what) returns \(answer.status.code), expected \(status.code): \(answer.text)")
    }
}
