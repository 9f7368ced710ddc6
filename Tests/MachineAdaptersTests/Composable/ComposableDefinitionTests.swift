import CombineCore
import ComposableArchitecture
import Dispatch
import Locking
import MachineAdapters
import Testing

@testable import MachineHost

/// The ports that registration finds in a composable machine, and the machines that it rejects.
struct ComposableDefinitionTests {
    private func schema(of input: String) throws -> JSONSchema {
        try #require(try kitchen().inputs.first { $0.name == input }).schema
    }

    private func refusal<State: Encodable & SendableMetatype, Action>(
        of state: State, _ action: Action.Type, answers: Set<String> = [], offered: Set<String> = [],
        hidden: Set<String> = []
    ) -> String {
        let initial = Fixed(value: state)
        do throws(MachineRegistrationError) {
            _ = try MachineDefinition.composable(
                "m", summary: "", answers: answers, offered: offered, hidden: hidden
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
        #expect(try schema(of: "mood") == .strings(["calm", "wild"]))
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
        #expect(definition.outputs.first?.schema == .strings(["one", "two"]))
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
                == "its action \"bad\" cannot be offered: Opaque has to be Decodable (or name it among the answers, if only "
                + "effects send it)")
        #expect(refusal(of: 1, Bad.self, answers: ["bad"]) == "accepted")
        enum Nested { case inner(id: Opaque, action: KitchenItemAction) }
        #expect(refusal(of: 1, Nested.self).contains("\"inner\" cannot be offered: Opaque has to be Decodable"))
        indirect enum Endless { case again(Endless), stop }
        #expect(refusal(of: 1, Endless.self).contains("\"again\" cannot be offered: it is indirect"))
        #expect(refusal(of: 1, Int.self).contains("its Action, Int, is no enum"))
    }

    @Test func `unknown names are rejected`() {
        #expect(refusal(of: KitchenItem(id: 1), KitchenItemAction.self, answers: ["x"]) == "it has no action \"x\"")
        #expect(
            refusal(of: KitchenItem(id: 1), KitchenItemAction.self, hidden: ["x"])
                == "it has no \"x\" that could be hidden")
    }

    @Test func `a case that looks like an effect's response is offered on request`() throws {
        enum Remote { case textResponse(String), failed(any Error) }
        func names(_ offered: Set<String>) throws -> [String] {
            try MachineDefinition.composable("m", summary: "", offered: offered) { _ in
                Store(initialState: 1, reducer: Reducer<Int, Remote, Void>.empty, environment: ())
            }.inputs.map(\.name)
        }
        #expect(try names([]) == [])
        #expect(try names(["textResponse"]) == ["textResponse"])
        #expect(refusal(of: 1, Remote.self, offered: ["failed"]).contains("\"failed\" cannot be offered"))
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
