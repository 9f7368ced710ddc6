public import HTTPModel
import MachineHost

/// What a client knows of a session from the events of its streams, and whether they kept their promises.
public struct StreamView: Equatable {
    /// The outputs, as JSON text.
    public private(set) var outputs: [String: String] = [:]
    /// The events that the machine sent, each as JSON text.
    public private(set) var emitted: [String] = []
    /// The version of the last event; `nil` before the first.
    public private(set) var version: UInt64?
    /// Why the stream ended, as JSON text.
    public private(set) var end: String?
    /// What the stream did that it must not, in words: versions that repeat or skip.
    public private(set) var violations: [String] = []

    /// A client that knows nothing.
    public init() {}

    /// Takes the next event, of this stream or of one that it came back with.
    public mutating func take(_ event: ServerSentEvent) {
        guard event.event != "end" else {
            end = event.data
            return
        }
        let next = event.id.split(separator: ".").last.flatMap { UInt64($0) }
        guard let next else { return violations.append("an event without a version: \(event)") }
        switch event.event {
        case "snapshot":
            if let version, next < version { violations.append("a snapshot of \(next) came after \(version)") }
            outputs = [:]
            merge(event.data)
        case "resume":
            if next != version { violations.append("resumed from \(next), the client had \(version ?? 0)") }
        case "change":
            if let version, next != version + 1 { violations.append("\(next) came after \(version)") }
            merge(event.data)
        default: violations.append("an event of unknown kind: \(event.event)")
        }
        version = next
    }

    private mutating func merge(_ data: String) {
        guard let members = JSONObjectText.members(of: data) else {
            return violations.append("no JSON object: \(data)")
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
