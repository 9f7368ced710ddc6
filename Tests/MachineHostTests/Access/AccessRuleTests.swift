import Access
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// The rule of a machine.
struct MachineRuleTests {
    private let access: TestAccess

    init() throws { access = try TestAccess() }

    private func machine(denying denied: AccessOperation) -> MachineDefinition {
        MachineDefinition.witness.restricted { principal, operation in
            operation == denied && principal?.id != "bob" ? .deny("Only for Bob.") : .allow
        }
    }

    @Test func `a rule denies the creation`() throws {
        let harness = try access.harness(machine(denying: .create(machine: "scripted")))
        let answer = harness.create(as: access.ada)
        #expect(answer.status == .forbidden)
        #expect(answer.text.contains("Only for Bob."))
        #expect(harness.create(as: [:]).status == .forbidden)
        #expect(harness.host.sessionCount == 0)
        #expect(harness.create(as: access.bob).status == .created)
    }

    @Test(arguments: [
        (AccessOperation.read, HTTPMethod.get, ""), (.read, .head, "/outputs"), (.delete, .delete, ""),
        (.tickets, .delete, "/tickets"), (.input("secret"), .post, "/inputs/secret"),
    ])
    func `a rule denies an operation to the owner, and strangers do not learn of it`(
        operation: AccessOperation, method: HTTPMethod, path: String
    ) throws {
        let harness = try access.harness(machine(denying: operation))
        let session = harness.makeSession(as: access.ada)
        #expect(harness.send(method, session + path, fields: access.ada).status == .forbidden)
        #expect(harness.send(method, session + path, fields: access.bob).status == .notFound)
        #expect(harness.send(.post, session + "/inputs/speak", fields: access.ada).status == .ok)
    }

    @Test func `a rule is consulted for each input of a batch before the first one runs`() throws {
        let harness = try access.harness(machine(denying: .input("secret")))
        let session = harness.makeSession(as: access.ada)
        let answer = harness.send(
            .post, session + "/inputs", body: #"[{"input":"speak"},{"input":"secret"}]"#, fields: access.ada)
        #expect(answer.status == .forbidden)
        #expect(harness.send(.get, session, fields: access.ada).text.contains(#""senders":"""#))
    }

    @Test func `a rule also counts on a host without access control`() throws {
        let harness = try HostHarness([machine(denying: .delete)])
        let session = harness.makeSession()
        #expect(harness.send(.delete, session).status == .forbidden)
        #expect(harness.send(.get, session).status == .ok)
    }
}
