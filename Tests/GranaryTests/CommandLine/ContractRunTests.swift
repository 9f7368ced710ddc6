import Foundation
import MachineHost
import Testing

@testable import Granary

/// The command `contract`.
struct ContractRunTests {
    private func machine(outputs: [String] = ["count"], schema: JSONSchema = .boolean) -> MachineDefinition {
        MachineDefinition(
            name: "counter", summary: "Counts.", inputs: [],
            outputs: outputs.map { OutputDefinition(name: $0, schema: schema, kind: .value) },
            make: { _ in throw MachineRegistrationError(machine: "counter", detail: "not to be created") })
    }

    private func run(
        _ machine: MachineDefinition, comparingWith file: String? = nil
    ) -> (status: Int32, output: String, errors: String) {
        var (output, errors) = ("", "")
        let run = ContractRun(program: "granary", print: { output += $0 + "\n" }, printError: { errors += $0 + "\n" })
        return (run.run([machine], comparingWith: file), output, errors)
    }

    private func withFile(_ text: String, _ body: (String) -> Void) throws {
        let path = "/tmp/granary-contract-\(UUID().uuidString).json"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        body(path)
    }

    @Test func `the printed contract has no differences from itself`() throws {
        let printed = run(machine())
        #expect(printed.status == 0)
        #expect(printed.output.hasPrefix("{\n  \"contract\": 1,\n"))
        #expect(printed.errors == "")
        try withFile(printed.output) { file in
            let checked = run(machine(), comparingWith: file)
            #expect(checked.status == 0)
            #expect(checked.output == "\(file): no differences\n")
            #expect(checked.errors == "")
        }
    }

    @Test func `any difference is printed with what it means, and fails the check`() throws {
        try withFile(run(machine()).output) { file in
            let checked = run(machine(outputs: ["secret"]), comparingWith: file)
            #expect(checked.status == 1)
            #expect(
                checked.output == """
                    breaking    counter: the output "count" was removed
                    exposing    counter: the output "secret" is new: clients see it, and its name looks private

                    """)
            #expect(
                checked.errors
                    == "\(file): 1 breaking, 1 exposing and 0 compatible differences. To accept them, write the file again: "
                    + "granary contract > \(file)\n")
        }
    }

    @Test func `an output whose type is not known is a warning`() {
        let printed = run(machine(schema: .any))
        #expect(printed.status == 0)
        #expect(
            printed.errors
                == "warning: counter: the output \"count\" accepts anything, because its type is not known\n")
    }

    @Test func `a file that is missing or not a contract fails the check`() throws {
        let missing = run(machine(), comparingWith: "/nonexistent/contract.json")
        #expect(missing.status == 1)
        #expect(missing.errors == "/nonexistent/contract.json: could not be read: no such file\n")
        try withFile("{") { file in
            let checked = run(machine(), comparingWith: file)
            #expect(checked.status == 1)
            #expect(checked.errors == "\(file): expected JSON, got other text\n")
        }
    }
}
