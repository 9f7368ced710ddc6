import StateCapture
import Testing

struct StoredStateTests {
    private func state(_ states: [String: String]) -> StoredState {
        StoredState(states.mapValues { Array($0.utf8)[...] })
    }

    @Test func `values are read and written by their complete keys`() throws {
        var state = state(["store.0.count": "3", "store.1.count": "4"])
        #expect(try state.value("store.1.count") == 4)
        state.set("store.1.count", to: 5)
        #expect(try state.value("store.0.count") == 3)
        #expect(try state.value("store.1.count") == 5)
        #expect(state.keys == ["store.0.count", "store.1.count"])
    }

    @Test func `the number of the first part may be left out, also for new members`() throws {
        var state = state(["store.0.count": "3", "SearchStream.state.0.text": "\"a\""])
        #expect(try state.value("store.count") == 3)
        #expect(try state.value("SearchStream.state.text") == "a")
        state.set("store.filter.text", to: "x")
        state.set("SearchStream.state.page", to: 1)
        #expect(
            state.keys == [
                "SearchStream.state.0.page", "SearchStream.state.0.text", "store.0.count", "store.0.filter.text",
            ])
    }

    @Test func `a member can be moved, changed and removed`() throws {
        var state = state(["store.0.count": "3", "store.0.old": "true"])
        state.move("store.count", to: "store.total")
        try state.change("store.total") { .number("\(($0.integer ?? 0) * 2)") }
        state.set("store.old", to: nil)
        #expect(state == self.state(["store.0.total": "6"]))
    }

    @Test func `moving and changing what is not stored does nothing`() throws {
        var state = state(["store.0.count": "3"])
        state.move("store.missing", to: "store.count")
        try state.change("store.missing") { _ in nil }
        #expect(state == self.state(["store.0.count": "3"]))
    }

    @Test func `what is not JSON is an error`() {
        #expect(throws: StateFormMismatch.self) { try state(["a": "{"]).value("a") }
    }
}

struct StateValueTests {
    @Test(arguments: [
        "null", "true", "false", "12345678901234567890.5e-3", #""a\"\n€""#, "[]", "{}", #"[1,[null],{"a":[]}]"#,
        #"{"a":1,"b":{"c":"d"}}"#,
    ])
    func `JSON is read and written without a loss`(text: String) throws {
        #expect(String(decoding: try StateValue(json: text.utf8).json, as: UTF8.self) == text)
    }

    @Test func `members are read and set`() throws {
        var value: StateValue = ["a": 1, "b": ["x", nil, true]]
        #expect(value["a"]?.integer == 1)
        #expect(value["a"]?.text == nil)
        #expect(value["missing"] == nil)
        value["a"] = nil
        value["c"] = "text"
        #expect(String(decoding: value.json, as: UTF8.self) == #"{"b":["x",null,true],"c":"text"}"#)
        #expect(value["c"]?.text == "text")
    }

    @Test(arguments: ["", "{", "1 2", "[1,]", "nul"])
    func `malformed text is an error`(text: String) {
        #expect(throws: StateFormMismatch.self) { try StateValue(json: text.utf8) }
    }
}
