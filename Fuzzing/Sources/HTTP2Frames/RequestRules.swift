import Fuzz
import HTTPModel

/// The rules for every request that reaches a responder (RFC 9113 §8).
enum RequestRules {
    private static let connectionSpecific: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    static func check(_ request: HTTPRequest) {
        let method = request.method.rawValue
        Fuzzer.expect(!method.isEmpty && method.utf8.allSatisfy(HTTPToken.isTokenByte), "the method \(method)")
        Fuzzer.expect(
            request.target.hasPrefix("/") || request.target == "*" && method == "OPTIONS",
            "the target \(request.target)")
        Fuzzer.expect((request.target + request.authority).utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "\(request)")
        Fuzzer.expect(!request.authority.isEmpty, "no authority")
        Fuzzer.expect(request.fields.count(of: .contentLength) <= 1, "several lengths")
        if let length = request.fields.value(.contentLength) {
            Fuzzer.expect(Int(length) == request.body.count, "\(length) announced, \(request.body.count) came")
        }
        request.fields.forEach { name, value in
            let text = String(decoding: name, as: UTF8.self)
            Fuzzer.expect(!name.isEmpty && name.allSatisfy(HTTPToken.isTokenByte), "the name \(text)")
            Fuzzer.expect(!name.contains { (0x41...0x5A).contains($0) }, "the name \(text)")
            Fuzzer.expect(!connectionSpecific.contains(text), "the field \(text)")
            Fuzzer.expect(text != "te" || value.elementsEqual("trailers".utf8), "the field te")
            Fuzzer.expect(HTTPFieldValue.isValid(value), "the value \(Array(value))")
        }
    }
}
