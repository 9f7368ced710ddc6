import CombineCore
import Dispatch
import HTTPModel
import Locking
import MachineAdapters
import MachineHost
import MachineTesting
import Ricemill
import RicemillAdapter
import Testing

/// The outputs of a store: those that its registration lists, or those that reflection finds.
struct ListedOutputTests {
    private static func vault(
        outputs: [ListedOutput<Vault.Store>]? = nil, events: Set<String> = [], hidden: Set<String> = [],
        made: @escaping @Sendable (Vault.Extra) -> Void = { _ in }
    ) throws(MachineRegistrationError) -> MachineDefinition {
        try .ricemill("vault", summary: "", outputs: outputs, events: events, hidden: hidden) { _ in
            let extra = Vault.Extra()
            made(extra)
            return Vault(input: .init(), store: .init(), extra: extra)
        }
    }

    private func refusal(
        _ outputs: [ListedOutput<Vault.Store>]?, events: Set<String> = [], hidden: Set<String> = []
    ) -> String {
        do throws(MachineRegistrationError) {
            _ = try Self.vault(outputs: outputs, events: events, hidden: hidden)
            return "accepted"
        } catch {
            return error.detail
        }
    }

    @Test func `plain stored properties of a store are not outputs`() throws {
        let outputs = try Self.vault().outputs.map(\.name)
        #expect(outputs == ["count", "token", "error", "failed"])
        #expect(refusal(nil, events: ["visits"]) == "it has no output \"visits\" to make an event")
    }

    @Test func `plain stored properties of an output that is not a store are outputs`() throws {
        let definition = try MachineDefinition.ricemill("plain", summary: "") { _ in
            Plain(input: .init(), store: .init(), extra: .init(output: .init()))
        }
        #expect(definition.outputs.map(\.name) == ["plain"])
    }

    @Test func `clients see only the listed outputs`() throws {
        let definition = try Self.vault(outputs: [
            .value("visits", \.visits), .value("counted", \.count), .value("live", \.$count),
            .value("greeting", \.greeting), .value("guest", \.guest?.name), .value("size", \.guest?.name.count),
            .event("failed", \.failed), .event("error", \.$error), .value("lastFailure", \.failed),
        ])
        #expect(
            definition.outputs.map(\.name) == [
                "visits", "counted", "live", "greeting", "guest", "size", "failed", "error", "lastFailure",
            ])
        #expect(definition.outputs.map(\.kind.rawValue).filter { $0 == "event" }.count == 2)
        let guest: JSONSchema = .optional(.string(format: nil))
        #expect(definition.outputs[4].schema == guest)
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "vault")
        let created = harness.send(.get, session).text
        #expect(
            created.contains(
                #""outputs":{"visits":0,"counted":0,"live":0,"greeting":"nobody, 0","guest":null,"size":null}"#))
        let opened = harness.send(.post, session + "/inputs/open", body: "\"Ann\"").text
        #expect(
            opened
                == #"{"version":1,"changes":{"visits":1,"greeting":"Ann, 1","guest":"Ann","size":3}}"#)
        let failed = harness.send(.post, session + "/inputs/fail").text
        let emitted = #"[{"output":"failed","value":"f"},{"output":"error","value":"e"}]"#
        #expect(failed == #"{"version":2,"changes":{"lastFailure":"f","$emitted":\#(emitted)}}"#)
        let left = harness.send(.post, session + "/inputs/leave").text
        #expect(left == #"{"version":3,"changes":{"greeting":"nobody, 1","guest":null,"size":null}}"#)
        #expect(![created, opened, failed, left].joined().contains("t0k3n"))
    }

    @Test func `an empty list exposes no outputs`() throws {
        #expect(try Self.vault(outputs: []).outputs.isEmpty)
    }

    @Test func `a listed property that changes outside a turn is its own change`() throws {
        let made = Lock<Transferred<Vault.Extra>?>(nil)
        let definition = try Self.vault(outputs: [.value("visits", \.visits), .value("count", \.count)]) { extra in
            let given = Transferred(value: extra)
            made.withLock { $0 = given }
        }
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "vault")
        let follower = harness.follow(session)
        follower.read()
        let extra = try #require(made.withLock { $0 })
        onAnotherThread { extra.value.store?.count = 7 }
        harness.loop.run()
        follower.read()
        #expect(follower.view.outputs["count"] == "7")
        _ = harness.send(.delete, session)
        extra.value.store?.count = 8
    }

    @Test func `an invalid list is rejected with the name of the output`() {
        #expect(
            refusal([.value("a", \.count), .value("a", \.visits)]) == "it has two outputs named \"a\"")
        #expect(
            refusal([.value("$a", \.count)]) == "an output needs a name that does not start with $, got \"$a\"")
        #expect(refusal([.value("", \.count)]) == "an output needs a name that does not start with $, got \"\"")
        #expect(
            refusal([.event("error", \.error)])
                == "its output \"error\" cannot be an event: its key path leads to a Optional<String>, not to a "
                + "publisher (that of a @Published property is at \\.$name)")
        #expect(
            refusal([.value("guest", \.guest)])
                == "the values of its output \"guest\", of type Optional<Guest>, cannot be written as JSON: "
                + "Optional<Guest> must be Encodable")
        #expect(
            refusal([.value("error", \.error)], events: ["error"])
                == "its outputs are listed, so the list alone decides whether \"error\" is an event or a value")
    }

    @Test func `a name that a client could not send is rejected when the machine is hosted`() throws {
        let definition = try Self.vault(outputs: [.value("a,b", \.count)])
        #expect(throws: MachineRegistrationError.self) { try HostHarness([definition]) }
    }
}
