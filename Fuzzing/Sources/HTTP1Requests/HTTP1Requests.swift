import Fuzz
import HTTP1
import HTTPModel

/// Pipelined HTTP/1.1 requests: the result does not depend on how the bytes are split, parsed requests keep the limits,
/// and a serialized request parses to the same request.
@main enum HTTP1Requests {
    /// Small limits that inputs can reach.
    private static let limits = HTTP1Limits(
        targetBytes: 64, headBytes: 512, fieldCount: 8, bodyBytes: 256, chunkLineBytes: 32, trailerBytes: 64)

    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        check(Array(input.rest))
    }

    private static func check(_ bytes: [UInt8]) {
        let reading = Reading(bytes, .whole, limits: limits)
        for cut in Cut.allCases {
            let other = Reading(bytes, cut, limits: limits)
            Fuzzer.expect(other == reading, "cut \(cut): \(other) is not \(reading)")
        }
        for request in reading.requests {
            checkParts(of: request)
            checkAgain(request)
        }
    }

    private static func checkParts(of request: Reading.Request) {
        Fuzzer.expect(
            !request.method.rawValue.isEmpty && request.method.rawValue.utf8.allSatisfy(HTTPToken.isTokenByte),
            "the method \(request.method)")
        Fuzzer.expect(request.target.hasPrefix("/") || request.target == "*", "the target \(request.target)")
        Fuzzer.expect((request.target + request.authority).utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "\(request)")
        Fuzzer.expect(request.body.count <= limits.bodyBytes, "\(request.body.count) bytes of body")
        Fuzzer.expect(request.fields.count <= limits.fieldCount, "\(request.fields.count) fields")
        request.forEachField { name, value in
            Fuzzer.expect(!name.isEmpty && name.allSatisfy(HTTPToken.isTokenByte), "the name \(name)")
            Fuzzer.expect(!name.contains { (0x41...0x5A).contains($0) }, "the name \(name)")
            Fuzzer.expect(HTTPFieldValue.isValid(value), "the value \(value)")
        }
    }

    /// The Host field is optional in HTTP/1.0 and required in HTTP/1.1.
    private static func checkAgain(_ request: Reading.Request) {
        guard !request.authority.isEmpty else { return }
        let again = Reading(request.written, .whole, limits: HTTP1Limits())
        Fuzzer.expect(again.requests.count == 1 && again.left == 0, "\(request) becomes \(again)")
        guard let other = again.requests.first else { return }
        Fuzzer.expect(
            other.method == request.method && other.target == request.target && other.authority == request.authority
                && other.body == request.body, "\(request) becomes \(other)")
    }
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    HTTP1Requests.check(FuzzInput(start, count))
    return 0
}
