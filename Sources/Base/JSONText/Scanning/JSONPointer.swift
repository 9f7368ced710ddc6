/// JSON Pointers (RFC 6901).
package enum JSONPointer {
    /// Returns a name escaped as a segment of a pointer (§3).
    package static func segment(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
