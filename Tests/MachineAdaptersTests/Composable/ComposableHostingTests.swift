import CombineCore
import CombineSchedulers
import ComposableAdapter
import ComposableArchitecture
import Dispatch
import Foundation
import HTTPModel
import Locking
import Log
import MachineHost
import MachineTesting
import Testing

/// Composable machines in a host.
struct ComposableHostingTests {
    private func inputs(_ session: String, _ input: String) -> String { "\(session)/inputs/\(input)" }

    @Test func `an input is one turn that sends only the changed outputs`() throws {
        let harness = try HostHarness([kitchen()])
        let session = harness.makeSession(of: "kitchen")
        let stream = harness.follow(session)
        stream.read()
        #expect(stream.view.outputs["count"] == "0")
        #expect(stream.view.outputs["fact"] == "null")
        #expect(stream.view.outputs["secret"] == nil)
        #expect(
            harness.send(.post, inputs(session, "increment")).text == #"{"version":1,"changes":{"count":1}}"#)
        #expect(harness.send(.post, inputs(session, "mood"), body: #""calm""#).text == #"{"version":1,"changes":{}}"#)
        #expect(
            harness.send(.post, inputs(session, "place"), body: #"{"x":4}"#).text
                == #"{"version":2,"changes":{"fact":"4 nil"}}"#)
        #expect(
            harness.send(.post, inputs(session, "pair"), body: #"{"_0":4,"_1":true}"#).text
                == #"{"version":3,"changes":{"fact":"4 true"}}"#)
        stream.read()
        #expect(stream.view.outputs["fact"] == #""4 true""#)
        #expect(stream.view.violations == [])
    }

    @Test func `nested actions find their element by the ID in the body`() throws {
        let harness = try HostHarness([kitchen()])
        let session = harness.makeSession(of: "kitchen")
        let toggled = harness.send(.post, inputs(session, "item.toggled"), body: #"{"id":2}"#)
        #expect(toggled.text.contains(#"{"id":2,"isDone":true}"#))
        let noted = harness.send(.post, inputs(session, "item.noted"), body: #"{"id":1,"value":"hey"}"#)
        #expect(noted.text.contains(#"{"id":1,"isDone":false,"note":"hey"}"#))
        let moved = harness.send(.post, inputs(session, "item.moved"), body: #"{"id":1,"to":3,"fast":true}"#)
        #expect(moved.text.contains(#""note":"3 true""#))
        let cleared = harness.send(.post, inputs(session, "item.noted"), body: #"{"id":1}"#)
        #expect(cleared.text.contains(#"{"id":1,"isDone":false}"#))
    }

    @Test func `a large member is encoded, stored and changed like a small one`() throws {
        let harness = try HostHarness([kitchen()])
        let session = harness.makeSession(of: "kitchen")
        let note = String(repeating: "n", count: 100_000)
        let noted = harness.send(.post, inputs(session, "item.noted"), body: "{\"id\":1,\"value\":\"\(note)\"}")
        #expect(noted.text.contains("\"note\":\"\(note)\""))
        #expect(harness.send(.post, inputs(session, "increment")).text == #"{"version":2,"changes":{"count":1}}"#)
        let toggled = harness.send(.post, inputs(session, "item.toggled"), body: #"{"id":1}"#)
        #expect(toggled.text.contains("\"isDone\":true,\"note\":\"\(note)\""))
        #expect(harness.send(.get, session + "/outputs").text.contains("\"note\":\"\(note)\""))
    }

    @Test func `the problem for a mismatched value names the member`() throws {
        let harness = try HostHarness([kitchen()])
        let session = harness.makeSession(of: "kitchen")
        let wrong = harness.send(.post, inputs(session, "item.noted"), body: #"{"id":"x","value":"hey"}"#)
        #expect(wrong.status.code == 422)
        #expect(wrong.text.contains("/id"))
        let missing = harness.send(.post, inputs(session, "item.toggled"), body: "{}")
        #expect(missing.status.code == 422)
        #expect(missing.text.contains("got nothing"))
        let misspelt = harness.send(.post, inputs(session, "place"), body: #"{"x":4,"lable":"a"}"#)
        #expect(misspelt.status.code == 422)
        #expect(misspelt.text.contains(#""/lable","detail":"unknown member \"lable\", did you mean \"label\"?""#))
        #expect(harness.send(.post, inputs(session, "increment"), body: "1").status.code == 422)
        #expect(harness.send(.post, inputs(session, "place"), body: "[1]").status.code == 422)
        #expect(harness.send(.post, inputs(session, "answered"), body: #""me""#).status.code == 404)
        #expect(harness.send(.post, inputs(session, "factResponse")).status.code == 404)
        #expect(harness.send(.get, session).text.contains(#""version":0"#))
    }

    @Test func `an alert names the input of each button`() throws {
        let harness = try HostHarness([kitchen()])
        let session = harness.makeSession(of: "kitchen")
        let alert = harness.send(.post, inputs(session, "askAlert")).text
        #expect(
            alert.contains(
                #""alert":{"title":"Sure?","message":null,"buttons":[{"label":"No","role":"cancel","action":"item.toggled"}]}"#
            ))
        #expect(harness.send(.post, inputs(session, "alertDismissed")).text.contains(#""alert":null"#))
    }

    @Test func `an effect's response is its own turn`() throws {
        let harness = try HostHarness([kitchen()])
        let session = harness.makeSession(of: "kitchen")
        let stream = harness.follow(session)
        #expect(harness.send(.post, inputs(session, "ask")).text == #"{"version":0,"changes":{}}"#)
        harness.loop.advance(by: .seconds(1))
        stream.read()
        #expect(stream.view.outputs["fact"] == #""later""#)
        #expect(stream.view.version == 1)
    }

    @Test func `each action that a task sends is a turn on the session's loop`() throws {
        let harness = try HostHarness([kitchen()])
        let session = harness.makeSession(of: "kitchen")
        let stream = harness.follow(session)
        _ = harness.send(.post, inputs(session, "askTwice"))
        harness.loop.run()
        stream.read()
        #expect(stream.view.outputs["fact"] == #""two""#)
        #expect(stream.view.version == 2)
        #expect(stream.view.violations == [])
    }

    @Test func `an effect's action for state that does not exist is dropped and logged`() throws {
        let logged = Lock<[String]>([])
        let log = Log(level: .warning) { event in logged.withLock { $0.append("\(event)") } }
        let harness = try HostHarness([ghosts()], log: log)
        let session = harness.makeSession(of: "ghosts")
        let answer = harness.send(.post, inputs(session, "haunt"))
        #expect(answer.text == #"{"version":1,"changes":{"count":2}}"#)
        #expect(logged.withLock { $0 }.contains { $0.contains("Child.up was received while the state was nil") })
    }

    @Test func `no value of an action reaches the log`() throws {
        let logged = Lock<[String]>([])
        let log = Log(level: .debug) { event in logged.withLock { $0.append("\(event)") } }
        let harness = try HostHarness([leaking()], log: log)
        let session = harness.makeSession(of: "leaking")
        #expect(harness.send(.post, inputs(session, "begin")).status.code == 200)
        let lines = logged.withLock { $0 }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("Note.set was received while there was no such element") })
        #expect(!lines.contains { $0.contains("8675309") || $0.contains("hunter2") })
    }

    @Test func `cancellation in one session does not cancel effects of another`() throws {
        let harness = try HostHarness([asking()])
        let sessions = (0..<1000).map { _ in harness.makeSession(of: "asking") }
        for session in sessions { _ = harness.send(.post, inputs(session, "ask")) }
        _ = harness.send(.post, inputs(sessions[500], "cancel"))
        harness.loop.advance(by: .seconds(1))
        for (index, session) in sessions.enumerated() {
            let answer = harness.send(.get, session).text
            #expect(answer.contains(index == 500 ? #""state":0"# : #""state":42"#))
        }
    }

    @Test func `the effects of a session end with the session`() throws {
        let ended = Lock(0)
        let harness = try HostHarness([
            .composable("endless", summary: "") { _ in
                Store(
                    initialState: 0,
                    reducer: Reducer<Int, AskAction, Void> { _, _, _ in
                        .run { _ in AnyCancellable { ended.withLock { $0 += 1 } } }
                    }, environment: ())
            }
        ])
        let session = harness.makeSession(of: "endless")
        _ = harness.send(.post, inputs(session, "ask"))
        #expect(ended.withLock { $0 } == 0)
        _ = harness.send(.delete, session)
        #expect(ended.withLock { $0 } == 1)
    }

    @Test func `the main queue is the session's queue, also for timers`() throws {
        let harness = try HostHarness([
            .composable("clock", summary: "", excluding: ["answer"]) { _ in
                Store(
                    initialState: 0,
                    reducer: Reducer<Int, AskAction, Void> { state, action, _ in
                        switch action {
                        case .ask:
                            return Effect.timer(id: "t", every: 1, on: DispatchQueue.main).map { _ in .answer(1) }
                        case .cancel: return .cancel(id: "t")
                        case .answer(let number):
                            state += number
                            return .none
                        }
                    }, environment: ())
            }
        ])
        let session = harness.makeSession(of: "clock")
        _ = harness.send(.post, inputs(session, "ask"))
        harness.loop.advance(by: .seconds(3))
        #expect(harness.send(.get, session).text.contains(#""state":3"#))
        _ = harness.send(.post, inputs(session, "cancel"))
        harness.loop.advance(by: .seconds(3))
        #expect(harness.send(.get, session).text.contains(#""state":3"#))
    }

    @Test func `each offered binding has its own input`() throws {
        let harness = try HostHarness([
            .composable(
                "form", summary: "", bindings: [.property("name", \.$name), .property("age", \.age)]
            ) { _ in
                Store(initialState: Form(), reducer: Reducer<Form, FormAction, Void>.empty.binding(), environment: ())
            }
        ])
        let session = harness.makeSession(of: "form")
        #expect(
            harness.send(.post, inputs(session, "binding.name"), body: #""Ann""#).text
                == #"{"version":1,"changes":{"name":"Ann"}}"#)
        #expect(
            harness.send(.post, inputs(session, "binding.age"), body: "7").text
                == #"{"version":2,"changes":{"age":7}}"#)
        #expect(harness.send(.post, inputs(session, "binding.age"), body: "true").status.code == 422)
        #expect(harness.send(.post, inputs(session, "binding"), body: "1").status.code == 404)
    }

    @Test func `clients see the view state, and ten thousand actions are one turn`() throws {
        struct View: Encodable { var double: Int }
        let harness = try HostHarness([
            .composable("view", summary: "", excluding: ["answer"], view: { View(double: $0 * 2) }) { _ in
                Store(
                    initialState: 0,
                    reducer: Reducer<Int, AskAction, Void> { state, action, _ in
                        state += 1
                        return state < 10_000 ? Just(AskAction.answer(1)).eraseToEffect() : .none
                    }, environment: ())
            }
        ])
        let session = harness.makeSession(of: "view")
        #expect(harness.send(.post, inputs(session, "ask")).text == #"{"version":1,"changes":{"double":20000}}"#)
    }
}

private struct Form: Equatable, Encodable {
    @BindableState var name = ""
    var age = 0
}

private enum FormAction: BindableAction, Equatable {
    case binding(BindingAction<Form>)
    case submit
}

enum AskAction { case ask, cancel, answer(Int) }

private func asking() throws(MachineRegistrationError) -> MachineDefinition {
    try .composable("asking", summary: "", excluding: ["answer"]) { context in
        let queue: AnySchedulerOf<DispatchQueue> = context.scheduler.eraseToAnyScheduler()
        return Store(
            initialState: 0,
            reducer: Reducer<Int, AskAction, AnySchedulerOf<DispatchQueue>> { state, action, queue in
                switch action {
                case .ask:
                    return Effect(value: .answer(42)).delay(for: 1, scheduler: queue).eraseToEffect()
                        .cancellable(id: "request")
                case .cancel: return .cancel(id: "request")
                case .answer(let answer):
                    state = answer
                    return .none
                }
            }, environment: queue)
    }
}

private struct Leak: Equatable, Encodable {
    var count = 0
    var notes: [String: Int] = [:]
}

private enum LeakAction: Equatable {
    case begin
    case note(String, Note)

    enum Note: Equatable {
        case set(String)
    }
}

/// A machine with an effect for state that does not exist.
private func leaking() throws(MachineRegistrationError) -> MachineDefinition {
    let note = Reducer<Int, LeakAction.Note, Void> { _, _, _ in .none }
    let parent = Reducer<Leak, LeakAction, Void> { state, action, _ in
        guard action == .begin else { return .none }
        state.count += 1
        return Effect(value: .note("8675309", .set("hunter2")))
    }
    let reducer = Reducer<Leak, LeakAction, Void>.combine(
        note.forEach(state: \.notes, action: /LeakAction.note, environment: { _ in () }), parent)
    return try .composable("leaking", summary: "", excluding: ["note"]) { _ in
        Store(initialState: Leak(), reducer: reducer, environment: ())
    }
}
