import CombineCore
import StateCapture
import Testing

@testable import Ricemill

/// The capture and restore of machines, without a host.
struct CapturedMachineTests {
    /// A machine with state in each of its parts.
    final class Tally: Machine<Tally> {
        final class Input: BindableInputType {
            @Published var name = "none"
            let step = CurrentValueSubject<Int, Never>(1)
            let count = PassthroughSubject<Void, Never>()
        }

        final class Output: OutputType {
            @Published var shown = 0
            var reads = 0
        }

        final class Store: StoreType, Resumable {
            static let version = 3
            var total = 0
            private let id: Int
            private lazy var label = "id \(id)"
            var text: String { label }

            init(id: Int) { self.id = id }
        }

        struct Extra: ExtraType {
            var wired: (Store) -> Void = { _ in }
        }

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
            extra.wired(store)
            let output = Output()
            return Polished(
                output: output,
                cancellables: [
                    input.count.sink {
                        store.total += 1
                        output.shown = store.total
                        output.reads += 2
                    }
                ])
        }
    }

    /// Machines of the same parts in another spelling.
    final class AnyTally: AnyResolverBasedMachine<Tally.Input, Tally.Output> {}

    private func stored(_ registry: StateRegistry) throws -> [String: ArraySlice<UInt8>] {
        var bytes: [UInt8] = []
        _ = try registry.appendChanges(to: &bytes)
        return Dictionary(uniqueKeysWithValues: StateChanges(bytes[...]).map { ($0.key, $0.json) })
    }

    @Test func `the members of store, input and output are captured`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let machine = registry.wire { Tally(input: .init(), store: .init(id: 4), extra: .init()) }
        machine.input.count.send()
        machine.input.base.step.value = 5
        let states = try stored(registry).mapValues { String(decoding: $0, as: UTF8.self) }
        #expect(states["store.0.total"] == "1")
        #expect(states["store.0.id"] == "4")
        #expect(states["output.0.shown"] == "1")
        #expect(states["output.0.reads"] == "2")
        #expect(Set(["store.0.label", "input.0.name", "input.0.step"]).isSubset(of: states.keys))
        #expect(registry.obstacles == [])
    }

    @Test func `stored members are in place when polish runs, and nothing is published`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let original = registry.wire { Tally(input: .init(), store: .init(id: 4), extra: .init()) }
        original.input.count.send()
        original.input.base.name = "Ada"
        original.input.base.step.value = 5

        let second = StateRegistry(restoring: try stored(registry), clockOffset: 0)
        var wired: [String] = []
        let input = Tally.Input()
        var changes = 0
        let token = input.objectWillChange.sink { changes += 1 }
        let restored = second.wire {
            Tally(input: input, store: .init(id: 0), extra: .init { wired.append("\($0.total) \($0.text)") })
        }
        #expect(wired == ["1 id 4"])
        #expect(second.resume() == [])
        #expect(second.mismatches == [])
        #expect(restored.output.shown == 1)
        #expect(restored.output.base.reads == 2)
        #expect(input.name == "Ada")
        #expect(input.step.value == 5)
        #expect(changes == 0)
        restored.input.count.send()
        #expect(restored.output.shown == 2)
        token.cancel()
    }

    @Test func `a machine with any resolver is captured through the underlying machine`() throws {
        let registry = StateRegistry(clockOffset: 0)
        let machine = registry.wire {
            AnyTally(input: .init(), store: Tally.Store(id: 1), extra: .init(), resolver: Tally.self)
        }
        machine.input.count.send()
        #expect(try stored(registry)["store.0.total"].map { Array($0) } == Array("1".utf8))
        #expect(machine.capturedStore is Tally.Store)
    }

    @Test func `the version of a store is its own, and 1 by default`() {
        final class Plain: Resumable {}
        #expect(Tally.Store.version == 3)
        #expect(Plain.version == 1)
        Plain().resumed([])
    }

    @Test func `nothing is registered outside of a session`() {
        let machine = Tally(input: .init(), store: .init(id: 1), extra: .init())
        machine.input.count.send()
        #expect(machine.output.shown == 1)
    }
}
