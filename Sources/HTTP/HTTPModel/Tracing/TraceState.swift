/// The value of the `Tracestate` fields of a request: what the services of a trace add for themselves (W3C Trace Context, level 1, §3.3).
package enum TraceState {
    /// The maximum length of the value, in bytes, and of the list. A longer value is dropped, as an invalid one.
    package static let (maxBytes, maxMembers) = (512, 32)

    /// Returns the value of all fields of a request; empty if it is invalid or none exists.
    package static func text(of fields: HTTPFields) -> String {
        guard fields.contains(.tracestate) else { return "" }
        return text(of: fields.values(.tracestate).joined(separator: ","))
    }

    /// Returns a value without empty members and white space around the others; empty if it is invalid.
    package static func text(of value: String) -> String {
        let members = value.utf8.split(separator: UInt8(ascii: ",")).map(trimmed).filter { !$0.isEmpty }
        guard members.count <= maxMembers, members.allSatisfy(isMember) else { return "" }
        let text = members.compactMap { String($0) }.joined(separator: ",")
        return text.utf8.count <= maxBytes ? text : ""
    }

    private static func trimmed(_ member: Substring.UTF8View) -> Substring.UTF8View {
        var member = member
        while let first = member.first, isSpace(first) { member.removeFirst() }
        while let last = member.last, isSpace(last) { member.removeLast() }
        return member
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Returns whether a text is a key and a value.
    private static func isMember(_ member: Substring.UTF8View) -> Bool {
        guard let equals = member.firstIndex(of: UInt8(ascii: "=")), let first = member.first, isLetterOrDigit(first)
        else { return false }
        let (key, value) = (member[..<equals], member[equals...].dropFirst())
        return key.allSatisfy { isLetterOrDigit($0) || "_-*/@".utf8.contains($0) } && !value.isEmpty
            && value.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "=") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
