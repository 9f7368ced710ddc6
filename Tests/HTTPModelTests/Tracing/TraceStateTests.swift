import Testing

@testable import HTTPModel

@Suite struct TraceStateTests {
    private func text(_ lines: String...) throws -> String {
        var fields = HTTPFields()
        for line in lines { fields.append(.tracestate, try #require(HTTPFieldValue(line))) }
        return TraceState.text(of: fields)
    }

    @Test func `a list is kept in its order, without empty members`() throws {
        #expect(try text() == "")
        #expect(try text("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE") == "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")
        #expect(try text("a=1 ,, \tb@c/d*e_f-g=h i") == "a=1,b@c/d*e_f-g=h i")
        #expect(try text("a=1", "b=2") == "a=1,b=2")
    }

    @Test(arguments: ["a", "=1", "a=", "A=1", "a=1=2", "a=1,b", "a=ä", "a b=1", "*a=1", "ä=1"])
    func `an invalid list is dropped as a whole`(_ line: String) throws {
        #expect(try text(line) == "")
        #expect(try text("ok=1", line) == "")
    }

    @Test func `a list has at most 32 members and 512 bytes`() throws {
        let members = (0..<32).map { "k\($0)=v" }
        #expect(try text(members.joined(separator: ",")) == members.joined(separator: ","))
        #expect(try text((members + ["more=v"]).joined(separator: ",")) == "")
        let longest = "a=" + String(repeating: "v", count: 510)
        #expect(try text(longest) == longest)
        #expect(try text(longest + "v") == "")
    }
}
