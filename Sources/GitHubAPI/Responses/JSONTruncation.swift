package import Foundation

/// Distinguishes a truncated body from one that was never JSON.
package enum JSONTruncation {
    /// Returns whether the body begins with a JSON object that is not closed.
    package static func isTruncated(_ body: Data) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        guard body.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else { return false }
        for byte in body {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInString: isEscaped = true
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
                depth -= 1
                if depth == 0 { return false }
            default: break
            }
        }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
