import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// The client of a combined stream. It dispatches the events without parsing the outputs, and treats those of each session as events
/// of a single stream.
final class CombinedClient {
    /// What the client knows of each session, by id.
    private(set) var views: [String: StreamView] = [:]
    /// The events of the current stream: the session's id and the event as on a single stream. The id is empty for an end that
    /// concerns the whole stream.
    private(set) var events: [(session: String, event: ServerSentEvent)] = []
    private(set) var follower: StreamFollower?
    private(set) var lastEventID = ""
    private var taken = 0

    /// Continues with a stream.
    func connect(_ stream: any HTTPBodyStream) {
        follower?.cut()
        follower = StreamFollower(stream)
        events = []
        taken = 0
    }

    func readOnce(limit: Int = 16384) {
        follower?.readOnce(limit: limit)
        take()
    }

    func read(limit: Int = 16384) {
        follower?.read(limit: limit)
        take()
    }

    func cut() {
        follower?.cut()
        follower = nil
    }

    /// The names of the events of a session.
    func names(of session: String) -> [String] {
        events.filter { $0.session == session.suffix(SessionID.textCount) }.map(\.event.event)
    }

    /// The outputs of a session, given its id or path.
    func outputs(of session: String) -> [String: String]? { views[String(session.suffix(22))]?.outputs }

    private func take() {
        guard let follower else { return }
        for event in follower.events[taken...] { take(event) }
        taken = follower.events.count
        if !follower.lastEventID.isEmpty { lastEventID = follower.lastEventID }
    }

    private func take(_ event: ServerSentEvent) {
        let (before, between, after) = ("{\"session\":\"", "\",\"id\":\"", "\",\"data\":")
        guard event.data.hasPrefix(before) else { return events.append(("", event)) }
        // The session is always at the same place.
        let session = String(event.data.dropFirst(before.count).prefix(SessionID.textCount))
        var rest = event.data.dropFirst(before.count + SessionID.textCount)
        var id = ""
        if rest.hasPrefix(between) {
            id = String(rest.dropFirst(between.count).prefix { $0 != "\"" })
            rest = rest.dropFirst(between.count + id.count)
        }
        #expect(rest.hasPrefix(after) && rest.hasSuffix("}"), "\(event.data)")
        let single = ServerSentEvent(
            event: event.event, id: id, data: String(rest.dropFirst(after.count).dropLast()))
        events.append((session, single))
        views[session, default: StreamView()].take(single)
    }
}
