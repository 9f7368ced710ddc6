import Access
import Contract
import Foundation
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// The types of the examples are those that `granary types --swift --machine NAME` prints.
struct ExampleTypesTests {
    @Test func `the types of the label are those of the demo's counter`() throws {
        var contract = MachineContract([MachineCase.counter.definition])
        contract.machines[0].summary = "Counts up and down. A switch determines which buttons are enabled."
        try expect("CounterLabel/Sources/CounterLabel/Counter.swift", toBeTypesOf: contract)
    }

    @Test func `the types of the terminal are those of the demo's to-do list`() throws {
        let todos = try MachineDefinition.composableDemos().filter { $0.name == "composable-todos" }
        try expect("TodoTerminal/Sources/TodoTerminal/ComposableTodos.swift", toBeTypesOf: MachineContract(todos))
    }

    private func expect(_ path: String, toBeTypesOf contract: MachineContract) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let digest = Array(contract.text.utf8).withUnsafeBytes { Digest.sha256($0) }
        let text = SwiftTypes.text(of: contract, hash: Hexadecimal.text(of: digest.bytes.prefix(8)))
        let written = try String(contentsOf: root.appending(path: "Examples/\(path)"), encoding: .utf8)
        #expect(written == text + "\n")
    }
}
