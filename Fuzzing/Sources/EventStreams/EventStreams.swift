import Fuzz
import HTTPModel

/// Event streams: our parser and the reference parser read back encoded events, and for arbitrary bytes both give the
/// same result, however the bytes are split.
@main enum EventStreams {
    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        var input = input
        if input.byte() & 1 == 0 {
            checkEncoding(&input)
        } else {
            checkReading(Array(input.rest))
        }
    }

    @discardableResult
    private static func checkReading(_ bytes: [UInt8]) -> EventStreamReference {
        let expected = EventStreamReference(bytes)
        for cut in Cut.allCases {
            var parser = EventStreamParser()
            let events = cut.pieces(of: bytes).flatMap { parser.receive($0) }
            Fuzzer.expect(events == expected.events, "cut \(cut): \(events) is not \(expected.events)")
            Fuzzer.expect(
                parser.lastEventID == expected.lastEventID && parser.retry == expected.retry,
                "cut \(cut): \(parser) is not \(expected)")
        }
        return expected
    }

    private static func checkEncoding(_ input: inout FuzzInput) {
        var buffer: [UInt8] = []
        var events: [ServerSentEvent] = []
        var id = ""
        var retry: Duration?
        while !input.isEmpty {
            switch input.byte() & 3 {
            case 2: EventStreamEncoder.encode(comment: "still here", into: &buffer)
            case 3:
                let duration = duration(&input)
                EventStreamEncoder.encode(retry: duration, into: &buffer)
                retry = .milliseconds(max(0, duration.wholeMilliseconds))
            default:
                let (event, ownID, data) = (input.text().map(line), input.text().map(line), input.bytes())
                EventStreamEncoder.encode(event: event, id: ownID, data: data, into: &buffer)
                id = ownID ?? id
                let name = event.flatMap { $0.isEmpty ? nil : $0 } ?? "message"
                events.append(ServerSentEvent(event: name, id: id, data: normalized(data)))
            }
        }
        let reading = checkReading(buffer)
        Fuzzer.expect(reading.events == events, "\(reading.events) is not \(events)")
        Fuzzer.expect(reading.lastEventID == id && reading.retry == retry, "\(reading) is not \(id), \(retry as Any)")
    }

    private static func duration(_ input: inout FuzzInput) -> Duration {
        var bits: UInt64 = 0
        for place in 0..<8 { bits |= UInt64(input.byte()) << (8 * UInt64(place)) }
        return .milliseconds(Int64(bitPattern: bits))
    }

    /// The text as a valid name or ID: the encoder traps on line breaks and NUL.
    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !["\n", "\r", "\0"].contains($0) }))
    }

    /// The text with the line breaks that clients see.
    private static func normalized(_ data: [UInt8]) -> String {
        var bytes: [UInt8] = []
        for (index, byte) in data.enumerated() {
            if byte == 10 && index > 0 && data[index - 1] == 13 { continue }
            bytes.append(byte == 13 ? 10 : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    EventStreams.check(FuzzInput(start, count))
    return 0
}
