import CombineSchedulers
import ComposableAdapter
import ComposableArchitecture
import Dispatch
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@testable import DemoMachines

/// Tests of hosted demos through their HTTP interface.
@Suite struct HostedComposableDemoTests {
    @Test func `a login with a second factor leads to a game`() throws {
        let harness = try HostHarness([
            .composable("game", summary: "") { _ in
                Store(initialState: TicTacToeApp.State(), reducer: TicTacToeApp())
            }
        ])
        let session = harness.makeSession(of: "game")
        let stream = harness.follow(session)
        func send(_ input: String, _ body: String? = nil) -> String {
            harness.send(.post, "\(session)/inputs/\(input)", body: body).text
        }
        _ = send("login.emailChanged", #""me@2fa.com""#)
        #expect(!send("login.passwordChanged", #""password""#).contains(#""password""#))
        _ = send("login.loginButtonTapped")
        harness.loop.advance(by: .seconds(1))
        _ = send("login.twoFactor.codeChanged", #""1234""#)
        _ = send("login.twoFactor.submitButtonTapped")
        harness.loop.advance(by: .seconds(1))
        stream.read()
        #expect(stream.view.outputs["login"] == "null")
        _ = send("newGame.xPlayerNameChanged", #""Ann""#)
        _ = send("newGame.oPlayerNameChanged", #""Bob""#)
        _ = send("newGame.letsPlayButtonTapped")
        let tapped = send("newGame.game.cellTapped", #"{"row":1,"column":1}"#)
        #expect(tapped.contains(#""board":[[null,null,null],[null,"X",null],[null,null,null]]"#))
        #expect(tapped.contains(#""currentPlayer":"O""#))
        #expect(stream.view.violations == [])
    }

    @Test func `a download reports its progress once a second until it ends`() throws {
        let harness = try HostHarness([
            .composable("downloads", summary: "", excluding: ["download.event"]) { context in
                let queue: AnySchedulerOf<DispatchQueue> = context.scheduler.eraseToAnyScheduler()
                return Store(
                    initialState: DownloadsState(titles: ["Berlin"]), reducer: downloadsReducer,
                    environment: DownloadsEnvironment(
                        mainQueue: queue, download: DemoServices(mainQueue: queue).download))
            }
        ])
        let session = harness.makeSession(of: "downloads")
        let stream = harness.follow(session)
        _ = harness.send(.post, "\(session)/inputs/download.buttonTapped", body: #"{"id":0}"#)
        harness.loop.advance(by: .milliseconds(4500))
        stream.read()
        #expect((5...6).contains(stream.view.version ?? 0))
        #expect(stream.view.outputs["downloads"]?.contains(#""mode":"downloading""#) == true)
        harness.loop.advance(by: .seconds(2))
        stream.read()
        #expect(stream.view.outputs["downloads"]?.contains(#""mode":"downloaded","progress":1"#) == true)
    }

    @Test func `a filter changes the visible items, not the stored ones`() throws {
        let harness = try HostHarness([
            .composable("todos", summary: "", excluding: ["sortCompletedTodos"], view: { TodosView($0) }) { context in
                Store(
                    initialState: TodosState(), reducer: todosReducer,
                    environment: TodosEnvironment(mainQueue: context.scheduler.eraseToAnyScheduler()))
            }
        ])
        let session = harness.makeSession(of: "todos")
        func send(_ input: String, _ body: String? = nil) -> String {
            harness.send(.post, "\(session)/inputs/\(input)", body: body).text
        }
        #expect(send("addTodoButtonTapped").contains(#""isComplete":false"#))
        #expect(send("filterPicked", #""completed""#).contains(#""todos":[]"#))
        #expect(send("filterPicked", #""all""#).contains(#""isComplete":false"#))
        #expect(send("filterPicked", #""some""#).contains("422"))
    }

    @Test func `the services of the demos return results`() {
        let services = DemoServices(mainQueue: .immediate)
        var found: [String] = []
        _ = services.searchLocation("b").sink(
            receiveCompletion: { _ in }, receiveValue: { found = $0.map(\.title) })
        #expect(found == ["Berlin", "Bern", "Brooklyn"])
        var facts: [String] = []
        for number in [7, 8, 9] {
            _ = services.numberFact(number).sink(receiveCompletion: { _ in }, receiveValue: { facts.append($0) })
        }
        #expect(facts == ["7 is a prime number.", "8 is an even number.", "9 is an odd number."])
    }
}
