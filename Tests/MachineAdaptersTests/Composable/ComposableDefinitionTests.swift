import CombineCore
import ComposableAdapter
import ComposableArchitecture
import Dispatch
import Locking
import Log
import Testing

@testable import MachineHost

/// The ports that registration finds in a composable machine, and the machines that it rejects.
struct ComposableDefinitionTests {
    private func schema(of input: String) throws -> JSONSchema {
        try #require(try kitchen().inputs.first { $0.name == input }).schema
    }

    private func refusal<State: Encodable & SendableMetatype, Action>(
        of state: State, _ action: Action.Type, actions: Set<String>? = nil, excluding: Set<String> = [],
        hidden: Set<String> = []
    ) -> String {
        let initial = Fixed(value: state)
        do throws(MachineRegistrationError) {
            _ = try MachineDefinition.composable(
                "m", summary: "", actions: actions, excluding: excluding, hidden: hidden
            ) { _ in
                Store(initialState: initial.value, reducer: Reducer<State, Action, Void>.empty, environment: ())
            }
            return "accepted"
        } catch {
            return error.detail
        }
    }

    private struct Fixed<Value>: @unchecked Sendable {
        let value: Value
    }

    @Test func `inputs are the cases that clients may send, and nested ones are named by their path`() throws {
        let names = try kitchen().inputs.map(\.name)
        #expect(
            Set(names) == [
                "increment", "add", "mood", "place", "pair", "item.toggled", "item.noted", "item.moved",
                "optional.toggled", "optional.noted", "optional.moved", "ask", "askTwice", "askAlert", "alertDismissed",
            ])
        #expect(names.count == Set(names).count)
    }

    private enum BellAction { case rung }

    @Test func `a store that is created for inspection only runs nothing on the main queue`() async throws {
        let runs = Lock<[Bool]>([])
        let held = Lock<[AnyCancellable]>([])
        _ = try MachineDefinition.composable("looked-at", summary: "") { _ in
            let subscription = Just(()).receive(on: DispatchQueue.main).sink { runs.withLock { $0.append(true) } }
            held.withLock { $0.append(subscription) }
            return Store(initialState: [0], reducer: Reducer<[Int], BellAction, Void>.empty, environment: ())
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        // The factory ran and its store subscribed.
        #expect(held.withLock { $0.count } == 1)
        #expect(runs.withLock { $0 }.isEmpty)
        held.withLock { $0 = [] }
    }

    @Test func `the body is the payload, or an object whose members are the labelled values`() throws {
        #expect(try schema(of: "increment") == .null)
        #expect(try schema(of: "mood") == .named("KitchenMood", .strings(["calm", "wild"])))
        func member(_ name: String, _ schema: JSONSchema, _ isRequired: Bool = true) -> JSONSchema.Member {
            JSONSchema.Member(name: name, schema: schema, isRequired: isRequired)
        }
        let int = JSONSchema.of(Int.self)
        let text = JSONSchema.string(format: nil)
        #expect(try schema(of: "add") == int)
        #expect(
            try schema(of: "place") == .object([member("x", int), member("label", .optional(text), false)]))
        #expect(try schema(of: "pair") == .object([member("_0", int), member("_1", .boolean)]))
        #expect(try schema(of: "item.toggled") == .object([member("id", int)]))
        #expect(try schema(of: "item.noted") == .object([member("id", int), member("value", .optional(text), false)]))
        #expect(
            try schema(of: "item.moved") == .object([member("id", int), member("to", int), member("fast", .boolean)]))
        #expect(try schema(of: "optional.noted") == .optional(text))
    }

    @Test func `outputs are the members that the state encodes, including those that are nil`() throws {
        let outputs = try kitchen().outputs
        #expect(outputs.map(\.name) == ["count", "items", "mood", "fact", "alert", "optional"])
        #expect(outputs.allSatisfy { $0.kind == .value })
        #expect(outputs.first?.schema == JSONSchema.of(Int.self))
        #expect(outputs.first { $0.name == "fact" }?.schema == .optional(.string(format: nil)))
    }

    @Test func `an enum state, or one without members, is a single output`() throws {
        enum Screen: String, Codable { case one, two }
        let definition = try MachineDefinition.composable("m", summary: "") { _ in
            Store(initialState: Screen.one, reducer: Reducer<Screen, KitchenMoodAction, Void>.empty, environment: ())
        }
        #expect(definition.outputs.map(\.name) == ["state"])
        #expect(definition.outputs.first?.schema == .named("Screen", .strings(["one", "two"])))
        let number = try MachineDefinition.composable("m", summary: "") { _ in
            Store(initialState: 1, reducer: Reducer<Int, KitchenMoodAction, Void>.empty, environment: ())
        }
        #expect(number.outputs.map(\.name) == ["state"])
    }

    private enum KitchenMoodAction { case calm }

    @Test func `an action that cannot be decoded is rejected with its name and the reason`() {
        struct Opaque {}
        enum Bad { case fine, bad(Opaque) }
        #expect(
            refusal(of: 1, Bad.self)
                == "its action \"bad\" cannot be offered: Opaque must be Decodable (exclude it, or list the "
                + "actions to offer)")
        #expect(refusal(of: 1, Bad.self, excluding: ["bad"]) == "accepted")
        enum Nested { case inner(id: Opaque, action: KitchenItemAction) }
        #expect(refusal(of: 1, Nested.self).contains("\"inner\" cannot be offered: Opaque must be Decodable"))
        indirect enum Endless { case again(Endless), stop }
        #expect(refusal(of: 1, Endless.self).contains("\"again\" cannot be offered: it is indirect"))
        #expect(refusal(of: 1, Int.self).contains("its Action, Int, is not an enum"))
    }

    @Test func `unknown names are rejected`() {
        #expect(refusal(of: KitchenItem(id: 1), KitchenItemAction.self, excluding: ["x"]) == "it has no action \"x\"")
        #expect(
            refusal(of: KitchenItem(id: 1), KitchenItemAction.self, hidden: ["x"])
                == "it has no property \"x\" to hide")
    }

    private enum Remote {
        struct Opaque {}
        struct SearchResult: Decodable { var id: Int }

        case textResponse(String)
        case loaded(SearchResult)
        case tapped
        case inner(RemoteInner)
        case failed(any Error)
        case finished(Result<Int, any Error>)
        case opaqueResponse(Opaque)
    }

    private enum RemoteInner { case one, two }

    private func remote(actions: Set<String>? = nil, excluding: Set<String> = []) throws -> MachineDefinition {
        try .composable("m", summary: "", actions: actions, excluding: excluding) { _ in
            Store(initialState: 1, reducer: Reducer<Int, Remote, Void>.empty, environment: ())
        }
    }

    @Test func `without a list, all actions with a JSON form are offered, and likely results of effects are reported`()
        throws
    {
        let definition = try remote()
        #expect(definition.inputs.map(\.name) == ["textResponse", "loaded", "inner.one", "inner.two", "tapped"])
        let lines = Lock<[String]>([])
        let log = Log(level: .warning) { event in lines.withLock { $0.append("\(event.fields)") } }
        _ = try SessionHost([definition], log: log)
        #expect(lines.withLock { $0 }.count == 1)
        let warning = try #require(definition.warnings.first)
        #expect(warning.contains("\"textResponse\", \"loaded\";"))
    }

    @Test func `a list selects actions, with those nested in them, and nothing is reported`() throws {
        func names(_ actions: Set<String>, excluding: Set<String> = []) throws -> [String] {
            let definition = try remote(actions: actions, excluding: excluding)
            #expect(definition.warnings == [])
            return definition.inputs.map(\.name)
        }
        #expect(try names(["tapped"]) == ["tapped"])
        #expect(try names(["tapped", "textResponse"]) == ["textResponse", "tapped"])
        #expect(try names(["inner"]) == ["inner.one", "inner.two"])
        #expect(try names(["inner.two"]) == ["inner.two"])
        #expect(try names(["inner"], excluding: ["inner.two"]) == ["inner.one"])
        #expect(try names([]) == [])
    }

    @Test func `excluded actions are not offered`() throws {
        let definition = try remote(excluding: ["textResponse", "loaded", "inner"])
        #expect(definition.inputs.map(\.name) == ["tapped"])
        #expect(definition.warnings == [])
    }

    @Test func `a listed action that has no JSON form, or does not exist, is rejected`() {
        #expect(refusal(of: 1, Remote.self, actions: ["failed"]).contains("\"failed\" cannot be offered"))
        #expect(refusal(of: 1, Remote.self, actions: ["opaqueResponse"]).contains("Opaque must be Decodable"))
        #expect(refusal(of: 1, Remote.self, actions: ["tapped.more"]) == "it has no action \"tapped.more\"")
    }

    @Test func `a factory that throws is rejected`() {
        struct Missing: Error {}
        let error = #expect(throws: MachineRegistrationError.self) {
            _ = try MachineDefinition.composable("m", summary: "") { _ -> Store<Int, KitchenItemAction> in
                throw Missing()
            }
        }
        #expect(error?.detail == "its factory failed: Missing()")
    }
}
