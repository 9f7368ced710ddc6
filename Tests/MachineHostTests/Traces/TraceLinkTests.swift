import HTTPModel
import Testing

@testable import MachineHost

struct TraceLinkTests {
    private let request = TraceContext(traceID: 7, spanID: 9, state: "rojo=1,congo=t 6")

    @Test func `the stored form is read as it was written`() throws {
        let link = try #require(TraceLink(request).next())
        #expect(TraceLink(link.text) == link)
        #expect(TraceLink(json: link.json) == link)
        let quoted = TraceLink(TraceContext(traceID: 7, spanID: 9, state: "a=\"\\"))
        #expect(TraceLink(json: quoted.json) == quoted)
        let plain = TraceLink(TraceContext(traceID: 7, spanID: 9))
        #expect(plain.text == "00-00000000000000000000000000000007-0000000000000009-01 16 ")
        #expect(TraceLink(plain.text) == plain)
    }

    @Test(arguments: [
        "", "00-00000000000000000000000000000007-0000000000000009-01",
        "00-00000000000000000000000000000007-0000000000000009-01 3",
        "00-00000000000000000000000000000007-0000000000000009-01 17 ",
        "00-00000000000000000000000000000007-0000000000000009-01 -1 ",
        "00-00000000000000000000000000000000-0000000000000009-01 1 ", "x 1 a=1",
    ])
    func `an invalid form is ignored`(_ text: String) {
        #expect(TraceLink(text) == nil)
    }

    @Test func `a limited number of turns in a row continues a trace`() throws {
        var link = TraceLink(request)
        for _ in 0..<TraceLink.maxTurns {
            let next = try #require(link.child().next())
            #expect(next.context.traceID == 7 && next.context.spanID != link.context.spanID)
            #expect(next.context.state == request.state)
            link = next
        }
        #expect(link.next() == nil)
    }
}
