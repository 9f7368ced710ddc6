import Log
import MachineHost
import MachineTesting
import Testing

@testable import Granary

/// Which servers store sessions.
struct SessionStoreTests {
    private func machine(_ durability: Durability?) -> MachineDefinition {
        var machine = ScriptedMachine.definition("orders", outputs: [])
        machine.captureObstacles = []
        machine.durability = durability
        return machine
    }

    private func store(
        _ durability: Durability, _ machines: [Durability?], home: String? = "/home/none"
    ) throws -> SessionStore? {
        var storage = Configuration.Storage()
        storage.durability = durability
        return try SessionStore(
            storage, for: machines.map(machine), program: "shop", environment: home.map { ["HOME": $0] } ?? [:],
            log: .silent)
    }

    @Test func `a server stores sessions if the configuration or a machine requests it`() throws {
        #expect(try store(.memory, [nil, .memory]) == nil)
        #expect(try store(.disk, [])?.directory == "/home/none/.local/state/shop")
        let store = try #require(try store(.memory, [nil, .process, .disk]))
        #expect(store.writer.durability == .disk)
        #expect(store.writer.defaultDurability == .memory)
        let process = try #require(try self.store(.process, [nil, .disk]))
        #expect(process.writer.durability == .disk)
        #expect(process.writer.defaultDurability == .process)
        let disk = try #require(try self.store(.disk, [.process]))
        #expect(disk.writer.durability == .disk)
        #expect(disk.writer.defaultDurability == .disk)
    }

    @Test func `a server without a directory for what a machine requests does not start, and names the machine`() {
        let error = #expect(throws: StateDirectoryError.self) { try store(.memory, [nil, .disk], home: nil) }
        #expect(
            error?.description.hasSuffix(
                "got none; the registration of the machine \"orders\" requests that its sessions are stored") == true)
        let other = #expect(throws: StateDirectoryError.self) { try store(.process, [.disk], home: nil) }
        #expect(other?.description.contains("set sessions.durability to memory") == true)
    }
}
