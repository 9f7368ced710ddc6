import Access
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// The declaration of views.
struct ViewRegistrationTests {
    private func machine(_ views: [String: OutputView]) -> MachineDefinition {
        ScriptedMachine.definition(outputs: ["board", "hand"], events: ["shout"]).views(views) { $0.label }
    }

    @Test func `an output that does not exist is an error with the known ones`() {
        let near = #expect(throws: MachineRegistrationError.self) { try HostHarness([machine(["table": ["bord"]])]) }
        #expect(
            near?.description
                == "machine \"scripted\" cannot be hosted: the view \"table\" contains the output \"bord\", "
                + "which does not exist, did you mean \"board\"?")
        let far = #expect(throws: MachineRegistrationError.self) { try HostHarness([machine(["table": ["winner"]])]) }
        #expect(far?.detail.hasSuffix("does not exist; the outputs are: \"board\", \"hand\", \"shout\"") == true)
        #expect(throws: MachineRegistrationError.self) { try HostHarness([machine([:])]) }
    }

    @Test func `views contain values and events, and a view of all outputs is no limit`() throws {
        let registered = RegisteredMachine(
            machine(["a": ["hand", "shout"], "b": .all, "c": ["shout", "board", "hand"]]))
        let views = try #require(registered.views)
        func filter(_ label: String) -> OutputFilter? { views.view(for: Viewer(ticketLabel: label), .silent).filter }
        #expect(filter("a")?.indices == [1, 2])
        #expect(filter("a")?.names == ["hand", "shout"])
        #expect(filter("b") == nil && filter("c") == nil)
        // Built once.
        #expect(filter("a") === filter("a"))
        #expect(
            RegisteredMachine(machine(["x": ["shout", "hand"]])).views?.view(for: Viewer(ticketLabel: "x"), .silent)
                .filter?.tag == filter("a")?.tag)
        #expect(RegisteredMachine(ScriptedMachine.definition(outputs: ["a"])).views == nil)
    }

    @Test func `a view that is not declared is logged`() throws {
        let lines = Lock<[String]>([])
        let log = Log(level: .info) { event in lines.withLock { $0.append(event.message) } }
        let views = try #require(RegisteredMachine(machine(["a": .all])).views)
        #expect(views.view(for: Viewer(ticketLabel: "z"), log).filter?.indices == [])
        #expect(lines.withLock { $0 } == ["the rule of a machine has chosen a view that is not declared"])
        #expect(views.view(for: Viewer(nil), log).filter?.indices == [])
        #expect(lines.withLock { $0.count } == 1)
    }

    @Test func `a viewer is an owner unless it has a ticket`() {
        #expect(Viewer(nil).isOwner)
        #expect(Viewer(Principal(method: .apiKey, id: "ada")).isOwner)
        #expect(!Viewer(ticketLabel: "").isOwner)
    }
}
