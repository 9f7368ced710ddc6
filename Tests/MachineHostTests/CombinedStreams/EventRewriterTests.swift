import Testing

@testable import MachineHost

struct EventRewriterTests {
    private let session = "jt0iGwEJTmmrvDnmhNTjwg"
    private let stream = """
        retry: 2000

        event: snapshot
        id: VgFTtm.2
        data: {"count":7}

        event: change
        id: VgFTtm.3
        traceparent: 00-00000000000000000000000000000007-0000000000000009-01
        data: {"text":"a\\nb"}

        : keep-alive

        event: resume
        id: VgFTtm.3
        data: {"from":3,"missed":0}

        event: end
        data: {"reason":"deleted"}


        """
    private let rewritten = """
        event: snapshot
        id: VgFTtm.2~
        data: {"session":"jt0iGwEJTmmrvDnmhNTjwg","id":"VgFTtm.2","data":{"count":7}}

        event: change
        id: VgFTtm.3~
        traceparent: 00-00000000000000000000000000000007-0000000000000009-01
        data: {"session":"jt0iGwEJTmmrvDnmhNTjwg","id":"VgFTtm.3","data":{"text":"a\\nb"}}

        event: resume
        id: VgFTtm.3~
        data: {"session":"jt0iGwEJTmmrvDnmhNTjwg","id":"VgFTtm.3","data":{"from":3,"missed":0}}

        event: end
        id: jt0iGw!~
        data: {"session":"jt0iGwEJTmmrvDnmhNTjwg","data":{"reason":"deleted"}}


        """

    @Test func `events get the session, its position and the position in all sessions`() {
        var run = Run()
        #expect(run.rewrite(stream, session) == rewritten)
        #expect(run.outcome == .sessionEnd)
        #expect(run.rewriter.isBetweenEvents)
    }

    @Test func `the result is the same wherever the bytes are cut`() {
        let bytes = Array(stream.utf8)
        for first in 0...bytes.count {
            var run = Run()
            var text = ""
            for cut in [bytes[..<first], bytes[first...]] {
                text += run.rewrite(String(decoding: cut, as: UTF8.self), session)
            }
            #expect(text == rewritten, "cut at byte \(first)")
            #expect(run.outcome == .sessionEnd, "cut at byte \(first)")
        }
        var run = Run()
        #expect(stream.map { run.rewrite(String($0), session) }.joined() == rewritten)
    }

    @Test func `an event that is cut is incomplete until its last byte`() {
        var run = Run()
        _ = run.rewrite("event: change\nid: VgFTtm.3\n", session)
        #expect(!run.rewriter.isBetweenEvents)
        #expect(!run.rewriter.isInsideData)
        _ = run.rewrite("data: {", session)
        #expect(run.rewriter.isInsideData)
        _ = run.rewrite("}\n", session)
        #expect(!run.rewriter.isInsideData)
        #expect(run.rewriter.isBetweenEvents)
    }

    @Test func `the end of a single stream only is left out`() {
        var run = Run()
        let text = run.rewrite("retry: 1700\nevent: end\ndata: {\"reason\":\"draining\"}\n\n", session)
        #expect(text.isEmpty)
        #expect(run.outcome == .streamEnd)
        #expect(run.rewriter.isBetweenEvents)
    }

    @Test func `a refusal for the time being keeps the position`() {
        var run = Run(after: "VgFTtm.3")
        #expect(
            run.rewrite("event: busy\ndata: {\"reason\":\"busy\"}\n\n", session) == """
                event: end
                id: VgFTtm.3~
                data: {"session":"jt0iGwEJTmmrvDnmhNTjwg","data":{"reason":"busy"}}


                """)
        #expect(run.outcome == .busy)
    }

    @Test func `a full buffer stops before the next event`() {
        let bytes = Array(stream.utf8)
        var run = Run()
        var (start, pieces): (Int, [[UInt8]]) = (0, [])
        while start < bytes.count {
            var buffer: [UInt8] = []
            let before = start
            _ = run.rewriter.rewrite(
                bytes, from: &start, to: bytes.count, session: Array(session.utf8)[...], place: 0, &run.position,
                into: &buffer, limit: 1)
            #expect(start > before)
            pieces.append(buffer)
        }
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == rewritten)
        #expect(pieces.filter { !$0.isEmpty }.count == 4)
    }

    /// The rewriter of a stream with two sessions.
    private struct Run {
        var rewriter = EventRewriter()
        var position: CombinedPosition
        var outcome: EventRewriter.Outcome = []

        init(after earlier: String = "") {
            position = CombinedPosition(sessionCount: 2, after: Array(earlier.utf8))
        }

        mutating func rewrite(_ text: String, _ session: String) -> String {
            let bytes = Array(text.utf8)
            var (start, buffer): (Int, [UInt8]) = (0, [])
            outcome.formUnion(
                rewriter.rewrite(
                    bytes, from: &start, to: bytes.count, session: Array(session.utf8)[...], place: 0, &position,
                    into: &buffer, limit: .max))
            #expect(start == bytes.count)
            return String(decoding: buffer, as: UTF8.self)
        }
    }
}
