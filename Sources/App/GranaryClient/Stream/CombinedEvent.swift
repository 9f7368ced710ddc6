import HTTPModel
import JSONText

/// An event of a combined stream, as far as it does not depend on the types of a machine.
enum CombinedEvent: Equatable {
    /// The state of a session.
    case snapshot(session: String, position: String, data: [UInt8])
    /// A turn of a session.
    case change(session: String, position: String, data: [UInt8])
    /// A session continues where it was.
    case resume(session: String, position: String)
    /// A session ends, or its part of the stream.
    case end(session: String, reason: String, incident: String?)
    /// The whole stream ends.
    case streamEnd(reason: String)
    /// An event that this version of the client does not know.
    case unknown

    /// Reads an event; nil if it is malformed.
    init?(_ event: ServerSentEvent) {
        let bytes = Array(event.data.utf8)
        guard let range = try? JSONScanner.document(bytes, nestingLimit: 512) else { return nil }
        let value = JSONValue(bytes: bytes, range: range)
        guard value.kind == .object else { return nil }
        guard let session = value.member("session")?.string else {
            guard event.event == "end" else { return nil }
            self = .streamEnd(reason: value.member("reason")?.string ?? "")
            return
        }
        guard let data = value.member("data"), data.kind == .object else { return nil }
        if event.event == "end" {
            let reason = data.member("reason")?.string ?? ""
            self = .end(session: session, reason: reason, incident: data.member("incident")?.string)
            return
        }
        guard ["snapshot", "change", "resume"].contains(event.event) else {
            self = .unknown
            return
        }
        guard let position = value.member("id")?.string else { return nil }
        self =
            switch event.event {
            case "snapshot": .snapshot(session: session, position: position, data: Array(data.slice))
            case "change": .change(session: session, position: position, data: Array(data.slice))
            default: .resume(session: session, position: position)
            }
    }
}
