import CombineCore
import ComposableAdapter
import ComposableArchitecture
import StateCapture
import Testing

@testable import MachineHost

@Suite struct CaptureTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a feature with nested state is the same after a restore`(seed: UInt64) throws {
        let twins = TwinTest(inputs: [
            ("add", ["null"]), ("remove", ["null"]), ("push", ["null"]), ("pop", ["null"]), ("open", ["null"]),
            ("write", ["1", "5"]), ("warn", ["null"]), ("editor.presented.type", ["null"]),
        ])
        try twins.run(try Notebook.definition(), seed: seed)
    }

    @Test func `a turn writes only what changed`() throws {
        let session = try CapturedSession(try Notebook.definition())
        try session.send("write", "1")
        #expect(session.changes == 1)
        try session.send("write", "1")
        #expect(session.changes == 0)
    }

    @Test func `effects that were running are passed to the action after a restore`() throws {
        let session = try CapturedSession(try Notebook.definition())
        try session.send("start")
        session.advance(by: .milliseconds(250))
        #expect(session.outputs["ticks"] == "2")
        let restored = try CapturedSession(restoring: session)
        #expect(restored.outputs["interrupted"] == "[\"TimerID()\"]")
        restored.advance(by: .seconds(1))
        #expect(restored.outputs["ticks"] == "2")
    }

    @Test func `the members that cannot be captured are named`() throws {
        let obstacles = try LeakyMachine.definition().captureObstacles ?? []
        #expect(
            obstacles.map(\.part) == ["Store.token", "Store.inner.connection", "Store.inners.connection"])
        #expect(obstacles.allSatisfy { $0.type.hasSuffix("LeakyMachine.Connection") })
    }

    private struct Ranking: ReducerProtocol {
        struct Row: Codable, Identifiable {
            let id: Int
            var rank: Int
        }

        struct State: Encodable {
            var rows = IdentifiedArray<Int, Row>(id: \.rank)
        }

        enum Action {
            case add
        }

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> { .none }
    }

    @Test func `an array with a key path of its own is named`() throws {
        func definition(transient: Set<String>) throws -> MachineDefinition {
            try .composable("ranking", summary: "", transient: transient) { _ in
                Store(initialState: Ranking.State(), reducer: Ranking())
            }
        }
        let obstacles = try definition(transient: []).captureObstacles ?? []
        #expect(obstacles.map(\.part) == ["IdentifiedArray<Int, Row>"])
        #expect(obstacles.map(\.type) == [#"\Row.rank"#])
        #expect(try definition(transient: ["rows"]).captureObstacles == [])
    }

    @Test func `a transient member is no obstacle, and keeps its initial value`() throws {
        let definition = try LeakyMachine.definition(transient: ["token", "inner.connection", "inners"])
        #expect(definition.captureObstacles == [])
        let session = try CapturedSession(definition)
        try session.send("go")
        let restored = try CapturedSession(restoring: session)
        try restored.send("go")
        #expect(restored.outputs["count"] == "2")
    }

    @Test func `a transient member that does not exist is rejected`() {
        #expect(
            throws: MachineRegistrationError(
                machine: "leaky", detail: "it has no member or operator \"tokens\" that could be transient")
        ) {
            try LeakyMachine.definition(transient: ["tokens"])
        }
    }

    @Test func `machines of all styles have no obstacles`() throws {
        #expect(try DiaryMachine.definition().captureObstacles == [])
        #expect(try ThermostatMachine.definition().captureObstacles == [])
        #expect(try Notebook.definition().captureObstacles == [])
        #expect(try PagesMachine.definition().captureObstacles == [])
    }

    @Test func `a definition that nobody inspected says nothing about its state`() {
        let definition = MachineDefinition(name: "own", summary: "", inputs: [], outputs: []) { _ in
            throw CancellationError()
        }
        #expect(definition.captureObstacles == nil)
    }
}
