public import HTTPModel
import JSONText

/// A client's knowledge of a session, reconstructed from the events of its streams, with the violations it has found.
public struct StreamView: Equatable {
    /// The outputs, as JSON text.
    public private(set) var outputs: [String: String] = [:]
    /// The emitted events, each as JSON text.
    public private(set) var emitted: [String] = []
    /// The version of the last event; nil before the first.
    public private(set) var version: UInt64?
    /// The data of the `end` event; nil while the stream is open.
    public private(set) var end: String?
    /// The violations of the protocol as text, such as repeated or skipped versions.
    public private(set) var violations: [String] = []

    /// Creates a client without knowledge.
    public init() {}

    /// Processes the next event of this stream, or of a stream with which the client resumed.
    public mutating func take(_ event: ServerSentEvent) {
        guard event.event != "end" else {
            end = event.data
            return
        }
        let next = event.id.split(separator: ".").last.flatMap { UInt64($0) }
        guard let next else { return violations.append("an event has no version: \(event)") }
        switch event.event {
        case "snapshot":
            if let version, next < version {
                violations.append("a snapshot of version \(next) follows version \(version)")
            }
            outputs = [:]
            merge(event.data)
        case "resume":
            if next != version { violations.append("resumed from version \(next), the client had \(version ?? 0)") }
        case "change":
            if let version, next != version + 1 { violations.append("expected version \(version + 1), got \(next)") }
            merge(event.data)
        default: violations.append("an event of unknown kind: \(event.event)")
        }
        version = next
    }

    private mutating func merge(_ data: String) {
        guard let members = JSONObjectText.members(of: data) else {
            return violations.append("expected a JSON object, got \(data)")
        }
        for (name, value) in members {
            if name == "$emitted" {
                emitted += JSONObjectText.elements(of: value) ?? []
            } else {
                outputs[name] = value
            }
        }
    }
}
