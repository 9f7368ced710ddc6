import HTTPModel
import Locking
import MachineHost

/// A process that hosts one session of a machine, in virtual time. It may end at any moment, and another one continues the session.
final class VirtualProcess {
    private let machine: MachineDefinition
    private let storage: VirtualStorage
    private let loop: VirtualEventLoop
    private let seed: UInt64
    private var harness: HostHarness
    private var journal: VirtualJournal
    private let session: String
    private var follower: StreamFollower?
    /// The data of all events, without the first ones of each stream.
    private(set) var events: [String] = []
    private var readEvents = 0

    init(_ machine: MachineDefinition, seed: UInt64) throws {
        self.machine = machine
        self.seed = seed
        storage = VirtualStorage()
        loop = VirtualEventLoop()
        (harness, journal) = try VirtualProcess.begin(machine, storage, loop, seed: seed)
        let created = VirtualProcess.send(
            .post, "/v1/sessions", "{\"machine\":\"\(machine.name)\"}", [:], to: harness)
        guard let path = created?.fields.value(.location) else {
            throw NotResumable("expected a session, got \(VirtualProcess.text(of: created))")
        }
        session = path
        try follow(after: nil)
    }

    private static func begin(
        _ machine: MachineDefinition, _ storage: VirtualStorage, _ loop: VirtualEventLoop, seed: UInt64
    ) throws -> (HostHarness, VirtualJournal) {
        // The wall clock continues with the loop's time in all processes.
        let (seconds, attoseconds) = (loop.now - MonotonicTime(nanoseconds: 0)).components
        let now = WallTime(seconds: 1_767_225_600 + seconds, nanoseconds: Int32(attoseconds / 1_000_000_000))
        let writer = JournalWriter(executor: VirtualExecutor(loop: loop)) { _ in }
        var configuration = HostConfiguration()
        configuration.stateSeed = seed
        let harness = try HostHarness(
            [machine], configuration: configuration, loop: loop, beginning: now, journal: writer)
        let journal = UnsafeTransfer(storage.open())
        writer.open {
            journal.value
        } opened: { _ in
        }
        loop.run()
        return (harness, journal.value)
    }

    /// Ends the process and continues the session in another one.
    func restart() throws {
        journal.close()
        let position = follower?.lastEventID
        follower = nil
        (harness, journal) = try VirtualProcess.begin(machine, storage, loop, seed: seed)
        try follow(after: position)
    }

    /// Sends an input. Returns the response.
    func input(_ name: String, _ json: String?) -> String {
        let response = VirtualProcess.send(
            .post, "\(session)/inputs/\(name)", json, [:], to: harness)
        readEventsNow()
        return VirtualProcess.text(of: response)
    }

    /// Lets time pass.
    func wait(_ duration: Duration) {
        loop.advance(by: duration)
        loop.run()
        readEventsNow()
    }

    /// Returns the outputs with their version.
    func outputs() -> String {
        let response = VirtualProcess.send(.get, session + "/outputs", nil, [:], to: harness)
        return (response?.fields.value(.eTag) ?? "") + " " + VirtualProcess.text(of: response)
    }

    private func follow(after position: String?) throws {
        var fields: HTTPFields = [.accept: "text/event-stream"]
        if let position, let value = HTTPFieldValue(position) { fields.append(.lastEventID, value) }
        let response = VirtualProcess.send(.get, session + "/outputs", nil, fields, to: harness)
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
