import HTTPModel

/// A simple reference parser for event streams (WHATWG HTML §9.2.6) that parses the whole text at once.
struct EventStreamReference: Equatable {
    var events: [ServerSentEvent] = []
    var lastEventID = ""
    var retry: Duration?

    private var event = ""
    private var data: [String] = []
    private var id = ""

    init(_ bytes: [UInt8]) {
        for line in EventStreamReference.lines(of: bytes) {
            if line.isEmpty {
                dispatch()
            } else if line.first != UInt8(ascii: ":") {
                take(line)
            }
        }
    }

    /// The complete lines. A byte order mark at the start is not part of the text.
    private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        var lines: [[UInt8]] = []
        while let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) {
            lines.append(Array(rest[..<end]))
            let isPair = rest[end] == 13 && end + 1 < rest.endIndex && rest[end + 1] == 10
            rest = rest[(end + (isPair ? 2 : 1))...]
        }
        return lines
    }

    private mutating func take(_ line: [UInt8]) {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : []
        if value.first == 32 { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch Array(parts[0]) {
        case Array("event".utf8): event = text
        case Array("data".utf8): data.append(text)
        case Array("id".utf8): if !value.contains(0) { id = text }
        case Array("retry".utf8):
            let isNumber = value.allSatisfy { (48...57).contains($0) }
            if isNumber, let milliseconds = Int64(text) { retry = .milliseconds(milliseconds) }
        default: break
        }
    }

    private mutating func dispatch() {
        lastEventID = id
        if !data.isEmpty {
            events.append(
                ServerSentEvent(
                    event: event.isEmpty ? "message" : event, id: id, data: data.joined(separator: "\n")))
        }
        event = ""
        data = []
    }
}
