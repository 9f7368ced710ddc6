import HTTPModel
import MachineHost

/// A process that hosts one session of a machine, in virtual time. It may end at any moment, and another one continues the session.
final class VirtualProcess {
    private let host: RestartableHost
    private let session: String
    private var follower: StreamFollower?
    /// The data of all events, without the first ones of each stream.
    private(set) var events: [String] = []
    private var readEvents = 0

    /// - Parameters:
    ///   - parameters: The parameters of its session as JSON; nil if it takes none.
    ///   - seed: The seed of its random numbers.
    init(_ machine: MachineDefinition, parameters: String? = nil, seed: UInt64) throws {
        var configuration = HostConfiguration()
        configuration.stateSeed = seed
        host = try RestartableHost([machine], configuration: configuration)
        let created = VirtualProcess.send(
            .post, "/v1/sessions", HostHarness.creation(of: machine.name, parameters), [:], to: host.harness)
        guard let path = created?.fields.value(.location) else {
            throw NotResumable("expected a session, got \(VirtualProcess.text(of: created))")
        }
        session = path
        try follow(after: nil)
    }

    /// Ends the process and continues the session in another one.
    func restart() throws {
        let position = follower?.lastEventID
        follower = nil
        try host.restart()
        try follow(after: position)
    }

    /// Sends an input. Returns the response.
    func input(_ name: String, _ json: String?) -> String {
        let response = VirtualProcess.send(
            .post, "\(session)/inputs/\(name)", json, [:], to: host.harness)
        readEventsNow()
        return VirtualProcess.text(of: response)
    }

    /// Lets time pass.
    func wait(_ duration: Duration) {
        host.harness.loop.advance(by: duration)
        host.harness.loop.run()
        readEventsNow()
    }

    /// Returns the outputs with their version.
    func outputs() -> String {
        let response = VirtualProcess.send(.get, session + "/outputs", nil, [:], to: host.harness)
        // Without the epoch, which differs from that of any other session.
        let version = response?.fields.value(.eTag)?.split(separator: ".").last ?? ""
        return version + " " + VirtualProcess.text(of: response)
    }

    private func follow(after position: String?) throws {
        var fields: HTTPFields = [.accept: "text/event-stream"]
        if let position, let value = HTTPFieldValue(position) { fields.append(.lastEventID, value) }
        let response = VirtualProcess.send(.get, session + "/outputs", nil, fields, to: host.harness)
        guard case .stream(let body)? = response?.body else {
            throw NotResumable("expected a stream, got \(VirtualProcess.text(of: response))")
        }
        let follower = StreamFollower(body)
        follower.read()
        let first = follower.events.first?.event ?? "nothing"
        guard first == (position == nil ? "snapshot" : "resume") else {
            throw NotResumable("expected the stream to continue with \"resume\", got \"\(first)\"")
        }
        self.follower = follower
        readEvents = 1
        readEventsNow()
    }

    private func readEventsNow() {
        follower?.read()
        guard let follower else { return }
        for event in follower.events[readEvents...] { events.append("\(event.event) \(event.data)") }
        readEvents = follower.events.count
    }

    private static func send(
        _ method: HTTPMethod, _ target: String, _ body: String?, _ fields: HTTPFields, to harness: HostHarness
    ) -> HTTPResponse? {
        var request = HTTPRequest(
            method: method, target: target, fields: fields, body: body.map { Array($0.utf8) } ?? [], peer: .unknown)
        if body != nil { request.fields.append(.contentType, "application/json") }
        var response: HTTPResponse?
        switch harness.shard.respond(to: request) {
        case .response(let answer): response = answer
        case .deferred(let promise): promise.whenFulfilled { response = $0 }
        }
        harness.loop.run()
        return response
    }

    private static func text(of response: HTTPResponse?) -> String {
        guard let response else { return "no response" }
        return "\(response.status.code) " + HarnessAnswer(response).text
    }
}
