import MachineHost
import MachineTesting
import Testing

@Suite struct ConcurrentCreationTests {
    private func machine(_ name: String) -> MachineDefinition { ScriptedMachine.definition(name, outputs: []) }

    private struct Failure: Error, Equatable { let number: Int }

    @Test func `definitions keep the order of their closures`() throws {
        let machines = try MachineDefinition.concurrently(
            (0..<20).map { number in
                { number == 7 ? [] : [machine("counter-\(number)"), machine("other-\(number)")] }
            })
        let expected = (0..<20).filter { $0 != 7 }.flatMap { ["counter-\($0)", "other-\($0)"] }
        #expect(machines.map(\.name) == expected)
    }

    @Test func `the first error is thrown, after all closures have returned`() {
        #expect(throws: Failure(number: 2)) {
            try MachineDefinition.concurrently(
                (0..<6).map { number in
                    { if number.isMultiple(of: 2), number > 0 { throw Failure(number: number) } else { [] } }
                })
        }
    }

    @Test func `no closures make no definitions`() throws {
        #expect(try MachineDefinition.concurrently([]).isEmpty)
    }
}
