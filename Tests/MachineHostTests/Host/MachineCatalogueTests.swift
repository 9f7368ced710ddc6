import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// The machine definitions that a host accepts.
struct MachineCatalogueTests {
    private func refusal(_ definitions: MachineDefinition...) -> String? {
        do throws(MachineRegistrationError) {
            _ = try SessionHost(definitions)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: ["a", "counter-2", "x-", String(repeating: "m", count: 64)])
    func `a machine's name consists of letters, digits and hyphens`(name: String) {
        #expect(refusal(ScriptedMachine.definition(name, outputs: [])) == nil)
    }

    @Test(arguments: ["", "2", "-a", "Counter", "a_b", "a/b", "ä", "a ", String(repeating: "m", count: 65)])
    func `any other name is rejected`(name: String) {
        let expected = "machine \"\(name)\" cannot be hosted: a machine's name must be 1 to 64 lower-case letters"
        #expect(refusal(ScriptedMachine.definition(name, outputs: []))?.hasPrefix(expected) == true)
    }

    @Test func `two machines with the same name are rejected`() {
        let twin = ScriptedMachine.definition("twin", outputs: [])
        #expect(refusal(twin, twin) == "machine \"twin\" cannot be hosted: another machine has this name")
    }

    @Test(arguments: ["", "$emitted", "$", "a,b", "a/b", "a\n", "\u{7F}"])
    func `a port name that cannot appear in a request or response is rejected`(name: String) {
        #expect(
            refusal(ScriptedMachine.definition(outputs: [name]))?.contains("cannot be the name of an output") == true)
        let input = ScriptedMachine.definition(outputs: [], inputs: [name: { _, _ in }])
        #expect(refusal(input)?.contains("cannot be the name of an input") == true)
    }

    @Test func `a port name may contain dots and letters of any script`() throws {
        let names = ["größe", "counter1.increment", "a b", "日本"]
        let harness = try HostHarness([
            ScriptedMachine.definition(
                outputs: names,
                inputs: Dictionary(
                    uniqueKeysWithValues: names.map { name in (name, { @Sendable in $0.set(name, to: $1) }) }))
        ])
        let session = harness.makeSession()
        for name in names {
            let encoded = PercentEncoding.encode(name)
            #expect(harness.input(session, encoded, "1").text.hasSuffix("\"changes\":{\"\(name)\":1}}"))
            #expect(harness.send(.get, "\(session)/outputs?only=\(encoded)").text == "{\"\(name)\":1}")
        }
    }

    @Test func `two ports with the same name are rejected`() {
        let definition = ScriptedMachine.definition(outputs: ["a"], events: ["a"])
        #expect(refusal(definition)?.hasSuffix("it has two outputs named \"a\"") == true)
    }

    @Test func `a machine that requests a durability has it, and the others have the default`() throws {
        func machine(_ name: String, _ durability: Durability?) -> MachineDefinition {
            var machine = ScriptedMachine.definition(name, outputs: [])
            machine.captureObstacles = []
            machine.durability = durability
            return machine
        }
        let machines = [
            machine("plain", nil), machine("memory", .memory), machine("process", .process), machine("disk", .disk),
        ]
        func durabilities(_ stored: Durability, _ preset: Durability?) throws -> [Durability] {
            try MachineCatalogue(machines, stored: stored, byDefault: preset).machines.map(\.durability)
        }
        #expect(try durabilities(.disk, .process) == [.process, .memory, .process, .disk])
        #expect(try durabilities(.disk, .memory) == [.memory, .memory, .process, .disk])
        #expect(try durabilities(.disk, nil) == [.disk, .memory, .process, .disk])
        // A host without a journal.
        #expect(try durabilities(.memory, nil) == [.memory, .memory, .memory, .memory])
    }

    @Test func `a host that cannot keep what a registration requests logs a warning`() throws {
        let lines = Lock<[LogEvent]>([])
        var machine = ScriptedMachine.definition("orders", outputs: [])
        machine.captureObstacles = []
        machine.durability = .disk
        let log = Log(level: .warning) { event in lines.withLock { $0.append(event) } }
        _ = try SessionHost([machine], log: log)
        let line = try #require(lines.withLock { $0.first })
        #expect(line.message == "sessions survive less than the registration of their machine requests")
        #expect(line.fields.map(\.value) == [.text("orders"), .text("disk"), .text("memory")])
        let writer = JournalWriter(byDefault: .memory, executor: DispatchJournalExecutor()) { _ in }
        _ = try SessionHost([machine], log: log, journal: writer)
        #expect(lines.withLock { $0.count } == 1)
    }
}
