import CombineCore
import Testing

@testable import Ricemill

/// Machines that cannot work.
struct MachineDefectTests {
    final class Unpolished: Machine<Unpolished> {
        struct Input: InputType {}
        final class Store: StoredOutputType {}
        typealias Output = Store
        struct Extra: ExtraType {}
    }

    @Test func `a machine without a polish of its own is a defect that names it`() {
        let machine = MachineDefect.$isOnTrial.withValue(true) {
            Unpolished(input: .init(), store: .init(), extra: .init())
        }
        let description = machine.output.defect?.description ?? ""
        #expect(description.contains("MachineDefectTests.Unpolished"))
        #expect(description.contains("polish(input:store:extra:)"))
    }

    @Test func `a machine without a polish of its own stops the process outside of a host`() async {
        await #expect(processExitsWith: .failure) {
            _ = Unpolished(input: .init(), store: .init(), extra: .init())
        }
    }

    final class Elsewhere: StoredOutputType {}

    final class Astray: Machine<Astray> {
        struct Input: InputType {}
        final class Store: StoreType {}
        typealias Output = Elsewhere
        struct Extra: ExtraType {}

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
            Polished(cancellables: [])
        }
    }

    @Test func `an output that is neither made nor the store is a defect`() {
        let machine = MachineDefect.$isOnTrial.withValue(true) {
            Astray(input: .init(), store: .init(), extra: .init())
        }
        #expect(machine.output.defect == .noOutput(String(reflecting: Astray.self)))
    }

    @Test func `an output that is neither made nor the store stops the process outside of a host`() async {
        await #expect(processExitsWith: .failure) {
            _ = Astray(input: .init(), store: .init(), extra: .init())
        }
    }
}
