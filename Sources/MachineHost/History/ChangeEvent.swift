/// How changes stand in a stream: `event: change`, `id: {epoch}.{version}`, `data: {…}` and an empty line.
enum ChangeEvent: String {
    case change
    case snapshot
    case resume

    /// Appends everything before the data.
    func appendHead(_ position: StreamPosition, to bytes: inout [UInt8]) {
        switch self {
        case .change: bytes.append("event: change\nid: ")
        case .snapshot: bytes.append("event: snapshot\nid: ")
        case .resume: bytes.append("event: resume\nid: ")
        }
        position.append(to: &bytes)
        bytes.append("\ndata: ")
    }

    /// Appends everything behind the data.
    static func appendEnd(to bytes: inout [UInt8]) {
        bytes.append("\n\n")
    }

    /// Where the data lies in an event that was written here.
    static func data(of event: [UInt8]) -> Range<Int> {
        var start = 0
        for _ in 0..<2 { start = (event[start...].firstIndex(of: UInt8(ascii: "\n")) ?? start) + 1 }
        return (start + 6)..<(event.count - 2)
    }
}

extension [UInt8] {
    /// Appends text of the source.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
