public import HTTPModel

/// What `Accept-Encoding` says (RFC 9110 §12.5.3): how much a client wants each coding, or not at all.
///
/// Read without an allocation, as it is done with many requests. An element that is none (a weight that is no number from
/// 0 to 1 with three decimals) counts as if it were not there; of a coding that is named twice the first counts.
public struct CodingPreferences: Hashable, Sendable {
    /// Weights in thousandths; `nil` where the client does not name it.
    private var brotli: UInt16?
    private var gzip: UInt16?
    private var identity: UInt16?
    private var others: UInt16?

    /// What these fields of a request say, in one line or several.
    public init(_ fields: HTTPFields) {
        fields.forEach { name, value in
            if name.count == 15, CodingPreferences.isEqual(name, "accept-encoding") { take(value) }
        }
    }

    /// Whether the client takes content without a coding; it does unless it says that it does not.
    public var takesIdentity: Bool {
        if let identity { return identity > 0 }
        return others != 0
    }

    /// The coding that the client wants most, those that it wants alike in the order of the offer; `nil` where it asked
    /// for none of them, or rather has none. A client that names no coding at all, though it would take any, gets none:
    /// it does not seem to know them.
    public func choose(from offered: [ContentCoding]) -> ContentCoding? {
        var best: (coding: ContentCoding, weight: UInt16)?
        for coding in offered {
            guard let weight = weight(of: coding), weight > best?.weight ?? 0 else { continue }
            best = (coding, weight)
        }
        guard let best, best.weight >= identity ?? 0 else { return nil }
        return best.coding
    }

    private func weight(of coding: ContentCoding) -> UInt16? {
        switch coding {
        case .brotli: brotli ?? others
        case .gzip: gzip ?? others
        }
    }
}

// One field line.
extension CodingPreferences {
    private mutating func take(_ line: UnsafeRawBufferPointer) {
        var start = 0
        while start < line.count {
            let end = line[start...].firstIndex(of: UInt8(ascii: ",")) ?? line.count
            takeElement(UnsafeRawBufferPointer(rebasing: line[start..<end]))
            start = end + 1
        }
    }

    private mutating func takeElement(_ element: UnsafeRawBufferPointer) {
        let end = element.firstIndex(of: UInt8(ascii: ";")) ?? element.count
        let name = CodingPreferences.trimmed(element[..<end])
        var weight: UInt16 = 1000
        if end < element.count {
            guard let stated = CodingPreferences.weight(element[(end + 1)...]) else { return }
            weight = stated
        }
        if CodingPreferences.isEqual(name, "br") {
            brotli = brotli ?? weight
        } else if CodingPreferences.isEqual(name, "gzip") || CodingPreferences.isEqual(name, "x-gzip") {
            gzip = gzip ?? weight
        } else if CodingPreferences.isEqual(name, "identity") {
            identity = identity ?? weight
        } else if CodingPreferences.isEqual(name, "*") {
            others = others ?? weight
        }
    }

    /// `q=` and a number from 0 to 1 with three decimals at most (RFC 9110 §12.4.2), in thousandths.
    private static func weight(_ parameter: Slice<UnsafeRawBufferPointer>) -> UInt16? {
        let text = trimmed(parameter)
        guard text.count >= 3, text.count <= 7, text[0] | 0x20 == UInt8(ascii: "q"), text[1] == UInt8(ascii: "=")
        else { return nil }
        let zero = UInt8(ascii: "0")
        guard text[2] == zero || text[2] == zero + 1 else { return nil }
        var weight = UInt16(text[2] - zero) * 1000
        if text.count > 3, text[3] != UInt8(ascii: ".") { return nil }
        var place: UInt16 = 100
        for byte in text.dropFirst(4) {
            guard byte >= zero, byte <= zero + 9 else { return nil }
            weight += UInt16(byte - zero) * place
            place /= 10
        }
        return weight <= 1000 ? weight : nil
    }

    private static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        var (start, end) = (text.startIndex, text.endIndex)
        while start < end, isBlank(text.base[start]) { start += 1 }
        while end > start, isBlank(text.base[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: text.base[start..<end])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isEqual(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count {
            let byte = bytes[index]
            let lowercased = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            if lowercased != text.utf8Start[index] { return false }
        }
        return true
    }
}
