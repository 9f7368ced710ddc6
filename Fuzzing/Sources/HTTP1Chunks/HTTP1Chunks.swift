import Fuzz
import HTTP1
import HTTPModel

/// Chunked bodies: the parser agrees with the reference decoder and reads back the encoder's output.
@main enum HTTP1Chunks {
    private static let limits = HTTP1Limits(
        targetBytes: 64, headBytes: 256, fieldCount: 4, bodyBytes: 4096, chunkLineBytes: 64, trailerBytes: 128)
    private static let head = Array("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        var input = input
        if input.byte() & 1 == 0 {
            checkReading(Array(input.rest))
        } else {
            checkWriting(&input)
        }
    }

    /// The result for a body: its content and the number of consumed bytes, or the error; neither if it is incomplete.
    private struct Outcome: Equatable {
        var body: [UInt8]?
        var count: Int?
        var error: HTTP1Error?
    }

    private static func read(_ bytes: [UInt8], _ cut: Cut) -> Outcome {
        var parser = HTTP1RequestParser(limits: limits)
        var pending: [UInt8] = []
        var given = -head.count
        do throws(HTTP1Error) {
            for piece in [head[...]] + cut.pieces(of: bytes) {
                pending += piece
                given += piece.count
                let (message, left) = try parser.take(pending)
                pending.removeFirst(pending.count - left)
                if let message { return Outcome(body: message.request.body, count: given - left) }
            }
            return Outcome()
        } catch {
            return Outcome(error: error)
        }
    }

    private static func checkReading(_ bytes: [UInt8]) {
        let outcome = read(bytes, .whole)
        for cut in Cut.allCases {
            let other = read(bytes, cut)
            Fuzzer.expect(other == outcome, "cut \(cut): \(other) is not \(outcome)")
        }
        let expected = ChunkedReference(bytes)
        switch outcome.error {
        case nil:
            Fuzzer.expect(
                outcome.body == expected?.body && outcome.count == expected?.count,
                "\(outcome) where \(String(describing: expected)) was expected")
        case .bodyTooLarge, .chunkSize, .trailersTooLarge, .tooManyFields:
            // A limit may be exceeded before the end. Otherwise, the reference must reject the body, too.
            let longest = bytes.split(separator: 10, omittingEmptySubsequences: false).map(\.count).max() ?? 0
            let isLimited = bytes.count > limits.trailerBytes || longest > limits.chunkLineBytes
            let fieldLines = bytes.count { $0 == 10 }
            Fuzzer.expect(
                isLimited || fieldLines > limits.fieldCount || expected == nil,
                "\(outcome), but the reference decodes the body")
        default: Fuzzer.expect(expected == nil, "\(outcome) of a body of \(expected?.count ?? 0) bytes")
        }
    }

    private static func checkWriting(_ input: inout FuzzInput) {
        var buffer: [UInt8] = []
        var body: [UInt8] = []
        while !input.isEmpty, body.count < limits.bodyBytes - 255 {
            let data = input.bytes()
            let chunk = HTTP1Chunk(in: &buffer)
            buffer += data
            chunk.end(in: &buffer)
            body += data
        }
        HTTP1Chunk.appendLast(to: &buffer)
        let expected = Outcome(body: body, count: buffer.count)
        for cut in Cut.allCases {
            let outcome = read(buffer + [0x47], cut)
            Fuzzer.expect(outcome == expected, "cut \(cut): \(outcome) is not \(expected)")
        }
    }
}

extension HTTP1RequestParser {
    /// Passes all the bytes to the parser and returns the result and the number of remaining bytes.
    fileprivate mutating func take(_ bytes: [UInt8]) throws(HTTP1Error) -> (message: HTTP1Message?, left: Int) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        var rest = UnsafeRawBufferPointer(copy)
        let message = try parse(&rest, peer: .unknown)
        return (message, rest.count)
    }
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    HTTP1Chunks.check(FuzzInput(start, count))
    return 0
}
