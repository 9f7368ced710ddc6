import HTTPModel
import MachineHost
import StateCapture

// Operations that read sessions.
extension AdminCall {
    /// The number of turns in the description of a session.
    private static let lastTurns = 10

    func read() throws -> HTTPResponse {
        switch request.operation {
        case .listSessions: return try list()
        case .lookUpSession:
            guard let text = try request.members()["id"]?.text else {
                throw ProblemDetails.unexpected("Expected the member \"id\" with the id that a client holds.")
            }
            return json(["id": .string(try operations.find(text).text)])
        case .readSession: return json(try describe(try session()))
        case .listTurns: return try turns()
        case .readVersion:
            let (session, version) = (try session(), try request.version())
            let isRevealed = try reveals("version", of: session)
            return json(try operations.moment(session.id, at: version, isRevealed: isRevealed))
        case .compareVersions: return try compare()
        default:
            let session = try session()
            audit("export", session.id, machine: session.summary.machine)
            let name = HTTPFieldValue("attachment; filename=\"session-\(session.id.shortText).json\"") ?? "attachment"
            return content(Array(try operations.export(session.id).utf8), ["content-disposition": name])
        }
    }

    private func list() throws -> HTTPResponse {
        var query = SessionQuery()
        if let text = request.text("id")?.lowercased() {
            guard text.utf8.count <= 32, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
                throw ProblemDetails.malformed("Expected 1 to 32 hexadecimal digits as id, got \"\(text.prefix(80))\".")
            }
            query.beginning = text
        }
        (query.logName, query.machine) = (request.text("log"), request.text("machine"))
        query.principal = request.text("principal")
        if let text = request.text("state") {
            guard let situation = SessionSituation(rawValue: text) else {
                let names = SessionSituation.allCases.map(\.rawValue).joined(separator: ", ")
                throw ProblemDetails.malformed("Expected one of \(names) as state, got \"\(text.prefix(80))\".")
            }
            query.situation = situation
        }
        let seconds: ClosedRange<UInt64> = 0...10_000_000_000
        query.olderThan = try request.number("olderThan", in: seconds).map { .seconds(Int64($0)) }
        query.youngerThan = try request.number("youngerThan", in: seconds).map { .seconds(Int64($0)) }
        query.unusedFor = try request.number("unusedFor", in: seconds).map { .seconds(Int64($0)) }
        query.limit = Int(try request.number("limit", in: 1...500) ?? 100)
        if let text = request.text("after") {
            guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
                let low = UInt64(text.suffix(16), radix: 16)
            else {
                throw ProblemDetails.malformed("Expected the value of next in the page before as after.")
            }
            query.after = StoredSessionID(high: high, low: low)
        }
        let (sessions, next) = try operations.list(query)
        return json(["sessions": .array(sessions.map { summary(of: $0) }), "next": StateValue(next?.text)])
    }

    /// Returns what lists show of a session.
    private func summary(of session: OperatedSession) -> StateValue {
        let summary = session.summary
        var json: StateValue = [
            "id": .string(session.id.text), "machine": .string(summary.machine),
            "state": .string(session.situation.rawValue), "version": StateValue(summary.version),
            "created": StateValue(time: summary.createdAt), "used": StateValue(time: summary.usedAt),
            "expires": StateValue(time: summary.expiresAt), "principal": StateValue(session.principal),
            "durability": StateValue(session.durability?.rawValue), "streams": StateValue(session.streams),
            "log": StateValue(session.live?.logName),
        ]
        if !session.isReadable { json["isReadable"] = false }
        return json
    }

    /// Returns everything about a session.
    private func describe(_ session: OperatedSession) throws -> StateValue {
        var json = summary(of: session)
        json["wakes"] = StateValue(time: session.summary.wakesAt)
        json["receivers"] = .array(operations.streams(of: session.id).map { describe($0) })
        if let live = session.live {
            json["retainedBytes"] = StateValue(live.retainedBytes)
            json["scheduled"] = StateValue(live.timers)
            json["hibernates"] = .boolean(live.hibernates)
            json["awake"] = live.awake.map { describe($0) } ?? .null
        }
        guard session.situation != .ended, session.isReadable else { return json }
        let isRevealed = try reveals("session", of: session)
        let moment = try operations.moment(session.id, at: nil, isRevealed: isRevealed)
        for name in ["outputs", "states", "effects"] { json[name] = moment[name] }
        let turns = try operations.turns(
            session.id, after: nil, limit: AdminCall.lastTurns, latest: true, isRevealed: isRevealed)
        json["turns"] = ["beginsAt": turns["beginsAt"] ?? .null, "total": turns["total"] ?? .null]
        json["lastTurns"] = turns["turns"]
        return json
    }

    private func describe(_ reason: AwakeDescription) -> StateValue {
        var json: StateValue = ["because": .string(reason.kind), "text": .string(reason.text)]
        if let name = reason.name { json["name"] = .string(name) }
        if let time = reason.time { json["time"] = StateValue(time: time) }
        return json
    }

    private func describe(_ stream: OperatedStream) -> StateValue {
        [
            "principal": StateValue(stream.principal), "isOfTicket": .boolean(stream.isOfTicket),
            "version": StateValue(stream.version),
        ]
    }

    private func turns() throws -> HTTPResponse {
        let latest = request.text("latest")
        guard latest == nil || latest == "true" || latest == "false" else {
            throw ProblemDetails.malformed("Expected true or false as latest, got \"\(latest?.prefix(80) ?? "")\".")
        }
        let after = try request.number("after", in: 0...UInt64.max)
        let limit = try request.number("limit", in: 1...UInt64(HostOperations.maxTurns)) ?? 500
        let session = try session()
        let isRevealed = try reveals("turns", of: session)
        return json(
            try operations.turns(
                session.id, after: after, limit: Int(limit), latest: latest == "true", isRevealed: isRevealed))
    }

    private func compare() throws -> HTTPResponse {
        guard let left = request.text("left") else {
            throw ProblemDetails.malformed("Expected the stored id of a session as left, got none.")
        }
        let versions = (
            left: try request.number("leftVersion", in: 0...UInt64.max),
            right: try request.number("rightVersion", in: 0...UInt64.max)
        )
        let sessions = [left, request.text("right") ?? left].map { name in
            Result { try operations.session(try id(name)) }
        }
        let (one, other) = (try sessions[0].get(), try sessions[1].get())
        var isRevealed = try reveals("comparison", of: one)
        if other.id != one.id { isRevealed = try reveals("comparison", of: other) }
        return json(
            try operations.comparison((one.id, versions.left), (other.id, versions.right), isRevealed: isRevealed))
    }
}
