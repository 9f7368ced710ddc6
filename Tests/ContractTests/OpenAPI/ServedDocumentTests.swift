import Access
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@testable import Contract

/// `GET /openapi.json`, `GET /v1/machines/{machine}/openapi.json`, and the types beside them.
struct ServedDocumentTests {
    private func harness(_ machines: MachineDefinition..., isServed: Bool = true) throws -> HostHarness {
        var configuration = HostConfiguration()
        if isServed { configuration.document = { HostDocument.bytes(of: $0, title: "Test", version: "1") } }
        return try HostHarness(machines, configuration: configuration)
    }

    private var machine: MachineDefinition {
        ScriptedMachine.definition(outputs: ["open", "hidden"], inputs: ["open": { $0.set("open", to: $1) }])
    }

    private func path(_ machine: MachineDefinition) -> String { "/v1/machines/\(machine.name)/openapi.json" }

    private static let forms: [(name: String, mark: String, type: String)] = [
        ("openapi.json", "{\"openapi\":\"3.1.0\"", "application/json"),
        ("types.d.ts", "export interface Machines {", "text/plain; charset=utf-8"),
        ("types.swift", "import GranaryClient", "text/plain; charset=utf-8"),
    ]

    /// The paths of the documents of the host and of a machine.
    private func paths(_ machine: MachineDefinition, as form: String) -> [String] {
        ["/\(form)", "/v1/machines/\(machine.name)/\(form)"]
    }

    @Test(arguments: forms)
    func `the documents are revalidated`(form: String, mark: String, type: String) throws {
        let harness = try harness(machine)
        for path in paths(machine, as: form) {
            let answer = harness.send(.get, path)
            #expect(answer.status == .ok)
            #expect(answer.text.contains(mark))
            #expect(answer.fields.value(.contentType) == type)
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

    @Test func `the types are those that the command prints`() throws {
        let other = ScriptedMachine.definition("other", outputs: ["count"])
        let harness = try harness(machine, other)
        for (form, language) in [("types.d.ts", TypesLanguage.typescript), ("types.swift", .swift)] {
            let (all, one) = (MachineContract([machine, other]), MachineContract([other]))
            #expect(harness.send(.get, "/\(form)").text == language.text(of: all) + "\n")
            #expect(harness.send(.get, "/v1/machines/other/\(form)").text == language.text(of: one) + "\n")
        }
    }

    @Test func `HEAD and OPTIONS are answered, and other methods are not`() throws {
        let harness = try harness(machine)
        for path in Self.forms.flatMap({ paths(machine, as: $0.name) }) {
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
                for form in Self.forms {
                    let path = "/v1/machines/\(name)/\(form.name)"
                    #expect(harness.send(method, path).status == .notFound, "\(path)")
                }
            }
        }
        #expect(harness.send(.get, "/v1/machines/openapi.json").status == .notFound)
        #expect(harness.send(.get, "/v1/machines/none/types.d.ts").text.contains("The machines are: \\\"scripted\\\""))
    }

    @Test func `a host without a document has no such resource for any method`() throws {
        let harness = try harness(machine, isServed: false)
        for method in [HTTPMethod.get, .head, .post, .options] {
            for path in Self.forms.flatMap({ paths(machine, as: $0.name) }) {
                #expect(harness.send(method, path).status == .notFound)
            }
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
