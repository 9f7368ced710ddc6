import Fuzz
import HTTP2
import HTTPModel

/// A client's bytes on an HTTP/2 connection: nothing crashes, the output consists of frames and is not much larger than
/// the input, and the requests follow the rules for responders.
@main enum HTTP2Frames {
    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        var input = input
        let choices = input.byte()
        let isFramed = choices & 1 == 0
        // In one piece, because otherwise runs with time steps would only reach the handshake timeout.
        let beginning = isFramed ? HTTP2Preface.bytes + [0, 0, 0, 4, 0, 0, 0, 0, 0] : []
        let bytes = isFramed ? frames(&input) : Array(input.rest)
        let cut: Cut = choices & 2 == 0 ? .growing : choices & 4 == 0 ? .bytewise : .whole
        var visit = Visit(choices: Visit.Choices(rawValue: choices))
        visit.run([beginning[...]] + cut.pieces(of: bytes))
        checkCuts(beginning + bytes)
    }

    /// Frames with valid lengths, so that inputs reach the code behind the framing. For each frame, the input has its
    /// type, flags, stream and payload length, followed by the payload.
    private static func frames(_ input: inout FuzzInput) -> [UInt8] {
        var bytes: [UInt8] = []
        while !input.isEmpty {
            let (type, flags, stream) = (input.byte(), input.byte(), input.byte())
            let payload = input.bytes()
            bytes += [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
        }
        return bytes
    }

    /// Checks that the requests do not depend on how the bytes are split, if nothing is answered and no limit is
    /// exceeded.
    private static func checkCuts(_ bytes: [UInt8]) {
        let whole = Requests(bytes, .whole)
        let bytewise = Requests(bytes, .bytewise)
        guard whole.ending == nil, bytewise.ending == nil else { return }
        Fuzzer.expect(whole == bytewise, "\(whole) is not \(bytewise)")
    }
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    HTTP2Frames.check(FuzzInput(start, count))
    return 0
}
