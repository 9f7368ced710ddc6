import Access
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@testable import Contract

/// `GET /openapi.json` and `GET /v1/machines/{machine}/openapi.json`.
struct ServedDocumentTests {
    private func harness(_ machine: MachineDefinition, isServed: Bool = true) throws -> HostHarness {
        var configuration = HostConfiguration()
        if isServed { configuration.document = { OpenAPIDocument.json(of: $0, title: "Test", version: "1") } }
        return try HostHarness([machine], configuration: configuration)
    }

    private var machine: MachineDefinition {
        ScriptedMachine.definition(outputs: ["open", "hidden"], inputs: ["open": { $0.set("open", to: $1) }])
    }

    private func path(_ machine: MachineDefinition) -> String { "/v1/machines/\(machine.name)/openapi.json" }

    @Test func `the documents are revalidated`() throws {
        let harness = try harness(machine)
        for path in ["/openapi.json", path(machine)] {
            let answer = harness.send(.get, path)
            #expect(answer.status == .ok)
            #expect(answer.text.contains("\"openapi\":\"3.1.0\""))
            #expect(answer.fields.value(.contentType) == "application/json")
            #expect(answer.fields.value(.cacheControl) == "private, no-cache")
            let tag = try #require(answer.fields[.eTag])
            let again = harness.send(.get, path, fields: [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.text.isEmpty)
            #expect(harness.send(.get, path, fields: [.ifNoneMatch: "\"other\""]).status == .ok)
        }
    }

    @Test func `the document of the server names that of each machine`() throws {
        let harness = try harness(machine)
        #expect(harness.send(.get, "/openapi.json").text.contains("\"url\":\"\(path(machine))\""))
        #expect(harness.send(.get, path(machine)).text.contains("inputs/open"))
    }

    @Test func `HEAD and OPTIONS are answered, and other methods are not`() throws {
        let harness = try harness(machine)
        for path in ["/openapi.json", path(machine)] {
            #expect(harness.send(.head, path).status == .ok)
            #expect(harness.send(.options, path).fields.value(.allow) == "GET, HEAD, OPTIONS")
            #expect(harness.send(.post, path).status == .methodNotAllowed)
            #expect(harness.send(.get, path, fields: [.accept: "text/html"]).status == .notAcceptable)
            #expect(harness.send(.get, "\(path)/").status == .notFound)
        }
    }

    @Test func `a machine that does not exist has no document`() throws {
        let harness = try harness(machine)
        for name in ["other", "", "a/b", "%FF", "%2F", "\(machine.name)/"] {
            for method in [HTTPMethod.get, .options, .post] {
                #expect(harness.send(method, "/v1/machines/\(name)/openapi.json").status == .notFound, "\(name)")
            }
        }
        #expect(harness.send(.get, "/v1/machines/openapi.json").status == .notFound)
    }

    @Test func `a host without a document has no such resource for any method`() throws {
        let harness = try harness(machine, isServed: false)
        for method in [HTTPMethod.get, .head, .post, .options] {
            #expect(harness.send(method, "/openapi.json").status == .notFound)
            #expect(harness.send(method, path(machine)).status == .notFound)
        }
    }

    @Test func `outputs that a view does not contain are not described`() throws {
        let limited = machine.views(["all": .all, "some": ["open"]]) { _ in "some" }
        let text = try harness(limited).send(.get, path(machine)).text
        #expect(text.contains("\"open\":") && !text.contains("hidden"))
        let full = machine.views(["all": .all, "some": ["open"]]) { _ in "all" }
        #expect(try harness(full).send(.get, path(machine)).text.contains("\"hidden\":"))
    }

    @Test func `a machine that a rule denies is described, as in the list of machines`() throws {
        let restricted = machine.restricted { _, _ in .deny("not today") }
        let harness = try harness(restricted)
        #expect(harness.send(.get, path(machine)).text.contains("\"open\":"))
        #expect(harness.send(.get, "/v1/machines").text.contains("hidden"))
    }
}
