import CombineCore
import HTTPModel
import Log
import MachineHost
import MachineTesting
import Ricemill
import RicemillAdapter
import Testing

@testable import MachineAdapters

/// Cells that are specialized for their type produce the same values as generic ones.
struct CompiledCellsTests {
    final class Scalars: Machine<Scalars> {
        struct Input: InputType {
            let flip = PassthroughSubject<Void, Never>()
        }

        typealias Output = Store

        final class Store: StoredOutputType {
            @Published var bool = true
            @Published var maybeBool: Bool?
            @Published var int = -1
            @Published var maybeInt: Int?
            @Published var double = 0.5
            @Published var maybeDouble: Double?
            @Published var string = "ü\n"
            @Published var maybeString: String?
            @Published var other: UInt8 = 7
            @Published var list = [1]
            let level = CurrentValueSubject<Int, Never>(3)
            let text = CurrentValueSubject<String?, Never>(nil)
            let doubled: AnyPublisher<Int, Never>
            let fallible = CurrentValueSubject<Int, Failure>(4).eraseToAnyPublisher()

            init() {
                doubled = level.map { $0 * 2 }.eraseToAnyPublisher()
            }
        }

        struct Failure: Error {}
        struct Extra: ExtraType {}

        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
            Polished(cancellables: [
                input.flip.sink {
                    store.bool.toggle()
                    store.maybeBool = store.maybeBool == nil ? true : nil
                    store.maybeInt = store.maybeInt == nil ? 2 : nil
                    store.maybeDouble = store.maybeDouble == nil ? 1.25 : nil
                    store.maybeString = store.maybeString == nil ? "\"" : nil
                    store.level.send(store.level.value + 1)
                    store.text.send(store.text.value == nil ? "t" : nil)
                }
            ])
        }
    }

    @Test func `every type with specialized cells encodes its values`() throws {
        let definition = try MachineDefinition.ricemill("scalars", summary: "") { _ in
            Scalars(input: .init(), store: .init(), extra: .init())
        }
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "scalars")
        let first = """
            {"bool":true,"maybeBool":null,"int":-1,"maybeInt":null,"double":0.5,"maybeDouble":null,"string":"ü\\n",\
            "maybeString":null,"other":7,"list":[1],"level":3,"text":null,"doubled":6,"fallible":4}
            """
        #expect(harness.send(.get, session + "/outputs").text == first)
        let changes = """
            {"bool":false,"maybeBool":true,"maybeInt":2,"maybeDouble":1.25,"maybeString":"\\"","level":4,"text":"t",\
            "doubled":8}
            """
        #expect(harness.send(.post, session + "/inputs/flip").text == "{\"version\":1,\"changes\":\(changes)}")
        let back = """
            {"bool":true,"maybeBool":null,"maybeInt":null,"maybeDouble":null,"maybeString":null,"level":5,"text":null,\
            "doubled":10}
            """
        #expect(harness.send(.post, session + "/inputs/flip").text == "{\"version\":2,\"changes\":\(back)}")
    }

    @Test func `specialized cells exist for scalars only and accept only sources of their type`() {
        for type in [Bool.self, Bool?.self, Int.self, Int?.self, Double.self, String.self, String?.self]
            as [any Any.Type]
        {
            #expect(CompiledCells.of(type) != nil)
        }
        #expect(CompiledCells.of(UInt8.self) == nil)
        let place = CellPlace(
            index: 0, board: OutputBoard(context: .inert()), object: nil, output: 0, name: "", log: .silent)
        let cells = CompiledCells.of(Int.self)
        #expect(cells?.published(Published(wrappedValue: 1), place) is CurrentCell<Published<Int>, Never>)
        #expect(cells?.published(Published(wrappedValue: "1"), place) == nil)
        #expect(cells?.latest(Just(1), place) == nil)
        #expect(
            cells?.latest(CurrentValueSubject<Int, Never>(1), place)
                is CurrentCell<CurrentValueSubject<Int, Never>, Never>)
    }
}
