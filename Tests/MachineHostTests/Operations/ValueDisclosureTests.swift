import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

struct ValueDisclosureTests {
    private func definition(sensitive: String...) -> MachineDefinition {
        var definition = ScriptedMachine.definition(outputs: ["text", "login"], inputs: ["say": { _, _ in }])
        definition.sensitive = Set(sensitive)
        return definition
    }

    private let json = Array("\"hello\"".utf8)[...]

    @Test func `a value has its name and size, and is part of the description if it is revealed`() {
        let hidden = ValueDisclosure(definition(), isRevealed: false).described("text", json)
        #expect(hidden == ["name": "text", "bytes": 7])
        let shown = ValueDisclosure(definition(), isRevealed: true).described("text", json)
        #expect(shown == ["name": "text", "bytes": 7, "value": "hello"])
    }

    @Test(arguments: [true, false])
    func `a concealed value has not even a size`(isRevealed: Bool) {
        let disclosure = ValueDisclosure(definition(sensitive: "login.token"), isRevealed: isRevealed)
        #expect(disclosure.described("login", json) == ["name": "login", "concealed": true])
        #expect(disclosure.described("token", json) == ["name": "token", "concealed": true])
        #expect(disclosure.described("text", json)["concealed"] == nil)
        #expect(disclosure.described(state: "store.0.text", json) == ["name": "store.0.text", "concealed": true])
    }

    @Test func `nothing is shown of a machine that this build does not know`() {
        let disclosure = ValueDisclosure(nil, isRevealed: true)
        #expect(disclosure.conceals("text") && disclosure.concealsStates)
    }

    @Test func `what is secret is concealed, too`() throws {
        var machine = definition()
        machine.secrets = ["say"]
        #expect(ValueDisclosure(machine, isRevealed: true).conceals("say"))
        #expect(throws: MachineRegistrationError.self) { try machine.sensitive("nothing") }
        #expect(try machine.sensitive("text", "say").sensitive == ["text", "say"])
    }

    @Test func `times have milliseconds`() {
        #expect(StateValue(time: 1_767_225_600_042) == "2026-01-01T00:00:00.042Z")
        #expect(StateValue(time: nil as Int64?) == .null)
    }
}
