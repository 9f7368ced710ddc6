import HTTPModel

/// `method SP request-target SP HTTP-version` (RFC 9112 §3).
struct RequestLine {
    /// Longer than any registered method.
    static let longestMethod = 32

    var method: HTTPMethod
    var target: RequestTarget
    var isVersion10: Bool

    /// What stands in the place of a line that has not come.
    static let none = RequestLine()

    private init() {
        method = .get
        target = .root
        isVersion10 = false
    }

    /// Reads a whole line, its end taken off and its lengths checked.
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

    /// Whether method and target keep to their limits, asked of a whole line or of the part of it that has come. Both
    /// give the same answer, so that it does not matter how a client cuts its bytes.
    static func checkLengths(_ line: UnsafeRawBufferPointer, limits: HTTP1Limits) throws(HTTP1Error) {
        guard let methodEnd = line.firstOffset(of: ASCII.space), methodEnd <= longestMethod else {
            guard line.count > longestMethod else { return }
            // Decided by the first bytes only, so that it does not depend on how many have arrived.
            let start = line.part(0..<(longestMethod + 1))
            throw start.allSatisfy(HTTPToken.isTokenByte) ? .methodTooLong : .requestLine
        }
        guard line.count - methodEnd - 1 > limits.targetBytes else { return }
        let targetEnd = line.firstOffset(of: ASCII.space, from: methodEnd + 1) ?? line.count
        if targetEnd - methodEnd - 1 > limits.targetBytes { throw .targetTooLong }
    }

    private static func version(_ bytes: UnsafeRawBufferPointer) throws(HTTP1Error) -> Bool {
        if bytes.equals("HTTP/1.1") { return false }
        if bytes.equals("HTTP/1.0") { return true }
        // RFC 9110 §2.5: a higher minor version is served as the highest one that is known.
        guard bytes.count == 8, bytes.part(0..<5).equals("HTTP/"), bytes[6] == UInt8(ascii: "."),
            isDigit(bytes[5]), isDigit(bytes[7])
        else { throw .requestLine }
        guard bytes[5] == UInt8(ascii: "1") else { throw .version }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// The usual methods are shared instead of being made again.
    private static func method(_ bytes: UnsafeRawBufferPointer) -> HTTPMethod {
        if bytes.equals("GET") { return .get }
        if bytes.equals("POST") { return .post }
        return HTTPMethod(rawValue: String(decoding: bytes, as: UTF8.self))
    }
}
