import JSONText

/// The messages on the control socket. A request is a JSON array of words on one line; the response is a line with the exit
/// status, followed by the output.
enum ControlMessage {
    /// The maximum size of a request, which may contain an exported session. The server needs several times as much memory for it.
    static let maxRequestBytes = 64 << 20

    static func request(_ words: [String]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (index, word) in words.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(word, to: &bytes)
        }
        bytes += "]\n".utf8
        return bytes
    }

    /// Reads a request without its end of line. Returns nil if it is not one.
    static func words(of request: [UInt8]) -> [String]? {
        guard let range = try? JSONScanner.document(request, nestingLimit: 2),
            let elements = JSONValue(bytes: request, range: range).elements
        else { return nil }
        let words = elements.compactMap(\.string)
        return words.count == elements.count ? words : nil
    }

    static func response(_ status: Int32, _ output: String) -> [UInt8] {
        Array("\(status)\n\(output)".utf8)
    }

    /// Reads a complete response. Returns nil if it is not one.
    static func result(of response: [UInt8]) -> (status: Int32, output: String)? {
        guard let end = response.firstIndex(of: UInt8(ascii: "\n")),
            let status = Int32(String(decoding: response[..<end], as: UTF8.self))
        else { return nil }
        return (status, String(decoding: response[(end + 1)...], as: UTF8.self))
    }
}
