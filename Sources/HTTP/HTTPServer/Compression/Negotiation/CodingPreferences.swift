package import HTTPModel

/// The preferences of a client in `Accept-Encoding` (RFC 9110 §12.5.3).
///
/// Parsed without allocation, because many requests have the field. An invalid element (its weight is not a number from
/// 0 to 1 with three decimals) is ignored. If a coding is named twice, the first element applies.
package struct CodingPreferences: Hashable, Sendable {
    /// The weights in thousandths; `nil` if the client does not name the coding.
    private var brotli: UInt16?
    private var gzip: UInt16?
    private var identity: UInt16?
    private var others: UInt16?

    /// Parses the fields of a request.
    package init(_ fields: HTTPFields) {
        fields.forEach { name, value in
            if name.count == 15, CodingPreferences.isEqual(name, "accept-encoding") { take(value) }
        }
    }

    /// Whether the client accepts uncompressed content. True unless the client excludes it.
    package var takesIdentity: Bool {
        if let identity { return identity > 0 }
        return others != 0
    }

    /// Returns the coding that the client prefers; equal preferences are resolved in the order of the offer. Returns
    /// `nil` if the client accepts none of them or prefers uncompressed content. A client that names no coding gets
    /// uncompressed content, although it formally accepts any coding, because it probably supports none.
    package func choose(from offered: [ContentCoding]) -> ContentCoding? {
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

// Parses a line of the field.
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

    /// Parses `q=` and a number from 0 to 1 with at most three decimals (RFC 9110 §12.4.2), in thousandths.
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
