import HTTPModel
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

@Suite struct MachineWiringTests {
    private func definition(made: @escaping @Sendable (ScriptedMachine) -> Void) -> MachineDefinition {
        ScriptedMachine.definition(outputs: ["count"], events: ["error"], made: made)
    }

    private func wire(_ registry: StateRegistry?) throws -> OutputBoard {
        let context = SessionContext(loop: VirtualEventLoop())
        context.stateRegistry = registry
        let machine = try definition { machine in
            machine.set("count", to: StateRegistry.current == nil ? "0" : "1")
            machine.emit("error", "\"e\"")
        }.wire(context)
        return machine.outputs
    }

    @Test func `the registry of the context is current while the machine is wired`() throws {
        let without = try wire(nil)
        var json: [UInt8] = []
        try without.cells[0].encode(into: &json)
        let with = try wire(StateRegistry(clockOffset: 0))
        try with.cells[0].encode(into: &json)
        #expect(json == Array("01".utf8))
        #expect(StateRegistry.current == nil)
    }

    @Test func `a new machine shows and emits what the wiring sends`() throws {
        let board = try wire(StateRegistry(clockOffset: 0))
        #expect(board.cells[0].isMarked)
        #expect(!board.emissions.isEmpty)
        #expect(board.isDirty)
    }

    @Test func `a restored machine shows and emits nothing because of its wiring`() throws {
        let board = try wire(StateRegistry(restoring: [:], clockOffset: 0))
        #expect(!board.cells[0].isMarked)
        #expect(board.emissions.isEmpty)
        #expect(!board.isDirty)
        #expect(try board.takeEmissions() == nil)
    }

    @Test func `an event that cannot be encoded by the wiring does not fail the first turn`() throws {
        let board = try wire(nil)
        board.emit(board.cells[1]) { _ in throw CancellationError() }
        board.discardMarks()
        #expect(try board.takeEmissions() == nil)
    }

    @Test func `transient names reach the registry`() throws {
        var definition = definition { _ in }
        definition.transient = ["token"]
        let context = SessionContext(loop: VirtualEventLoop())
        let registry = StateRegistry(clockOffset: 0)
        context.stateRegistry = registry
        _ = try definition.wire(context)
        #expect(registry.transient == ["token"])
    }
}
