import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The documents that describe a host and its machines.
struct DescriptionTests {
    /// A host whose documents are the forms and the outputs that they describe.
    private func harness() throws -> HostHarness {
        try CardTable().harness { configuration in
            configuration.document = { host in
                let outputs = host.machines.flatMap { $0.outputs.map(\.name) }.joined(separator: " ")
                return Array("\(host.form): \(outputs)".utf8)
            }
        }
    }

    @Test(arguments: DescriptionForm.allCases)
    func `each requester gets the outputs of its view, also after others`(form: DescriptionForm) throws {
        let harness = try harness()
        for _ in 1...2 {
            for (user, outputs) in [
                ("ada dealer", "open hand shout whisper"), ("eve table", "open shout"), ("bob wall", ""),
                ("oscar unknown", ""),
            ] {
                for path in ["\(form.path)", "/v1/machines/scripted\(form.path)"] {
                    let answer = harness.send(.get, path, fields: CardTable.user(user))
                    #expect(answer.status == .ok && answer.text == "\(form): \(outputs)", "\(user) \(path)")
                    let tag = try #require(answer.fields[.eTag])
                    var fields = CardTable.user("ada dealer")
                    fields.append(.ifNoneMatch, tag)
                    let isSame = harness.send(.get, path, fields: fields).status == .notModified
                    #expect(isSame == (user == "ada dealer"), "\(user) \(path)")
                }
            }
        }
    }

    @Test func `the forms have different documents`() throws {
        let harness = try harness()
        let texts = DescriptionForm.allCases.map { form in
            harness.send(.get, "\(form.path)", fields: CardTable.user("ada dealer")).text
        }
        #expect(Set(texts).count == DescriptionForm.allCases.count)
    }

    @Test func `a path is that of one form and one machine`() {
        for form in DescriptionForm.allCases {
            #expect(Route(target: "\(form.path)?x") == .description(form))
            #expect(Route(target: "/v1/machines/a%20b\(form.path)") == .machineDescription("a b", form))
            for path in ["\(form.path)/", "\(form.path)x", "/v1\(form.path)", "/v1/machines/a/b\(form.path)"] {
                #expect(Route(target: path) == .unknown, "\(path)")
            }
        }
    }
}
