import HTTPModel
import Testing

@Suite struct EventStreamTests {
    private func encoded(_ event: String?, id: String? = nil, _ data: String) -> [UInt8] {
        var bytes: [UInt8] = []
        EventStreamEncoder.encode(event: event, id: id, data: data.utf8, into: &bytes)
        return bytes
    }

    @Test func `an event is encoded as documented`() {
        #expect(
            String(decoding: encoded("change", id: "4kd.8", #"{"count":"8"}"#), as: UTF8.self)
                == "event: change\nid: 4kd.8\ndata: {\"count\":\"8\"}\n\n")
        #expect(String(decoding: encoded(nil, "x"), as: UTF8.self) == "data: x\n\n")
    }

    @Test func `comments and retry fields are separate blocks`() {
        var bytes: [UInt8] = []
        EventStreamEncoder.encode(retry: .seconds(2), into: &bytes)
        EventStreamEncoder.encode(comment: "keep-alive", into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "retry: 2000\n\n: keep-alive\n\n")
    }

    @Test(arguments: ["", "a", "a\nb", "a\r\nb", "a\rb", "\n", "\n\n", " a", "data: x", "\u{FEFF}a", "a\n\n\nb\n"])
    func `any data is decoded with normalized line ends and does not break its event`(data: String) {
        var bytes = encoded("one", id: "1", data)
        bytes += encoded("two", id: "2", "next")
        let expected = data.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        var parser = EventStreamParser()
        #expect(
            parser.receive(bytes) == [
                ServerSentEvent(event: "one", id: "1", data: expected),
                ServerSentEvent(event: "two", id: "2", data: "next"),
            ])
    }

    @Test func `an event name with a line end traps`() async {
        await #expect(processExitsWith: .failure) {
            var bytes: [UInt8] = []
            EventStreamEncoder.encode(event: "a\ndata: forged", data: [], into: &bytes)
        }
    }

    @Test func `splitting the stream at any byte does not change the result`() {
        let text =
            "\u{FEFF}retry: 10\r\n\r\n: hi\rid: 1\revent: a\rdata: x\rdata: y\r\r\n\ndata\n\nid\ndata:z\n\nid: 2\n\n"
        let bytes = Array(text.utf8)
        var whole = EventStreamParser()
        let expected = whole.receive(bytes)
        #expect(
            expected == [
                ServerSentEvent(event: "a", id: "1", data: "x\ny"), ServerSentEvent(id: "1", data: ""),
                ServerSentEvent(id: "", data: "z"),
            ])
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            let events = parser.receive(bytes[..<cut]) + parser.receive(bytes[cut...])
            #expect(events == expected, "cut at \(cut)")
            #expect(parser.retry == .milliseconds(10))
            #expect(parser.lastEventID == "2")
        }
    }

    @Test func `an incomplete event at the end is dropped and its id ignored`() {
        var parser = EventStreamParser()
        #expect(parser.receive("id: 1\ndata: a\n\nid: 2\ndata: b\n".utf8).map(\.data) == ["a"])
        #expect(parser.lastEventID == "1")
    }

    @Test(arguments: ["retry: -1\n\n", "retry: 1x\n\n", "retry:\n\n", "retry: 99999999999999999999\n\n"])
    func `a retry field that is not a number is ignored`(text: String) {
        var parser = EventStreamParser()
        #expect(parser.receive(text.utf8).isEmpty)
        #expect(parser.retry == nil)
    }

    @Test func `unknown fields and ids with NUL are ignored`() {
        var parser = EventStreamParser()
        let events = parser.receive("id: a\0b\nfoo: bar\n:comment\ndata: x\n\n".utf8)
        #expect(events == [ServerSentEvent(id: "", data: "x")])
    }
}
