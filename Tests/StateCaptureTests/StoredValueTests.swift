import StateCapture
import Testing

@Suite struct StoredValueTests {
    /// Returns the JSON of a state, and the state that is restored from it.
    private func roundTrip<State>(_ state: State) throws -> (String, State?) {
        let counter = Counter(state)
        var machine = Captured { $0.register(counter) }
        let json = try machine.capture()["counter.0"] ?? ""
        let twin = Counter<State>(nil)
        _ = Captured(restoring: machine.parts) { $0.register(twin) }
        return (json, twin.state)
    }

    @Test(arguments: ["", "[", "[]", "[1,2]", "[1", "{", "[\"", "[[1]", "7", "nul", "[1]]", "[tru]"])
    func `a stored text in another form is dropped`(json: String) throws {
        let counter = Counter<Int>(nil)
        let key = try counterKey(Int.self)
        let restored = Captured(restoring: [key: json]) { $0.register(counter) }
        #expect(counter.state == nil)
        #expect(restored.registry.mismatches == [key])
    }

    @Test func `tuples are stored as arrays`() throws {
        let (json, state) = try roundTrip((1, "a", (2.5, [true])))
        #expect(json == "[[1,\"a\",[2.5,[true]]]]")
        #expect(state?.0 == 1 && state?.1 == "a" && state?.2.0 == 2.5 && state?.2.1 == [true])
    }

    @Test func `a signal without a value is stored`() throws {
        let (json, state): (String, Void?) = try roundTrip(())
        #expect(json == "[[]]" && state != nil)
    }

    @Test func `an optional tuple is stored with its absence`() throws {
        let (some, one) = try roundTrip((1, 2) as (Int, Int)?)
        let (none, missing) = try roundTrip(nil as (Int, Int)?)
        #expect(some == "[[[1,2]]]" && one??.1 == 2)
        #expect(none == "[[]]" && missing != nil && missing.map { $0 == nil } == true)
    }

    @Test func `a tuple with a string of any length is destroyed and copied correctly`() throws {
        let long = String(repeating: "long ", count: 100)
        for _ in 0..<10 {
            let (_, state) = try roundTrip((long, UInt8(1), long + "!"))
            #expect(state?.0 == long && state?.1 == 1 && state?.2 == long + "!")
        }
    }

    @Test func `a tuple that does not fit is a mismatch`() throws {
        let counter = Counter((1, "a"))
        let key = try counterKey((Int, String).self)
        let machine = Captured(restoring: [key: "[[1]]"]) { $0.register(counter) }
        #expect(machine.registry.mismatches == [key])
    }
}
