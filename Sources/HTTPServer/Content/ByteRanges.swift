import HTTPModel

/// What `Range` asks for of content of a certain length (RFC 9110 §14.1.2).
enum ByteRanges: Equatable {
    /// The field is none that is understood, or asks for more than is decent: the whole is sent.
    case whole
    /// Nothing of what it asks for is there.
    case unsatisfiable
    /// These parts, in the order in which they were asked for.
    case parts([Range<Int>])

    /// More parts than this, or parts that together are more than the whole, are an attack rather than a need.
    private static let mostParts = 16

    init(_ text: String, length: Int) {
        guard length > 0, let equals = text.firstIndex(of: "="), text[..<equals].lowercased() == "bytes" else {
            self = .whole
            return
        }
        var parts: [Range<Int>] = []
        let elements = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
            .map(ByteRanges.trimmed).filter { !$0.isEmpty }
        for element in elements {
            guard let part = ByteRanges.part(element, length: length) else {
                self = .whole
                return
            }
            if !part.isEmpty { parts.append(part) }
        }
        if elements.isEmpty || elements.count > ByteRanges.mostParts || parts.reduce(0, { $0 + $1.count }) > length {
            self = .whole
        } else {
            self = parts.isEmpty ? .unsatisfiable : .parts(parts)
        }
    }

    /// One part, empty where nothing of it is there; `nil` if it is none.
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

    /// Digits; a number that is too large to count to is as good as the largest one.
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
