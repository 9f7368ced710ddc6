/// The parts that a `Range` field requests of content with a given length (RFC 9110 §14.1.2).
enum ByteRanges: Equatable {
    /// The field is not understood or requests too much; the whole content is sent.
    case whole
    /// None of the requested parts exists.
    case unsatisfiable
    /// The requested parts, in the order of the request.
    case parts([Range<Int>])

    /// More parts, or parts that together exceed the content, are an attack rather than a use case (RFC 9110 §17.15).
    private static let maxParts = 16

    init(_ text: String, length: Int) {
        guard length > 0, let equals = text.firstIndex(of: "="), text[..<equals].lowercased() == "bytes" else {
            self = .whole
            return
        }
        var parts: [Range<Int>] = []
        let elements = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
            .map(ByteRanges.trimmed).filter { !$0.isEmpty }
        for element in elements {
            // RFC 9110 §14.2: an invalid field is ignored, so that the client gets the whole content.
            guard let part = ByteRanges.part(element, length: length) else {
                self = .whole
                return
            }
            if !part.isEmpty { parts.append(part) }
        }
        if elements.isEmpty || elements.count > ByteRanges.maxParts || parts.reduce(0, { $0 + $1.count }) > length {
            self = .whole
        } else {
            self = parts.isEmpty ? .unsatisfiable : .parts(parts)
        }
    }

    /// Parses one part. Returns an empty range if it lies outside the content, or `nil` if it is invalid.
    private static func part(_ element: Substring, length: Int) -> Range<Int>? {
        guard let hyphen = element.firstIndex(of: "-") else { return nil }
        let (first, last) = (element[..<hyphen], element[element.index(after: hyphen)...])
        if first.isEmpty {
            guard let count = number(last) else { return nil }
            return (length - min(count, length))..<length
        }
        guard let start = number(first), let end = last.isEmpty ? .max : number(last), start <= end else { return nil }
        return start < length ? start..<(min(end, length - 1) + 1) : 0..<0
    }

    /// Parses digits. A number that does not fit is treated as the largest one.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            return nil
        }
        return Int(text) ?? .max
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0] } ?? ""
    }
}
