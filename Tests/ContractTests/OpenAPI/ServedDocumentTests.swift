import Access
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@testable import Contract

/// `GET /openapi.json`.
struct ServedDocumentTests {
    private func harness(_ machine: MachineDefinition, isServed: Bool = true) throws -> HostHarness {
        var configuration = HostConfiguration()
        if isServed { configuration.document = { OpenAPIDocument.json(of: $0, title: "Test", version: "1") } }
        return try HostHarness([machine], configuration: configuration)
    }

    private var machine: MachineDefinition {
        ScriptedMachine.definition(outputs: ["open", "hidden"], inputs: ["open": { $0.set("open", to: $1) }])
    }

    @Test func `the document describes the machines and is revalidated`() throws {
        let harness = try harness(machine)
        let answer = harness.send(.get, "/openapi.json")
        #expect(answer.status == .ok)
        #expect(answer.text.contains("\"openapi\":\"3.1.0\"") && answer.text.contains("inputs/open"))
        #expect(answer.fields.value(.contentType) == "application/json")
        #expect(answer.fields.value(.cacheControl) == "private, no-cache")
        let tag = try #require(answer.fields[.eTag])
        let again = harness.send(.get, "/openapi.json", fields: [.ifNoneMatch: tag])
        #expect(again.status == .notModified && again.text.isEmpty)
        #expect(harness.send(.get, "/openapi.json", fields: [.ifNoneMatch: "\"other\""]).status == .ok)
    }

    @Test func `HEAD and OPTIONS are answered, and other methods are not`() throws {
        let harness = try harness(machine)
        #expect(harness.send(.head, "/openapi.json").status == .ok)
        #expect(harness.send(.options, "/openapi.json").fields.value(.allow) == "GET, HEAD, OPTIONS")
        #expect(harness.send(.post, "/openapi.json").status == .methodNotAllowed)
        #expect(harness.send(.get, "/openapi.json", fields: [.accept: "text/html"]).status == .notAcceptable)
        #expect(harness.send(.get, "/openapi.json/").status == .notFound)
    }

    @Test func `a document of one machine is selected by its name`() throws {
        let harness = try harness(machine)
        #expect(harness.send(.get, "/openapi.json?machine=\(machine.name)").status == .ok)
        #expect(harness.send(.get, "/openapi.json?machine=other").status == .notFound)
        #expect(harness.send(.get, "/openapi.json?machine=%FF").status == .badRequest)
    }

    @Test func `a host without a document has no such resource for any method`() throws {
        let harness = try harness(machine, isServed: false)
        for method in [HTTPMethod.get, .head, .post, .options] {
            #expect(harness.send(method, "/openapi.json").status == .notFound)
        }
    }

    @Test func `outputs that a view does not contain are not described`() throws {
        let limited = machine.views(["all": .all, "some": ["open"]]) { _ in "some" }
        let text = try harness(limited).send(.get, "/openapi.json").text
        #expect(text.contains("output.open") && !text.contains("hidden"))
        let full = machine.views(["all": .all, "some": ["open"]]) { _ in "all" }
        #expect(try harness(full).send(.get, "/openapi.json").text.contains("output.hidden"))
    }

    @Test func `a machine that a rule denies is described, as in the list of machines`() throws {
        let restricted = machine.restricted { _, _ in .deny("not today") }
        let harness = try harness(restricted)
        #expect(harness.send(.get, "/openapi.json").text.contains("output.open"))
        #expect(harness.send(.get, "/v1/machines").text.contains("hidden"))
    }
}
