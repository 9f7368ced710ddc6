import CombineCore
import Ricemill
import RicemillAdapter
import StateCapture
import Testing

@testable import MachineHost

/// Two builds of a machine: the second one has renamed a member.
private enum Builds {
    final class First: Machine<First> {
        final class Input: InputType {
            let add = PassthroughSubject<Int, Never>()
        }

        typealias Output = Store

        final class Store: StoredOutputType {
            @Published var count = 0
            private var history: [Int] = []

            func add(_ number: Int) {
                count += number
                history.append(number)
            }
        }

        struct Extra: ExtraType {}

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
            Polished(cancellables: [input.add.sink { store.add($0) }])
        }
    }

    final class Second: Machine<Second> {
        typealias Input = First.Input
        typealias Output = Store

        final class Store: StoredOutputType, Resumable {
            @Published var total = 0
            private var history: [Int] = []

            static var version: Int { 2 }
            static var migrations: [Int: StateMigration] {
                [1: { state in state.move("store.count", to: "store.total") }]
            }
        }

        struct Extra: ExtraType {}

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
            Polished(cancellables: [input.add.sink { store.total += $0 }])
        }
    }

    static func first() throws -> MachineDefinition {
        try .ricemill("adder", summary: "") { _ in First(input: .init(), store: .init(), extra: .init()) }
    }

    static func second() throws -> MachineDefinition {
        try .ricemill("adder", summary: "") { _ in Second(input: .init(), store: .init(), extra: .init()) }
    }
}

struct StateVersionTests {
    private func stored(_ session: CapturedSession) -> StoredSession {
        var stored = StoredSession(machine: "adder", epoch: .random(), created: 0, lastInput: 0, version: 1)
        stored.states = session.stored.mapValues { $0[...] }
        return stored
    }

    @Test func `a registered machine has the shape and the version of its members`() throws {
        let (first, second) = (try Builds.first(), try Builds.second())
        #expect(
            first.stateShape?.members
                == ["input.0.add": "StoredEnd<Never>", "store.0.count": "Int", "store.0.history": "Array<Int>"])
        #expect(first.stateVersion == 1)
        #expect(second.stateVersion == 2)
        #expect(second.migrations.keys.sorted() == [1])
        let differences = try #require(first.stateShape.map { second.stateShape?.differences(from: $0) })
        #expect(differences == ["store.0.count of type Int is missing"])
    }

    @Test func `a migrated machine continues with the renamed member`() throws {
        let old = try CapturedSession(try Builds.first())
        try old.send("add", "7")
        var session = stored(old)
        let second = try Builds.second()
        #expect(try session.makeCompatible(with: second, build: "", now: 0, window: 10) == .migrated)
        let registry = StateRegistry(restoring: session.states, clockOffset: 0)
        let context = SessionContext.inert()
        context.stateRegistry = registry
        let machine = try MainContext.with(MainQueueSubstitute(context.scheduler)) { try second.wire(context) }
        #expect(registry.resume() == [])
        #expect(registry.damagedMembers == [])
        var json: [UInt8] = []
        try machine.outputs.cells[0].encode(into: &json)
        #expect(json == Array("7".utf8))
    }

    @Test func `a definition of another style gets its version by a call`() throws {
        let definition = try Notebook.definition()
        #expect(definition.stateVersion == 1)
        #expect(definition.stateShape?.members.isEmpty == false)
        #expect(definition.stateShape?.members.keys.allSatisfy { $0.hasPrefix("state.0.") } == true)
        let versioned = definition.versioned(3, migrations: [1: { _ in }, 2: { _ in }])
        #expect(versioned.stateVersion == 3)
        #expect(versioned.migrations.keys.sorted() == [1, 2])
    }

    @Test func `the shape of a machine is the same each time it is registered`() throws {
        #expect(try DiaryMachine.definition().stateShape == DiaryMachine.definition().stateShape)
        #expect(try Notebook.definition().stateShape?.digest == Notebook.definition().stateShape?.digest)
    }
}
