import Testing

@testable import GranaryClient

struct OutputValuesTests {
    private func values(_ json: String) throws -> OutputValues { try OutputValues(Array(json.utf8)) }

    @Test func `outputs are read as their types`() throws {
        let values = try values(#"{"a":1,"b":"x\n","c":[1.5],"d":null,"e":{"f":true},"g":18446744073709551615}"#)
        #expect(try values.value("a") == 1)
        #expect(try values.value("b") == "x\n")
        #expect(try values.value("c") == [1.5])
        #expect(try values.value("d") == Int?.none)
        #expect(try values.value("e") == ["f": true])
        #expect(try values.value("g") == UInt64.max)
        #expect(values.names == ["a", "b", "c", "d", "e", "g"])
    }

    @Test func `an output that may be missing is nil then`() throws {
        let values = try values(#"{"a":1,"b":null}"#)
        #expect(try values.optional("a") == 1)
        #expect(try values.optional("b") == Int?.none)
        #expect(try values.optional("c") == Int?.none)
        #expect(throws: GranaryError.incompatible("expected the output \"c\", got none")) {
            try values.value("c", as: Int.self)
        }
    }

    @Test func `an update leaves other outputs unchanged, and null sets nil`() throws {
        let values = try values(#"{"a":1,"b":null}"#)
        var (a, b, c): (Int, Int?, Int) = (0, 7, 9)
        try values.update("a", &a)
        try values.update("b", &b)
        try values.update("c", &c)
        #expect((a, b, c) == (1, nil, 9))
    }

    @Test(arguments: ["\"1\"", "1.5", "null", "[]", "99999999999999999999"])
    func `a value of another type is an error that names the output`(json: String) throws {
        let values = try values("{\"a\":\(json)}")
        #expect {
            try values.value("a", as: Int.self)
        } throws: { error in
            if case GranaryError.incompatible(let detail) = error { detail.contains("\"a\"") } else { false }
        }
    }

    @Test func `events are apart from outputs, in order`() throws {
        let values = try values(#"{"a":1,"$emitted":[{"output":"x","value":1},{"output":"y","value":null}]}"#)
        #expect(values.names == ["a"])
        let events = try values.events()
        #expect(events.map(\.output) == ["x", "y"])
        #expect(try events[0].value() == 1)
        #expect(throws: GranaryError.self) { try events[0].value(as: String.self) }
        #expect(throws: GranaryError.self) { try self.values(#"{"$emitted":[7]}"#).events() }
    }

    @Test func `any JSON is a value`() throws {
        let values = try values(#"{"a":{"b":[null,true,1,1.5,"x"]}}"#)
        let json: JSON = try values.value("a")
        #expect(json == .object(["b": .array([.null, .boolean(true), .integer(1), .number(1.5), .string("x")])]))
        let text = String(decoding: try InputMessage("i", json).json(), as: UTF8.self)
        #expect(text == #"{"b":[null,true,1,1.5,"x"]}"#)
    }

    @Test func `a recursive type is read and written as itself`() throws {
        struct Node: Codable, Equatable {
            var name: String
            var next: Indirect<Node>?
        }
        let text = #"{"name":"a","next":{"name":"b"}}"#
        let node: Node = try values("{\"n\":\(text)}").value("n")
        #expect(node == Node(name: "a", next: Indirect(Node(name: "b", next: nil))))
        #expect(node.next?.value.name == "b")
        #expect(String(decoding: try InputMessage("i", node.name).json(), as: UTF8.self) == "\"a\"")
    }

    @Test(arguments: ["[]", "7", "null"])
    func `outputs are an object`(json: String) {
        #expect(throws: GranaryError.self) { try values(json) }
    }
}
