/// The reason for which this build cannot replay a recording at all.
package enum ReplayError: Error, Equatable, CustomStringConvertible {
    /// The machine's state cannot be captured, so that it cannot continue a recorded session.
    case notCaptured(String, reason: String)
    /// The recorded state does not fit the machine.
    case unreadable(String)

    /// Work that the host does not know of was in progress when the recording began.
    case interrupted([String])

    package var description: String {
        switch self {
        case .notCaptured(let name, let reason):
            "expected a machine whose state can be captured, got \"\(name)\": \(reason)"
        case .interrupted(let names):
            "the recording begins while work was in progress that the host does not record: \(names.joined(separator: ", ")); "
                + "declare it with context.effect, or record from the creation of a session"
        case .unreadable(let reason): "the recorded session cannot be continued by this build: \(reason)"
        }
    }
}

/// A difference between a record and its replay, as a sentence without a full stop.
struct ReplayMismatch: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// The text of recorded values in messages.
enum ReplayText {
    private static let maxLength = 400

    /// Returns JSON, or its beginning if it is long.
    static func clipped(_ json: ArraySlice<UInt8>) -> String {
        let text = printable(String(decoding: json.prefix(maxLength), as: UTF8.self))
        return json.count > maxLength ? "\(text)… (\(json.count) bytes)" : text
    }

    /// Returns text without characters that control a terminal.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }

    static func clipped(_ json: ArraySlice<UInt8>?) -> String { json.map { clipped($0) } ?? "nothing" }
}
