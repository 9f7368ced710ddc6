import CombineCore
import Testing

@testable import Ricemill

/// Machines with defects.
struct MachineDefectTests {
    final class Unpolished: Machine<Unpolished> {
        struct Input: InputType {}
        final class Store: StoredOutputType {}
        typealias Output = Store
        struct Extra: ExtraType {}
    }

    @Test func `a machine without a polish is a defect that names the machine`() {
        let machine = MachineDefect.$isOnTrial.withValue(true) {
            Unpolished(input: .init(), store: .init(), extra: .init())
        }
        let description = machine.output.defect?.description ?? ""
        #expect(description.contains("MachineDefectTests.Unpolished"))
        #expect(description.contains("polish(input:store:extra:)"))
    }

    @Test func `a machine without a polish stops the process outside a host`() async {
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

    @Test func `a missing output is a defect if the store is not an output`() {
        let machine = MachineDefect.$isOnTrial.withValue(true) {
            Astray(input: .init(), store: .init(), extra: .init())
        }
        #expect(machine.output.defect == .noOutput(String(reflecting: Astray.self)))
    }

    @Test func `a missing output stops the process outside a host`() async {
        await #expect(processExitsWith: .failure) {
            _ = Astray(input: .init(), store: .init(), extra: .init())
        }
    }
}
