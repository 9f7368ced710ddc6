import Access
import Contract
import Foundation
import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// The example's types are those that `granary types --swift --machine counter` prints.
struct ExampleTypesTests {
    @Test func `the types of the example are those of the demo's counter`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Examples/CounterLabel/Sources/CounterLabel/Counter.swift")
        var contract = MachineContract([MachineCase.counter.definition])
        contract.machines[0].summary = "Counts up and down. A switch determines which buttons are enabled."
        let digest = Array(contract.text.utf8).withUnsafeBytes { Digest.sha256($0) }
        let text = SwiftTypes.text(of: contract, hash: Hexadecimal.text(of: digest.bytes.prefix(8)))
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(written == text + "\n")
    }
}
