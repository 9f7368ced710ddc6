import JSONText

/// The format of a log line.
public enum LogFormat: String, CaseIterable, Sendable {
    /// A JSON object (RFC 8259): `time`, `level`, `message`, then the details.
    case json
    /// Time, level, message and `name=value` pairs, for human readers.
    case text

    /// Returns the event as a single line with a newline at its end. Control characters are escaped, so that no value
    /// can add lines to the log.
    public func line(of event: LogEvent, at time: LogTime) -> String {
        switch self {
        case .json: Self.jsonLine(of: event, at: time)
        case .text: Self.textLine(of: event, at: time)
        }
    }

    private static func jsonLine(of event: LogEvent, at time: LogTime) -> String {
        var line = "{\"time\":\"\(time)\",\"level\":\"\(event.level.rawValue)\",\"message\":\(quoted(event.message))"
        for (name, value) in event.fields {
            line += ",\(quoted(name)):"
            switch value {
            case .text(let text): line += quoted(text)
            case .number(let number): line += String(number)
            }
        }
        return line + "}\n"
    }

    private static func textLine(of event: LogEvent, at time: LogTime) -> String {
        let level = event.level.rawValue
        let gap = String(repeating: " ", count: max(1, 8 - level.count))
        var line = "\(time) \(level)\(gap)\(escaped(event.message))"
        for (name, value) in event.fields {
            switch value {
            case .text(let text): line += " \(escaped(name))=\(isPlain(text) ? text : quoted(text))"
            case .number(let number): line += " \(escaped(name))=\(number)"
            }
        }
        return line + "\n"
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }

    private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    private static func escaped(_ text: String) -> String { JSONWriter.escapedForTerminal(text) }
}
