import Foundation
import Testing

@testable import ComposableArchitecture

/// The conformances of the types that make up states and actions.
@Suite struct ConformanceTests {
    private struct Form: Equatable, Sendable {
        var text = ""
    }

    private func isSendable(_ value: some Sendable) -> Bool { true }

    @Test func `actions are sendable`() {
        #expect(isSendable(BindingAction<Form>.set(\.text, "a")))
        #expect(isSendable(PresentationAction<Int>.dismiss))
        #expect(isSendable(StackAction<Form, Int>.popFrom(id: 0)))
        #expect(isSendable(PresentationState<Form>(wrappedValue: nil)))
    }

    @Test func `actions and states are hashable`() {
        let actions: Set<StackAction<Int, String>> = [.popFrom(id: 0), .popFrom(id: 0), .push(id: 1, state: 2)]
        #expect(actions.count == 2)
        #expect(Set<PresentationAction<Int>>([.dismiss, .presented(1), .dismiss]).count == 2)
        #expect(Set([PresentationState(wrappedValue: 1), PresentationState(wrappedValue: nil)]).count == 2)
    }

    @Test func `equal results of tasks have equal hashes`() {
        struct Failure: Error {}
        struct Code: Error, Hashable { var number: Int }
        let results: [TaskResult<Int>] = [
            .success(1), .success(2), .failure(Failure()), .failure(Code(number: 1)), .failure(Code(number: 2)),
        ]
        #expect(Set(results + results).count == 5)
    }

    @Test func `key paths lead to the cases of a task's result`() {
        struct Failure: Error {}
        let (done, failed) = (TaskResult<Int>.success(1), TaskResult<Int>.failure(Failure()))
        #expect(done[case: \.success] == 1)
        #expect(done[case: \.failure] == nil)
        #expect(failed.is(\.failure))
    }

    @Test func `a stack is decoded with its ids`() throws {
        var stack = StackState(["a", "b", "c"])
        stack[id: 1] = nil
        var decoded = try JSONDecoder().decode(StackState<String>.self, from: JSONEncoder().encode(stack))
        #expect(decoded == stack)
        #expect(decoded.ids == [0, 2])
        #expect(decoded.append("d") == 3)
    }

    @Test func `a stack is decoded from elements without ids`() throws {
        let decoded = try JSONDecoder().decode(StackState<String>.self, from: Data(#"["a","b"]"#.utf8))
        #expect(decoded == StackState(["a", "b"]))
    }

    @Test(arguments: ["1", #"[1]"#, #"[{"id":0,"value":"a"},{"id":0,"value":"b"}]"#])
    func `a stack in another form, or with an id twice, is not decoded`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(StackState<String>.self, from: Data(json.utf8))
        }
    }
}
