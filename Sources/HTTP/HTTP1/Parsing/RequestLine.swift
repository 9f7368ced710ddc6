import HTTPModel

/// `method SP request-target SP HTTP-version` (RFC 9112 §3).
struct RequestLine {
    /// Longer than any registered method.
    static let maxMethodLength = 32

    var method: HTTPMethod
    var target: RequestTarget
    var isVersion10: Bool

    /// A placeholder for a line that has not been parsed yet.
    static let none = RequestLine()

    private init() {
        method = .get
        target = .root
        isVersion10 = false
    }

    /// Parses a complete line without its line end, whose lengths have been checked.
    init(_ line: UnsafeRawBufferPointer) throws(HTTP1Error) {
        guard let methodEnd = line.firstOffset(of: ASCII.space), methodEnd > 0,
            let targetEnd = line.firstOffset(of: ASCII.space, from: methodEnd + 1), targetEnd > methodEnd + 1
        else { throw .requestLine }
        let methodBytes = line.part(0..<methodEnd)
        guard methodBytes.allSatisfy(HTTPToken.isTokenByte) else { throw .requestLine }
        isVersion10 = try RequestLine.version(line.part(from: targetEnd + 1))
        target = try RequestTarget.read(line.part((methodEnd + 1)..<targetEnd), method: methodBytes)
        method = RequestLine.method(methodBytes)
    }

    /// Checks the lengths of the method and the target, for a complete line or the part of it that has arrived. Both
    /// give the same result, so that it does not matter how a client splits its bytes.
    static func checkLengths(_ line: UnsafeRawBufferPointer, limits: HTTP1Limits) throws(HTTP1Error) {
        guard let methodEnd = line.firstOffset(of: ASCII.space), methodEnd <= maxMethodLength else {
            guard line.count > maxMethodLength else { return }
            // Decided by the first bytes only, so that the result does not depend on the number of bytes that have
            // arrived.
            let start = line.part(0..<(maxMethodLength + 1))
            throw start.allSatisfy(HTTPToken.isTokenByte) ? .methodTooLong : .requestLine
        }
        guard line.count - methodEnd - 1 > limits.targetBytes else { return }
        let targetEnd = line.firstOffset(of: ASCII.space, from: methodEnd + 1) ?? line.count
        if targetEnd - methodEnd - 1 > limits.targetBytes { throw .targetTooLong }
    }

    private static func version(_ bytes: UnsafeRawBufferPointer) throws(HTTP1Error) -> Bool {
        if bytes.equals("HTTP/1.1") { return false }
        if bytes.equals("HTTP/1.0") { return true }
        // RFC 9110 §2.5: a higher minor version is treated as the highest known one.
        guard bytes.count == 8, bytes.part(0..<5).equals("HTTP/"), bytes[6] == UInt8(ascii: "."),
            isDigit(bytes[5]), isDigit(bytes[7])
        else { throw .requestLine }
        guard bytes[5] == UInt8(ascii: "1") else { throw .version }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// Returns shared values for the most common methods instead of allocating new strings.
    private static func method(_ bytes: UnsafeRawBufferPointer) -> HTTPMethod {
        if bytes.equals("GET") { return .get }
        if bytes.equals("POST") { return .post }
        return HTTPMethod(rawValue: String(decoding: bytes, as: UTF8.self))
    }
}
