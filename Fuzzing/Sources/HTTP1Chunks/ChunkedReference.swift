/// Chunked coding (RFC 9112 §7.1) read in the plainest way, without limits and all at once: what the parser is compared
/// with.
struct ChunkedReference {
    /// The content.
    var body: [UInt8] = []
    /// How many bytes it took, its trailers and last line end counted.
    var count = 0

    private let bytes: [UInt8]

    /// Reads one body from the front; `nil` if the bytes do not begin with a whole one.
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

    /// The next line; `nil` if there is none, or a line feed or return stands anywhere but in its end.
    private mutating func line() -> ArraySlice<UInt8>? {
        guard let end = bytes[count...].firstIndex(of: 10), end > count, bytes[end - 1] == 13 else { return nil }
        defer { count = end + 1 }
        let line = bytes[count..<(end - 1)]
        return line.contains(13) ? nil : line
    }

    private static func size(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = line.prefix { Character(UnicodeScalar($0)).isHexDigit }
        var rest = line[digits.endIndex...]
        while let byte = rest.first, byte == 32 || byte == 9 { rest.removeFirst() }
        // Blanks alone behind a size are none of its grammar.
        guard rest.isEmpty ? digits.endIndex == line.endIndex : rest.first == UInt8(ascii: ";") else { return nil }
        guard rest.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else { return nil }
        return digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func isFieldLine(_ line: ArraySlice<UInt8>) -> Bool {
        let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
        return line[..<colon].allSatisfy(token.contains)
            && line[(colon + 1)...].allSatisfy { $0 == 9 || $0 >= 32 && $0 != 127 }
    }
}
