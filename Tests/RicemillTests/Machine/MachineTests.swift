import CombineCore
import Testing

@testable import Ricemill

/// Machines in every spelling of the original, and tests that apply to all of them.
struct MachineTests {
    private func switchedCounter() -> SwitchedCounter {
        SwitchedCounter(input: .init(), store: .init(), extra: .init())
    }

    @Test func `a counter whose store is its output counts and stops at zero`() {
        let viewModel = switchedCounter()
        viewModel.input.increment.send()
        viewModel.input.increment.send()
        #expect(viewModel.output.count == 2)
        for _ in 0..<3 { viewModel.input.decrement.send() }
        #expect(viewModel.output.count == 0)
    }

    @Test func `a counter in the slides' spelling publishes its texts`() {
        let viewModel = LabelledCounter(input: .init(), store: .init(), extra: .init())
        var texts: [String?] = []
        var enabled: [Bool] = []
        let cancellables = [
            viewModel.output.count.sink { texts.append($0) },
            viewModel.output.isDecrementEnabled.sink { enabled.append($0) },
        ]
        viewModel.input.isOn.send(true)
        viewModel.input.increment.send()
        viewModel.input.decrement.send()
        viewModel.input.decrement.send()
        #expect(texts == ["0", "1", "0", "0"])
        #expect(enabled == [false, false, true, false, false])
        cancellables.forEach { $0.cancel() }
    }

    @Test func `polish runs once, in the initializer`() {
        var count = 0
        let machine = SwitchedCounter(input: .init(), store: .init(), extra: .init(polished: { count += 1 }))
        #expect(count == 1)
        machine.input.increment.send()
        _ = machine.output.count
        #expect(count == 1)
    }

    @Test func `values sent during the wiring are in the store after the initializer`() {
        let machine = MixedMachine(
            input: .init(), store: .init(), extra: .init(names: Just("Ada").eraseToAnyPublisher()))
        var lengths: [Int] = []
        let cancellable = machine.output.length.sink { lengths.append($0) }
        #expect(lengths == [3])
        #expect(machine.output.isIncrementEnabled)
        cancellable.cancel()
    }

    @Test func `the machine alone retains its store, its extra and its pipelines`() {
        weak var store: SwitchedCounter.Store?
        weak var token: SwitchedCounter.Input?
        var machine: SwitchedCounter?
        do {
            let made = SwitchedCounter.Store()
            let kept = SwitchedCounter.Input()
            store = made
            machine = SwitchedCounter(input: .init(), store: made, extra: .init(polished: { _ = kept }))
            token = kept
        }
        #expect(store != nil)
        #expect(token != nil)
        machine?.input.increment.send()
        #expect(store?.count == 1)
        machine = nil
        #expect(store == nil)
        #expect(token == nil)
    }

    @Test func `a machine whose store is its output announces changes of the store`() {
        let machine = switchedCounter()
        var counts: [Int] = []
        let cancellable = machine.objectWillChange.sink { counts.append(machine.output.count) }
        machine.input.increment.send()
        #expect(counts.first == 0)
        #expect(machine.output.count == 1)
        cancellable.cancel()
    }

    @Test func `a subscriber receives the new value while the property still has the old one`() {
        let store = SwitchedCounter.Store()
        let machine = SwitchedCounter(input: .init(), store: store, extra: .init())
        var seen: [[Int]] = []
        let cancellable = machine.output.$count.dropFirst().sink { seen.append([$0, store.count]) }
        machine.input.increment.send()
        #expect(seen == [[1, 0]])
        #expect(store.count == 1)
        cancellable.cancel()
    }

    @Test func `equal values are published again`() {
        let machine = switchedCounter()
        var counts: [Int] = []
        let cancellable = machine.output.$count.sink { counts.append($0) }
        machine.input.decrement.send()
        #expect(counts == [0, 0])
        cancellable.cancel()
    }

    @Test func `a publisher that completes also completes its input`() {
        let machine = switchedCounter()
        let cancellable = Just(()).subscribe(machine.input.increment)
        #expect(machine.output.count == 1)
        machine.input.increment.send()
        #expect(machine.output.count == 1)
        cancellable.cancel()
    }

    @Test func `a completed input ignores values`() {
        let machine = switchedCounter()
        machine.input.increment.send(completion: .finished)
        machine.input.increment.send()
        #expect(machine.output.count == 0)
        machine.input.decrement.send()
        #expect(machine.output.count == 0)
    }

    @Test func `a disabled state is only a hint, and an increment while disabled counts`() {
        let machine = switchedCounter()
        #expect(!machine.output.isIncrementEnabled)
        machine.input.increment.send()
        #expect(machine.output.count == 1)
        #expect(machine.output.last == "up while off")
    }

