/// A simple reference decoder for chunked coding (RFC 9112 §7.1), without limits, that decodes the whole body at once.
struct ChunkedReference {
    /// The content.
    var body: [UInt8] = []
    /// The number of consumed bytes, including the trailers and the last line break.
    var count = 0

    private let bytes: [UInt8]

    /// Decodes one body from the front; `nil` if the bytes do not begin with a complete body.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        while true {
            guard let size = line().flatMap(ChunkedReference.size) else { return nil }
            if size == 0 { break }
            guard size <= bytes.count - count else { return nil }
            body += bytes[count..<(count + size)]
            count += size
            guard let end = line(), end.isEmpty else { return nil }
        }
        while let trailer = line() {
            if trailer.isEmpty { return }
            guard ChunkedReference.isFieldLine(trailer) else { return nil }
        }
        return nil
    }

    /// The next line; `nil` if there is none, or if it contains CR or LF before its end.
    private mutating func line() -> ArraySlice<UInt8>? {
        guard let end = bytes[count...].firstIndex(of: 10), end > count, bytes[end - 1] == 13 else { return nil }
        defer { count = end + 1 }
        let line = bytes[count..<(end - 1)]
        return line.contains(13) ? nil : line
    }

    private static func size(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = line.prefix { Character(UnicodeScalar($0)).isHexDigit }
        guard areExtensions(line[digits.endIndex...]) else { return nil }
        return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static let token = Set(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    /// Parses `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )` (§7.1.1).
    private static func areExtensions(_ text: ArraySlice<UInt8>) -> Bool {
        if text.isEmpty { return true }
        let start = text.drop(while: isBlank)
        guard start.first == UInt8(ascii: ";") else { return false }
        let name = start.dropFirst().drop(while: isBlank)
        let behindName = name.drop(while: token.contains)
        guard behindName.startIndex > name.startIndex else { return false }
        let sign = behindName.drop(while: isBlank)
        guard sign.first == UInt8(ascii: "=") else { return areExtensions(behindName) }
        let value = sign.dropFirst().drop(while: isBlank)
        if value.first == UInt8(ascii: "\"") { return behindQuote(value.dropFirst()).map(areExtensions) ?? false }
        let behindValue = value.drop(while: token.contains)
        return behindValue.startIndex > value.startIndex && areExtensions(behindValue)
    }

    /// Returns the text after a quoted string whose opening quote was removed; `nil` if the string does not end.
    private static func behindQuote(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var text = text
        while let byte = text.popFirst() {
            if byte == UInt8(ascii: "\"") { return text }
            guard byte == 9 || byte >= 32 && byte != 127 else { return nil }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard let escaped = text.popFirst(), escaped == 9 || escaped >= 32 && escaped != 127 else { return nil }
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

    private static func isFieldLine(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
        return line[..<colon].allSatisfy(token.contains)
            && line[(colon + 1)...].allSatisfy { $0 == 9 || $0 >= 32 && $0 != 127 }
    }
}
