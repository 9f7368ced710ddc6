import Fuzz
import HTTP2
import HTTPModel

/// Bytes of a client into a connection of HTTP/2: nothing crashes, what comes out is frames and not much more than what
/// went in, and the requests are such as a responder may see.
@main enum HTTP2Frames {
    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        var input = input
        let choices = input.byte()
        let isFramed = choices & 1 == 0
        // In one piece, or those that let time pass would wait for the handshake only.
        let beginning = isFramed ? HTTP2Preface.bytes + [0, 0, 0, 4, 0, 0, 0, 0, 0] : []
        let bytes = isFramed ? frames(&input) : Array(input.rest)
        let cut: Cut = choices & 2 == 0 ? .growing : choices & 4 == 0 ? .bytewise : .whole
        var visit = Visit(choices: Visit.Choices(rawValue: choices))
        visit.run([beginning[...]] + cut.pieces(of: bytes))
        checkCuts(beginning + bytes)
    }

    /// Frames whose lengths are right, so that inputs get behind the framing: of each, its type, its flags, its
    /// stream and its payload's length come first.
    private static func frames(_ input: inout FuzzInput) -> [UInt8] {
        var bytes: [UInt8] = []
        while !input.isEmpty {
            let (type, flags, stream) = (input.byte(), input.byte(), input.byte())
            let payload = input.bytes()
            bytes += [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
        }
        return bytes
    }

    /// Where nothing is answered and no limit is passed, the same requests come however the bytes are cut.
    private static func checkCuts(_ bytes: [UInt8]) {
        let whole = Requests(bytes, .whole)
        let bytewise = Requests(bytes, .bytewise)
        guard whole.ending == nil, bytewise.ending == nil else { return }
        Fuzzer.expect(whole == bytewise, "\(whole) is not \(bytewise)")
    }
}

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    HTTP2Frames.check(FuzzInput(start, count))
    return 0
}