    @Test func `a machine with another resolver retains everything it needs`() {
        let machine = AnyResolverBasedMachine<SwitchedCounter.Input, SwitchedCounter.Store>(
            input: SwitchedCounter.Input(), store: SwitchedCounter.Store(), extra: SwitchedCounter.Extra(),
            resolver: SwitchedCounter.self)
        var announced = 0
        let cancellable = machine.objectWillChange.sink { announced += 1 }
        machine.input.increment.send()
        #expect(machine.output.count == 1)
        #expect(announced > 0)
        cancellable.cancel()
    }

    final class SelfResolving: AnyResolverBasedMachine<LabelledCounter.Input, LabelledCounter.Output>, ResolverType {
        typealias Input = LabelledCounter.Input
        typealias Output = LabelledCounter.Output
        typealias Store = LabelledCounter.Store
        typealias Extra = LabelledCounter.Extra

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
            LabelledCounter.Resolver.polish(input: input, store: store, extra: extra)
        }
    }

    @Test func `a machine that is its own resolver needs no resolver argument`() {
        let machine = SelfResolving(input: .init(), store: .init(), extra: .init())
        var texts: [String?] = []
        let cancellable = machine.output.count.sink { texts.append($0) }
        machine.input.increment.send()
        #expect(texts == ["0", "1"])
        cancellable.cancel()
    }

    final class StandIn: MachineType {
        let input = InputProxy(LabelledCounter.Input())
        let output = OutputProxy(
            LabelledCounter.Output(
                count: Just("fixed").eraseToAnyPublisher(), isIncrementEnabled: Empty().eraseToAnyPublisher(),
                isDecrementEnabled: Empty().eraseToAnyPublisher()))
    }

    private func firstText<M: MachineType>(of machine: M) -> String? where M.Output == LabelledCounter.Output {
        var text: String?
        machine.output.count.sink { text = $0 }.cancel()
        return text
    }

    @Test func `a view that requires a machine type accepts a mock`() {
        #expect(firstText(of: StandIn()) == "fixed")
        #expect(firstText(of: LabelledCounter(input: .init(), store: .init(), extra: .init())) == "0")
    }

    @Test func `the order of subscriptions in polish determines the order of delivery`() {
        let store = SwitchedCounter.Store()
        let machine = SwitchedCounter(input: .init(), store: store, extra: .init())
        var beeps: [Int] = []
        let cancellable = machine.output.beep.sink { beeps.append($0) }
        machine.input.increment.send()
        machine.input.increment.send()
        #expect(beeps == [1, 2])
        cancellable.cancel()
    }

    /// A machine whose store could be an output, but whose `polish` returns another one.
    final class Elsewhere: Machine<Elsewhere> {
        struct Input: InputType {
            let rename = PassthroughSubject<String, Never>()
        }

        final class Store: StoredOutputType {
            @Published var name = "store"
        }

        typealias Output = Store
        struct Extra: ExtraType { let output: Store }

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
            Polished(output: extra.output, cancellables: [input.rename.assign(to: \.name, on: store)])
        }
    }

    @Test func `changes of the store are announced even if polish returns another output`() {
        let other = Elsewhere.Store()
        let machine = Elsewhere(input: .init(), store: .init(), extra: .init(output: other))
        var announced = 0
        let cancellable = machine.objectWillChange.sink { announced += 1 }
        other.name = "output"
        #expect(announced == 0)
        machine.input.rename.send("renamed")
        #expect(announced == 1)
        #expect(machine.output.name == "output")
        cancellable.cancel()
    }

    /// A machine that is retained by its own extra and pipeline.
    final class Looping: Machine<Looping> {
        struct Input: InputType {
            let touch = PassthroughSubject<Void, Never>()
        }

        final class Store: StoredOutputType {
            @Published var touches = 0
        }

        final class Extra: ExtraType {
            var machine: AnyObject?
        }

        typealias Output = Store

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
            Polished(cancellables: [input.touch.sink { store.touches += extra.machine == nil ? 0 : 1 }])
        }
    }

    @Test func `a machine that its pipeline retains is deallocated after a disconnect`() {
        weak var machine: Looping?
        do {
            let extra = Looping.Extra()
            let made = Looping(input: .init(), store: .init(), extra: extra)
            extra.machine = made
            machine = made
        }
        machine?.input.touch.send()
        #expect(machine?.output.touches == 1)
        machine?.disconnect()
        #expect(machine == nil)
    }

    @Test func `a disconnected machine ignores inputs`() {
        let direct = switchedCounter()
        let erased = AnyResolverBasedMachine(
            input: SwitchedCounter.Input(), store: .init(), extra: .init(), resolver: SwitchedCounter.self)
        for machine in [direct, erased] as [any Disconnectable] { machine.disconnect() }
        direct.input.increment.send()
        erased.input.increment.send()
        #expect(direct.output.count == 0)
        #expect(erased.output.count == 0)
    }
}
