import Contract
import MachineHost
import Testing

@testable import Granary

/// The command `types`.
struct TypesRunTests {
    private func machine(_ name: String, schema: JSONSchema = .boolean) -> MachineDefinition {
        MachineDefinition(
            name: name, summary: "Counts.", inputs: [],
            outputs: [OutputDefinition(name: "count", schema: schema, kind: .value)],
            make: { _ in throw MachineRegistrationError(machine: name, detail: "not to be created") })
    }

    private func run(
        _ machines: [MachineDefinition], machine name: String? = nil, language: TypesLanguage = .typescript
    ) -> (status: Int32, output: String, errors: String) {
        var (output, errors) = ("", "")
        let run = TypesRun(program: "granary", print: { output += $0 + "\n" }, printError: { errors += $0 + "\n" })
        return (run.run(language, machines, machine: name), output, errors)
    }

    @Test func `all machines are printed, or one of them`() {
        let all = run([machine("counter"), machine("clock")])
        #expect(all.status == 0 && all.errors == "")
        #expect(all.output.contains("  counter: {") && all.output.contains("  clock: {"))
        let one = run([machine("counter"), machine("clock")], machine: "clock")
        #expect(one.status == 0)
        #expect(!one.output.contains("  counter: {") && one.output.contains("  clock: {"))
    }

    @Test func `the types are printed in the requested language`() {
        let result = run([machine("counter")], language: .swift)
        #expect(result.status == 0)
        #expect(result.output.contains("public enum Counter: MachineSchema {"))
    }

    @Test func `the header names the contract by a hash, which changes with it`() {
        func header(_ schema: JSONSchema) -> Substring? {
            run([machine("counter", schema: schema)]).output.split(separator: "\n").first {
                $0.hasPrefix("// Contract ")
            }
        }
        #expect(header(.boolean)?.count == "// Contract ".count + 16)
        #expect(header(.boolean) == header(.boolean))
        #expect(header(.boolean) != header(.number))
    }

    @Test func `an unknown machine is named, with the nearest one`() {
        let result = run([machine("counter"), machine("clock")], machine: "conter")
        #expect(result.status == 1 && result.output == "")
        #expect(
            result.errors
                == "granary: no such machine: conter, did you mean counter?; expected one of counter, clock\n")
    }

    @Test func `a value whose type is not known is a warning`() {
        let result = run([machine("counter", schema: .any)])
        #expect(result.status == 0)
        #expect(result.errors.contains("counter: the output \"count\" accepts anything"))
    }
}
