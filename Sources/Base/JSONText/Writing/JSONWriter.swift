/// Writes JSON strings (RFC 8259 §7) and numbers (§6).
public enum JSONWriter {
    /// Appends a text in quotes, with quotes, backslashes and control characters escaped. The result has no line ends.
    @inlinable
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { appendEscaped(byte, to: &bytes) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a number in decimal digits, without an intermediate `String`.
    @inlinable
    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        if number < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var place = digits.count
            var rest = number
            while rest > 0 {
                place -= 1
                digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
        }
    }

    /// Returns a text in quotes, escaped as ``append(_:to:)`` does.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text escaped for the inside of a JSON string that people read in a terminal.
    ///
    /// Escapes every scalar that is not visible by itself as well (``Unicode/Scalar/isHidden``): terminals and line readers
    /// interpret them.
    package static func escapedForTerminal(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: result += "\\\(scalar)"
            case 0x0A: result += "\\n"
            case _ where scalar.isHidden:
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    @usableFromInline
    static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: (digits.count == 1 ? "\\u000\(digits)" : "\\u00\(digits)").utf8)
        default: bytes.append(byte)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar has no shape of its own, but may change how the text around it appears: controls (also C1), line and paragraph
    /// separators, the controls of bidirectional text, joiners, characters without width and variation selectors.
    package var isHidden: Bool {
        guard !isASCII else { return value < 0x20 || value == 0x7F }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }
}
